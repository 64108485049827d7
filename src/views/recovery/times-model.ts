/**
 * Times after each kill as plots and rows: one panel a design and grouping, one point an observation, columns by the number of the kill
 * or by the boundary.
 *
 * Invariant: a point is one observation with its two records; independent runs and several kills in one run never share a panel, and no
 * mean is computed. What was not measured is told with its reason.
 */
import type {
  CampaignReport,
  Observation,
  OrdinalRow,
  StrategyReport,
  TrialReport,
} from '../../core/recovery/index.ts';
import { groupBy } from '../../ui/group.ts';
import { pointLabels } from './words.ts';

export interface PlotPoint {
  readonly key: string;
  readonly observation: Observation;
  readonly row: OrdinalRow;
  /** From 0 at the left to 1 at the right, and from 0 at the bottom to 1 at the top. */
  readonly x: number;
  readonly y: number;
}

export interface PlotColumn {
  readonly label: string;
  readonly x: number;
  /** Where the median of the column is drawn; undefined for a single observation. */
  readonly median: number | undefined;
}

export interface PlotPanel {
  readonly strategy: string;
  readonly grouping: OrdinalRow['grouping'];
  readonly axis: string;
  readonly rows: readonly OrdinalRow[];
  readonly columns: readonly PlotColumn[];
  readonly points: readonly PlotPoint[];
  readonly ticks: readonly { readonly ms: number; readonly y: number }[];
}

export interface MetricChoice {
  readonly id: string;
  readonly name: string;
  readonly kind: OrdinalRow['kind'];
  readonly observations: number;
}

/** Metrics of which there is at least one observation, in the order they are defined. */
export function metricsOf(
  strategies: readonly StrategyReport[],
  trials: readonly TrialReport[],
): readonly MetricChoice[] {
  const counts = new Map<string, number>();
  for (const { metric, observations } of strategies.flatMap(({ ordinals }) => ordinals)) {
    counts.set(metric, (counts.get(metric) ?? 0) + observations.length);
  }
  const seen = new Map<string, MetricChoice>();
  for (const { id, name, kind } of trials.flatMap(({ metrics }) => metrics)) {
    seen.set(id, { id, name, kind, observations: counts.get(id) ?? 0 });
  }
  return [...seen.values()];
}

/** The metric shown first: when the run goes on, by an answer from outside; else the first that was measured as recovery. */
export function preferredMetric(choices: readonly MetricChoice[]): string | undefined {
  const measured = choices.filter(({ observations, kind }) => observations > 0 && kind === 'recovery');
  return (measured.find(({ id }) => id === 'next-acknowledged') ?? measured[0] ?? choices[0])?.id;
}

export function strategiesToPanels(strategies: readonly StrategyReport[], metric: string): readonly PlotPanel[] {
  return strategies.flatMap(({ name, ordinals }) => {
    const rows = ordinals.filter((row) => row.metric === metric);
    return [...groupBy(rows, ({ grouping }) => grouping)].map(([grouping, own]) => toPanel(name, grouping, own));
  });
}

function toPanel(strategy: string, grouping: OrdinalRow['grouping'], rows: readonly OrdinalRow[]): PlotPanel {
  const isRepeat = grouping === 'several kills in one run';
  const isOther = rows.every(({ fault }) => fault !== undefined);
  const placeOf = ({ fault, ordinal, point }: OrdinalRow): string =>
    fault !== undefined ? fault : isRepeat ? String(ordinal) : point === undefined ? 'model' : pointLabels[point];
  const columnOf = (row: OrdinalRow): string =>
    row.beside === undefined ? placeOf(row) : `${placeOf(row)}, ${row.beside}`;
  const labels = [...new Set(rows.map(columnOf))].toSorted(byLabel);
  const longest = rows.flatMap(({ observations }) => observations).reduce((most, { ms }) => Math.max(most, ms), 0);
  const top = niceTop(longest);
  const xOf = (label: string): number => (labels.indexOf(label) + 0.5) / labels.length;
  const columns = labels.map((label): PlotColumn => {
    const [only, another] = rows.filter((row) => columnOf(row) === label);
    const isOne = only !== undefined && another === undefined && only.observations.length > 1;
    return { label, x: xOf(label), median: isOne ? only.median / top : undefined };
  });
  const placed = new Map<string, number>();
  const totals = new Map(labels.map((label) => [label, countIn(rows, columnOf, label)]));
  const points = rows.flatMap((row) =>
    row.observations.map((observation): PlotPoint => {
      const label = columnOf(row);
      const nth = placed.get(label) ?? 0;
      placed.set(label, nth + 1);
      return {
        key: `${observation.trial} ${observation.start.event} ${observation.end.event}`,
        observation,
        row,
        x: xOf(label) + spread(nth, totals.get(label) ?? 1) / labels.length,
        y: observation.ms / top,
      };
    }),
  );
  return {
    strategy,
    grouping,
    axis: isOther ? 'fault' : isRepeat ? 'number of the kill' : 'kill point',
    rows,
    columns,
    points,
    ticks: ticksOf(top),
  };
}

function countIn(rows: readonly OrdinalRow[], columnOf: (row: OrdinalRow) => string, label: string): number {
  return rows.filter((row) => columnOf(row) === label).reduce((sum, { observations }) => sum + observations.length, 0);
}

/** Side by side in the column, in the order of the records, so that none hides another. */
function spread(nth: number, of: number): number {
  return of <= 1 ? 0 : ((nth + 0.5) / of - 0.5) * 0.6;
}

const pointOrder = ['1', '2', '2 late', '3', '4', '5', 'model'];

function byLabel(a: string, b: string): number {
  const [one, other] = [pointOrder.indexOf(a), pointOrder.indexOf(b)];
  if (one >= 0 && other >= 0) return one - other;
  const order = Number(a) - Number(b);
  return Number.isNaN(order) ? a.localeCompare(b, 'en') : order;
}

/** 1, 2 or 5 times a power of ten, at least the longest time. */
function niceTop(ms: number): number {
  if (ms <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(ms));
  return ([1, 2, 2.5, 5, 10].find((step) => step * power >= ms) ?? 10) * power;
}

function ticksOf(top: number): PlotPanel['ticks'] {
  return [0, 0.25, 0.5, 0.75, 1].map((y) => ({ ms: top * y, y }));
}

export interface NotMeasured {
  readonly metric: string;
  readonly reason: string;
  readonly trials: readonly { readonly id: string; readonly name: string; readonly ordinal: number }[];
}

/** What has no number, with why, for one metric. */
export function whyNotOf({ trials }: Pick<CampaignReport, 'trials'>, metric: string): readonly NotMeasured[] {
  const missing = trials.flatMap(({ id, name, metrics }) =>
    metrics
      .filter((one) => one.id === metric && one.whyNot !== undefined)
      .map(({ whyNot = '', ordinal }) => ({ id, name, ordinal, reason: whyNot })),
  );
  return [...groupBy(missing, ({ reason }) => reason)].map(([reason, own]) => ({
    metric,
    reason,
    trials: own.map(({ id, name, ordinal }) => ({ id, name, ordinal })),
  }));
}
