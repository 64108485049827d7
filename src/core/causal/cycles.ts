/**
 * Strongly connected components, by Tarjan's algorithm with an own stack.
 */
import type { Adjacency } from './adjacency.ts';

export interface Components {
  /** Component of each node. */
  readonly of: Int32Array;
  /** Components with more than one node, or with a node that leads to itself; nodes ascending, components by first node. */
  readonly cycles: readonly (readonly number[])[];
}

export function computeComponents(adjacency: Adjacency, size: number): Components {
  const { offsets, nodes } = adjacency;
  const of = new Int32Array(size).fill(-1);
  const found = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  const next = offsets.slice(0, size);
  const open = new Uint8Array(size);
  const path: number[] = [];
  const pending: number[] = [];
  const cycles: number[][] = [];
  let clock = 0;
  let component = 0;

  const enter = (node: number): void => {
    found[node] = clock;
    low[node] = clock++;
    open[node] = 1;
    path.push(node);
    pending.push(node);
  };

  const close = (node: number): void => {
    const members: number[] = [];
    for (let member = pending.pop(); member !== undefined; member = pending.pop()) {
      open[member] = 0;
      of[member] = component;
      members.push(member);
      if (member === node) break;
    }
    component++;
    if (members.length > 1 || leadsToItself(adjacency, node)) cycles.push(members.sort((a, b) => a - b));
  };

  for (let root = 0; root < size; root++) {
    if ((found[root] ?? -1) >= 0) continue;
    enter(root);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const at = next[node] ?? 0;
      if (at < (offsets[node + 1] ?? 0)) {
        next[node] = at + 1;
        const target = nodes[at] ?? 0;
        if ((found[target] ?? -1) < 0) enter(target);
        else if (open[target] === 1) low[node] = Math.min(low[node] ?? 0, found[target] ?? 0);
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above !== undefined) low[above] = Math.min(low[above] ?? 0, low[node] ?? 0);
      if (low[node] === found[node]) close(node);
    }
  }
  return { of, cycles: cycles.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0)) };
}

function leadsToItself({ offsets, nodes }: Adjacency, node: number): boolean {
  const end = offsets[node + 1] ?? 0;
  for (let at = offsets[node] ?? 0; at < end; at++) if (nodes[at] === node) return true;
  return false;
}
