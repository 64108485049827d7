/**
 * Checkpoints of LangGraph threads to traces: state by change, tasks as steps, forks as branches.
 *
 * Invariants: one checkpoint id of a name space is one checkpoint, whatever spellings told it; what two tell is united. A task is told by
 * the checkpoint that planned it. The state of a child consumed that of its parent (recorded) and the results of the parent's
 * tasks (rule `writes-of-parent`).
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../base/json.ts';
import { digest, type EventId } from '../../model/index.ts';
import { type CauseDraft, type EventDraft, recordToEventId, traceToRun } from '../draft.ts';
import type { InputPlace, Problem } from '../format.ts';
import type { Grouped, GroupedTrace, MappedRecord } from '../grouped.ts';
import { memberAt, objectAt, textAt, withoutUndefined } from '../members.ts';
import type { Piece } from '../pieces.ts';
import { valueToTime } from '../times.ts';
import { createLines, inTime, type Lines, snapshotKey } from './branches.ts';
import { nameTasks } from './nodes.ts';
import { debugEventOf, type Snapshot, type Task, valueToSnapshot } from './snapshot.ts';
import { diffValues } from './state.ts';
import { errorOf, type TaskContext, taskToDrafts } from './task-events.ts';
import { uniteSnapshots } from './unite.ts';
import { withWrites } from './writes.ts';

export const rules = {
  'run-of-thread': 'One thread is one run.',
  'writes-of-parent': 'A checkpoint that a step of the loop wrote holds what the tasks of its parent wrote.',
  'results-in-state': 'A model message had the results of the checkpoint it started from in its state.',
  'node-of-versions':
    'Of checkpoints that name only tasks, the one node that has seen newer channels in the next checkpoint is the one that ran.',
  'writes-in-order':
    'Of several tasks with one name, the writes that the next checkpoint lists are theirs in the order of the tasks.',
  'end-of-graph':
    'A state of the loop that plans no node, and that no other follows, is the end of the run; one with a failed task its failure.',
  'fork-of-checkpoint':
    'A second checkpoint with the same parent begins a branch; the one recorded first is the original line.',
} as const;

interface Building {
  readonly thread: string;
  /** What was read of each checkpoint, and what that is together when all was read. */
  readonly tellings: Map<string, [Snapshot, ...Snapshot[]]>;
  readonly snapshots: Map<string, Snapshot>;
  readonly times: Map<string, Partial<Task>>;
  readonly others: { readonly mode: string; readonly value: JsonValue; readonly place: InputPlace }[];
  merged: number;
}

export function collect(pieces: readonly Piece[]): Grouped {
  const threads = new Map<string, Building>();
  const problems: Problem[] = [];
  const buildingOf = (thread: string): Building => {
    const known = threads.get(thread) ?? createBuilding(thread);
    threads.set(thread, known);
    return known;
  };
  const waiting: TaskEvent[] = [];
  const others: Building['others'] = [];
  for (const piece of pieces) {
    const { value, place } = piece.record;
    const event = debugEventOf(value);
    const snapshot =
      event === undefined
        ? valueToSnapshot(value, place)
        : event.type === 'checkpoint'
          ? valueToSnapshot({ createdAt: event.time ?? '', ...event.payload }, place)
          : undefined;
    if (snapshot !== undefined) addSnapshot(buildingOf(snapshot.thread), snapshot);
    else if (event !== undefined && textAt(event.payload, 'id') !== undefined) waiting.push({ ...event, place });
    else if (streamMode(value) !== undefined) others.push({ mode: streamMode(value) ?? '', value, place });
    else if (!addStorage(value, place, buildingOf)) problems.push(notKnown(piece));
  }
  for (const { tellings, snapshots } of threads.values())
    for (const [key, told] of tellings) snapshots.set(key, uniteSnapshots(told));
  const inOrder = [...threads.values()].sort(byBeginning);
  const threadOf = threadsByFile(inOrder);
  for (const other of others) {
    const owner = threadOf(other.place.file);
    if (owner !== undefined) owner.others.push(other);
    else
      problems.push(
        notKnown({
          path: '',
          document: 0,
          record: { value: other.value, text: JSON.stringify(other.value), place: other.place },
        }),
      );
  }
  for (const event of waiting) addTaskEvent(inOrder, event, threadOf(event.place.file));
  return {
    traces: [...threads.values()].filter(({ snapshots }) => snapshots.size > 0).map(toTrace),
    problems,
    notes: [],
  };
}

function createBuilding(thread: string): Building {
  return { thread, tellings: new Map(), snapshots: new Map(), times: new Map(), others: [], merged: 0 };
}

function addSnapshot(building: Building, snapshot: Snapshot): void {
  const key = snapshotKey(snapshot);
  const known = building.tellings.get(key);
  if (known === undefined) building.tellings.set(key, [snapshot]);
  else {
    building.merged++;
    known.push(snapshot);
  }
}

function byBeginning(a: Building, b: Building): number {
  const [began, other] = [a, b].map(({ snapshots }) => inTime([...snapshots.values()])[0]?.time ?? '');
  if (began !== other) return (began ?? '') < (other ?? '') ? -1 : 1;
  return a.thread < b.thread ? -1 : 1;
}

/**
 * What a stream says besides names no thread: it is of the thread whose checkpoints stand in its file, the first where several do, and
 * where none does the first of all.
 */
function threadsByFile(inOrder: readonly Building[]): (file: string) => Building | undefined {
  const byFile = new Map<string, Building>();
  for (const building of inOrder) {
    for (const told of building.tellings.values())
      for (const { place } of told) if (!byFile.has(place.file)) byFile.set(place.file, building);
  }
  return (file) => byFile.get(file) ?? inOrder[0];
}

/** Streams of several modes write `[namespace, mode, payload]`; what is no debug event is kept as it is. */
function streamMode(value: JsonValue): string | undefined {
  if (!isJsonArray(value)) return undefined;
  const mode = value.find((item) => typeof item === 'string');
  return mode === undefined || !/^[a-z]+$/.test(mode) ? undefined : mode;
}

/** Named by what they say; what is said again has its count behind it. */
function othersToRecords(run: string, others: Building['others']): readonly MappedRecord[] {
  const said = new Map<string, number>();
  return others.map((other) => {
    const print = digest(other.value).slice(7, 19);
    const before = said.get(print) ?? 0;
    said.set(print, before + 1);
    return otherToRecord(run, other, before === 0 ? print : `${print} ${String(before + 1)}`);
  });
}

function otherToRecord(run: string, other: Building['others'][number], name: string): MappedRecord {
  const draft: EventDraft = {
    id: recordToEventId(run, `stream ${name}`),
    type: `langgraph.${other.mode}`,
    run,
    causes: [{ event: recordToEventId(run, 'run'), as: 'caused_by', rule: 'run-of-thread' }],
    data: { record: other.value },
  };
  return { place: other.place, drafts: [draft] };
}

interface TaskEvent {
  readonly type: string;
  readonly time: string | undefined;
  readonly payload: JsonObject;
  readonly place: InputPlace;
}

/** `task` and `task_result` events tell times, input and outcome of a task that a checkpoint planned. */
function addTaskEvent(inOrder: readonly Building[], event: TaskEvent, ofFile: Building | undefined): void {
  const id = textAt(event.payload, 'id') ?? '';
  const owner =
    inOrder.find(({ snapshots }) =>
      [...snapshots.values()].some(({ tasks }) => tasks.some((task) => task.id === id)),
    ) ?? ofFile;
  if (owner === undefined) return;
  const time = valueToTime(event.time)?.time;
  const isEnd = event.type === 'task_result';
  const told: Partial<Task> = isEnd
    ? { end: time, result: resultOf(memberAt(event.payload, 'result')), error: memberAt(event.payload, 'error') }
    : { start: time, input: memberAt(event.payload, 'input') };
  owner.times.set(id, { ...owner.times.get(id), ...told });
  owner.merged++;
}

/** Streams write results as pairs of channel and value. */
function resultOf(value: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonArray(value)) return value;
  const out: Record<string, JsonValue> = {};
  for (const pair of value) {
    const [channel, written] = isJsonArray(pair) ? pair : [];
    if (typeof channel !== 'string' || written === undefined) return value;
    setOwn(out, channel, written);
  }
  return out;
}

/** A saver's memory: thread, name space, checkpoint id. */
function addStorage(value: JsonValue, place: InputPlace, buildingOf: (thread: string) => Building): boolean {
  let found = false;
  for (const [thread, spaces] of Object.entries(isJsonObject(value) ? value : {})) {
    for (const [ns, checkpoints] of Object.entries(isJsonObject(spaces) ? spaces : {})) {
      for (const [id, entry] of Object.entries(isJsonObject(checkpoints) ? checkpoints : {})) {
        if (!isJsonObject(entry) || objectAt(entry, 'checkpoint') === undefined) continue;
        const config = { configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id } };
        const snapshot = valueToSnapshot({ config, ...entry }, { ...place });
        if (snapshot === undefined) continue;
        addSnapshot(buildingOf(thread), snapshot);
        found = true;
      }
    }
  }
  return found;
}

function toTrace(building: Building): GroupedTrace {
  const run = traceToRun(`langgraph ${building.thread}`);
  const ordered = inTime([...building.snapshots.values()]);
  const lines = createLines(ordered);
  const [first] = ordered;
  const calls: TaskContext['calls'] = new Map();
  const told = new Set<string>();
  const byKey = building.snapshots;
  const byPlace = new Map<InputPlace, MappedRecord>();
  const nexts = new Map<string, Snapshot>();
  for (const one of ordered) {
    const key = `${one.ns}|${one.parent ?? ''}`;
    // What was changed by hand says nothing of the node that ran.
    if (one.source !== 'update' && !nexts.has(key)) nexts.set(key, one);
  }
  for (const recorded of ordered) {
    const next = nexts.get(snapshotKey(recorded));
    const snapshot = withWrites(nameTasks(recorded, next), next);
    const timed = { ...snapshot, tasks: snapshot.tasks.map((task) => withTimes(task, building.times.get(task.id))) };
    const before = snapshot.parent === undefined ? undefined : byKey.get(`${snapshot.ns}|${snapshot.parent}`);
    // Its tasks may have their results of this one.
    const parent =
      before === undefined ? undefined : withWrites(nameTasks(before, nexts.get(snapshotKey(before))), snapshot);
    const drafts = snapshotToDrafts(run, timed, parent, lines, calls, told);
    // A storage file is one record with many checkpoints.
    byPlace.set(snapshot.place, {
      place: snapshot.place,
      drafts: [...(byPlace.get(snapshot.place)?.drafts ?? []), ...drafts],
    });
  }
  const mapped = [...byPlace.values(), ...othersToRecords(run, building.others)];
  const place = first?.place ?? { file: '', offset: 0 };
  const begin: EventDraft = {
    id: recordToEventId(run, 'run'),
    type: 'run.started',
    run,
    session: building.thread,
    time: valueToTime(first?.time)?.time,
    clock: `langgraph/${run.slice(0, 8)}`,
    extra: { rule: 'run-of-thread' },
    data: { program: { name: 'LangGraph' } },
  };
  const shown = new Map(mapped.flatMap(({ drafts }) => drafts).map((draft) => [draft.id, draft.branch ?? 'main']));
  const branches = lines.branches.map((line) =>
    branchToDraft(run, building.thread, line, lines, building.snapshots, shown),
  );
  return {
    key: building.thread,
    title: building.thread,
    startedAt: begin.time,
    mapped,
    derived: [{ place, drafts: [begin, ...branches] }],
    merged: building.merged,
  };
}

function withTimes(task: Task, told: Partial<Task> | undefined): Task {
  if (told === undefined) return task;
  return { ...task, ...told, result: task.result ?? told.result, error: task.error ?? told.error };
}

function stateId(run: string, snapshot: Pick<Snapshot, 'ns' | 'id'>): EventId {
  return recordToEventId(run, snapshot.ns === '' ? snapshot.id : `${snapshot.ns}/${snapshot.id}`);
}

function snapshotToDrafts(
  run: string,
  snapshot: Snapshot,
  parent: Snapshot | undefined,
  lines: Lines,
  calls: TaskContext['calls'],
  told: Set<string>,
): readonly EventDraft[] {
  const branch = lines.branchOf(snapshot);
  const id = stateId(run, snapshot);
  const name = snapshot.ns === '' ? 'state' : snapshot.ns;
  const time = valueToTime(snapshot.time)?.time;
  const shared = {
    run,
    branch,
    session: snapshot.thread,
    clock: `langgraph/${run.slice(0, 8)}`,
    record: snapshot.id,
    time,
  } as const;
  const state: EventDraft = {
    ...shared,
    id,
    type: 'state.transitioned',
    causes: stateCauses(run, snapshot, parent),
    command: {
      path: `${scopeOf(snapshot)}/state:${name}=${snapshot.id}`,
      kind: 'state',
      name,
      identity: 'derived',
      args: digest(snapshot.values),
    },
    extra: snapshot.extra,
    data: withoutUndefined({
      name,
      from: snapshot.parent,
      to: snapshot.id,
      digest: digest(snapshot.values),
      value: parent === undefined ? snapshot.values : undefined,
      patch: parent === undefined ? undefined : diffValues(parent.values, snapshot.values),
      source: snapshot.source,
      step: snapshot.step,
      next: snapshot.next,
    }),
  };
  const saved: EventDraft = {
    ...shared,
    id: recordToEventId(run, snapshot.ns === '' ? snapshot.id : `${snapshot.ns}/${snapshot.id}`, 'saved'),
    type: 'checkpoint.written',
    causes: [{ event: id, as: 'caused_by' }],
    data: { version: snapshot.id, where: `${snapshot.thread}/${snapshot.ns}` },
  };
  const results = (parent?.tasks ?? [])
    .filter((task) => task.result !== undefined)
    .map((task) => recordToEventId(run, task.id));
  const context: TaskContext = {
    run,
    thread: snapshot.thread,
    branch,
    scope: scopeOf(snapshot),
    checkpoint: id,
    clock: shared.clock,
    calls,
    told,
    consumed: results,
  };
  const ends = lines.childrenOf(snapshot).length > 0 ? [] : endOf(snapshot, id, shared);
  return [state, saved, ...snapshot.tasks.flatMap((task) => taskToDrafts(context, task)), ...ends];
}

/** Rule `end-of-graph`: nothing in a thread says that it ended. */
function endOf(
  snapshot: Snapshot,
  state: EventId,
  shared: Pick<EventDraft, 'run' | 'branch' | 'session' | 'clock' | 'record' | 'time'>,
): readonly EventDraft[] {
  if (snapshot.ns !== '') return [];
  const rule = 'end-of-graph';
  const id = recordToEventId(shared.run, snapshot.id, 'end');
  const failed = snapshot.tasks.find(({ error }) => error !== undefined);
  if (failed?.error !== undefined) {
    const cause: CauseDraft = { event: recordToEventId(shared.run, failed.id), as: 'caused_by', rule };
    return [
      { ...shared, id, type: 'run.failed', causes: [cause], extra: { rule }, data: { error: errorOf(failed.error) } },
    ];
  }
  if (snapshot.isLast !== true || snapshot.tasks.length > 0 || snapshot.source !== 'loop') return [];
  const cause: CauseDraft = { event: state, as: 'caused_by', rule };
  return [
    {
      ...shared,
      id,
      type: 'run.completed',
      causes: [cause],
      extra: { rule },
      data: { digest: digest(snapshot.values) },
    },
  ];
}

function scopeOf({ ns }: Snapshot): string {
  return ns === '' ? '' : `/child:${ns}`;
}

function stateCauses(run: string, snapshot: Snapshot, parent: Snapshot | undefined): readonly CauseDraft[] {
  if (snapshot.parent === undefined) {
    const outer = Object.entries(snapshot.parents).flatMap(([ns, id]): readonly CauseDraft[] =>
      ns === snapshot.ns || typeof id !== 'string' ? [] : [{ event: stateId(run, { ns, id }), as: 'caused_by' }],
    );
    if (outer.length > 0) return outer;
    return [{ event: recordToEventId(run, 'run'), as: 'caused_by', rule: 'run-of-thread' }];
  }
  const causes: CauseDraft[] = [{ event: stateId(run, { ns: snapshot.ns, id: snapshot.parent }), as: 'consumed' }];
  if (snapshot.source !== 'loop') return causes;
  for (const task of parent?.tasks ?? []) {
    if (task.result !== undefined)
      causes.push({ event: recordToEventId(run, task.id), as: 'consumed', rule: 'writes-of-parent' });
  }
  return causes;
}

/** A branch shows its parent's line up to the fork: what came after it on that line is left out. */
function branchToDraft(
  run: string,
  thread: string,
  line: Lines['branches'][number],
  lines: Lines,
  snapshots: ReadonlyMap<string, Snapshot>,
  shown: ReadonlyMap<EventId, string>,
): EventDraft {
  const minus = new Set<EventId>();
  const open = [...lines.childrenOf(line.fork)].filter((child) => lines.branchOf(child) === line.parent);
  const drop = (snapshot: Snapshot): void => {
    for (const part of ['', 'saved', 'end'])
      minus.add(recordToEventId(run, snapshot.ns === '' ? snapshot.id : `${snapshot.ns}/${snapshot.id}`, part));
  };
  const prefixes = line.fork.tasks.map((task) => task.id);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    drop(at);
    for (const task of at.tasks) prefixes.push(task.id);
    for (const child of lines.childrenOf(at)) if (lines.branchOf(child) === line.parent) open.push(child);
  }
  for (const [id, branch] of shown) {
    const record = id.slice(9);
    if (branch === line.parent && prefixes.some((prefix) => record.startsWith(prefix))) minus.add(id);
  }
  const listed: JsonValue = [...minus].filter((id) => shown.get(id) === line.parent);
  const first = snapshots.get(snapshotKey(line.first));
  return {
    id: recordToEventId(run, line.first.id, 'branch'),
    type: 'branch.created',
    run,
    branch: line.id,
    session: thread,
    time: valueToTime(first?.time)?.time,
    clock: `langgraph/${run.slice(0, 8)}`,
    causes: [{ event: stateId(run, line.fork), as: 'caused_by', rule: 'fork-of-checkpoint' }],
    extra: { rule: 'fork-of-checkpoint' },
    data: { parent: line.parent, fork: stateId(run, line.fork), frontier: { base: line.parent, minus: listed } },
  };
}

function notKnown({ record }: Piece): Problem {
  const { place } = record;
  const message = `The record at line ${place.line ?? 1} (byte ${place.offset}) of ${place.file} is no checkpoint: it has no checkpoint id and state. Its bytes are kept.`;
  return { code: 'no-checkpoint', message, place, raw: new TextEncoder().encode(record.text), severity: 'problem' };
}
