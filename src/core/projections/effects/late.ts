/**
 * Answers that came after the caller had gone on: after a time-out of the same attempt, or after the next attempt had begun.
 *
 * Invariant: "after" is recorded order (causes, or positions in one log), never time (R29, R32); what a producer marked late without
 * such an order is told as its mark.
 */
import type { EventId, HindcastEvent } from '../../model/index.ts';
import { type Attempt, isRequested } from './attempt.ts';

interface LateRecords {
  readonly late: ReadonlySet<EventId>;
  /** Of these, what only a mark of the producer says: no recorded order shows it. */
  readonly marked: ReadonlySet<EventId>;
}

export function lateRecords(attempts: readonly Attempt[], precedes: (a: EventId, b: EventId) => boolean): LateRecords {
  const late = new Set<EventId>();
  const marked = new Set<EventId>();
  const requested = attempts.filter(isRequested);
  const places = new Map(requested.map((attempt, at) => [attempt, at]));
  for (const attempt of attempts) {
    const { records } = attempt;
    const answers: readonly HindcastEvent[] = [...records.committed, ...records.acknowledged, ...records.completed];
    const at = places.get(attempt);
    const next = at === undefined ? undefined : requested[at + 1]?.records;
    const goneOn: readonly HindcastEvent[] = [
      ...records.timedOut,
      ...(next?.dispatched ?? []),
      ...(next?.requested ?? []),
    ];
    for (const answer of answers) {
      if (goneOn.some((event) => precedes(event.id, answer.id))) late.add(answer.id);
      else if (answer.data?.['late'] === true) marked.add(answer.id);
    }
  }
  return { late: new Set([...late, ...marked]), marked };
}
