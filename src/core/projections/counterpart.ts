/**
 * The event of one branch that stands where an event of another branch stands.
 *
 * Invariant: a pairing is recorded (what supersedes it, what it supersedes, the record it reuses), or follows from the command it is of;
 * where neither is so there is none.
 */
import { payloadOf, textAt } from '../causal/index.ts';
import { type EventId, eventId, mainBranch } from '../model/index.ts';
import type { TraceView } from './trace-view.ts';

export function computeCounterpart(view: TraceView, event: EventId): EventId | undefined {
  const { index } = view;
  const position = index.find(event);
  if (position < 0) return undefined;
  const origins = originsOf(view, event);
  for (const origin of origins) if (holdsRow(view, origin)) return origin;
  const known = new Set(origins);
  // Only what a replay wrote supersedes anything, and that is little.
  const own = [...view.positions].filter((at) => index.branch(at) !== mainBranch);
  const heir = own.find((at) => originsOf(view, index.id(at)).some((origin) => known.has(origin)));
  return heir === undefined ? findOfCommand(view, position) : index.id(heir);
}

/** The event itself, then what it takes the place of or reuses, and so on to the original. */
function originsOf(view: TraceView, event: EventId): readonly EventId[] {
  const origins = new Set<EventId>();
  for (let id: EventId | undefined = event; id !== undefined && !origins.has(id);) {
    origins.add(id);
    const position = view.index.find(id);
    id = position < 0 ? undefined : (view.event(position).supersedes ?? reusedBy(view, position));
  }
  return [...origins];
}

function reusedBy(view: TraceView, position: number): EventId | undefined {
  if (view.index.type(position) !== 'observation.reused') return undefined;
  const reused = textAt(payloadOf(view.event(position)), 'event');
  return reused === undefined ? undefined : eventId(reused);
}

/** What is of the same command: its record of the same type before any other. */
function findOfCommand(view: TraceView, position: number): EventId | undefined {
  const { index } = view;
  const path = index.command(position);
  if (path === undefined) return undefined;
  const alike = [...view.positions].filter((at) => index.command(at) === path);
  const found = alike.find((at) => index.type(at) === index.type(position)) ?? alike[0];
  return found === undefined ? undefined : index.id(found);
}

function holdsRow(view: TraceView, event: EventId): boolean {
  return view.rowOf(view.index.find(event)) >= 0;
}
