/**
 * A changed control program over a set of recorded runs (3.10): one verdict a run, the same task set for both versions.
 *
 * Invariants: the set's digest depends on the recorded events alone, not on names or on the order in which runs are given; a run
 * given twice is replayed once; nothing is sent. Called by the command line, and by the page through a worker.
 */
import type { JsonValue } from '../base/json.ts';
import { type Digest, type HindcastEvent, digest } from '../model/index.ts';
import { verdictOrder } from './change-words.ts';
import { type OperationAuthor, computeFrontierDigest } from './operation.ts';
import type { ChangedProtection } from './protection.ts';
import type { ReplayReport } from './report-types.ts';
import { runReplay } from './replay.ts';
import type { ReplayRequest } from './replay-plan.ts';
import { listRuns, programDigest } from './run-info.ts';
import { type PriceEstimates, computeRecordedPrices, estimatePrices } from './run-prices.ts';
import type { Sandbox } from './sandbox-port.ts';
import { type VerdictWord, computeVerdict } from './verdict.ts';

export interface RunOfSet {
  /** What a person calls it: the name of the file or trace. */
  readonly name: string;
  readonly events: readonly HindcastEvent[];
  readonly run: string;
}

export interface RunSetRequest {
  readonly runs: readonly RunOfSet[];
  readonly program: NonNullable<ReplayRequest['program']>;
  readonly sandbox: Sandbox;
  readonly author: OperationAuthor;
  /** Asked anew for each run, so that one slow run does not use up the patience of the others. */
  readonly createStop?: () => () => boolean;
  readonly onProgress?: (progress: RunSetProgress) => void;
}

export interface RunSetProgress {
  readonly done: number;
  readonly of: number;
  readonly row: RunSetRow;
}

/** An effect that would be sent: where, and with what. */
export interface EffectToSend {
  readonly path: string;
  readonly name: string;
  readonly args?: JsonValue;
}

export interface RunSetRow {
  readonly name: string;
  readonly run: string;
  /** Of the events as recorded. */
  readonly digest: Digest;
  readonly verdict: VerdictWord;
  /** The replay came to its end. */
  readonly ended: boolean;
  readonly sentence: string;
  /** Name and version of the recorded program and of the one that was tried. */
  readonly programs: { readonly before: string; readonly after: string } | undefined;
  /** Reused of recorded, 0 to 1. */
  readonly reuse: number;
  readonly firstDifference: string | undefined;
  readonly protections: readonly ChangedProtection[];
  readonly newEffects: readonly EffectToSend[];
  readonly orphanEffects: readonly string[];
  readonly extraModelCalls: number;
  readonly price: PriceEstimates;
}

export interface RunSetResult {
  /** Over the digests of the runs, whatever their order. */
  readonly set: Digest;
  readonly programDigest: Digest;
  readonly rows: readonly RunSetRow[];
  readonly counts: Readonly<Record<VerdictWord, number>>;
  /** Names under which a run of the set was given again. */
  readonly givenAgain: readonly string[];
  readonly price: PriceEstimates;
  /** Every run is identical or compatible. */
  readonly passes: boolean;
}

export async function replayRunSet(request: RunSetRequest): Promise<RunSetResult> {
  const { distinct, givenAgain } = withoutRepeats(request.runs);
  const all = distinct.map(({ one }) => one.events);
  const recorded = computeRecordedPrices([...new Set(all)].flat());
  const rows: RunSetRow[] = [];
  const extraNames: string[] = [];
  for (const { one, digest: runDigest } of distinct) {
    const report = await replayOne(request, one);
    const row = toRow(one, runDigest, report, recorded, extraNames);
    rows.push(row);
    request.onProgress?.({ done: rows.length, of: distinct.length, row });
  }
  return {
    set: computeSetDigest(distinct.map((each) => each.digest)),
    programDigest: programDigest(request.program.source),
    rows,
    counts: countVerdicts(rows),
    givenAgain,
    price: estimatePrices(extraNames, recorded),
    passes: rows.every(({ verdict }) => verdict === 'identical' || verdict === 'compatible'),
  };
}

/** The runs of one stream, ready for a set. */
export function eventsToRuns(name: string, events: readonly HindcastEvent[]): readonly RunOfSet[] {
  const runs = listRuns(events);
  return runs.map((run) => ({ name: runs.length === 1 ? name : `${name} ${run}`, events, run }));
}

/** Of a run as recorded: what branches added later changes nothing. */
export function computeRunDigest(events: readonly HindcastEvent[], run: string): Digest {
  return computeFrontierDigest(events.filter((event) => event.run === run && event.branch === 'main'));
}

export function computeSetDigest(runs: readonly Digest[]): Digest {
  return digest([...new Set(runs)].sort());
}

function withoutRepeats(runs: readonly RunOfSet[]): {
  readonly distinct: readonly { readonly one: RunOfSet; readonly digest: Digest }[];
  readonly givenAgain: readonly string[];
} {
  const distinct = new Map<Digest, { readonly one: RunOfSet; readonly digest: Digest }>();
  const givenAgain: string[] = [];
  for (const one of runs) {
    const made = computeRunDigest(one.events, one.run);
    if (distinct.has(made)) givenAgain.push(one.name);
    else distinct.set(made, { one, digest: made });
  }
  return { distinct: [...distinct.values()], givenAgain };
}

async function replayOne(request: RunSetRequest, one: RunOfSet): Promise<ReplayReport | string> {
  const { program, sandbox, author, createStop } = request;
  const replayed = await runReplay({
    events: one.events,
    run: one.run,
    program,
    sandbox,
    author,
    ...(createStop === undefined ? {} : { shouldStop: createStop() }),
  });
  return replayed.ok ? replayed.value : replayed.error;
}

function toRow(
  one: RunOfSet,
  runDigest: Digest,
  report: ReplayReport | string,
  recorded: Parameters<typeof estimatePrices>[1],
  extraNames: string[],
): RunSetRow {
  const own = { name: one.name, run: one.run, digest: runDigest };
  if (typeof report === 'string') return { ...own, ...unusableRow, sentence: report };
  const verdict = computeVerdict(report);
  const commands = new Map(report.commands.map((command) => [command.path, command]));
  const extra = verdict.extraModelPaths.map((path) => commands.get(path)?.name ?? path);
  for (const name of extra) extraNames.push(name);
  return {
    ...own,
    verdict: verdict.verdict,
    ended: verdict.ended,
    sentence: report.sentence,
    programs: report.programs,
    reuse: verdict.reuse,
    firstDifference: verdict.firstDifference,
    protections: verdict.protections,
    newEffects: verdict.newEffects.map((path) => {
      const command = commands.get(path);
      const args = command?.args;
      return { path, name: command?.name ?? path, ...(args === undefined ? {} : { args }) };
    }),
    orphanEffects: verdict.orphanEffects,
    extraModelCalls: verdict.extraModelCalls,
    price: estimatePrices(extra, recorded),
  };
}

const unusableRow = {
  verdict: 'error',
  ended: false,
  programs: undefined,
  reuse: 0,
  firstDifference: undefined,
  protections: [],
  newEffects: [],
  orphanEffects: [],
  extraModelCalls: 0,
  price: { estimates: [], unpriced: 0 },
} as const satisfies Partial<RunSetRow>;

function countVerdicts(rows: readonly RunSetRow[]): Readonly<Record<VerdictWord, number>> {
  const counts = new Map(verdictOrder.map((word): [VerdictWord, number] => [word, 0]));
  for (const { verdict } of rows) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  // Cast: the map was made of every word.
  return Object.fromEntries(counts) as Record<VerdictWord, number>;
}
