/**
 * Which record a re-executed command is (rules M1 to M5 of SPEC.md).
 *
 * Invariant: a record is claimed at most once per pass, so identical twin effects never share one result. Used by the pass.
 */
import type { Journal, JournalEntry } from './journal-types.ts';
import type { MatchRule, ReplayCommand } from './pass-types.ts';
import { containsHole, equalsBesidesHoles } from '../base/withheld.ts';

export interface Matcher {
  readonly claimed: ReadonlyMap<string, ReplayCommand>;
  /** Finds the record of a newly issued command and sets `match`, `rule` and `record`. */
  match(command: ReplayCommand, hasSupply: boolean): void;
  /** M5: at quiescence, lets `command` take over a record whose own path was not issued. */
  claimMoved(command: ReplayCommand): boolean;
  /** For what is identified by path alone: markers and draws. */
  claimExactly(command: ReplayCommand, record: JournalEntry): void;
}

/** `edited`: paths of records that the operation edits. */
export function createMatcher(journal: Journal, edited: ReadonlyMap<string, unknown> = new Map()): Matcher {
  return new RecordMatcher(journal, edited);
}

class RecordMatcher implements Matcher {
  readonly claimed = new Map<string, ReplayCommand>();
  private readonly journal: Journal;
  private readonly edited: ReadonlyMap<string, unknown>;
  private readonly issued = new Set<string>();
  private readonly lastClaimed = new Map<string, number>();
  private readonly byGroup: ReadonlyMap<string, JournalEntry[]>;
  private readonly byContent: ReadonlyMap<string, readonly JournalEntry[]>;
  private readonly hasSites: boolean;
  private readonly paired = new Map<string, ReplayCommand>();

  constructor(journal: Journal, edited: ReadonlyMap<string, unknown>) {
    this.journal = journal;
    this.edited = edited;
    this.byGroup = groupBy(journal.entries, (e) =>
      e.index === undefined ? undefined : `${groupOf(e)} ${e.argsDigest ?? ''}`,
    );
    for (const group of this.byGroup.values()) group.sort((a, b) => (a.index ?? 0) - (b.index ?? 0));
    this.hasSites = journal.entries.some((entry) => entry.site !== undefined);
    this.byContent = groupBy(journal.entries, (e) => `${e.kind} ${e.name} ${e.argsDigest ?? ''}`);
  }

  match(command: ReplayCommand, hasSupply: boolean): void {
    this.issued.add(command.path);
    const own = this.journal.entriesByPath.get(command.path);
    const same = own !== undefined && own.kind === command.kind && own.name === command.name ? own : undefined;
    if (same !== undefined && !this.claimed.has(same.path)) {
      if (this.isByPath(same)) {
        this.claim(command, same, same.argsDigest === undefined ? 'unchecked' : 'M1');
        return;
      }
      if (same.argsDigest === undefined && agreesWhereShown(same, command)) {
        this.claim(command, same, 'unchecked');
        return;
      }
      if (same.argsDigest === command.argsDigest) {
        this.claim(command, same, 'M1');
        return;
      }
    }
    const shifted = command.index === undefined || hasSupply ? undefined : this.findShifted(command);
    if (shifted !== undefined) {
      this.claim(command, shifted, 'M2');
      return;
    }
    if (same === undefined || this.claimed.has(same.path)) {
      command.match = 'inserted';
      // An exact match that another command took over as moved.
      const taken = same === undefined ? undefined : this.claimed.get(same.path);
      if (taken?.rule === 'M5' && same?.argsDigest === command.argsDigest) command.pending = 'double-claim';
      return;
    }
    command.match = 'changed';
    command.record = same;
    this.paired.set(same.path, command);
  }

  claimMoved(command: ReplayCommand): boolean {
    const candidates = this.byContent.get(`${command.kind} ${command.name} ${command.argsDigest}`) ?? [];
    const moved = candidates.find((entry) => !this.claimed.has(entry.path) && !this.issued.has(entry.path));
    if (moved === undefined) return false;
    if (command.record !== undefined) this.paired.delete(command.record.path);
    this.claim(command, moved, 'M5');
    return true;
  }

  claimExactly(command: ReplayCommand, record: JournalEntry): void {
    this.issued.add(command.path);
    this.paired.delete(record.path);
    this.claim(command, record, 'M1');
  }

  /** M6: what a decision computed says nothing of which one it is, once a person has decided. */
  private isByPath({ kind, path, given }: JournalEntry): boolean {
    return kind === 'decide' && (given === true || this.edited.has(path));
  }

  private findShifted(command: ReplayCommand): JournalEntry | undefined {
    const group = this.byGroup.get(`${groupOf(command)} ${command.argsDigest}`) ?? [];
    const above = this.lastClaimed.get(groupOf(command)) ?? -1;
    const { site } = command;
    let first: JournalEntry | undefined;
    for (let n = firstAbove(group, above); n < group.length; n++) {
      const entry = group[n];
      if (entry === undefined || this.claimed.has(entry.path) || this.isByPath(entry)) continue;
      if (site === undefined || !this.hasSites) return entry;
      first ??= entry;
      // M2b: a hint among equals, never identity.
      if (entry.site?.line === site.line && entry.site.column === site.column) return entry;
    }
    return first;
  }

  private claim(command: ReplayCommand, record: JournalEntry, rule: MatchRule): void {
    command.match = 'claimed';
    command.rule = rule;
    command.record = record;
    command.pending = undefined;
    this.claimed.set(record.path, command);
    if (record.index !== undefined && rule !== 'M5') {
      const group = groupOf(record);
      this.lastClaimed.set(group, Math.max(this.lastClaimed.get(group) ?? -1, record.index));
    }
    const provisional = this.paired.get(record.path);
    if (provisional === undefined || provisional === command) return;
    // M3 was provisional: the record it was compared with belongs to a shifted command.
    this.paired.delete(record.path);
    provisional.match = 'inserted';
    provisional.record = undefined;
    if (provisional.pending === 'changed') provisional.pending = 'inserted';
  }
}

/** Arguments without a digest: not recorded at all, or withheld in part, where what is left of them is compared. */
function agreesWhereShown({ args }: JournalEntry, command: ReplayCommand): boolean {
  return !containsHole(args) || equalsBesidesHoles(args ?? null, command.args);
}

/** The first of a group in order of index whose index is above. */
function firstAbove(group: readonly JournalEntry[], above: number): number {
  let low = 0;
  let high = group.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((group[middle]?.index ?? 0) > above) high = middle;
    else low = middle + 1;
  }
  return low;
}

function groupOf(item: { readonly scope: string; readonly label: string }): string {
  return `${item.scope}/${item.label}`;
}

function groupBy(
  entries: readonly JournalEntry[],
  keyOf: (entry: JournalEntry) => string | undefined,
): Map<string, JournalEntry[]> {
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
