/**
 * Runs a golden case against a program: one replay, one result per property, with the branch that produced it (R82).
 *
 * Invariant: the record must be the one that was pinned, and its program the one that the case names, by digest. Nothing is sent. Called by the command line and the page.
 */
import { type Result, err, ok } from '../base/result.ts';
import type { HindcastEvent } from '../model/index.ts';
import {
  type ReplayReport,
  type ReplayRequest,
  type VerdictWord,
  computeFrontierDigest,
  computeSetDigest,
  computeVerdict,
  programDigest,
  readBase,
  runReplay,
} from '../replay/index.ts';
import { type PropertyResult, type PropertyStatus, evaluateProperty } from './evaluate.ts';
import { computeDescendants } from './exempt.ts';
import { type GoldenAudit, whyNoRule } from './pin.ts';
import type { Golden } from './schema.ts';
import { reportToSeen } from './seen.ts';

export interface GoldenRunRequest extends Pick<ReplayRequest, 'events' | 'sandbox' | 'author'> {
  readonly golden: Golden;
  /** Default: the program that made the record. */
  readonly program?: NonNullable<ReplayRequest['program']>;
  readonly audit: GoldenAudit;
  readonly shouldStop?: () => boolean;
}

export interface GoldenResult {
  readonly name: string;
  readonly run: string;
  readonly set: string;
  readonly program: { readonly before: string; readonly after: string };
  /** What the replay came to, and the branch and operation that produced the results. */
  readonly result: ReplayReport['result'];
  readonly sentence: string;
  /** How the program fares against the record, in the words of a run set. */
  readonly verdict: VerdictWord;
  readonly branch: string;
  readonly operation: string | undefined;
  readonly properties: readonly PropertyResult[];
  readonly counts: Readonly<Record<PropertyStatus, number>>;
  /** Nothing is broken, and something was decided. */
  readonly passes: boolean;
  /** The branch, as events in the order in which they are to be appended. */
  readonly lines: readonly HindcastEvent[];
}

export async function runGolden(request: GoldenRunRequest): Promise<Result<GoldenResult, string>> {
  const { golden, events, sandbox, author, program, shouldStop } = request;
  const base = readBase(events, golden.run, golden.branch);
  if (!base.ok) return base;
  const set = computeSetDigest([computeFrontierDigest(base.value.visible)]);
  if (set !== golden.set)
    return err(`The stream of "${golden.name}" is not the one that was pinned: its digest is ${set}.`);
  const recorded = base.value.infos[0]?.program.digest;
  if (recorded !== golden.program)
    return err(
      `The case "${golden.name}" names the program ${golden.program}; its stream was made by ${recorded ?? 'one it does not name'}. Pin the case again, or take its file as it was written.`,
    );
  const unknown = whyNoRule(golden.properties, request.audit);
  if (unknown !== undefined) return err(unknown);
  const replayed = await runReplay({
    events,
    run: golden.run,
    base: golden.branch,
    sandbox,
    author,
    ...(program === undefined ? {} : { program }),
    ...(shouldStop === undefined ? {} : { shouldStop }),
  });
  if (!replayed.ok) return replayed;
  const report = replayed.value;
  const properties = evaluateAll(request, report);
  const counts = countStatuses(properties);
  return ok({
    name: golden.name,
    run: golden.run,
    set,
    program: {
      before: golden.program,
      after: program === undefined ? golden.program : programDigest(program.source),
    },
    result: report.result,
    sentence: report.sentence,
    verdict: computeVerdict(report).verdict,
    branch: report.branch,
    operation: report.operation?.op_id,
    properties,
    counts,
    passes: counts.broken === 0 && counts.holds + counts.exempt > 0,
    lines: report.lines,
  });
}

function evaluateAll({ golden, events, audit }: GoldenRunRequest, report: ReplayReport): readonly PropertyResult[] {
  const all = [...events, ...report.lines];
  const needsFindings = golden.properties.some(({ kind }) => kind === 'invariant');
  const findings = needsFindings ? audit.findingsOf(all, report.branch) : [];
  const exempt = golden.exempt.length === 0 ? new Set<string>() : computeDescendants(all, golden.exempt);
  const seen = reportToSeen(report);
  return golden.properties.map((property) => evaluateProperty(property, { seen, findings, exempt }));
}

function countStatuses(results: readonly PropertyResult[]): Readonly<Record<PropertyStatus, number>> {
  const of = (status: PropertyStatus): number => results.filter((one) => one.status === status).length;
  return { holds: of('holds'), broken: of('broken'), 'not-decided': of('not-decided'), exempt: of('exempt') };
}
