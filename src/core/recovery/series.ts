/**
 * Rates and latencies over time, with marks where faults were: when they are stable again, and what they were meanwhile (R95, R96).
 *
 * Every number rests on a declared definition and on two anchors: the mark, and the sample. A series without enough samples before the
 * first mark has no baseline, and then nothing is computed. Faults keep their number and are never pooled (R103).
 */
import type { Section } from './report.ts';

/** `event`: id of the record, or the row of a file. */
export interface SeriesPoint {
  readonly at: number;
  readonly value: number;
  readonly event: string;
}

export interface SeriesMark {
  readonly at: number;
  readonly label: string;
  readonly event: string;
}

/** `depth`: how much waits; `resource`: how much of one is used; `unknown`: no name tells what it is. */
export type SeriesKind = 'rate' | 'latency' | 'count' | 'depth' | 'share' | 'resource' | 'unknown';

export interface RateSeries {
  readonly name: string;
  /** Of a file: the column that it was read from. */
  readonly column?: string | undefined;
  /** Undefined: not told. */
  readonly unit: string | undefined;
  readonly kind: SeriesKind;
  /** Which way is better: a rate is to be high, a latency low. */
  readonly better: 'high' | 'low';
  /** In the order of time, as milliseconds on one clock. */
  readonly points: readonly SeriesPoint[];
  readonly marks: readonly SeriesMark[];
  readonly basis: string;
}

const kindWords: Readonly<Record<SeriesKind, string>> = {
  rate: 'a rate',
  latency: 'a latency',
  count: 'a count',
  depth: 'a number of what waits',
  share: 'a share',
  resource: 'a use of a resource',
  unknown: 'of unknown kind',
};

/** "a latency in ms; less is better", "of unknown kind, unit not told; read as if more were better". */
export function seriesToWords({ kind, unit, better }: Pick<RateSeries, 'kind' | 'unit' | 'better'>): string {
  const how = better === 'high' ? 'more' : 'less';
  const side = kind === 'unknown' && better === 'high' ? 'read as if more were better' : `${how} is better`;
  return `${kindWords[kind]}${unit === undefined ? ', unit not told' : `, unit ${unit}`}; ${side}`;
}

export function seriesToName({ name, column }: Pick<RateSeries, 'name' | 'column'>): string {
  return column === undefined ? name : `${name}, ${column}`;
}

export interface SeriesDefinition {
  /** Share of the baseline by which a sample may fall short and still be stable. */
  readonly tolerance: number;
  /** Samples in a row. */
  readonly hold: number;
}

export const defaultDefinition: SeriesDefinition = { tolerance: 0.2, hold: 3 };

/** Fewer samples than this before the first mark make no baseline. */
const leastBefore = 3;

export interface Spread {
  readonly n: number;
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
}

export interface FaultWindow {
  readonly ordinal: number;
  readonly mark: SeriesMark;
  /** From the mark to the first sample of the first run of stable ones. */
  readonly stableMs: number | undefined;
  readonly stableAt: SeriesPoint | undefined;
  readonly whyNot: string | undefined;
  /** The sample farthest from the baseline, on the bad side, before it was stable again. */
  readonly worst: SeriesPoint | undefined;
  readonly during: Spread | undefined;
  /** From stable to the next mark, or the end. */
  readonly after: Spread | undefined;
}

export interface SeriesReport {
  readonly series: RateSeries;
  readonly section: Extract<Section, 'performance'>;
  readonly definition: string;
  readonly baseline: Spread | undefined;
  readonly windows: readonly FaultWindow[];
  readonly note: string | undefined;
}

export function analyseSeries(series: RateSeries, definition = defaultDefinition): SeriesReport {
  const points = [...series.points].sort((a, b) => a.at - b.at);
  const marks = [...series.marks].sort((a, b) => a.at - b.at);
  const first = marks[0]?.at ?? Number.POSITIVE_INFINITY;
  const before = points.filter(({ at }) => at < first);
  const baseline = before.length < leastBefore ? undefined : toSpread(before);
  const windows = marks.map((mark, i) => {
    const until = marks[i + 1]?.at ?? Number.POSITIVE_INFINITY;
    const own = points.filter(({ at }) => at >= mark.at && at < until);
    return judgeWindow(i + 1, mark, own, series.better, baseline?.median, definition);
  });
  return {
    series: { ...series, points, marks },
    section: 'performance',
    definition: definitionToText(series, definition),
    baseline,
    windows,
    note:
      marks.length > 0 && baseline === undefined
        ? `${before.length} samples before the first fault: fewer than ${leastBefore} make no baseline, so nothing is compared.`
        : undefined,
  };
}

function definitionToText({ better }: RateSeries, { tolerance, hold }: SeriesDefinition): string {
  const percent = Math.round(tolerance * 100);
  const side = better === 'high' ? `at least ${100 - percent} %` : `at most ${100 + percent} %`;
  return `Baseline: the median of the samples before the first fault. Stable: the first of ${hold} samples in a row that are ${side} of it.`;
}

function judgeWindow(
  ordinal: number,
  mark: SeriesMark,
  own: readonly SeriesPoint[],
  better: RateSeries['better'],
  baseline: number | undefined,
  { tolerance, hold }: SeriesDefinition,
): FaultWindow {
  const none = { stableMs: undefined, stableAt: undefined, worst: undefined, during: undefined, after: undefined };
  if (baseline === undefined) return { ordinal, mark, ...none, whyNot: 'there is no baseline' };
  const isGood = ({ value }: SeriesPoint): boolean =>
    better === 'high' ? value >= baseline * (1 - tolerance) : value <= baseline * (1 + tolerance);
  const start = findStable(own, isGood, hold);
  const during = start < 0 ? own : own.slice(0, start);
  const stableAt = start < 0 ? undefined : own[start];
  const worst = [...during].sort((a, b) => (better === 'high' ? a.value - b.value : b.value - a.value))[0];
  return {
    ordinal,
    mark,
    stableMs: stableAt === undefined ? undefined : stableAt.at - mark.at,
    stableAt,
    whyNot:
      stableAt === undefined ? `no ${hold} samples in a row were stable before the next fault or the end` : undefined,
    worst,
    during: toSpread(during),
    after: start < 0 ? undefined : toSpread(own.slice(start)),
  };
}

/**
 * Samples right after a fault may still be good (what was under way): stable again is the first good run behind the last bad sample that
 * precedes one; without any bad sample it is the first run.
 */
function findStable(own: readonly SeriesPoint[], isGood: (point: SeriesPoint) => boolean, hold: number): number {
  const firstBad = own.findIndex((point) => !isGood(point));
  let run = 0;
  for (let i = Math.max(firstBad, 0); i < own.length; i++) {
    const point = own[i];
    run = point !== undefined && isGood(point) ? run + 1 : 0;
    if (run === hold) return i - hold + 1;
  }
  return -1;
}

function toSpread(points: readonly SeriesPoint[]): Spread | undefined {
  if (points.length === 0) return undefined;
  const sorted = points.map(({ value }) => value).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
  return { n: sorted.length, median, least: sorted[0] ?? 0, greatest: sorted.at(-1) ?? 0 };
}
