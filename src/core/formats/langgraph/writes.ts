/**
 * Results of nodes in versions that write them with the checkpoint after (`metadata.writes`), not with the task: given to the tasks of the
 * checkpoint before.
 *
 * Invariant: a result that a task has itself stays. Tasks of one name have a list of writes, in the order of the tasks (rule
 * `writes-in-order`); where there are not as many, nothing says whose a write is, and none gets it.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Snapshot, Task } from './snapshot.ts';

const start = '__start__';

/** `next` is the checkpoint that the loop wrote after this one. */
export function withWrites(snapshot: Snapshot, next: Snapshot | undefined): Snapshot {
  const input = snapshot.source === 'input' ? inputOf(snapshot) : {};
  const written: JsonObject = { ...(next?.source === 'loop' ? next.writes : {}), ...input };
  if (Object.keys(written).length === 0) return snapshot;
  const names = new Map<string, number>();
  for (const { name } of snapshot.tasks) names.set(name, (names.get(name) ?? 0) + 1);
  const taken = new Map<string, number>();
  const tasks = snapshot.tasks.map((task): Task => {
    const write = Object.hasOwn(written, task.name) ? written[task.name] : undefined;
    const isOpen = task.result === undefined && task.error === undefined;
    if (write === undefined || !isOpen) return task;
    const among = names.get(task.name) ?? 1;
    if (among === 1) return { ...task, result: write ?? {} };
    if (!isJsonArray(write) || write.length !== among) return task;
    const n = taken.get(task.name) ?? 0;
    taken.set(task.name, n + 1);
    return { ...task, result: write[n] ?? {}, extra: { ...task.extra, rule: 'writes-in-order' } };
  });
  // Of tasks without names one may be the one that wrote.
  const isNamed = !snapshot.tasks.some(({ name }) => name === 'task');
  const unplanned = isNamed ? Object.entries(written).filter(([name]) => !names.has(name)) : [];
  return { ...snapshot, tasks: [...tasks, ...unplanned.map(([name, write]) => writtenTask(snapshot, name, write))] };
}

/** What came in is written with the checkpoint that it came in by. */
function inputOf({ writes }: Snapshot): JsonObject {
  if (writes === undefined) return {};
  const own = writes[start];
  return { [start]: isJsonObject(own) ? own : writes };
}

function writtenTask(snapshot: Snapshot, name: string, result: JsonValue): Task {
  return { id: `${snapshot.id}/${name}`, name, result: result ?? {}, interrupts: [], extra: {} };
}
