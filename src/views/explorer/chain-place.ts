/**
 * Which link of “How it came about” the selected event is: the station that is filled.
 *
 * Invariant: an event stands only at what it is. A model's answer names its step and session, and is neither: it has no station of its own.
 * Called by `InspectorWhy.tsx`.
 */
import type { ChainLink, EventRow } from '../../core/projections/trace-reader.ts';

/** -1 where the event is none of the links. */
export function findOwnLink(chain: readonly ChainLink[], { id, type }: Pick<EventRow, 'id' | 'type'>): number {
  return chain.findIndex(({ what, event }) => {
    if (what === 'effect' || what === 'tool call' || what === 'decision') return event === id;
    // The others are told by a field, whose event is the one that bears it: only a record of the thing itself is it.
    return type.startsWith(`${what}.`);
  });
}
