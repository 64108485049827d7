/**
 * Answers that came after the caller had gone on: after a time-out of the same attempt, or after the next attempt had begun.
 *
 * Invariant: "after" is recorded order (causes, or positions in one log), never time (R29, R32).
 */
import type { EventId, HindcastEvent } from '../../model/index.ts';
import { type Attempt, isRequested } from './attempt.ts';

export function lateRecords(
  attempts: readonly Attempt[],
  precedes: (a: EventId, b: EventId) => boolean,
): ReadonlySet<EventId> {
  const late = new Set<EventId>();
  const requested = attempts.filter(isRequested);
  for (const attempt of attempts) {
    const { records } = attempt;
    const answers: readonly HindcastEvent[] = [...records.committed, ...records.acknowledged, ...records.completed];
    const at = requested.indexOf(attempt);
    const next = at < 0 ? undefined : requested[at + 1]?.records;
    const goneOn: readonly HindcastEvent[] = [
      ...records.timedOut,
      ...(next?.dispatched ?? []),
      ...(next?.requested ?? []),
    ];
    for (const answer of answers) {
      const isMarked = answer.data?.['late'] === true;
      if (isMarked || goneOn.some((event) => precedes(event.id, answer.id))) late.add(answer.id);
    }
  }
  return late;
}
