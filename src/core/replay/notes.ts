/**
 * What control code noted beside its commands (steps, artifacts, messages, anything under a name of its own), and what became of the
 * recorded notes in a replay.
 *
 * Invariant: a branch shows a recorded note only where its own program made the same one on grounds that stand. What came of records
 * that the branch does not inherit is not inherited either, whoever wrote it; what the outside and the processes did stays: it happened.
 */
import { type JsonValue, plainToRecorded } from '../base/json.ts';
import { type EventId, type HindcastEvent, digest, isKnownEventType } from '../model/index.ts';
import { dataOf } from './contents.ts';
import { eventToRow } from './event-roles.ts';
import { createLogSegments, numberInLog } from './log-segments.ts';
import type { NotedAt } from './pass-types.ts';
import type { ReplayBase } from './replay-base.ts';

export interface MatchedNote extends NotedAt {
  /** The same note on record. */
  readonly record: HindcastEvent | undefined;
}

export interface Notes {
  /** By segment, as the program made them, without what no program may note. */
  readonly made: readonly (readonly MatchedNote[])[];
  /** Recorded ones that the program did not make. */
  readonly missing: readonly HindcastEvent[];
  readonly counts: { readonly same: number; readonly added: number; readonly missing: number };
}

const noteTypes = /^(?:step\.|artifact\.|access\.|message\.|policy\.|agent\.handed_off$)/;

/**
 * A program may note anything under any name; what another component would have to say is no note of its own. What was recorded and what
 * is made are held to this alike: a type that only one side knew would be added or missing in a replay that is the record.
 */
function isNote({ type }: { readonly type: string }): boolean {
  return noteTypes.test(type) || !isKnownEventType(type);
}

/**
 * By type, step and digest of the data; a record that names no step is found without it. Notes never block. Only what the control process
 * wrote is one: a policy service or another process says the same kinds of things on its own account.
 *
 * `runs`: what each segment noted when it ran again; one that stands whole has no other notes than the recorded ones.
 */
export function matchNotes(base: NotesBase, runs: readonly (readonly NotedAt[] | 'stands')[]): Notes {
  const { all, mayStand } = listRecorded(base, runs);
  const queues = new Map<string, HindcastEvent[]>();
  // The last of equal ones is taken first from a queue.
  for (const event of all.toSorted((a, b) => compareRecords(base, b, a))) {
    const key = noteKey(event.type, event.step, { ...dataOf(event) });
    const queue = queues.get(key);
    if (queue === undefined) queues.set(key, [event]);
    else queue.push(event);
  }
  const taken = new Set<HindcastEvent>();
  const matched = runs.map((notes) =>
    notes === 'stands'
      ? []
      : notes
          .filter(({ note }) => isNote(note))
          .map(({ note, act }): MatchedNote => {
            const data = plainToRecorded(note.data);
            const record =
              queues.get(noteKey(note.type, note.step, data))?.pop() ??
              queues.get(noteKey(note.type, undefined, data))?.pop();
            if (record !== undefined) taken.add(record);
            return { note, act, record };
          }),
  );
  const missing = all.filter((event) => !taken.has(event) && !mayStand.has(event));
  const added = matched.flat().filter(({ record }) => record === undefined).length;
  return { made: matched, missing, counts: { same: taken.size, added, missing: missing.length } };
}

type NotesBase = Pick<ReplayBase, 'run' | 'visible' | 'infos' | 'lineage'>;

/**
 * Notes on record, without those of segments that stand whole. `mayStand`: those of which nothing recorded says their segment, where one
 * stands; they are not missed, for it may be theirs.
 */
function listRecorded(
  base: NotesBase,
  runs: readonly (readonly NotedAt[] | 'stands')[],
): { readonly all: readonly HindcastEvent[]; readonly mayStand: ReadonlySet<HindcastEvent> } {
  const ofRun = base.visible.filter(({ run }) => run === base.run);
  const writers = new Set(base.visible.filter(isOfControlCode).map((event) => event.source.component));
  const standing = new Set(base.infos.filter((_, n) => runs[n] === 'stands').map(({ segment }) => segment));
  const segmentOf = standing.size === 0 ? () => undefined : createLogSegments(ofRun);
  const mayStand = new Set<HindcastEvent>();
  const all = ofRun.filter((event) => {
    if (event.command !== undefined || !isNote(event)) return false;
    if (writers.size > 0 && !writers.has(event.source.component)) return false;
    const segment = segmentOf(event);
    if (segment === undefined && standing.size > 0) mayStand.add(event);
    return segment === undefined || !standing.has(segment);
  });
  return { all, mayStand };
}

/** Which of equal notes came first: by the line of branches, then the process and its life, then the number in its log. */
function compareRecords({ lineage }: NotesBase, a: HindcastEvent, b: HindcastEvent): number {
  return (
    lineage.indexOf(a.branch) - lineage.indexOf(b.branch) ||
    compareTexts(
      `${a.source.component} ${a.source.instance ?? ''}`,
      `${b.source.component} ${b.source.instance ?? ''}`,
    ) ||
    Number(a.source.incarnation ?? 0) - Number(b.source.incarnation ?? 0) ||
    compareTexts(String(a.source.incarnation ?? ''), String(b.source.incarnation ?? '')) ||
    (numberInLog(a) ?? 0) - (numberInLog(b) ?? 0) ||
    compareTexts(a.id, b.id)
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
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
export function computeDependents(
  base: Pick<ReplayBase, 'run' | 'visible' | 'journals'>,
  minus: ReadonlySet<EventId>,
): ReadonlySet<EventId> {
  const owned = (event: HindcastEvent): boolean =>
    eventToRow(event)?.role !== 'side' && base.journals.some((journal) => journal.entriesByEvent.has(event.id));
  const mayGo = new Set<EventId>();
  const effectsByCause = new Map<EventId, EventId[]>();
  for (const event of base.visible) {
    const { id, run, type, causes } = event;
    if (run !== base.run || causes === undefined || minus.has(id)) continue;
    if (happened.test(type) || isFrame(type) || owned(event)) continue;
    mayGo.add(id);
    for (const { event: cause, grade } of causes) {
      if (grade === 'clock-only') continue;
      const effects = effectsByCause.get(cause);
      if (effects === undefined) effectsByCause.set(cause, [id]);
      else effects.push(id);
    }
  }
  const reached = new Set(minus);
  // Grows while it is read.
  for (const cause of reached) for (const effect of effectsByCause.get(cause) ?? []) reached.add(effect);
  // In the order of the stream, so that the list on the branch is the same however far each is from what fell.
  return new Set([...minus, ...[...mayGo].filter((id) => reached.has(id))]);
}
