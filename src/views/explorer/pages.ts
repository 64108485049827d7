/**
 * Pages of a long list: which to ask for so that a range can be drawn.
 *
 * Invariant: pages have one size and start at multiples of it, so the same rows are asked for once, wherever the scroll
 * position stands. A range on screen touches at most two.
 */
export const pageSize = 256;

/** The first rows of the two pages that hold a range (half-open); the same twice where one is enough. */
export function rangeToPages(from: number, to: number): readonly [number, number] {
  const first = Math.floor(Math.max(0, from) / pageSize) * pageSize;
  const last = Math.floor(Math.max(from, to - 1, 0) / pageSize) * pageSize;
  return [first, Math.min(last, first + pageSize)];
}

export interface Page<T> {
  readonly from: number;
  readonly items: readonly T[];
}

export function itemAt<T>(pages: readonly (Page<T> | undefined)[], at: number): T | undefined {
  for (const page of pages) {
    if (page !== undefined && at >= page.from && at < page.from + page.items.length) return page.items[at - page.from];
  }
  return undefined;
}
