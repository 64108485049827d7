/**
 * Which events the notes of a branch are about: by the target a note names, or, where it names none that is here, by its causes.
 *
 * Invariant: only records join a note to an event; a note of another branch is none here, and an id means the record of the note's own
 * run (causal G6). Called by the reader for the inspector.
 */
import { type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { memberOf } from '../causal/index.ts';
import type { TraceView } from './trace-view.ts';

export interface Notes {
  /** Positions of the notes about an event, in display order. */
  readonly on: (position: number) => readonly number[];
  /** Positions of the events a note is about. */
  readonly targetsOf: (note: number) => readonly number[];
}

export function computeNotes(view: TraceView): Notes {
  const notes = new Map<number, number[]>();
  for (const note of view.ofType('annotation.made')) {
    for (const target of noteToTargets(view, note)) {
      const known = notes.get(target);
      if (known === undefined) notes.set(target, [note]);
      else known.push(note);
    }
  }
  return {
    on: (position) => notes.get(position) ?? [],
    targetsOf: (note) => (view.index.type(note) === 'annotation.made' ? noteToTargets(view, note) : []),
  };
}

function noteToTargets(view: TraceView, note: number): readonly number[] {
  const named = targetToIds(memberOf(view.data(note), 'target')).map((id) => view.index.named(note, id));
  const held = named.filter((position) => position !== note && view.holds(position));
  const targets = held.length > 0 ? held : view.causesOf(note).map(({ from }) => from);
  return [...new Set(targets)];
}

/** An id, an object that names an event, or a list of these. */
function targetToIds(target: JsonValue | undefined): readonly string[] {
  const list = isJsonArray(target) ? target : [target];
  return list.flatMap((one) => {
    const named = isJsonObject(one) ? (one['event'] ?? one['id'] ?? one['events']) : one;
    const ids: readonly (JsonValue | undefined)[] = isJsonArray(named) ? named : [named];
    return ids.filter((id) => typeof id === 'string');
  });
}
