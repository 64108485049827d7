/**
 * Whose lane an event stands in that a replay wrote: the engine writes for the program, and names no agent.
 *
 * Its command has a path. Where the record has that path, the agent recorded there acts; else the agent of the commands beside it in the
 * same scope. Invariant: only where an event is shown follows from it; filters and the inspector keep what is recorded. Called by rows,
 * graph, transcript and overview.
 */
import { mainBranch } from '../model/ids.ts';
import type { TraceView } from './trace-view.ts';

type StandIns = (position: number) => number;

const byView = new WeakMap<TraceView, StandIns>();

/** The position whose agent and lane an event shares: its own, where an agent is recorded or nothing says more. */
export function standInOf(view: TraceView, position: number): number {
  const { index } = view;
  if (index.branch(position) === mainBranch || index.agent(position) !== undefined) return position;
  let find = byView.get(view);
  if (find === undefined) byView.set(view, (find = createStandIns(view)));
  return find(position);
}

/** The agent an event is shown with. */
export function shownAgent(view: TraceView, position: number): string | undefined {
  return view.index.agent(standInOf(view, position));
}

function createStandIns({ index }: TraceView): StandIns {
  const byPath = new Map<string, number>();
  const byScope = new Map<string, number>();
  const keyOf = (position: number, path: string): string => `${index.run(position)}\0${path}`;
  const scopeOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
  for (let position = 0; position < index.count; position++) {
    const path = index.command(position);
    if (path === undefined || index.agent(position) === undefined) continue;
    const [own, scope] = [keyOf(position, path), keyOf(position, scopeOf(path))];
    if (!byPath.has(own)) byPath.set(own, position);
    if (!byScope.has(scope)) byScope.set(scope, position);
  }
  return (position) => {
    const path = index.command(position);
    if (path === undefined) return position;
    return byPath.get(keyOf(position, path)) ?? byScope.get(keyOf(position, scopeOf(path))) ?? position;
  };
}
