/**
 * The many spellings of a LangGraph checkpoint to one: state history of JavaScript (objects) and Python (objects with snake case, or
 * the named tuple written as a positional list), checkpoint tuples, entries of a saver's storage, and debug stream events.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { InputPlace } from '../format.ts';
import { firstText, listAt, memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';

export interface Task {
  readonly id: string;
  readonly name: string;
  readonly input?: JsonValue | undefined;
  readonly result?: JsonValue | undefined;
  readonly error?: JsonValue | undefined;
  readonly interrupts: readonly JsonValue[];
  /** What the questions were answered with. */
  readonly resumes?: readonly JsonValue[] | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly extra: JsonObject;
}

export interface Snapshot {
  readonly thread: string;
  readonly ns: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly values: JsonObject;
  readonly next: readonly string[];
  /** It says that no node is to run after it; undefined where it does not say what is. */
  readonly isLast: boolean | undefined;
  /** What the nodes wrote that ran before it, in versions that say so (`metadata.writes`). */
  readonly writes: JsonObject | undefined;
  readonly tasks: readonly Task[];
  readonly source: string | undefined;
  readonly step: number | undefined;
  readonly time: string | undefined;
  /** Checkpoints of other name spaces that this one is below. */
  readonly parents: JsonObject;
  readonly place: InputPlace;
  readonly extra: JsonObject;
}

export function valueToSnapshot(value: JsonValue, place: InputPlace): Snapshot | undefined {
  if (isJsonArray(value)) return listToSnapshot(value, place);
  if (!isJsonObject(value)) return undefined;
  const checkpoint = objectAt(value, 'checkpoint');
  if (checkpoint !== undefined && isThreadState(value)) return historyToSnapshot(threadToHistory(value), place);
  return checkpoint === undefined ? historyToSnapshot(value, place) : tupleToSnapshot(value, checkpoint, place);
}

/** The platform's `ThreadState`: `checkpoint` and `parent_checkpoint` name checkpoints, where a tuple holds one. */
export function isThreadState(value: JsonValue): boolean {
  return (
    textAt(objectAt(value, 'checkpoint'), 'checkpoint_id') !== undefined && isJsonObject(value) && 'values' in value
  );
}

const threadPlaced: ReadonlySet<string> = new Set([
  'checkpoint',
  'parent_checkpoint',
  'checkpoint_id',
  'parent_checkpoint_id',
]);

function threadToHistory(value: JsonObject): JsonObject {
  const parent = objectAt(value, 'parent_checkpoint');
  return withoutUndefined({
    ...restOf(value, threadPlaced),
    values: memberAt(value, 'values') ?? {},
    config: withoutUndefined({ configurable: objectAt(value, 'checkpoint') }),
    parent_config: parent === undefined ? undefined : { configurable: parent },
  });
}

/** Python's named tuple: values, next, config, metadata, created_at, parent_config, tasks, interrupts. */
function listToSnapshot(list: readonly JsonValue[], place: InputPlace): Snapshot | undefined {
  const [values, next, config, metadata, created, parent, tasks, interrupts] = list;
  if (objectAt(config, 'configurable') === undefined) return undefined;
  return historyToSnapshot(
    withoutUndefined({
      values,
      next,
      config,
      metadata,
      created_at: created,
      parent_config: parent,
      tasks: tasks === undefined ? undefined : tasksOfPython(tasks),
      interrupts,
    }),
    place,
  );
}

/** A task of Python is a tuple too: id, name, path, error, interrupts, state, result. */
function tasksOfPython(tasks: JsonValue): JsonValue {
  if (!isJsonArray(tasks)) return tasks;
  return tasks.map((task) => {
    if (!isJsonArray(task)) return task;
    const [id, name, path, error, interrupts, state, result] = task;
    return withoutUndefined({ id, name, path, error, interrupts, state, result });
  });
}

const historyPlaced: ReadonlySet<string> = new Set([
  'values',
  'next',
  'config',
  'metadata',
  'createdAt',
  'created_at',
  'parentConfig',
  'parent_config',
  'tasks',
]);

function historyToSnapshot(value: JsonObject, place: InputPlace): Snapshot | undefined {
  const configurable = objectAt(objectAt(value, 'config'), 'configurable');
  const id = textAt(configurable, 'checkpoint_id') ?? textAt(configurable, 'thread_ts');
  if (id === undefined || memberAt(value, 'values') === undefined) return undefined;
  const metadata = objectAt(value, 'metadata');
  const parent = objectAt(memberAt(value, 'parentConfig') ?? memberAt(value, 'parent_config'), 'configurable');
  return {
    ...identity(configurable, id),
    parent: textAt(parent, 'checkpoint_id') ?? textAt(parent, 'thread_ts'),
    values: objectAt(value, 'values') ?? { __root__: memberAt(value, 'values') ?? null },
    next: textsOf(listAt(value, 'next')),
    isLast: listAt(value, 'next')?.length === 0,
    writes: objectAt(metadata, 'writes'),
    tasks: (listAt(value, 'tasks') ?? []).flatMap(valueToTask),
    ...aboutOf(metadata),
    time: firstText(value, 'createdAt', 'created_at'),
    place,
    extra: withoutUndefined({ ...restOf(value, historyPlaced), metadata: restMetadata(metadata) }),
  };
}

function tupleToSnapshot(value: JsonObject, checkpoint: JsonObject, place: InputPlace): Snapshot | undefined {
  const configurable = objectAt(objectAt(value, 'config'), 'configurable');
  const id = textAt(checkpoint, 'id') ?? textAt(configurable, 'checkpoint_id');
  if (id === undefined) return undefined;
  const metadata = objectAt(value, 'metadata');
  const parent = objectAt(memberAt(value, 'parentConfig') ?? memberAt(value, 'parent_config'), 'configurable');
  return {
    ...identity(configurable, id),
    parent: textAt(parent, 'checkpoint_id') ?? textAt(value, 'parent_checkpoint_id'),
    values: objectAt(checkpoint, 'channel_values') ?? {},
    next: [],
    isLast: undefined,
    writes: objectAt(metadata, 'writes'),
    tasks: writesToTasks(listAt(value, 'pendingWrites') ?? listAt(value, 'pending_writes') ?? []),
    ...aboutOf(metadata),
    time: textAt(checkpoint, 'ts'),
    place,
    extra: withoutUndefined({
      ...restOf(
        value,
        new Set([
          'config',
          'checkpoint',
          'metadata',
          'pendingWrites',
          'pending_writes',
          'parentConfig',
          'parent_config',
          'parent_checkpoint_id',
        ]),
      ),
      ...restOf(checkpoint, new Set(['id', 'ts', 'channel_values'])),
      metadata: restMetadata(metadata),
    }),
  };
}

function identity(configurable: JsonObject | undefined, id: string) {
  const ns = memberAt(configurable, 'checkpoint_ns');
  return { thread: textAt(configurable, 'thread_id') ?? 'thread', ns: typeof ns === 'string' ? ns : '', id };
}

function aboutOf(metadata: JsonObject | undefined) {
  return {
    source: textAt(metadata, 'source'),
    step: numberAt(metadata, 'step'),
    parents: objectAt(metadata, 'parents') ?? {},
  };
}

function restMetadata(metadata: JsonObject | undefined): JsonObject | undefined {
  const rest = metadata === undefined ? {} : restOf(metadata, new Set(['source', 'step', 'parents']));
  return Object.keys(rest).length === 0 ? undefined : rest;
}

function textsOf(list: readonly JsonValue[] | undefined): readonly string[] {
  return (list ?? []).filter((item) => typeof item === 'string');
}

function valueToTask(value: JsonValue): readonly Task[] {
  const id = textAt(value, 'id');
  if (!isJsonObject(value) || id === undefined) return [];
  return [
    {
      id,
      name: textAt(value, 'name') ?? 'task',
      input: memberAt(value, 'input'),
      result: memberAt(value, 'result'),
      error: memberAt(value, 'error'),
      interrupts: listAt(value, 'interrupts') ?? [],
      extra: restOf(value, new Set(['id', 'name', 'input', 'result', 'error', 'interrupts'])),
    },
  ];
}

/** Writes `[task, channel, value]` that were saved before the next checkpoint: the results of tasks, by channel. */
function writesToTasks(writes: readonly JsonValue[]): readonly Task[] {
  const tasks = new Map<
    string,
    { result: Record<string, JsonValue>; error: JsonValue | undefined; interrupts: JsonValue[]; resumes: JsonValue[] }
  >();
  for (const write of writes) {
    const [id, channel, value = null] = isJsonArray(write) ? write : [];
    if (typeof id !== 'string' || typeof channel !== 'string') continue;
    // What whoever resumed the graph wrote; the task that asked has it again.
    if (/^[0-]+$/.test(id)) continue;
    const task = tasks.get(id) ?? { result: {}, error: undefined, interrupts: [], resumes: [] };
    tasks.set(id, task);
    if (channel === '__error__') task.error = value;
    else if (channel === '__interrupt__') task.interrupts.push(...(isJsonArray(value) ? value : [value]));
    else if (channel === '__resume__') task.resumes.push(...(isJsonArray(value) ? value : [value]));
    else if (!channel.startsWith('branch:')) task.result[channel] = value;
  }
  return [...tasks].map(([id, { result, error, interrupts, resumes }]) => ({
    id,
    name: 'task',
    result: Object.keys(result).length > 0 ? result : undefined,
    error,
    interrupts,
    resumes,
    extra: {},
  }));
}

/** A debug stream event `[namespace, "debug", {type, timestamp, payload}]`; JavaScript and Python write the same. */
export function debugEventOf(
  value: JsonValue,
): { readonly type: string; readonly time: string | undefined; readonly payload: JsonObject } | undefined {
  const event = isJsonArray(value) ? value.find((item) => isJsonObject(item) && 'payload' in item) : value;
  const payload = objectAt(event, 'payload');
  const type = textAt(event, 'type');
  return payload === undefined || type === undefined ? undefined : { type, time: textAt(event, 'timestamp'), payload };
}
