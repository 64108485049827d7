/**
 * Whether a record says what it was made of (I6, R45).
 *
 * A cause that only says where a record stands (its step, its run, the sub-agent it is of) or under what authority it was made says nothing
 * of that: such a record is no witness that it used nothing that changed. Called by the preview of an edit (core/replay) and by its rule (core/audit).
 */
import type { Cause, EventId, HindcastEvent } from '../model/index.ts';

/** Types whose events are a place: what is selected or caused by one merely happened in it. */
const frameTypes: ReadonlySet<string> = new Set([
  'run.started',
  'step.started',
  'step.completed',
  'agent.spawned',
  'worker.spawned',
  'worker.started',
]);

export function isFrame(type: string): boolean {
  return frameTypes.has(type);
}

export function listFrames(events: readonly HindcastEvent[]): ReadonlySet<EventId> {
  return new Set(events.filter(({ type }) => isFrame(type)).map(({ id }) => id));
}

export function saysWhatItUsed(causes: readonly Cause[] | undefined, frames: ReadonlySet<EventId>): boolean {
  return causes?.some((cause) => isUse(cause, frames)) ?? false;
}

function isUse({ as, event, grade }: Cause, frames: ReadonlySet<EventId>): boolean {
  if (grade === 'clock-only' || as === 'authorized_by') return false;
  if (as === 'consumed' || as === 'informed_by') return true;
  return (as === 'selected_by' || as === 'caused_by') && !frames.has(event);
}
