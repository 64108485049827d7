/**
 * What may be a further execution beside those that are recorded: requests without a known outcome, and effects that a caller was told of
 * and that no commitment has (R28, R100).
 *
 * Invariant: what an answer names stands under `effect_id` or `effect.id`, or is a value of it that is written as the ids of this command's
 * effects are. An answer that names a recorded effect tells of that one; what a person put in, or a replay, tells of none.
 * Called by verdict.ts, once a command.
 */
import type { JsonValue } from '../../base/json.ts';
import { containsHole } from '../../base/withheld.ts';
import type { HindcastEvent } from '../../model/index.ts';
import type { CopyAnswers } from '../copy-records.ts';
import { type Attempt, type AttemptStatus, isRequested } from './attempt.ts';
import { holdsAnyId, type Known, otherIdsIn, placesOf, toShape } from './like-ids.ts';
import { isSimulated } from './stopped.ts';

export interface ToldEffect {
  readonly id: string;
  /** The answer that names it. */
  readonly event: HindcastEvent;
  readonly attempt: Attempt;
}

/** What is recorded of a command's executions. */
interface Recorded {
  readonly ids: readonly string[];
  readonly copy: CopyAnswers;
}

export interface ToldBeside {
  readonly told: readonly ToldEffect[];
  /** What answered these is withheld, and names no known effect by what the copy says: it may tell of another. */
  readonly unread: readonly Attempt[];
}

/** Effects that answers name beside the known ones; `withoutId`: recorded executions of which each may be one of those that are told. */
export function effectsToldBeside(
  attempts: readonly Attempt[],
  { ids: recorded, withoutId, copy: declared }: Recorded & { readonly withoutId: number },
): ToldBeside {
  const saved = attempts.flatMap((attempt) =>
    [...attempt.records.deduplicated, ...attempt.records.reconciled].flatMap((event): readonly ToldEffect[] => {
      const id = idNamedBy(event);
      return id === undefined ? [] : [{ id, event, attempt }];
    }),
  );
  // Without a commitment, the first effect that the service itself names is the one that it executed.
  const first = recorded.length > 0 ? recorded : saved.slice(0, 1).map(({ id }) => id);
  if (first.length + withoutId === 0) return { told: [], unread: [] };
  const ids = new Set(first);
  const answers = attempts.flatMap((attempt) => answersOf(attempt).map((event) => ({ event, attempt })));
  // What is hidden of one answer may be what would tell of another one where it names an effect.
  const isPartlyHidden = answers.some(({ event }) => containsHole(bodyOf(event)));
  const copy: CopyAnswers = { ...declared, hasStandIns: declared.hasStandIns || isPartlyHidden };
  const bodies = copy.hasStandIns ? [] : answers;
  const known: Known = {
    ids,
    shapes: new Set([...first, ...saved.map(({ id }) => id)].map(toShape)),
    words: attempts.flatMap(wordsOf),
    places: new Set(bodies.flatMap(({ event }) => placesOf(bodyOf(event), ids))),
  };
  const answered = answers.flatMap(({ event, attempt }) =>
    idsToldBy(event, known, copy).map((id): ToldEffect => ({ id, event, attempt })),
  );
  const strange = [...answered, ...saved].filter(({ id }) => !ids.has(id));
  const isSurplus = new Set(strange.map(({ id }) => id)).size > withoutId;
  const unread = answers.filter(({ event }) => isUnread(event, ids, copy)).map(({ attempt }) => attempt);
  return {
    told: isSurplus ? strange.filter(({ id }, at) => strange.findIndex((one) => one.id === id) === at) : [],
    unread: [...new Set(unread)],
  };
}

export interface OpenRequests {
  /** Each may be a further execution, whatever a copy withholds. */
  readonly open: readonly Attempt[];
  /** What answered one of them is withheld: it may tell of what is recorded, or the request may be a further execution. */
  readonly undecided: readonly Attempt[];
}

/**
 * Requests that may each be a further execution: made, without a commitment, and not known as not executed. Outcomes that name no attempt
 * are of them, so where there are as many, none is left open.
 */
export function openAttempts(
  attempts: readonly Attempt[],
  statuses: ReadonlyMap<Attempt, AttemptStatus>,
  { ids: known, unassigned, copy }: Recorded & { readonly unassigned: number },
): OpenRequests {
  const ids = new Set(known);
  const untold = attempts.filter(
    (attempt) =>
      attempt.isUnassigned !== true &&
      attempt.records.committed.length === 0 &&
      statuses.get(attempt) !== 'not executed' &&
      isMade(attempt) &&
      !answersTo(attempt).some((event) => tellsOf(event, ids, copy)),
  );
  const undecided = untold.filter((attempt) => answersTo(attempt).some((event) => isUnread(event, ids, copy)));
  const open = untold.filter((attempt) => !undecided.includes(attempt));
  const outcomes = attempts
    .filter(({ isUnassigned }) => isUnassigned === true)
    .reduce(
      (sum, { records: { deduplicated, refused, dropped, reconciled } }) =>
        sum + deduplicated.length + refused.length + dropped.length + reconciled.length,
      unassigned,
    );
  return {
    open: open.length > outcomes ? open : [],
    undecided: untold.length > outcomes ? undecided : [],
  };
}

/** A request of it is recorded, or what only a request leads to. */
function isMade(attempt: Attempt): boolean {
  const { requested, acknowledged, completed, failed, timedOut, cancelled, reconciled } = attempt.records;
  const led = [requested, acknowledged, completed, failed, timedOut, cancelled, reconciled];
  return isRequested(attempt) || led.some((records) => records.length > 0);
}

/** All that came back to it, of somebody outside. */
function answersTo({ records, reemitted }: Attempt): readonly HindcastEvent[] {
  const all = [...records.acknowledged, ...records.completed, ...records.reconciled, ...reemitted];
  return all.filter(({ origin }) => origin !== 'supplied');
}

/** It names a recorded effect: a saved answer, of which the service has no record of its own. */
function tellsOf(event: HindcastEvent, known: ReadonlySet<string>, copy: CopyAnswers): boolean {
  const named = idNamedBy(event);
  if (named !== undefined) return known.has(named);
  return namesKnown(event, known, copy) || holdsAnyId(bodyOf(event), known);
}

/** By what a copy says of it. */
function namesKnown({ id }: HindcastEvent, known: ReadonlySet<string>, { named }: CopyAnswers): boolean {
  return named.get(id)?.some((one) => known.has(one)) === true;
}

/** The acknowledgements of an attempt; where none holds an answer, what it was completed with. */
function answersOf(attempt: Attempt): readonly HindcastEvent[] {
  // What was refused, or answered from what was saved, tells of no effect but the one that the service names.
  const { refused, deduplicated } = attempt.records;
  if (isSimulated(attempt) || refused.length + deduplicated.length > 0) return [];
  const { acknowledged, completed } = attempt.records;
  const told: readonly HindcastEvent[] = acknowledged.some((event) => bodyOf(event) !== undefined)
    ? [...acknowledged, ...completed.filter((event) => idNamedBy(event) !== undefined)]
    : [...acknowledged, ...completed];
  return told.filter(({ origin, data }) => origin !== 'supplied' && !isRefusal(data?.['http_status']));
}

function isRefusal(status: unknown): boolean {
  return typeof status === 'number' && status >= 400;
}

function bodyOf(event: HindcastEvent): JsonValue | undefined {
  if (event.type === 'tool_call.acknowledged') return event.data.response;
  return event.type === 'tool_call.completed' ? event.data.result : undefined;
}

/** Whether it names a known effect, or another one, cannot be told in this copy. */
function isUnread(event: HindcastEvent, known: ReadonlySet<string>, copy: CopyAnswers): boolean {
  // Where no effect is known by an id, no answer is held against one.
  if (known.size === 0 || idNamedBy(event) !== undefined || tellsOf(event, known, copy)) return false;
  const body = bodyOf(event);
  return body !== undefined && (copy.hasStandIns || containsHole(body));
}

function idsToldBy(event: HindcastEvent, known: Known, copy: CopyAnswers): readonly string[] {
  const named = idNamedBy(event);
  if (named !== undefined) return [named];
  // What else an answer of a known effect holds is of that one.
  return copy.hasStandIns || namesKnown(event, known.ids, copy) ? [] : otherIdsIn(bodyOf(event), known);
}

/** What the effect of a request is called: its tool, and its kind and target as the service tells them. */
export function wordsOf({ records: { dispatched, committed } }: Attempt): readonly string[] {
  const told = committed.flatMap(({ data }) => [data.effect?.kind, data.effect?.target, data['kind']]);
  return [...dispatched.map(({ data }) => data.tool), ...told].filter((word) => typeof word === 'string');
}

function idNamedBy({ type, data }: HindcastEvent): string | undefined {
  const effect: unknown = data?.['effect'];
  const nested: unknown = typeof effect === 'object' && effect !== null ? Reflect.get(effect, 'id') : undefined;
  const id = nested ?? data?.['effect_id'] ?? (type.startsWith('effect.') ? data?.['id'] : undefined);
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : undefined;
}
