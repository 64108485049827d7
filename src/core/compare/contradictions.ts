/**
 * Records of two compared sides that contradict themselves: a value beside a digest that is not its own.
 *
 * Invariant: pairs whose digests and values agree cost no digest; only what differs in one of the two is looked at. Called by `compare.ts`.
 */
import type { DigestMismatch, EventId } from '../model/index.ts';
import type { JournalEntry, RunInfo } from '../replay/index.ts';
import { contradictionToText, entryToMismatches, infoToContradictions } from '../replay/contradiction.ts';

export interface Contradiction {
  readonly event: EventId;
  /** A sentence. */
  readonly message: string;
}

export interface Contradictions {
  /** Whether one of a pair says of its arguments what their digest does not. */
  readonly isEither: (here: JournalEntry, there: JournalEntry) => boolean;
  /** All found of one side so far, and of how its runs began and ended. */
  readonly of: (entries: readonly JournalEntry[], infos: readonly RunInfo[]) => readonly Contradiction[];
}

export function createContradictions(): Contradictions {
  const found = new Map<JournalEntry, readonly DigestMismatch[]>();
  const look = (entry: JournalEntry, other: JournalEntry): boolean => {
    const known = found.get(entry) ?? entryToMismatches(entry, other);
    found.set(entry, known);
    return known.some(({ is }) => is === 'other-value');
  };
  return {
    isEither: (here, there) => {
      const [isHere, isThere] = [look(here, there), look(there, here)];
      return isHere || isThere;
    },
    of: (entries, infos) => [
      ...infos.flatMap((info) => infoToContradictions(info).map(({ event, message }) => ({ event, message }))),
      ...entries.flatMap((entry) => {
        const mismatches = found.get(entry) ?? entry.doubts ?? [];
        return mismatches.length === 0 ? [] : [toContradiction(entry.issueEvent, mismatches)];
      }),
    ],
  };
}

function toContradiction(event: EventId, mismatches: readonly DigestMismatch[]): Contradiction {
  return { event, message: contradictionToText(event, mismatches) };
}
