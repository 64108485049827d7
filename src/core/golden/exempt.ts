/**
 * What descends from an intended change, and so may differ (R81): by declared edges, in the record and on the new branch.
 *
 * Invariant: only what consumed a change, was selected or informed by it, or answers it is exempt; what merely came later is not.
 */
import type { CauseKind, HindcastEvent } from '../model/index.ts';

/** `caused_by` says what came first, not what was used. */
const followed: ReadonlySet<CauseKind> = new Set([
  'selected_by',
  'result_of',
  'consumed',
  'informed_by',
  'authorized_by',
]);

/** Paths of the changes and of all that descends from them. */
export function computeDescendants(events: readonly HindcastEvent[], changes: readonly string[]): ReadonlySet<string> {
  const consumers = new Map<string, HindcastEvent[]>();
  const byPath = new Map<string, HindcastEvent[]>();
  for (const event of events) {
    for (const { event: cause, as } of event.causes ?? []) if (followed.has(as)) push(consumers, cause, event);
    if (event.command !== undefined) push(byPath, event.command.path, event);
  }
  const paths = new Set<string>(changes);
  const reached = new Set<string>();
  const todo = changes.flatMap((path) => byPath.get(path) ?? []);
  for (let event = todo.pop(); event !== undefined; event = todo.pop()) {
    if (reached.has(event.id)) continue;
    reached.add(event.id);
    const path = event.command?.path;
    if (path !== undefined && !paths.has(path)) {
      paths.add(path);
      // All of a command descends where part of it does.
      for (const other of byPath.get(path) ?? []) todo.push(other);
    }
    for (const consumer of consumers.get(event.id) ?? []) todo.push(consumer);
  }
  return paths;
}

function push(map: Map<string, HindcastEvent[]>, key: string, event: HindcastEvent): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [event]);
  else list.push(event);
}
