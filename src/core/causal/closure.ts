/**
 * Slices and closures over causes: what an event rests on, and what rests on it (SPEC G20, G21).
 *
 * Breadth without recursion and without per-call sets of objects: one bitset and one stack of positions.
 */
import type { CauseKind } from '../model/index.ts';
import type { Adjacency } from './adjacency.ts';
import { type Bitset, addBit, createBitset, hasBit } from './bitset.ts';
import type { CausalIndex } from './causal-index.ts';

export interface ClosureOptions {
  /** Only events of this set are entered. */
  readonly within?: Bitset | undefined;
  /** Only edges of these kinds are followed; all when absent. */
  readonly kinds?: readonly CauseKind[] | undefined;
}

/** The seeds and everything they rest on. */
export function computeSlice(index: CausalIndex, seeds: Iterable<number>, options: ClosureOptions = {}): Bitset {
  return reach(index, index.causes, seeds, options);
}

/** The seeds and everything that rests on them. */
export function computeClosure(index: CausalIndex, seeds: Iterable<number>, options: ClosureOptions = {}): Bitset {
  return reach(index, index.effects, seeds, options);
}

function reach(index: CausalIndex, adjacency: Adjacency, seeds: Iterable<number>, options: ClosureOptions): Bitset {
  const { within } = options;
  const kinds = options.kinds === undefined ? undefined : new Set(options.kinds);
  const reached = createBitset(index.count);
  const stack: number[] = [];
  const enter = (position: number): void => {
    if (hasBit(reached, position) || (within !== undefined && !hasBit(within, position))) return;
    addBit(reached, position);
    stack.push(position);
  };
  for (const seed of seeds) enter(seed);
  const { offsets, nodes, edges } = adjacency;
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const end = offsets[top + 1] ?? 0;
    for (let at = offsets[top] ?? 0; at < end; at++) {
      if (kinds === undefined || kinds.has(index.edge(edges[at] ?? 0).as)) enter(nodes[at] ?? 0);
    }
  }
  return reached;
}
