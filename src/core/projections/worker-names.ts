/**
 * What a worker is called in the title of a record that tells of it and names none, as those of a redacted copy do: by the life that the
 * effects and the headline join the record to, with its number.
 *
 * Invariant: a record that names its worker keeps that name; one that fits no life stays a "worker". Called by `agent-names.ts`.
 */
import { memberOf, payloadOf } from '../causal/index.ts';
import type { EventId, HindcastEvent } from '../model/index.ts';
import { viewToLives } from './effects/view-ledger.ts';
import type { TraceView } from './trace-view.ts';

const namesByView = new WeakMap<TraceView, ReadonlyMap<EventId, string>>();

/** Undefined where the record names it, where it is no record about a worker, or nothing tells which one it was. */
export function workerName(view: TraceView, event: HindcastEvent): string | undefined {
  if (event.type !== 'worker.exited' && event.type !== 'worker.spawned') return undefined;
  const data = payloadOf(event);
  if (memberOf(data, 'worker') !== undefined || memberOf(data, 'incarnation') !== undefined) return undefined;
  let names = namesByView.get(view);
  if (names === undefined) namesByView.set(view, (names = computeNames(view)));
  return names.get(event.id);
}

function computeNames(view: TraceView): ReadonlyMap<EventId, string> {
  const names = new Map<EventId, string>();
  for (const { label, started, exits } of viewToLives(view).all) {
    for (const { id } of exits) names.set(id, label);
    for (const cause of started?.causes ?? []) names.set(cause.event, label);
  }
  return names;
}
