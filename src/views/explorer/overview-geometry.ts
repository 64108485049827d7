/**
 * Where things stand in the overview: positions of the run to pixels and back, and the part of the run that is shown.
 *
 * x is the display position, a causal order, never time. All of it is pure, so that drawing and pointing agree.
 */
import { countOf } from '../../ui/format.ts';
import type { Overview, OverviewBin, OverviewMark, RowRange } from '../../core/projections/trace-reader.ts';

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
/** Events that can be told apart however close one looks. */
const smallestRange = 8;

export function wholeRange(overview: Overview): Range {
  return { from: 0, to: Math.max(1, overview.buckets) };
}

/** `perBucket` is how many events a bucket holds: a long run can be looked at closer than its buckets are. */
export function clampRange({ from, to }: Range, buckets: number, perBucket = 1): Range {
  const least = Math.min(smallestRange / Math.max(1, perBucket), buckets);
  const size = Math.min(buckets, Math.max(least, to - from));
  const start = Math.min(Math.max(0, from), buckets - size);
  return { from: start, to: start + size };
}

/** Around a bucket that keeps its place; a factor under 1 shows less of the run. */
export function zoomRange(range: Range, around: number, factor: number, buckets: number, perBucket = 1): Range {
  return clampRange(
    { from: around - (around - range.from) * factor, to: around + (range.to - around) * factor },
    buckets,
    perBucket,
  );
}

/** Why there is nothing to draw, where that is so: a branch without events is not a filter that hides them. */
export function overviewToNothing({ length, lanes, hidden }: Overview): string | undefined {
  if (length === 0) return 'This branch holds no event.';
  if (lanes.length > 0) return undefined;
  return `No event passes the filter: ${hidden === 1 ? 'the only event' : `all ${countOf(hidden, 'event')}`} of this branch ${hidden === 1 ? 'is' : 'are'} hidden by it.`;
}

/** Events a bucket holds. */
export function eventsPerBucket({ length, buckets }: Overview): number {
  return length / Math.max(1, buckets);
}

/** Rows to ask for in detail: what is shown, and as much again on both sides; undefined where buckets are single events. */
export function rangeToRows({ from, to }: Range, overview: Overview): RowRange | undefined {
  const per = eventsPerBucket(overview);
  if (per <= 1 || to - from > overview.buckets / 2) return undefined;
  const size = to - from;
  // Whole steps, so that a small move asks for nothing new.
  const step = 2 ** Math.ceil(Math.log2(size));
  const start = Math.floor((from - size / 2) / step) * step;
  const end = Math.ceil((to + size / 2) / step) * step;
  return { from: Math.max(0, Math.floor(start * per)), to: Math.min(overview.length, Math.ceil(end * per)) };
}

/** A part in its own buckets, put into the places of the whole's. `width` is that of a bucket of the part. */
export interface OverviewPart {
  readonly overview: Overview;
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

export function placePart(part: Overview, rows: RowRange, whole: Overview): OverviewPart {
  const per = eventsPerBucket(whole);
  const from = rows.from / per;
  const width = (rows.to - rows.from) / per / Math.max(1, part.buckets);
  const lanes = part.lanes.map((lane) => ({
    ...lane,
    bins: lane.bins.map((bin) => ({ ...bin, bucket: from + bin.bucket * width })),
  }));
  return { overview: { ...whole, lanes }, from, to: rows.to / per, width };
}

export function bucketToX({ left, width, range }: Geometry, bucket: number): number {
  return left + ((bucket - range.from) / (range.to - range.from)) * width;
}

export function xToBucket({ left, width, range }: Geometry, x: number): number {
  return range.from + ((x - left) / width) * (range.to - range.from);
}

/** `bucket` is the width of a bucket in buckets of the whole: less than 1 in a part. */
export function tickWidth({ width, range }: Geometry, bucket = 1): number {
  return Math.min(10, Math.max(1, (width * bucket) / (range.to - range.from) - 1));
}

/** The lane under a point, or -1. */
export function yToLane({ top, laneHeight: height }: Geometry, y: number, lanes: number): number {
  const lane = Math.floor((y - top) / height);
  return lane >= 0 && lane < lanes ? lane : -1;
}

/** The bin nearest to a bucket within reach, in a lane. */
export function nearestBin(
  bins: readonly OverviewBin[],
  bucket: number,
  reach: number,
  width = 1,
): OverviewBin | undefined {
  let best: OverviewBin | undefined;
  let distance = reach;
  // Bins ascend: those out of reach on the left are passed over, and the first out of reach on the right ends it.
  let low = 0;
  let high = bins.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bins[middle]?.bucket ?? 0) + width / 2 < bucket - reach) low = middle + 1;
    else high = middle;
  }
  for (let at = low; at < bins.length; at++) {
    const bin = bins[at];
    const away = bin === undefined ? Infinity : Math.abs(bin.bucket + width / 2 - bucket);
    if (bin !== undefined && away <= distance) {
      best = bin;
      distance = away;
    } else if (bin === undefined || bin.bucket > bucket + reach) break;
  }
  return best;
}

export interface Overlap {
  readonly from: number;
  readonly to: number;
  /** Calls that were open at once. */
  readonly atOnce: number;
}

/** Stretches of a lane in which several calls were open at once, in buckets: a new one where another call begins or one ends. */
export function binsToOverlaps(bins: readonly OverviewBin[], width = 1): readonly Overlap[] {
  const overlaps: Overlap[] = [];
  let last: Overlap | undefined;
  for (const { bucket, atOnce = 0 } of bins) {
    if (last !== undefined) overlaps.push(atOnce > 1 ? { ...last, to: bucket } : last);
    last = atOnce > 1 ? { from: bucket, to: bucket + width, atOnce } : undefined;
    const before = overlaps.at(-1);
    if (last === undefined || before?.atOnce !== last.atOnce || before.to !== last.from) continue;
    overlaps.pop();
    last = { ...last, from: before.from };
  }
  return last === undefined ? overlaps : [...overlaps, last];
}

export interface PlacedMark {
  readonly mark: OverviewMark;
  readonly x: number;
}

const markWidth = 13;

/** Gravest first: of marks that share a place, this is the one drawn. */
const gravity: readonly OverviewMark['kind'][] = ['kill', 'finding', 'gap', 'fork', 'restart'];

/**
 * Marks that would cover each other stand side by side; the first keeps its place, but at the end of the run, where the last has to. Where there are more than there is room for, those of
 * one place become one mark that says how many it stands for. Drawing and pointing both use this.
 */
export function placeMarks(geometry: Geometry, marks: readonly OverviewMark[]): readonly PlacedMark[] {
  const { left, width } = geometry;
  const shown = marks
    .map((mark) => ({ mark, x: bucketToX(geometry, mark.bucket + 0.5) }))
    .filter(({ x }) => x >= left - markWidth && x <= left + width + markWidth)
    .sort((a, b) => a.x - b.x);
  if (shown.length > width / markWidth / 2) return gatherMarks(shown);
  let last = -Infinity;
  const placed = shown.map(({ mark, x }) => {
    last = Math.max(x, last + markWidth);
    return { mark, x: last, own: x };
  });
  // What was pushed over the right edge comes back in, and pushes what stands before it.
  let most = left + width - markWidth / 2;
  for (const one of placed.toReversed()) {
    if (one.own > left + width) continue;
    one.x = Math.min(one.x, most);
    most = one.x - markWidth;
  }
  return placed.map(({ mark, x }) => ({ mark, x }));
}

function gatherMarks(shown: readonly PlacedMark[]): readonly PlacedMark[] {
  const places = new Map<number, { gravest: OverviewMark; count: number }>();
  for (const { mark, x } of shown) {
    const slot = Math.round(x / markWidth);
    const place = places.get(slot);
    if (place === undefined) places.set(slot, { gravest: mark, count: 1 });
    else {
      place.count++;
      if (gravity.indexOf(mark.kind) < gravity.indexOf(place.gravest.kind)) place.gravest = mark;
    }
  }
  return [...places].map(([slot, { gravest, count }]) => {
    const label = count === 1 ? gravest.label : `${count} marks here, the gravest: ${gravest.label}`;
    return { mark: { ...gravest, label }, x: slot * markWidth };
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
