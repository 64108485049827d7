/**
 * Forks: checkpoints with one parent. The line recorded first is the original; every later child of a parent begins a branch that
 * shows its parent's line up to the fork (rule `fork-of-checkpoint`).
 */
import type { Snapshot } from './snapshot.ts';

interface BranchLine {
  readonly id: string;
  readonly parent: string;
  /** Checkpoint at which it leaves its parent. */
  readonly fork: Snapshot;
  readonly first: Snapshot;
}

export interface Lines {
  readonly branchOf: (snapshot: Snapshot) => string;
  readonly branches: readonly BranchLine[];
  readonly childrenOf: (snapshot: Snapshot) => readonly Snapshot[];
}

export function snapshotKey(snapshot: Pick<Snapshot, 'ns' | 'id'>): string {
  return `${snapshot.ns}|${snapshot.id}`;
}

/** Older first; checkpoint ids are UUIDs ordered by time, and settle what was written in one millisecond. */
export function inTime(snapshots: readonly Snapshot[]): readonly Snapshot[] {
  return [...snapshots].sort((a, b) => compare(a.time ?? '', b.time ?? '') || compare(a.id, b.id));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function createLines(snapshots: readonly Snapshot[]): Lines {
  const children = new Map<string, Snapshot[]>();
  const byKey = new Map(snapshots.map((snapshot) => [snapshotKey(snapshot), snapshot]));
  const ordered = inTime(snapshots);
  for (const snapshot of ordered) {
    if (snapshot.parent === undefined) continue;
    const key = `${snapshot.ns}|${snapshot.parent}`;
    const siblings = children.get(key);
    if (siblings === undefined) children.set(key, [snapshot]);
    else siblings.push(snapshot);
  }
  const branchOf = new Map<string, string>();
  const branches: BranchLine[] = [];
  // A name space of a subgraph follows the branch of the checkpoint it was called from.
  const roots = ordered.filter(({ ns, parent }) => parent === undefined || !byKey.has(`${ns}|${parent}`));
  const open = roots.map((root) => ({ snapshot: root, branch: outerBranch(root, byKey, branchOf) })).reverse();
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    branchOf.set(snapshotKey(at.snapshot), at.branch);
    const next = children.get(snapshotKey(at.snapshot)) ?? [];
    for (const [n, child] of next.entries()) {
      const branch = n === 0 ? at.branch : `fork-${child.id}`;
      if (n > 0) branches.push({ id: branch, parent: at.branch, fork: at.snapshot, first: child });
      open.push({ snapshot: child, branch });
    }
  }
  return {
    branchOf: (snapshot) => branchOf.get(snapshotKey(snapshot)) ?? 'main',
    branches,
    childrenOf: (snapshot) => children.get(snapshotKey(snapshot)) ?? [],
  };
}

function outerBranch(
  root: Snapshot,
  byKey: ReadonlyMap<string, Snapshot>,
  branchOf: ReadonlyMap<string, string>,
): string {
  for (const [ns, id] of Object.entries(root.parents)) {
    const outer = typeof id === 'string' ? byKey.get(`${ns}|${id}`) : undefined;
    const branch = outer === undefined ? undefined : branchOf.get(snapshotKey(outer));
    if (branch !== undefined && ns !== root.ns) return branch;
  }
  return 'main';
}
