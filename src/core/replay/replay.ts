/**
 * Replays one run of a stream under one operation and reports what became of everything.
 *
 * The entry point of the engine. Pure: the sandbox is injected, author and time come from the caller, nothing is sent
 * anywhere, no event given is changed. Segments are run in order from the first one that changed.
 */
import { type JsonValue, plainToRecorded } from '../base/json.ts';
import { type Result, ok } from '../base/result.ts';
import { type EventId, type HindcastEvent, digest } from '../model/index.ts';
import { settledDigest } from './divergence.ts';
import type { EditFile } from './edit-file.ts';
import { computeShapeWarnings } from './edit-shapes.ts';
import { enabledFlags } from './flags.ts';
import type { Journal } from './journal-types.ts';
import { type OperationBody, type OperationKind, computeFrontierDigest, createOperation } from './operation.ts';
import { type ReplayBase, readBase } from './replay-base.ts';
import type { ReplayPlan, ReplayRequest } from './replay-plan.ts';
import type { ReplayReport } from './report-types.ts';
import { buildReport, notReplayable } from './report.ts';
import { type ResolvedEdits, resolveEdits } from './resolve-edits.ts';
import { type RunInfo, computeTools, programDigest } from './run-info.ts';
import { type SandboxLimits, defaultSandboxLimits } from './sandbox-port.ts';
import { type SegmentRequest, type SegmentRun, endVersions, retainSegment, runSegment } from './segment-run.ts';
import { startVersions } from './state-versions.ts';
import { isBaseRecord } from './statuses.ts';
import { containsHole } from '../base/withheld.ts';
import type { WorldTouch } from './world.ts';

const noEdits: EditFile = { edits: [], supply: [] };

/** An error is a sentence about the request (an unknown target, a run that is not there); a replay that fails is a report. */
export async function runReplay(request: ReplayRequest): Promise<Result<ReplayReport, string>> {
  const base = readBase(request.events, request.run, request.base ?? 'main');
  return base.ok ? runReplayOn(base.value, request) : base;
}

/** The same where the base of the request was read before. */
export async function runReplayOn(base: ReplayBase, request: ReplayRequest): Promise<Result<ReplayReport, string>> {
  const { infos, journals, visible } = base;
  const edit = request.edit ?? noEdits;
  const eventsById = new Map<EventId, HindcastEvent>(visible.map((event) => [event.id, event]));
  const programChanged = isOtherProgram(request, infos[0]);
  const resolved = resolveEdits(edit, { journals, infos, eventsById, programChanged });
  if (!resolved.ok) return resolved;
  const why = whyNotReplayable(base, request);
  if (why !== undefined) return ok(withShapes(notReplayable(base, resolved.value, why), base, resolved.value));
  const plan = createPlan(request, base, resolved.value, edit.reason);
  const segments = await runSegments(plan);
  return ok(withShapes(await buildReport(plan, segments), base, resolved.value));
}

/** Warnings about values of a strange shape stand first: what follows may come of them. */
function withShapes(report: ReplayReport, base: ReplayBase, edits: ResolvedEdits): ReplayReport {
  return { ...report, warnings: [...computeShapeWarnings(base, edits, report.commands), ...report.warnings] };
}

function whyNotReplayable({ run, infos, journals }: ReplayBase, request: ReplayRequest): string | undefined {
  const [info] = infos;
  if (info === undefined) return `The run has no recorded start.${startsElsewhere(request.events, run)}`;
  if ((request.program?.source ?? info.program.source) === undefined) {
    if (info.program.withheld)
      return 'The control program is withheld in this copy; what an edit would invalidate can be previewed, not replayed.';
    return 'The stream carries no control program; what an edit would invalidate can be previewed, not replayed.';
  }
  if (info.input === undefined)
    return 'The input of the run is recorded by reference and its bytes are not in the stream.';
  if (containsHole(info.input))
    return 'The input of the run is withheld in this copy; without it the control program cannot start.';
  const blocking = journals.flatMap((journal) => (journal.replayable ? [] : journal.problems));
  return blocking.find((p) => p.code === 'lives-unordered' || p.code === 'path-reused')?.message;
}

/** A start on another branch is no start of the recorded run; its branch is named. */
function startsElsewhere(events: readonly HindcastEvent[], run: string): string {
  const started = events.filter((event) => event.type === 'run.started' && event.run === run);
  const names = [...new Set(started.map((event) => `"${event.branch}"`))];
  if (names.length === 0) return '';
  const more = names.length > 10 ? `, and ${String(names.length - 10)} more` : '';
  return ` A recorded run stands on the branch "main"; run.started is on ${names.slice(0, 10).join(', ')}${more}.`;
}

function asksLive({ supplyTargets }: ResolvedEdits): boolean {
  return supplyTargets.some(({ replacement }) => replacement.origin === 'live');
}

function createPlan(
  request: ReplayRequest,
  base: ReplayBase,
  edits: ResolvedEdits,
  reason: string | undefined,
): ReplayPlan {
  const [info] = base.infos;
  const before = info?.program.source;
  const programAfter = request.program?.source ?? before ?? '';
  const programChanged = isOtherProgram(request, info);
  const kind: OperationKind = programChanged
    ? 'patch'
    : isUnedited(edits)
      ? 'verify'
      : asksLive(edits)
        ? 'live'
        : 'edit';
  const { passes, ...limits } = request.limits ?? {};
  const lenient = request.policies?.world === 'lenient';
  const allLimits = { ...defaultSandboxLimits, ...recordedLimits(info), ...limits };
  const body: OperationBody = {
    kind,
    run: base.run,
    base_branch: base.branch,
    base_digest: computeFrontierDigest(base.visible),
    targets: edits.targets,
    supplies: edits.supplyTargets,
    ...inputOf(edits),
    program_before: {
      name: info?.program.name ?? 'program',
      ...(info?.program.version === undefined ? {} : { version: info.program.version }),
      ...(info?.program.digest === undefined ? {} : { digest: info.program.digest }),
    },
    program_after: {
      name: request.program?.name ?? info?.program.name ?? 'program',
      ...versionOf(request, info, programChanged),
      digest: programDigest(programAfter),
      ...(programChanged ? { source: programAfter } : {}),
      ...(programChanged ? originalOf(request) : {}),
    },
    sandbox: request.sandbox.engine.digest,
    policies: { world: lenient ? 'lenient' : 'strict', missing: 'pending' },
    limits: { ...allLimits, passes: passes ?? defaultPasses },
    flags: enabledFlags(),
  };
  const author = reason === undefined ? request.author : { ...request.author, reason };
  const operation = createOperation(body, author);
  return {
    request,
    base,
    edits,
    kind,
    programAfter,
    programChanged,
    lenient,
    limits: allLimits,
    maxPasses: passes ?? defaultPasses,
    operation,
  };
}

function isOtherProgram({ program }: ReplayRequest, info: RunInfo | undefined): boolean {
  return program !== undefined && programDigest(program.source) !== info?.program.digest;
}

/** The text as it was written, where its types were taken off. */
function originalOf({ program }: ReplayRequest): { readonly original?: string } {
  return program?.original === undefined ? {} : { original: program.original };
}

/** Nothing was asked for; an edit that equals the record is still an edit (I1). */
function isUnedited({ noop, targets, sameInput }: ResolvedEdits): boolean {
  return noop && targets.length === 0 && sameInput === undefined;
}

function inputOf({ input, sameInput }: ResolvedEdits): Pick<OperationBody, 'input'> {
  const value = input === undefined ? sameInput : input;
  if (value === undefined) return {};
  return { input: { digest: digest(value), value, ...(input === undefined ? { noop: true } : {}) } };
}

const defaultPasses = 100;

function versionOf(request: ReplayRequest, info: RunInfo | undefined, changed: boolean): { readonly version?: string } {
  const version = request.program?.version ?? (changed ? undefined : info?.program.version);
  return version === undefined ? {} : { version };
}

/** Limits the run was recorded under, where they are ours. */
function recordedLimits(info: RunInfo | undefined): Partial<SandboxLimits> {
  const out: Partial<Record<keyof SandboxLimits, number>> = {};
  for (const key of limitNames) {
    const value = info?.limits[key];
    if (typeof value === 'number' && value > 0) out[key] = value;
  }
  return out;
}

const limitNames = [
  'commands',
  'ticksPerDelivery',
  'ticksPerRun',
  'bridgeBytes',
  'memoryBytes',
  'stackBytes',
  'scopeDepth',
] as const;

async function runSegments(plan: ReplayPlan): Promise<readonly SegmentRun[]> {
  const { infos, journals } = plan.base;
  const first = firstChanged(plan);
  const runs: SegmentRun[] = [];
  let carried: { readonly input: JsonValue; readonly versions: ReadonlyMap<string, number> } | undefined;
  let earlier: readonly WorldTouch[] = [];
  let stands = false;
  for (const [n, info] of infos.entries()) {
    const journal = journals[n];
    if (journal === undefined) break;
    if (n < first || (stands && !hasOwnChange(plan, journal))) {
      runs.push(retainSegment(info, journal));
      continue;
    }
    const request = segmentRequest(
      plan,
      info,
      journal,
      n === 0 ? plan.edits.input : carried?.input,
      carried?.versions,
      earlier,
    );
    const run = await runSegment(request);
    runs.push(run);
    const { pass } = run;
    if (pass?.settled?.kind !== 'rolled-over') break;
    stands = standsAfter(plan, run);
    carried = stands
      ? undefined
      : { input: plainToRecorded(pass.settled.carried), versions: endVersions(request.versions, pass) };
    earlier = stands ? [] : [...earlier, ...run.touches.map((touch) => ({ ...touch, from: '-1' }))];
  }
  return runs;
}

function segmentRequest(
  plan: ReplayPlan,
  info: RunInfo,
  journal: Journal,
  input: JsonValue | undefined,
  versions: ReadonlyMap<string, number> | undefined,
  earlier: readonly WorldTouch[],
): SegmentRequest {
  const { request, base, edits, kind, programAfter, lenient, limits, maxPasses } = plan;
  return {
    sandbox: request.sandbox,
    contents: base.contents,
    journal,
    info,
    program: programAfter,
    input: firstPresent(input, info.input),
    edits: edits.edits,
    supplies: edits.supplies,
    lenient,
    verify: kind === 'verify' || (edits.noop && !plan.programChanged),
    versions: versions ?? startVersions(journal),
    earlier,
    tools: computeTools(request.events),
    limits,
    maxPasses,
    shouldStop: request.shouldStop,
  };
}

/** The first that is there; `null` is an input like any other. */
function firstPresent(edited: JsonValue | undefined, recorded: JsonValue | undefined): JsonValue {
  if (edited !== undefined) return edited;
  return recorded === undefined ? {} : recorded;
}

/** First segment that an edit or supplied value concerns; everything, when the program changed or nothing did. */
function firstChanged(plan: ReplayPlan): number {
  const { edits, programChanged, base } = plan;
  if (programChanged || edits.noop || edits.input !== undefined) return 0;
  let first = Math.max(
    base.journals.findIndex((journal) => hasOwnChange(plan, journal)),
    0,
  );
  // What a segment begins with is made by the one before, where this stream does not have it.
  while (first > 0 && !isUsable(base.infos[first]?.input)) first--;
  return first;
}

function isUsable(input: JsonValue | undefined): boolean {
  return input !== undefined && !containsHole(input);
}

function hasOwnChange({ edits, programChanged, base }: ReplayPlan, journal: Journal): boolean {
  if (programChanged || edits.noop) return true;
  const segment = base.infos[base.journals.indexOf(journal)]?.segment ?? 0;
  const prefix = segment === 0 ? undefined : `/seg:${String(segment)}/`;
  const isHere = (path: string): boolean =>
    prefix === undefined ? !path.startsWith('/seg:') : path.startsWith(prefix);
  return [...edits.edits.keys(), ...edits.supplies.keys()].some(isHere);
}

/** Segments after this one stand when it carries the same state and leaves the same signals unread (3.13). */
function standsAfter(plan: ReplayPlan, { pass, info, journal }: SegmentRun): boolean {
  if (pass?.settled === undefined || plan.programChanged) return false;
  const { outcome } = info;
  if (outcome?.kind !== 'rolled-over' || outcome.digest !== settledDigest(pass.settled)) return false;
  return journal.entries.every(
    (entry) => entry.kind !== 'signal' || !isBaseRecord(entry) || pass.claimed.has(entry.path),
  );
}
