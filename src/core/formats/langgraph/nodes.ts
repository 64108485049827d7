/**
 * Names of the nodes that ran, for checkpoints that name only tasks (rule `node-of-versions`).
 *
 * A checkpoint tells which versions of channels each node has seen. The nodes that the next checkpoint says more of are those that ran;
 * without a next one, those whose trigger stands among its values are those that will. Tasks are named only where there is one.
 */
import type { JsonObject } from '../../base/json.ts';
import { canon } from '../../model/index.ts';
import { listAt, objectAt, textAt } from '../members.ts';
import type { Snapshot, Task } from './snapshot.ts';

export function nameTasks(snapshot: Snapshot, next: Snapshot | undefined): Snapshot {
  if (snapshot.tasks.every(({ name }) => name !== 'task')) return snapshot;
  const [only, another] = next === undefined ? triggered(snapshot) : grown(snapshot, next);
  if (only === undefined || another !== undefined) return snapshot;
  const named = (task: Task): Task =>
    task.name === 'task' ? { ...task, name: only, extra: { ...task.extra, rule: 'node-of-versions' } } : task;
  return { ...snapshot, tasks: snapshot.tasks.map(named) };
}

function grown(before: Snapshot, after: Snapshot): readonly string[] {
  const seen = seenBy(before);
  return Object.entries(seenBy(after)).flatMap(([node, versions]) =>
    isNode(node) && canon(versions) !== canon(seen[node] ?? null) ? [node] : [],
  );
}

/** A trigger, or what was sent to a node, stands among the values until the node has taken it. */
function triggered({ values }: Snapshot): readonly string[] {
  const nodes = Object.keys(values).flatMap((channel) => /^branch:to:(.+)$/.exec(channel)?.[1] ?? []);
  const sent = (listAt(values, '__pregel_tasks') ?? []).flatMap((send) => textAt(send, 'node') ?? []);
  return [...new Set([...nodes, ...sent])];
}

function seenBy({ extra }: Snapshot): JsonObject {
  return objectAt(extra, 'versions_seen') ?? {};
}

/** What the engine itself is, and no node. */
function isNode(name: string): boolean {
  return name !== '__input__' && name !== '__interrupt__';
}
