/**
 * One body of a view as the ledger and the rules read it. Invariant: no two records have one id.
 */
import type { HindcastEvent } from '../../model/index.ts';
import type { TraceView } from '../trace-view.ts';

/** The body under the id the index shows: a repeated record has one of its own (R20). */
export function viewEvent(view: TraceView, position: number): HindcastEvent {
  const event = view.event(position);
  const id = view.index.id(position);
  return event.id === id ? event : { ...event, id };
}
