/**
 * Versions of durable states: control code counts them, a record may name them as it likes.
 *
 * Invariant: what is counted is always a whole number, and what a branch writes of a version that the record names is that name. A
 * state whose versions are whole numbers is counted as recorded; of any other state the versions are counted in the order of the
 * journal. Made for each pass (`pass.ts`).
 */
import type { JsonValue } from '../base/json.ts';
import type { Journal } from './journal-types.ts';

/** As recorded: a number or a text. */
export type StateVersion = number | string;

export interface StateVersions {
  /** The count that control code would have seen; undefined for a version the record does not have. */
  readonly countOf: (state: string, version: StateVersion) => number | undefined;
  /** What the record calls the version, else its count. */
  readonly nameOf: (state: string, count: number) => StateVersion;
}

interface Named {
  readonly names: readonly StateVersion[];
  readonly counts: ReadonlyMap<StateVersion, number>;
  readonly first: number;
}

/** Absent and `null` say that nothing was there before, which counts as 0; a whole number in digits is that number. */
export function toStateVersion(recorded: JsonValue | undefined): StateVersion {
  if (typeof recorded === 'number') return recorded;
  if (typeof recorded !== 'string') return 0;
  const count = Number(recorded);
  return isCount(count) && String(count) === recorded ? count : recorded;
}

/** `starts`: the counts the segment starts from. */
export function computeStateVersions(journal: Journal, starts: ReadonlyMap<string, number>): StateVersions {
  const recorded = new Map<string, StateVersion[]>();
  for (const { transition } of journal.entries) {
    if (transition === undefined) continue;
    const list = recorded.get(transition.name);
    if (list === undefined) recorded.set(transition.name, [transition.from, transition.to]);
    else list.push(transition.from, transition.to);
  }
  const named = new Map<string, Named>();
  for (const [state, versions] of recorded) {
    if (versions.every(isCount)) continue;
    const names = [...new Set(versions)];
    const first = starts.get(state) ?? 0;
    named.set(state, { names, counts: new Map(names.map((name, n) => [name, first + n])), first });
  }
  return {
    countOf: (state, version) => {
      const known = named.get(state);
      if (known !== undefined) return known.counts.get(version);
      return isCount(version) ? version : undefined;
    },
    nameOf: (state, count) => {
      const known = named.get(state);
      return known?.names[count - known.first] ?? count;
    },
  };
}

/** Of each state that is counted as recorded, the version a segment starts from: what its first transition consumed. */
export function startVersions(journal: Journal): ReadonlyMap<string, number> {
  const versions = new Map<string, number>();
  const named = new Set<string>();
  for (const { transition } of journal.entries) {
    if (transition === undefined) continue;
    const { name, from, to } = transition;
    if (!isCount(from) || !isCount(to)) named.add(name);
    else versions.set(name, Math.min(versions.get(name) ?? from, from));
  }
  for (const name of named) versions.delete(name);
  return versions;
}

function isCount(version: StateVersion): version is number {
  return Number.isSafeInteger(version);
}
