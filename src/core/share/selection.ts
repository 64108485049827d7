/**
 * Which events of a trace go into a copy: what a branch shows, narrowed to a slice, steps or agents. What stays behind is counted.
 *
 * Invariant: a whole branch takes along what it lacks and rests on (`restsOn`), so that the copy can say of it what the original says.
 */
import {
  type Bitset,
  type Branches,
  type CausalIndex,
  bitsToPositions,
  computeSlice,
  countBits,
  createBitset,
  addBit,
  hasBit,
  intersectWith,
} from '../causal/index.ts';
import { type BranchId, mainBranch } from '../model/index.ts';

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
  if (wanted === undefined) {
    const along = selection.branches.flatMap((branch) => restsOn(index, branches, branch));
    if (countBits(shown) > 0) for (const position of [...along, ...earlierOmissions(index)]) addBit(shown, position);
    return bitsToPositions(shown);
  }
  for (const position of index.ofType(...alwaysIncluded)) addBit(wanted, position);
  intersectWith(wanted, shown);
  if (countBits(wanted) > 0) for (const position of earlierOmissions(index)) addBit(wanted, position);
  return bitsToPositions(wanted);
}

/** A copy of a copy lacks what the first one lacked, whichever branch of it goes. */
function earlierOmissions(index: CausalIndex): Iterable<number> {
  return index.ofType('share.omitted');
}

/**
 * What a branch does not show and is about: where it leaves its parent, and every effect that the recorded
 * line committed and the branch does not contain, with all records of the command that asked for it.
 */
function restsOn(index: CausalIndex, branches: Branches, branch: BranchId): number[] {
  const info = branches.find(branch);
  if (info?.parent === undefined) return [];
  const visible = branches.visible(branch);
  // Of the recorded line alone: what a sibling made of the same commands is not about this branch.
  const isOfLine = (of: BranchId): boolean => of === mainBranch || of === info.parent;
  const isLeft = (position: number): boolean =>
    position >= 0 && !hasBit(visible, position) && isOfLine(index.branch(position));
  const fork = branches.forkOf(branch);
  const orphans: number[] = [];
  for (const position of index.ofType('effect.committed')) {
    if (!isOfLine(index.branch(position))) continue;
    // Of a commitment that the branch does show, the request may be what it lacks.
    if (isLeft(position)) orphans.push(position);
    else for (const { from } of index.causesOf(position)) orphans.push(from);
  }
  return [fork, ...withTheirCommands(index, orphans.filter(isLeft), isLeft)].filter(isLeft);
}

const actFamilies: ReadonlySet<string> = new Set(['tool', 'effect']);

/** The records of calls and effects that these are joined to, by cause or by the path of their command. */
function withTheirCommands(
  index: CausalIndex,
  from: readonly number[],
  isLeft: (position: number) => boolean,
): readonly number[] {
  if (from.length === 0) return from;
  const byCommand = new Map<string, number[]>();
  for (let position = 0; position < index.count; position++) {
    const key = actFamilies.has(index.family(position)) && isLeft(position) ? commandKey(index, position) : undefined;
    if (key === undefined) continue;
    const list = byCommand.get(key);
    if (list === undefined) byCommand.set(key, [position]);
    else list.push(position);
  }
  const found = new Set(from);
  for (const position of found) {
    const key = commandKey(index, position);
    const near = [
      ...index.causesOf(position).map((edge) => edge.from),
      ...index.effectsOf(position).map((edge) => edge.to),
      ...(key === undefined ? [] : (byCommand.get(key) ?? [])),
    ];
    if (key !== undefined) byCommand.delete(key);
    for (const other of near) if (isLeft(other) && actFamilies.has(index.family(other))) found.add(other);
  }
  return [...found];
}

function commandKey(index: CausalIndex, position: number): string | undefined {
  const path = index.command(position);
  return path === undefined ? undefined : `${index.run(position)} ${path}`;
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
