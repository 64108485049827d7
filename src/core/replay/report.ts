/**
 * Builds the report of an operation from its segment runs: statuses, reasons, divergences, preview, branch lines.
 */
import { type JsonValue, plainToRecorded } from '../base/json.ts';
import { type EventId, type HindcastEvent, digest } from '../model/index.ts';
import { type LineNote, type LineSegment, computeBranchLines, computeLinesDigest } from './branch-lines.ts';
import { explainDivergence } from './cause-split.ts';
import { countChanges } from './change-words.ts';
import { computeDivergences, settledDigest } from './divergence.ts';
import { outcomeDigest } from './journal.ts';
import { type MatchedNote, computeDependents, matchNotes } from './notes.ts';
import { operationToBranch } from './operation.ts';
import type { StateStep } from './pass-types.ts';
import { type PreviewItem, type PreviewReport, computePreview } from './preview.ts';
import { mergePreviews } from './preview-edits.ts';
import { runEnded } from './reasons.ts';
import type { ReplayBase } from './replay-base.ts';
import { commandToProtection } from './protection.ts';
import type { ReplayPlan } from './replay-plan.ts';
import { isRepeatedToEnd } from './record-end.ts';
import { computeCannotRepeat } from './report-limits.ts';
import { type ResultInput, decideResult, resultToSentence } from './report-result.ts';
import {
  type RowsContext,
  type SegmentRows,
  computeExcluded,
  computeOrphans,
  computeRowsOfSegment,
} from './report-rows.ts';
import type {
  CommandReport,
  Divergence,
  DivergenceCause,
  RecordReport,
  ReplayFlags,
  ReplayItem,
  ReplayOutcome,
  ReplayReport,
} from './report-types.ts';
import { computeEngineWarnings, computeWarnings } from './report-warnings.ts';
import type { ResolvedEdits } from './resolve-edits.ts';
import { programToText } from './run-info.ts';
import type { SegmentRun } from './segment-run.ts';

export async function buildReport(plan: ReplayPlan, runs: readonly SegmentRun[]): Promise<ReplayReport> {
  const { base, edits, operation, programChanged } = plan;
  const context = rowsContext(plan);
  const rows = base.journals.map((journal, n) => computeRowsOfSegment(journal, runs[n], context));
  const commands = rows.flatMap((r) => [...r.standing, ...r.commands.map((c) => c.row)]);
  const records = rows.flatMap((r) => r.records.map((record) => record.row));
  const unchanged = edits.noop && !programChanged;
  const differing = runs.flatMap((run) => segmentDivergences(plan, run, unchanged));
  const isToEnd = edits.noop && isRepeatedToEnd(runs, differing, isProgramRecorded(plan));
  const divergences = isToEnd ? [] : differing;
  const protections = unchanged
    ? []
    : rows.flatMap((r) => r.commands.flatMap(({ command }) => commandToProtection(command) ?? []));
  const outcomes = runs.map(computeOutcome);
  const outcome = outcomes.at(-1) ?? computeOutcome(undefined);
  const flags = computeFlags(base, rows);
  const lists = computeLists(commands, records);
  const counts = computeCounts(commands, records, lists);
  const input: ResultInput = {
    unchanged,
    outcome,
    divergences,
    isToEnd: isToEnd && (differing.length > 0 || lists.uncertain.length > 0),
    hasProgram: isProgramRecorded(plan),
    protections,
    flags,
    counts,
    isUntouched: computeUntouched(commands, records),
    changes: countChanges({ commands, removed: lists.removed, outcome }),
    passLimit: runs.some((run) => run.passLimit),
    waiting: commands.filter((c) => c.isOpen !== true && (c.status === 'pending' || c.status === 'uncertain')),
  };
  const result = decideResult(input);
  const orphanEffects = rows.flatMap((r) => computeOrphans(r, edits));
  const states = runs.flatMap((run) => run.pass?.states ?? []);
  const preview = programChanged || edits.targetEvents.size === 0 ? undefined : previewOf(base, edits);
  const digests = computeDigests(commands, states, outcome);
  const branch = operationToBranch(operation);
  const isUnsettled = outcome.status === 'open';
  const notes = matchNotes(
    base,
    runs.map(({ pass }) => pass?.notes ?? 'stands'),
  );
  const isSame = result === 'identical' || result === 'identical-where-recorded';
  const minus = computeMinus(plan, rows, outcomes, isSame ? [] : notes.missing);
  const written = computeBranchLines({
    run: base.run,
    branch,
    parent: base.branch,
    operation,
    fork: context.origin,
    minus: [...minus],
    segments: runs.flatMap((run, n) =>
      toLineSegment(run, rows[n], outcomes[n], isSame ? [] : toLineNotes(notes.made[n] ?? [], minus)),
    ),
    status: toBranchStatus(result, outcome),
    counts,
    digests: { ...digests },
    blocked: isUnsettled
      ? [...lists.pending, ...lists.uncertain].filter((item) => item.waitsFor !== 'waits-inside').map(toBlocked)
      : [],
    divergences,
    eventByPath: eventByPath(base),
  });
  if (!written.ok) return notReplayable(base, edits, written.error);
  const lines = written.value;
  return {
    result,
    sentence: resultToSentence(result, input),
    run: base.run,
    baseBranch: base.branch,
    branch,
    operation,
    noop: isNoop(edits),
    divergences,
    protections,
    cause: await computeCause(plan, runs, divergences, unchanged),
    commands,
    records,
    ...lists,
    orphanEffects,
    states,
    outcome,
    digests: { ...digests, lines: computeLinesDigest(lines) },
    counts,
    flags,
    notes: { ...notes.counts },
    preview,
    ...comparePreview(preview, records),
    cannotRepeat: computeCannotRepeat(commands),
    warnings: [
      // An identical replay is the proof that nothing came of it.
      ...(result === 'identical' ? [] : computeEngineWarnings(base.infos, plan.request.sandbox.engine.digest)),
      ...computeWarnings(edits, commands, records),
    ],
    problems: base.journals.flatMap((journal) => journal.problems),
    programs: programsToText(plan),
    usage: sumUsage(runs),
    lines,
  };
}

/** A program that is brought has its own name, where it has one: not that of the agent whose loop it is held against. */
function programsToText(plan: ReplayPlan): ReplayReport['programs'] {
  const { program_before: before, program_after: after } = plan.operation;
  if (isProgramRecorded(plan))
    return { before: programToText(before), after: programToText({ version: before.version, ...after }) };
  const { digest: made } = after;
  return {
    before: `none recorded (${programToText(before)})`,
    after: programToText({ name: plan.request.program?.name ?? 'one that was brought', digest: made }),
  };
}

/** With none there is nothing that a program which is brought could differ from. */
function isProgramRecorded({ base }: ReplayPlan): boolean {
  const program = base.infos[0]?.program;
  return program?.source !== undefined || program?.digest !== undefined;
}

/** Something was given, and all of it equals the record. */
function isNoop({ noop, targets, sameInput }: ResolvedEdits): boolean {
  return noop && (targets.length > 0 || sameInput !== undefined);
}

function rowsContext({ edits, lenient, programChanged, base }: ReplayPlan): RowsContext {
  const [first] = edits.targetEvents;
  const [info] = base.infos;
  if (edits.input !== undefined) return { edits, lenient, origin: info?.event, originAs: 'input' };
  if (first !== undefined) return { edits, lenient, origin: first, originAs: 'edited' };
  return { edits, lenient, origin: info?.event, originAs: programChanged ? 'program' : 'record' };
}

function segmentDivergences(plan: ReplayPlan, run: SegmentRun, verify: boolean): readonly Divergence[] {
  if (run.pass === undefined) return [];
  return computeDivergences({
    journal: run.journal,
    info: run.info,
    pass: run.pass,
    contents: plan.base.contents,
    verify,
    comparesPositions: plan.base.lineage.length === 1,
    edited: new Set(plan.edits.edits.keys()),
  });
}

function computeOutcome(run: SegmentRun | undefined): ReplayOutcome {
  const recorded = run?.info.outcome;
  const recordedDigest = recorded?.digest === undefined ? {} : { recordedDigest: recorded.digest };
  if (run?.pass === undefined) {
    const value =
      recorded?.kind === 'completed' ? recorded.value : recorded?.kind === 'rolled-over' ? recorded.carried : undefined;
    const made = recorded?.digest === undefined ? {} : { digest: recorded.digest };
    return {
      status: recorded?.kind ?? 'open',
      equalsRecorded: true,
      ...recordedDigest,
      ...made,
      ...(value === undefined ? {} : { value }),
    };
  }
  const { settled, limit } = run.pass;
  if (limit !== undefined) return { status: 'limit', equalsRecorded: false, message: limit.message, ...recordedDigest };
  if (settled === undefined) return { status: 'open', equalsRecorded: recorded === undefined, ...recordedDigest };
  if (settled.kind === 'not-a-program')
    return { status: 'no-program', equalsRecorded: false, message: settled.message };
  const made = settledDigest(settled);
  const status = settled.kind === 'ok' ? 'completed' : settled.kind === 'err' ? 'failed' : 'rolled-over';
  const equalsRecorded =
    recorded?.kind === status &&
    (recorded.digest === undefined || recorded.digest === made) &&
    recorded.isOther !== true;
  return {
    status,
    equalsRecorded,
    ...(made === undefined ? {} : { digest: made }),
    ...recordedDigest,
    ...(settled.kind === 'ok' ? { value: plainToRecorded(settled.value) } : {}),
    ...(settled.kind === 'rolled-over' ? { value: plainToRecorded(settled.carried) } : {}),
    ...(settled.kind === 'err' ? { error: settled.error } : {}),
  };
}

function computeFlags(base: ReplayBase, rows: readonly SegmentRows[]): ReplayFlags {
  const commands = rows.flatMap((r) => r.commands.map((c) => c.row));
  const flagged = (flag: CommandReport['flags'][number]): readonly string[] =>
    commands.filter((c) => c.flags.includes(flag)).map((c) => c.path);
  return {
    orderAssumed: base.journals.some((journal) => journal.orderAssumed),
    derivedOrder: flagged('derived-order'),
    clamped: flagged('clamped'),
    unchecked: commands.filter((c) => c.rule === 'unchecked').map((c) => c.path),
    derivedDraws: rows.flatMap((r) => r.pass?.derivedDraws ?? []),
    orderDependentIdentity: flagged('order-dependent-identity'),
    rules: [...new Set(base.journals.flatMap((journal) => journal.rules))],
  };
}

type Lists = Pick<
  ReplayReport,
  | 'reused'
  | 'superseded'
  | 'changed'
  | 'inserted'
  | 'removed'
  | 'suspect'
  | 'pending'
  | 'uncertain'
  | 'cancelled'
  | 'ambiguous'
  | 'unknown'
  | 'open'
>;

/** Lists by status: of commands, and of base records where the word is one of records (I8). What is open stands in no other. */
function computeLists(commands: readonly CommandReport[], records: readonly RecordReport[]): Lists {
  const of = (status: CommandReport['status']): ReplayItem[] =>
    commands.filter((c) => c.status === status && c.isOpen !== true).map(toItem);
  const recordsOf = (status: RecordReport['status']): ReplayItem[] =>
    records.filter((r) => r.status === status && r.isOpen !== true).map((r) => ({ ...recordToItem(r) }));
  return {
    reused: of('reused'),
    superseded: of('superseded'),
    changed: of('changed'),
    inserted: of('inserted'),
    removed: recordsOf('removed'),
    suspect: recordsOf('suspect'),
    pending: of('pending'),
    uncertain: of('uncertain'),
    cancelled: of('cancelled'),
    ambiguous: of('ambiguous'),
    unknown: recordsOf('unknown'),
    open: commands.filter((c) => c.isOpen === true).map((c) => c.path),
  };
}

/** Whether every command is as recorded and every record stands or says nothing. */
function computeUntouched(commands: readonly CommandReport[], records: readonly RecordReport[]): boolean {
  return (
    records.every(({ status }) => status === 'retained' || status === 'unknown') &&
    commands.every(({ status }) => status !== 'superseded' && status !== 'changed' && status !== 'inserted')
  );
}

function toItem(row: CommandReport): ReplayItem {
  const { path, kind, name, event, rule, reasons, waitsFor, args } = row;
  return {
    path,
    kind,
    name,
    ...(event === undefined ? {} : { event }),
    ...(rule === undefined ? {} : { rule }),
    reasons,
    ...(waitsFor === undefined ? {} : { waitsFor }),
    ...(args === undefined ? {} : { args }),
  };
}

function recordToItem({ path, kind, name, event, reasons }: RecordReport): ReplayItem {
  return { path, kind, name, event, reasons };
}

function computeCounts(
  commands: readonly CommandReport[],
  records: readonly RecordReport[],
  lists: Lists,
): Record<string, number> {
  const counts: Record<string, number> = { commands: commands.length, records: records.length };
  for (const status of [
    'reused',
    'superseded',
    'changed',
    'inserted',
    'removed',
    'suspect',
    'pending',
    'uncertain',
    'cancelled',
    'ambiguous',
    'unknown',
    'open',
  ] as const) {
    counts[status] = lists[status].length;
  }
  counts['retained'] = records.filter((r) => r.status === 'retained' && r.isOpen !== true).length;
  const lacking = new Set(['value-not-recorded', 'value-absent', 'withheld', 'double-claim']);
  counts['valueMissing'] = lists.pending.filter((item) => lacking.has(item.waitsFor ?? '')).length;
  return counts;
}

function computeDigests(
  commands: readonly CommandReport[],
  states: readonly StateStep[],
  outcome: ReplayOutcome,
): Omit<ReplayReport['digests'], 'lines'> {
  return {
    commands: digest(
      commands.map((c): JsonValue => [
        c.path,
        c.kind,
        c.argsDigest ?? '',
        c.status,
        c.outcome === undefined ? '' : (outcomeDigest(c.outcome) ?? ''),
      ]),
    ),
    states: digest(states.map((s): JsonValue => [s.name, s.to, s.digest])),
    ...(outcome.digest === undefined ? {} : { outcome: outcome.digest }),
  };
}

function toBranchStatus(
  result: ReplayReport['result'],
  outcome: ReplayOutcome,
): 'complete' | 'blocked' | 'diverged' | 'limit' | 'aborted-by-host' {
  if (result === 'diverged') return 'diverged';
  if (result === 'limit' || result === 'error')
    return outcome.message?.includes('stopped from outside') === true ? 'aborted-by-host' : 'limit';
  return outcome.status === 'open' ? 'blocked' : 'complete';
}

function toBlocked(item: ReplayItem): JsonValue {
  return {
    path: item.path,
    kind: item.kind,
    name: item.name,
    reason: item.waitsFor ?? 'open',
    ...(item.args === undefined ? {} : { args: item.args }),
  };
}

/** Nothing of a segment that stands whole is written. */
function toLineSegment(
  { info, pass }: SegmentRun,
  rows: SegmentRows | undefined,
  outcome: ReplayOutcome | undefined,
  notes: readonly LineNote[],
): readonly LineSegment[] {
  if (pass === undefined || rows === undefined || outcome === undefined) return [];
  const commands = rows.commands.map(({ command, status }) => ({ command, status }));
  return [{ segment: info.segment, commands, states: pass.states, outcome, notes }];
}

/** Those that are on record and stand are inherited; the others the branch says itself. */
function toLineNotes(notes: readonly MatchedNote[], minus: ReadonlySet<EventId>): readonly LineNote[] {
  return notes.map(({ note, act, record }) => ({
    note,
    act,
    record,
    isInherited: record !== undefined && !minus.has(record.id),
  }));
}

/**
 * Events of the base that the branch does not inherit: of commands that fell, ends that are others now, notes that its program did not
 * make, and what rests on any of these. A program that was brought makes no notes of a record it did not write.
 */
function computeMinus(
  plan: ReplayPlan,
  rows: readonly SegmentRows[],
  outcomes: readonly ReplayOutcome[],
  missing: readonly HindcastEvent[],
): ReadonlySet<EventId> {
  const { base, edits } = plan;
  const direct = new Set([...rows.flatMap((r) => computeExcluded(r, edits)), ...outcomesExcluded(base, outcomes)]);
  if (isProgramRecorded(plan)) for (const { id } of missing) direct.add(id);
  if (direct.size === 0) return direct;
  return computeDependents(base, direct);
}

/** Inherited ends that are not those of the branch: of segments that end otherwise now, or are not reached. */
function outcomesExcluded(base: ReplayBase, outcomes: readonly ReplayOutcome[]): readonly EventId[] {
  return base.infos.flatMap(({ outcome }, n) =>
    outcome === undefined || outcomes[n]?.equalsRecorded === true ? [] : [outcome.event],
  );
}

function eventByPath(base: ReplayBase): ReadonlyMap<string, EventId> {
  const out = new Map<string, EventId>();
  for (const journal of base.journals)
    for (const entry of journal.entries) out.set(entry.path, entry.finalEvent ?? entry.issueEvent);
  return out;
}

async function computeCause(
  plan: ReplayPlan,
  runs: readonly SegmentRun[],
  divergences: readonly Divergence[],
  unchanged: boolean,
): Promise<DivergenceCause | undefined> {
  const [first] = divergences;
  if (first === undefined || first.kind === 'limit' || (!unchanged && !plan.programChanged)) return undefined;
  // Neither the program nor what it depends on is at fault where the record contradicts itself.
  if (first.kind === 'record') return undefined;
  const run = runs.find((r) => r.info.segment === first.segment);
  // A limit falls at the same place whatever the host: there is nothing to split, and two more such runs to wait for.
  if (run?.request === undefined || run.pass?.limit !== undefined) return undefined;
  // A text that is no program never ran: nothing repeated itself.
  if (run.pass?.settled?.kind === 'not-a-program') return undefined;
  return explainDivergence(
    run.request,
    plan.programChanged ? (isProgramRecorded(plan) ? 'other' : 'brought') : 'recorded',
  );
}

function previewOf(base: ReplayBase, edits: ResolvedEdits): PreviewReport {
  return mergePreviews(base.journals.map((journal) => computePreview(base.visible, journal, edits.targetEvents)));
}

/** The two answers side by side: what early cut-off saved, and what fell although nothing declared it. */
function comparePreview(
  preview: PreviewReport | undefined,
  records: readonly RecordReport[],
): Pick<ReplayReport, 'savedByCutoff' | 'undeclaredEdges'> {
  if (preview === undefined) return { savedByCutoff: [], undeclaredEdges: [] };
  const previewed = new Map<string, PreviewItem>(preview.items.map((item) => [item.path, item]));
  const saved: ReplayItem[] = [];
  const undeclared: ReplayItem[] = [];
  for (const record of records) {
    const item = previewed.get(record.path);
    const fell = item?.status === 'falls' || item?.status === 'may-fall';
    if (fell && record.status === 'retained' && record.isOpen !== true)
      saved.push({ ...recordToItem(record), reasons: item.reasons });
    const isGone = record.status === 'changed' || record.status === 'removed' || record.status === 'suspect';
    // What the end of the run cut off lacks no edge.
    const wasCutOff = record.reasons.at(-1)?.as === runEnded;
    if (isGone && !wasCutOff && (item?.status === 'stands' || item?.status === 'unknown'))
      undeclared.push(recordToItem(record));
  }
  return { savedByCutoff: saved, undeclaredEdges: undeclared };
}

function sumUsage(runs: readonly SegmentRun[]): ReplayReport['usage'] {
  const usage = { ticks: 0, commands: 0, bytes: 0 };
  for (const run of runs) {
    usage.ticks += run.pass?.usage.ticks ?? 0;
    usage.commands += run.pass?.usage.commands ?? 0;
    usage.bytes += run.pass?.usage.bytes ?? 0;
  }
  return usage;
}

/** The report of a run that cannot be replayed: the preview, where there is something to preview, and the sentence why. */
export function notReplayable(base: ReplayBase, edits: ResolvedEdits, why: string): ReplayReport {
  const outcome: ReplayOutcome = { status: 'open', equalsRecorded: true, message: why };
  const records: RecordReport[] = [];
  const lists = computeLists([], records);
  const name = base.infos[0]?.program;
  const program = name === undefined ? 'not recorded' : programToText({ name: name.name, digest: name.digest });
  return {
    result: 'not-replayable',
    sentence: why,
    run: base.run,
    baseBranch: base.branch,
    branch: operationToBranch({ op_id: digest(why) }),
    operation: undefined,
    noop: isNoop(edits),
    divergences: [],
    protections: [],
    cause: undefined,
    commands: [],
    records,
    ...lists,
    orphanEffects: [],
    states: [],
    outcome,
    digests: computeDigests([], [], outcome),
    counts: computeCounts([], records, lists),
    flags: computeFlags(base, []),
    notes: { same: 0, added: 0, missing: 0 },
    preview: edits.targetEvents.size === 0 ? undefined : previewOf(base, edits),
    savedByCutoff: [],
    undeclaredEdges: [],
    cannotRepeat: computeCannotRepeat([]),
    warnings: [],
    problems: base.journals.flatMap((journal) => journal.problems),
    programs: { before: program, after: program },
    usage: sumUsage([]),
    lines: [],
  };
}
