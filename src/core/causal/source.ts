/**
 * Where the bodies of events come from. The index keeps none: whoever opened the trace hands them out by position.
 */
import type { HindcastEvent } from '../model/index.ts';
import type { Bitset } from './bitset.ts';
import { eventToLine } from '../model/index.ts';

export interface EventSource {
  readonly count: number;
  /** The event at a position, in the order in which the index was given it. */
  readonly at: (position: number) => HindcastEvent;
  /** The text of the record as it was written, without the newline. */
  readonly line: (position: number) => string;
  /**
   * Positions whose text holds the needle, which is in lower case; the text is compared in lower case. Where a source can go through
   * whole chunks it need not cut a line out for each event.
   */
  readonly search?: ((needle: string) => Bitset) | undefined;
}

/** Events held in memory: small traces, the command line, tests. Without `lines` the text is written from the event. */
export function eventsToSource(events: readonly HindcastEvent[], lines?: readonly string[]): EventSource {
  const at = (position: number): HindcastEvent => {
    const event = events[position];
    if (event === undefined) throw new RangeError(`No event at position ${position} of ${events.length}.`);
    return event;
  };
  return { count: events.length, at, line: (position) => lines?.[position] ?? eventToLine(at(position)) };
}
