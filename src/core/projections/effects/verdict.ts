/**
 * What the records of an attempt, and of a command, establish: executed, not executed, uncertain, missing.
 *
 * Invariant: an execution is what the external system told, never what the caller hoped (R100). Where no record of that system
 * is in the trace, the caller's own record of an answer counts as told by the caller, and the row says that nothing confirms it.
 * Beside an execution, a request without a known outcome, or an effect that only a caller was told of, may be a further one: then the
 * command was executed at least once, and how often is uncertain (R28). Where a copy withholds the answer that would tell, that is not
 * decidable in it.
 * A second record of one effect id is one execution; a second id of the same kind for one command is a second execution (R23), and a
 * record that tells no kind speaks of no other kind.
 */
import type { EventOf, HindcastEvent } from '../../model/index.ts';
import type { CopyAnswers } from '../copy-records.ts';
import type { RowVerdict, Stop } from '../trace-reader.ts';
import type { Attempt, AttemptStatus } from './attempt.ts';
import { attemptToStop, isSimulated } from './stopped.ts';
import { type ToldEffect, effectsToldBeside, openAttempts } from './told.ts';

type Committed = EventOf<'effect.committed'>;

/** One thing that happened outside, with all records of it. */
export interface Execution {
  /** The effect's id as the external system gave it; undefined where not recorded. */
  readonly effectId: string | undefined;
  readonly kind: string | undefined;
  readonly target: string | undefined;
  readonly attempt: Attempt;
  readonly records: readonly Committed[];
}

export interface Judgement {
  readonly verdict: RowVerdict;
  readonly recordedTwice: boolean;
  readonly executions: readonly Execution[];
  /** Of the kind executed most often: how many times the command was executed, and what each of them made. */
  readonly ofOneKind: readonly Execution[];
  readonly statuses: ReadonlyMap<Attempt, AttemptStatus>;
  /** Beside what was executed: requests of which each may be a further execution. */
  readonly open: readonly Attempt[];
  /** The same, where a withheld answer would tell whether they are one. */
  readonly undecided: readonly Attempt[];
  /** Further attempts of which a withheld answer may tell of another effect. */
  readonly unread: readonly Attempt[];
  /** Effects that callers were told of, and of which no record of the service tells a commitment. */
  readonly told: readonly ToldEffect[];
  /** Why no attempt of it reached anybody; such a command is no outside effect. */
  readonly stopped: Stop | undefined;
}

export function effectIdOf(event: HindcastEvent): string | undefined {
  return effectField(event, 'id');
}

export function effectKindOf(event: HindcastEvent): string | undefined {
  return effectField(event, 'kind');
}

export function effectTargetOf(event: HindcastEvent): string | undefined {
  return effectField(event, 'target');
}

/** `data.effect.<field>`, or `data.<field>` as the smallest streams write it. */
function effectField(event: HindcastEvent, field: string): string | undefined {
  const data = event.data;
  const effect: unknown = data?.['effect'];
  const nested: unknown = typeof effect === 'object' && effect !== null ? Reflect.get(effect, field) : undefined;
  const value = nested ?? data?.[field];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

export function attemptToStatus(attempt: Attempt, hasServiceRecords: boolean): AttemptStatus {
  const { records } = attempt;
  if (isSimulated(attempt)) return 'not executed';
  if (records.committed.length > 0) return 'executed';
  const settled = records.reconciled.at(-1)?.data.settled;
  if (settled !== undefined) return settled;
  if (records.deduplicated.length > 0 || records.refused.length > 0 || records.dropped.length > 0)
    return 'not executed';
  if (records.failed.some((event) => event.data.executed === false)) return 'not executed';
  if (records.cancelled.some((event) => event.data.sent === false)) return 'not executed';
  if (records.failed.some((event) => event.data.executed === true)) return 'executed';
  if (attemptToStop(attempt) !== undefined) return 'not executed';
  if (hasSuccess(attempt) && !hasServiceRecords) return 'executed';
  return 'uncertain';
}

/** The caller recorded an answer of the service. A value supplied by a person is none. */
export function hasAnswer(attempt: Attempt): boolean {
  const { records } = attempt;
  const answers: readonly HindcastEvent[] = [...records.acknowledged, ...records.completed];
  return (
    answers.some((event) => event.origin !== 'supplied') ||
    records.failed.some((event) => event.data.http_status !== undefined || event.data.response !== undefined) ||
    attempt.reemitted.some((event) => event.type === 'tool_call.completed')
  );
}

/** A successful answer: what a caller builds on. */
function hasSuccess(attempt: Attempt): boolean {
  const { records } = attempt;
  if (records.completed.length > 0) return records.completed.some((event) => event.origin !== 'supplied');
  const isGood = (status: number | undefined): boolean => status === undefined || status < 400;
  return records.acknowledged.some((event) => event.origin !== 'supplied' && isGood(event.data.http_status));
}

export function judgeCommand(attempts: readonly Attempt[], hasServiceRecords: boolean, copy: CopyAnswers): Judgement {
  const statuses = new Map(attempts.map((attempt) => [attempt, attemptToStatus(attempt, hasServiceRecords)]));
  const { executions, ofOneKind } = computeExecutions(attempts);
  const stops = attempts.map(attemptToStop);
  const stopped = stops.includes(undefined) ? undefined : stops.at(-1);
  const known = executions.flatMap(({ effectId }) => effectId ?? []);
  const unassigned = executions.filter(({ attempt }) => attempt.isUnassigned === true).length;
  const { open, undecided } =
    executions.length === 0
      ? { open: [], undecided: [] }
      : openAttempts(attempts, statuses, { ids: known, unassigned, copy });
  const { told, unread } = hasServiceRecords
    ? effectsToldBeside(attempts, { ids: known, withoutId: executions.length - known.length, copy })
    : { told: [], unread: [] };
  const others = unread.filter((attempt) => !undecided.includes(attempt));
  const judged = { statuses, executions, ofOneKind, open, undecided, unread: others, told, stopped };
  const verdict = judgeVerdict(attempts, judged, hasServiceRecords);
  return { ...judged, recordedTwice: isRecordedTwice(attempts, executions), verdict };
}

function judgeVerdict(
  attempts: readonly Attempt[],
  { statuses, ofOneKind, open, undecided, unread, told }: Omit<Judgement, 'verdict' | 'recordedTwice'>,
  hasServiceRecords: boolean,
): RowVerdict {
  const times = ofOneKind.length;
  if (times > 1) return 'executed twice';
  if (times > 0 && open.length + told.length > 0) return 'uncertain';
  const isUndecided = undecided.length + unread.length > 0;
  if (times > 0) return isUndecided ? 'not decidable in this copy' : 'executed once';
  const executed = attempts.filter((attempt) => statuses.get(attempt) === 'executed').length;
  const uncertain = attempts.filter((attempt) => statuses.get(attempt) === 'uncertain');
  // What the service told without naming an attempt may be the outcome of any of them.
  const isTold = attempts.some(({ isUnassigned, records }) => isUnassigned === true && hasOutcome(records));
  if (hasServiceRecords && !isTold && uncertain.some(hasSuccess)) return 'missing';
  // Two answers, or an answer and an open request, with nobody outside to say whether they are one effect.
  if (executed > 1 || uncertain.length + told.length > 0) return 'uncertain';
  if (isUndecided) return 'not decidable in this copy';
  if (executed === 1) return 'executed once';
  // A saved answer tells of an execution whose own record is not in this trace.
  return attempts.some(({ records }) => records.deduplicated.length > 0) ? 'executed once' : 'not executed';
}

function hasOutcome({ deduplicated, refused, dropped, reconciled }: Attempt['records']): boolean {
  return deduplicated.length + refused.length + dropped.length + reconciled.length > 0;
}

/** What these attempts made, of one command or under one key. */
export function computeExecutions(attempts: readonly Attempt[]): Pick<Judgement, 'executions' | 'ofOneKind'> {
  const executions = collectExecutions(attempts);
  return { executions, ofOneKind: mostOfOneKind(executions) };
}

/** Different ids of one kind for one command are executions; one execution may well leave two kinds of things behind. */
function mostOfOneKind(executions: readonly Execution[]): readonly Execution[] {
  const byKind = new Map<string, Execution[]>();
  const kinds = new Set(executions.flatMap(({ kind }) => (kind === undefined ? [] : [kind])));
  const [only = ''] = kinds.size === 1 ? kinds : [];
  for (const execution of executions) {
    const kind = execution.kind ?? only;
    const list = byKind.get(kind);
    if (list === undefined) byKind.set(kind, [execution]);
    else list.push(execution);
  }
  let most: readonly Execution[] = [];
  for (const list of byKind.values()) if (list.length > most.length) most = list;
  return most;
}

function collectExecutions(attempts: readonly Attempt[]): Execution[] {
  const kindOf = createKindOf(attempts);
  const found = new Map<string, { readonly attempt: Attempt; readonly records: Committed[] }>();
  attempts.forEach((attempt, i) => {
    const { committed } = attempt.records;
    const withId = new Map<string, string>();
    for (const event of committed) {
      const [id, kind] = [effectIdOf(event), kindOf(event)];
      if (id !== undefined && !withId.has(kind)) withId.set(kind, `${kind}|id ${id}`);
    }
    for (const event of committed) {
      const [id, kind] = [effectIdOf(event), kindOf(event)];
      // Without an id the attempt is all there is to tell executions apart: it tells of what the attempt is known to have made.
      const key = id === undefined ? (withId.get(kind) ?? `${kind}|attempt ${String(i)}`) : `${kind}|id ${id}`;
      const execution = found.get(key);
      if (execution === undefined) found.set(key, { attempt, records: [event] });
      else execution.records.push(event);
    }
  });
  return [...found.values()].map(({ attempt, records }) => ({
    effectId: firstTold(records, effectIdOf),
    kind: firstTold(records, effectKindOf),
    target: firstTold(records, effectTargetOf),
    attempt,
    records,
  }));
}

function firstTold(
  records: readonly Committed[],
  read: (event: HindcastEvent) => string | undefined,
): string | undefined {
  for (const event of records) {
    const told = read(event);
    if (told !== undefined) return told;
  }
  return undefined;
}

/** A record without a kind is of the kind that others tell of its id, else of the only kind that the command is told to have made. */
function createKindOf(attempts: readonly Attempt[]): (event: Committed) => string {
  const byId = new Map<string, string>();
  const kinds = new Set<string>();
  for (const { records } of attempts) {
    for (const event of records.committed) {
      const [id, kind] = [effectIdOf(event), effectKindOf(event)];
      if (kind === undefined) continue;
      kinds.add(kind);
      if (id !== undefined && !byId.has(id)) byId.set(id, kind);
    }
  }
  const [only] = kinds.size === 1 ? kinds : [];
  return (event) => effectKindOf(event) ?? byId.get(effectIdOf(event) ?? '') ?? only ?? '';
}

/** More records than acts: one effect told twice, one request or one answer written twice, or a marked re-emission. */
function isRecordedTwice(attempts: readonly Attempt[], executions: readonly Execution[]): boolean {
  if (executions.some(({ records }) => records.length > 1)) return true;
  return attempts.some(
    ({ records, reemitted }) =>
      reemitted.length > 0 ||
      records.dispatched.length > 1 ||
      records.completed.length > 1 ||
      records.acknowledged.length > 1,
  );
}
