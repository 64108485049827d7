/**
 * What the replay engine is given: all events of an opened trace, and the request in the engine's words.
 */
import type { HindcastEvent } from '../../core/model/index.ts';
import type { EditFile } from '../../core/replay/edit-file.ts';
import type { OpenedTrace } from './open-traces.ts';
import type { ReplayRequest } from './replay-methods.ts';

/** Branches included: the engine decides by run and branch what counts. Kept with the opened trace, for the next preview. */
export function openedToEvents(opened: OpenedTrace): readonly HindcastEvent[] {
  const known = kept.get(opened);
  if (known !== undefined) return known;
  const { source } = opened;
  const events = Array.from({ length: source.count }, (_none, position) => source.at(position));
  kept.set(opened, events);
  return events;
}

const kept = new WeakMap<OpenedTrace, readonly HindcastEvent[]>();

export function requestToEditFile({ edits, supply, reason }: ReplayRequest): EditFile {
  return { edits, supply, ...(reason === undefined ? {} : { reason }) };
}
