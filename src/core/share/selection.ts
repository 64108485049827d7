/**
 * Which events of a trace go into a copy: what a branch shows, narrowed to a slice, steps or agents. What stays behind is counted.
 */
import {
  type Bitset,
  type Branches,
  type CausalIndex,
  bitsToPositions,
  computeSlice,
  createBitset,
  addBit,
  hasBit,
  intersectWith,
} from '../causal/index.ts';
import type { BranchId } from '../model/index.ts';

export type ShareScope =
  | { readonly kind: 'all' }
  /** An event with everything it rests on. */
  | { readonly kind: 'slice'; readonly event: string }
  | { readonly kind: 'steps'; readonly steps: readonly string[] }
  | { readonly kind: 'agents'; readonly agents: readonly string[] };

export interface ShareSelection {
  /** Branches that go with what they inherit. */
  readonly branches: readonly BranchId[];
  readonly scope: ShareScope;
}

/** Types without which the rest cannot be read: they go with every selection, redacted like all others. */
const alwaysIncluded = ['run.started', 'stream.declared', 'branch.created'] as const;

/** Positions that go, ascending. */
export function selectPositions(index: CausalIndex, branches: Branches, selection: ShareSelection): Int32Array {
  const shown = createBitset(index.count);
  for (const branch of selection.branches) unite(shown, branches.visible(branch));
  const wanted = scopeToBitset(index, shown, selection.scope);
  if (wanted === undefined) return bitsToPositions(shown);
  for (const position of index.ofType(...alwaysIncluded)) addBit(wanted, position);
  intersectWith(wanted, shown);
  return bitsToPositions(wanted);
}

function scopeToBitset(index: CausalIndex, within: Bitset, scope: ShareScope): Bitset | undefined {
  switch (scope.kind) {
    case 'all':
      return undefined;
    case 'slice': {
      const position = index.find(scope.event);
      return computeSlice(index, position < 0 ? [] : [position], { within });
    }
    case 'steps':
      return filterPositions(index, within, (position) => scope.steps.includes(index.step(position) ?? ''));
    case 'agents':
      return filterPositions(index, within, (position) => scope.agents.includes(index.agent(position) ?? ''));
  }
}

function filterPositions(index: CausalIndex, within: Bitset, keep: (position: number) => boolean): Bitset {
  const kept = createBitset(index.count);
  for (let position = 0; position < index.count; position++) {
    if (hasBit(within, position) && keep(position)) addBit(kept, position);
  }
  return kept;
}

function unite(into: Bitset, other: Bitset): void {
  for (let i = 0; i < into.words.length; i++) into.words[i] = (into.words[i] ?? 0) | (other.words[i] ?? 0);
}
