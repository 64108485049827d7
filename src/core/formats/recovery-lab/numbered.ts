/**
 * Which record of a kind came last before another, by the numbers of their writer.
 *
 * Invariant: the order of adding tells apart only records of one number. Records are all added before the first question is asked: a list is
 * put in order once, and every question after that halves it.
 */
import { pushTo } from '../lists.ts';

interface Numbered {
  readonly id: string;
  /** -1 where the record has none. */
  readonly seq: number;
}

export interface NumberedRecords {
  readonly add: (key: string, record: { readonly id: string; readonly seq: number | undefined }) => void;
  readonly countOf: (key: string) => number;
  /** The last that stands before the number; without a number, the last. */
  readonly before: (key: string, seq: number | undefined) => string | undefined;
}

export function createNumberedRecords(): NumberedRecords {
  const lists = new Map<string, Numbered[]>();
  const ordered = new Set<string>();
  return {
    add: (key, { id, seq }) => {
      ordered.delete(key);
      pushTo(lists, key, { id, seq: seq ?? -1 });
    },
    countOf: (key) => lists.get(key)?.length ?? 0,
    before: (key, seq) => {
      const list = lists.get(key) ?? [];
      if (!ordered.has(key)) list.sort((a, b) => a.seq - b.seq);
      ordered.add(key);
      return list[countBelow(list, seq ?? Number.POSITIVE_INFINITY) - 1]?.id;
    },
  };
}

function countBelow(list: readonly Numbered[], seq: number): number {
  let from = 0;
  let to = list.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((list[middle]?.seq ?? seq) < seq) from = middle + 1;
    else to = middle;
  }
  return from;
}
