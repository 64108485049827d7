/**
 * Where things stand in the overview: positions of the run to pixels and back, and the part of the run that is shown.
 *
 * x is the display position, a causal order, never time. All of it is pure, so that drawing and pointing agree.
 */
import type { Overview, OverviewBin, OverviewMark } from '../../core/projections/trace-reader.ts';

/** Part of the buckets shown, half-open. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Geometry {
  readonly left: number;
  readonly width: number;
  readonly top: number;
  readonly laneHeight: number;
  readonly range: Range;
}

export const marksHeight = 18;
export const laneHeight = 17;
const smallestRange = 8;

export function wholeRange(overview: Overview): Range {
  return { from: 0, to: Math.max(1, overview.buckets) };
}

export function clampRange({ from, to }: Range, buckets: number): Range {
  const least = Math.min(smallestRange, buckets);
  const size = Math.min(buckets, Math.max(least, to - from));
  const start = Math.min(Math.max(0, from), buckets - size);
  return { from: start, to: start + size };
}

/** Around a bucket that keeps its place; a factor under 1 shows less of the run. */
export function zoomRange(range: Range, around: number, factor: number, buckets: number): Range {
  return clampRange(
    { from: around - (around - range.from) * factor, to: around + (range.to - around) * factor },
    buckets,
  );
}

export function bucketToX({ left, width, range }: Geometry, bucket: number): number {
  return left + ((bucket - range.from) / (range.to - range.from)) * width;
}

export function xToBucket({ left, width, range }: Geometry, x: number): number {
  return range.from + ((x - left) / width) * (range.to - range.from);
}

export function tickWidth({ width, range }: Geometry): number {
  return Math.min(10, Math.max(1, width / (range.to - range.from) - 1));
}

/** The lane under a point, or -1. */
export function yToLane({ top, laneHeight: height }: Geometry, y: number, lanes: number): number {
  const lane = Math.floor((y - top) / height);
  return lane >= 0 && lane < lanes ? lane : -1;
}

/** The bin nearest to a bucket within reach, in a lane. */
export function nearestBin(bins: readonly OverviewBin[], bucket: number, reach: number): OverviewBin | undefined {
  let best: OverviewBin | undefined;
  let distance = reach;
  for (const bin of bins) {
    const away = Math.abs(bin.bucket + 0.5 - bucket);
    if (away <= distance) {
      best = bin;
      distance = away;
    }
  }
  return best;
}

export interface PlacedMark {
  readonly mark: OverviewMark;
  readonly x: number;
}

const markWidth = 13;

/** Marks that would cover each other stand side by side; the first keeps its place. Drawing and pointing both use this. */
export function placeMarks(geometry: Geometry, marks: readonly OverviewMark[]): readonly PlacedMark[] {
  const { left, width } = geometry;
  let last = -Infinity;
  return marks
    .toSorted((a, b) => a.bucket - b.bucket)
    .flatMap((mark) => {
      const own = bucketToX(geometry, mark.bucket + 0.5);
      if (own < left - markWidth || own > left + width + markWidth) return [];
      last = Math.max(own, last + markWidth);
      return [{ mark, x: last }];
    });
}

export function markAt(placed: readonly PlacedMark[], x: number): OverviewMark | undefined {
  return placed.find((candidate) => Math.abs(candidate.x - x) <= markWidth / 2)?.mark;
}

/** All bins in the order of the run, for stepping with the arrow keys. */
export function binsInOrder(overview: Overview): readonly (OverviewBin & { readonly lane: string })[] {
  return overview.lanes
    .flatMap((lane) => lane.bins.map((bin) => ({ ...bin, lane: lane.label })))
    .toSorted((a, b) => a.bucket - b.bucket);
}
