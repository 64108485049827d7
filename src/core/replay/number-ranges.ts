/**
 * Sets of small whole numbers as ranges, for sets that are mostly everything up to some number: the lives before a life.
 *
 * Invariant: sorted, never touching, never changed once made; a union that adds nothing is the set itself. Used by `lives.ts`.
 */

/** First and last of each range, one after another. */
export type NumberRanges = readonly number[];

export const noNumbers: NumberRanges = [];

export function uniteRanges(a: NumberRanges, b: NumberRanges): NumberRanges {
  if (a === b || b.length === 0) return a;
  if (a.length === 0) return b;
  const out: number[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const takesA = (a[i] ?? Infinity) <= (b[j] ?? Infinity);
    const [from = 0, to = 0] = takesA ? a.slice(i, i + 2) : b.slice(j, j + 2);
    if (takesA) i += 2;
    else j += 2;
    const last = out.at(-1);
    if (last === undefined || from > last + 1) out.push(from, to);
    else if (to > last) out[out.length - 1] = to;
  }
  return areRangesEqual(out, a) ? a : areRangesEqual(out, b) ? b : out;
}

export function areRangesEqual(a: NumberRanges, b: NumberRanges): boolean {
  return a === b || (a.length === b.length && a.every((n, at) => n === b[at]));
}

export function countInRanges(ranges: NumberRanges): number {
  let count = 0;
  for (let at = 0; at < ranges.length; at += 2) count += (ranges[at + 1] ?? 0) - (ranges[at] ?? 0) + 1;
  return count;
}
