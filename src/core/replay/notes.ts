/**
 * What control code noted beside its commands (steps, artifacts, messages), and what became of the recorded notes in a replay.
 *
 * Invariant: a branch shows a recorded note only where its own program made the same one on grounds that stand. What came of records
 * that the branch does not inherit is not inherited either, whoever wrote it; what the outside and the processes did stays: it happened.
 */
import { type JsonValue, plainToRecorded } from '../base/json.ts';
import { type EventId, type HindcastEvent, digest, isKnownEventType } from '../model/index.ts';
import { pathToSegment } from './command-path.ts';
import { dataOf } from './contents.ts';
import { eventToRow } from './event-roles.ts';
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
 *
 * `runs`: what each segment noted when it ran again; one that stands whole has no other notes than the recorded ones.
 */
export function matchNotes(base: ReplayBase, runs: readonly (readonly NotedAt[] | 'stands')[]): Notes {
  const recorded = new Map<string, HindcastEvent[]>();
  const all: HindcastEvent[] = [];
  const writers = new Set(base.visible.filter(isOfControlCode).map((event) => event.source.component));
  const standing = new Set(base.infos.filter((_, n) => runs[n] === 'stands').map(({ segment }) => segment));
  let segment = 0;
  for (const event of base.visible) {
    if (event.run !== base.run) continue;
    if (event.type === 'run.started') segment = event.data.segment ?? 0;
    if (event.command !== undefined || !noteTypes.test(event.type)) continue;
    if (writers.size > 0 && !writers.has(event.source.component)) continue;
    if (standing.has(event.step === undefined ? segment : pathToSegment(event.step))) continue;
    all.push(event);
    const key = noteKey(event.type, event.step, { ...dataOf(event) });
    const known = recorded.get(key);
    if (known === undefined) recorded.set(key, [event]);
    else known.push(event);
  }
  const taken = new Set<HindcastEvent>();
  const take = (key: string): HindcastEvent | undefined => recorded.get(key)?.find((event) => !taken.has(event));
  const matched = runs.map((notes) =>
    notes === 'stands'
      ? []
      : notes.map(({ note, act }): MatchedNote => {
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

function isOfControlCode(event: HindcastEvent): boolean {
  return event.type === 'run.started' || event.command?.issued !== undefined || event.origin === 'replayed';
}

function noteKey(type: string, step: string | undefined, data: JsonValue): string {
  return `${type} ${step ?? ''} ${digest(data)}`;
}

/**
 * What the outside did and what became of processes happened, whatever control code does on a branch. What a harness found of the recorded
 * run is found of its records.
 */
const happened =
  /^(?:effect|fault|worker|recovery|stream|content|annotation|branch|replay|observation|run|access|clock|random)\./;

/** Begins and ends a place: the program came to it or did not, whatever was there before. */
function isFrame(type: string): boolean {
  return type.startsWith('step.');
}

/**
 * What goes with records a branch does not inherit: events that rest on one of them, to the end.
 *
 * `minus`: what is left out for itself, notes that were not made among it. Issues and endings of commands are judged by
 * their command.
 */
export function computeDependents(base: ReplayBase, minus: ReadonlySet<EventId>): ReadonlySet<EventId> {
  const owned = (event: HindcastEvent): boolean =>
    eventToRow(event)?.role !== 'side' && base.journals.some((journal) => journal.entriesByEvent.has(event.id));
  const gone = new Set(minus);
  const candidates = base.visible.filter((event) => {
    const { id, run, type, causes } = event;
    if (run !== base.run || causes === undefined || gone.has(id)) return false;
    return !happened.test(type) && !isFrame(type) && !owned(event);
  });
  for (let before = -1; before !== gone.size;) {
    before = gone.size;
    for (const { id, causes } of candidates)
      if (causes?.some(({ event, grade }) => grade !== 'clock-only' && gone.has(event)) === true) gone.add(id);
  }
  return gone;
}
