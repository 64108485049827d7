/**
 * What control code noted beside its commands (steps, artifacts, messages), and what became of the recorded notes in a replay.
 *
 * Invariant: a branch shows a recorded note only where its own program made the same one on grounds that stand. What came of records
 * that the branch does not inherit is not inherited either, whoever wrote it; what the outside and the processes did stays: it happened.
 */
import { type JsonValue, plainToRecorded } from '../base/json.ts';
import { type EventId, type HindcastEvent, digest, isKnownEventType } from '../model/index.ts';
import { dataOf } from './contents.ts';
import type { NotedAt } from './pass-types.ts';
import type { ReplayBase } from './replay-base.ts';

export interface MatchedNote extends NotedAt {
  /** The same note on record. */
  readonly record: HindcastEvent | undefined;
}

export interface Notes {
  /** By segment, as the program made them. */
  readonly made: readonly (readonly MatchedNote[])[];
  /** Recorded ones that the program did not make. */
  readonly missing: readonly HindcastEvent[];
  readonly counts: { readonly same: number; readonly added: number; readonly missing: number };
}

const noteTypes = /^(?:step\.|artifact\.|access\.|message\.|policy\.|agent\.handed_off$)/;

/** A program may note anything under any name; what another component would have to say is no note of its own. */
export function isWritableNote({ type }: { readonly type: string }): boolean {
  return noteTypes.test(type) || !isKnownEventType(type);
}

/**
 * By type, step and digest of the data; a record that names no step is found without it. Notes never block. Only what the control process
 * wrote is one: a policy service or another process says the same kinds of things on its own account.
 */
export function matchNotes(base: ReplayBase, made: readonly (readonly NotedAt[])[]): Notes {
  const recorded = new Map<string, HindcastEvent[]>();
  const all: HindcastEvent[] = [];
  const writers = new Set(base.visible.filter(isIssue).map((event) => event.source.component));
  for (const event of base.visible) {
    if (event.run !== base.run || event.command !== undefined || !noteTypes.test(event.type)) continue;
    if (writers.size > 0 && !writers.has(event.source.component)) continue;
    all.push(event);
    const key = noteKey(event.type, event.step, { ...dataOf(event) });
    const known = recorded.get(key);
    if (known === undefined) recorded.set(key, [event]);
    else known.push(event);
  }
  const taken = new Set<HindcastEvent>();
  const take = (key: string): HindcastEvent | undefined => recorded.get(key)?.find((event) => !taken.has(event));
  const matched = made.map((notes) =>
    notes.map(({ note, act }): MatchedNote => {
      const data = plainToRecorded(note.data);
      const record = take(noteKey(note.type, note.step, data)) ?? take(noteKey(note.type, undefined, data));
      if (record !== undefined) taken.add(record);
      return { note, act, record };
    }),
  );
  const missing = all.filter((event) => !taken.has(event));
  const added = matched.flat().filter(({ record }) => record === undefined).length;
  return { made: matched, missing, counts: { same: taken.size, added, missing: missing.length } };
}

function isIssue(event: HindcastEvent): boolean {
  return event.command?.issued !== undefined;
}

function noteKey(type: string, step: string | undefined, data: JsonValue): string {
  return `${type} ${step ?? ''} ${digest(data)}`;
}

/** What the outside did and what became of processes happened, whatever control code does on a branch. */
const happened =
  /^(?:effect|fault|trial|worker|recovery|invariant|duplicate|stream|content|annotation|branch|replay|observation|run|access|clock|random)\./;

/**
 * What goes with records a branch does not inherit: events of no command that rest on one of them, to the end.
 *
 * `minus`: what is left out for itself. `owned`: events of commands, which are judged by their command.
 */
export function computeDependents(
  base: ReplayBase,
  minus: ReadonlySet<EventId>,
  owned: (event: EventId) => boolean,
): ReadonlySet<EventId> {
  const gone = new Set(minus);
  const candidates = base.visible.filter(
    ({ id, run, type, causes }) =>
      run === base.run && causes !== undefined && !happened.test(type) && !gone.has(id) && !owned(id),
  );
  for (let before = -1; before !== gone.size;) {
    before = gone.size;
    for (const { id, causes } of candidates)
      if (causes?.some(({ event, grade }) => grade !== 'clock-only' && gone.has(event)) === true) gone.add(id);
  }
  return gone;
}
