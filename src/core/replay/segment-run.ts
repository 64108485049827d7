/**
 * Runs one segment to its fixpoint: passes until no further read becomes suspect (I3).
 *
 * The set of suspects only grows, so at most one pass per read is needed; the limit on passes is part of the operation.
 */
import type { JsonValue } from '../base/json.ts';
import type { Contents } from './contents.ts';
import type { Journal } from './journal-types.ts';
import { runPass } from './pass.ts';
import type { PassResult, ResolvedReplacement } from './pass-types.ts';
import type { RunInfo, ToolInfo } from './run-info.ts';
import type { HostConditions, Sandbox, SandboxLimits } from './sandbox-port.ts';
import { type Suspicion, type WorldTouch, computeSuspicions, computeTouches } from './world.ts';

export interface SegmentRequest {
  readonly sandbox: Sandbox;
  readonly contents: Contents;
  readonly journal: Journal;
  readonly info: RunInfo;
  readonly program: string;
  readonly input: JsonValue;
  readonly edits: ReadonlyMap<string, ResolvedReplacement>;
  readonly supplies: ReadonlyMap<string, ResolvedReplacement>;
  readonly lenient: boolean;
  readonly verify: boolean;
  readonly versions: ReadonlyMap<string, number>;
  readonly earlier: readonly WorldTouch[];
  readonly tools: ReadonlyMap<string, ToolInfo>;
  readonly limits: SandboxLimits;
  readonly maxPasses: number;
  readonly shouldStop: (() => boolean) | undefined;
}

export interface SegmentRun {
  readonly info: RunInfo;
  readonly journal: Journal;
  /** Absent: the segment stands whole and was not run again. */
  readonly pass: PassResult | undefined;
  readonly suspicions: ReadonlyMap<string, Suspicion>;
  readonly touches: readonly WorldTouch[];
  readonly passes: number;
  readonly passLimit: boolean;
  readonly request: SegmentRequest | undefined;
}

export async function runSegment(request: SegmentRequest): Promise<SegmentRun> {
  const suspicions = new Map<string, Suspicion>();
  for (let passes = 1; ; passes++) {
    const pass = await runOnce(request, new Set(suspicions.keys()), undefined);
    const world = {
      entries: request.journal.entries,
      pass,
      edited: new Set(request.edits.keys()),
      tools: request.tools,
    };
    const fresh =
      request.verify || pass.limit !== undefined
        ? []
        : computeSuspicions({ ...world, earlier: request.earlier }).filter((s) => !suspicions.has(s.record.path));
    for (const suspicion of fresh) suspicions.set(suspicion.record.path, suspicion);
    if (fresh.length > 0 && passes < request.maxPasses) continue;
    const { journal, info } = request;
    return {
      info,
      journal,
      pass,
      suspicions,
      touches: computeTouches(world),
      passes,
      passLimit: fresh.length > 0,
      request,
    };
  }
}

/** One pass as the fixpoint would make it, under other conditions of the host. */
export function runOnce(
  request: SegmentRequest,
  suspects: ReadonlySet<string>,
  conditions: HostConditions | undefined,
): Promise<PassResult> {
  const { journal, info, program, input, edits, supplies, lenient, verify, versions, limits, shouldStop } = request;
  return runPass(
    request.sandbox,
    {
      journal,
      info,
      program,
      input,
      edits,
      supplies,
      suspects,
      lenient,
      verify,
      versions,
      limits,
      conditions,
      shouldStop,
    },
    request.contents,
  );
}

/** A segment that stands whole. */
export function retainSegment(info: RunInfo, journal: Journal): SegmentRun {
  return {
    info,
    journal,
    pass: undefined,
    suspicions: new Map(),
    touches: [],
    passes: 0,
    passLimit: false,
    request: undefined,
  };
}

/** Versions after a pass, for the segment that follows. */
export function endVersions(before: ReadonlyMap<string, number>, pass: PassResult): ReadonlyMap<string, number> {
  const versions = new Map(before);
  for (const { name, count } of pass.states) versions.set(name, count);
  return versions;
}
