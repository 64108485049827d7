/**
 * One checkpoint that several records tell: in a history, as a tuple of the saver, in a debug stream. Called by `collect.ts`.
 *
 * Invariant: what comes of it depends on what the records say and not on which was read first.
 */
import { canon } from '../../model/index.ts';
import type { Snapshot, Task } from './snapshot.ts';

export function uniteSnapshots([first, ...others]: readonly [Snapshot, ...Snapshot[]]): Snapshot {
  if (others.length === 0) return first;
  const [fullest = first, ...rest] = [first, ...others].sort(byFullness);
  return rest.reduce(uniteTwo, fullest);
}

/** A history says what is to run next; then the one that says more; then one of them, always the same. */
function byFullness(a: Snapshot, b: Snapshot): number {
  const known = Number(b.isLast !== undefined) - Number(a.isLast !== undefined);
  return known || sizeOf(b) - sizeOf(a) || comparePrints(a, b);
}

function sizeOf({ tasks, values, extra }: Snapshot): number {
  return tasks.length + Object.keys(values).length + Object.keys(extra).length;
}

function comparePrints(a: Snapshot, b: Snapshot): number {
  const [first, second] = [a, b].map(({ values, extra }) => canon({ values, extra }));
  return first === second ? 0 : (first ?? '') < (second ?? '') ? -1 : 1;
}

function uniteTwo(fuller: Snapshot, other: Snapshot): Snapshot {
  const tasks = new Map([...fuller.tasks, ...other.tasks].map((task) => [task.id, task]));
  for (const task of fuller.tasks) tasks.set(task.id, uniteTasks(task, tasks.get(task.id) ?? task));
  return {
    ...fuller,
    parent: fuller.parent ?? other.parent,
    writes: fuller.writes ?? other.writes,
    source: fuller.source ?? other.source,
    step: fuller.step ?? other.step,
    time: fuller.time ?? other.time,
    tasks: [...tasks.values()],
    extra: { ...other.extra, ...fuller.extra },
  };
}

function uniteTasks(one: Task, other: Task): Task {
  const name = one.name === 'task' ? other.name : one.name;
  return {
    ...other,
    ...one,
    name,
    result: one.result ?? other.result,
    error: one.error ?? other.error,
    input: one.input ?? other.input,
    interrupts: one.interrupts.length > 0 ? one.interrupts : other.interrupts,
    resumes: one.resumes ?? other.resumes,
    extra: { ...other.extra, ...one.extra },
  };
}
