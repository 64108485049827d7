/**
 * Order of the events of one life by the positions of the control process (mapping C).
 *
 * A stream that has none gets them from the sequence of the log, else from the order it was given in; that is flagged, and
 * an order nobody recorded never counts as identical.
 */
import type { HindcastEvent } from '../model/index.ts';
import { eventToRow } from './event-roles.ts';
import { type Position, comparePositions, toPosition } from './position.ts';

export interface OrderedEvent {
  readonly event: HindcastEvent;
  readonly issued: Position | undefined;
  /** Present exactly on final events. */
  readonly delivered: Position | undefined;
}

export interface OrderedEvents {
  readonly events: readonly OrderedEvent[];
  readonly assumed: boolean;
}

export function orderByPosition(events: readonly HindcastEvent[]): OrderedEvents {
  const hasPositions = events.some(
    (event) => event.command?.issued !== undefined || event.command?.delivered !== undefined,
  );
  return hasPositions
    ? { events: recordedOrder(events), assumed: false }
    : { events: assumedOrder(events), assumed: true };
}

function recordedOrder(events: readonly HindcastEvent[]): OrderedEvent[] {
  const ordered = events.map((event): OrderedEvent => {
    const { issued, delivered } = event.command ?? {};
    return {
      event,
      issued: issued === undefined ? undefined : toPosition(issued),
      delivered: delivered === undefined ? undefined : toPosition(delivered),
    };
  });
  // What has no position (a failed attempt) belongs to its attempt, whenever it was: it is told after all that has one.
  return ordered.sort((a, b) => {
    const left = a.delivered ?? a.issued;
    const right = b.delivered ?? b.issued;
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return comparePositions(left, right);
  });
}

/** Without positions the last ending of a path is its final event. */
function assumedOrder(events: readonly HindcastEvent[]): OrderedEvent[] {
  const ordered = events.map((event, n) => ({ event, n }));
  ordered.sort((a, b) => (a.event.seq ?? a.n) - (b.event.seq ?? b.n) || a.n - b.n);
  const finals = new Map<string, HindcastEvent>();
  for (const { event } of ordered)
    if (eventToRow(event)?.role === 'ending') finals.set(event.command?.path ?? '', event);
  let position = 0;
  return ordered.map(({ event }): OrderedEvent => {
    const role = eventToRow(event)?.role;
    if (role === 'issue') return { event, issued: toPosition(position++), delivered: undefined };
    if (role === 'one') {
      const both = toPosition(position++);
      return { event, issued: both, delivered: both };
    }
    const isFinal = finals.get(event.command?.path ?? '') === event;
    return { event, issued: undefined, delivered: isFinal ? toPosition(position++) : undefined };
  });
}
