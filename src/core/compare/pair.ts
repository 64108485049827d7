/**
 * Which command of one side is which command of the other: the matching rules of the replay (M1 to M5 of core/replay/SPEC.md) between two
 * records, so that a comparison and a replay tell one change in one way.
 *
 * Invariant: a command of the other side is paired at most once. Called by `compare.ts`.
 */
import type { JournalEntry } from '../replay/index.ts';

interface Side {
  /** In order of issue. */
  readonly entries: readonly JournalEntry[];
  readonly byPath: ReadonlyMap<string, JournalEntry>;
}

/** By path of the first side. */
export function pairEntries(here: Side, there: Side): ReadonlyMap<string, JournalEntry> {
  const pairs = new Map<string, JournalEntry>();
  const provisional = new Map<string, string>();
  const taken = new Set<string>();
  const lastTaken = new Map<string, number>();
  const groups = groupBy(there.entries, (entry) => (isShiftable(entry) ? groupAndArgs(entry) : undefined));
  const take = (mine: JournalEntry, theirs: JournalEntry): void => {
    // What was only compared with the other of its place gives it up.
    const other = provisional.get(theirs.path);
    if (other !== undefined && other !== mine.path) pairs.delete(other);
    provisional.delete(theirs.path);
    pairs.set(mine.path, theirs);
    taken.add(theirs.path);
    const group = groupOf(theirs);
    lastTaken.set(group, Math.max(lastTaken.get(group) ?? -1, theirs.index ?? -1));
  };
  for (const mine of here.entries) {
    const own = there.byPath.get(mine.path);
    const isFree = own !== undefined && !taken.has(own.path);
    if (isFree && hasEqualArgs(mine, own)) {
      take(mine, own);
      continue;
    }
    const above = lastTaken.get(groupOf(mine)) ?? -1;
    const shifted = !isShiftable(mine)
      ? undefined
      : groups.get(groupAndArgs(mine))?.find((one) => (one.index ?? 0) > above && !taken.has(one.path));
    if (shifted !== undefined) take(mine, shifted);
    else if (isFree) {
      pairs.set(mine.path, own);
      provisional.set(own.path, mine.path);
    }
  }
  claimMoved(here, there, { pairs, provisional, taken, take });
  return pairs;
}

interface Pairing {
  readonly pairs: Map<string, JournalEntry>;
  readonly provisional: Map<string, string>;
  readonly taken: ReadonlySet<string>;
  readonly take: (mine: JournalEntry, theirs: JournalEntry) => void;
}

/** M5: what has no equal at its place takes the first equal elsewhere whose own place nobody asks for here. */
function claimMoved(here: Side, there: Side, { pairs, provisional, taken, take }: Pairing): void {
  const byContent = groupBy(there.entries, (entry) => (isMovable(entry) ? contentOf(entry) : undefined));
  for (const mine of here.entries) {
    const pair = pairs.get(mine.path);
    const isOpen = pair === undefined || provisional.get(pair.path) === mine.path;
    if (!isOpen || !isMovable(mine)) continue;
    const moved = byContent.get(contentOf(mine))?.find((one) => !taken.has(one.path) && !here.byPath.has(one.path));
    if (moved === undefined) continue;
    if (pair !== undefined) provisional.delete(pair.path);
    take(mine, moved);
  }
}

function hasEqualArgs(a: JournalEntry, b: JournalEntry): boolean {
  if (a.kind !== b.kind || a.name !== b.name) return false;
  return a.argsDigest === b.argsDigest || a.argsDigest === undefined || b.argsDigest === undefined;
}

function isShiftable({ kind, index, argsDigest }: JournalEntry): boolean {
  return index !== undefined && argsDigest !== undefined && kind !== 'draw' && kind !== 'marker';
}

function isMovable({ kind, argsDigest }: JournalEntry): boolean {
  return argsDigest !== undefined && (kind === 'model' || kind === 'read' || kind === 'write');
}

function groupOf({ scope, label }: JournalEntry): string {
  return `${scope}/${label}`;
}

function groupAndArgs(entry: JournalEntry): string {
  return `${groupOf(entry)} ${entry.argsDigest ?? ''}`;
}

function contentOf({ kind, name, argsDigest }: JournalEntry): string {
  return `${kind} ${name} ${argsDigest ?? ''}`;
}

function groupBy(
  entries: readonly JournalEntry[],
  keyOf: (entry: JournalEntry) => string | undefined,
): ReadonlyMap<string, readonly JournalEntry[]> {
  const groups = new Map<string, JournalEntry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return groups;
}
