/**
 * Rate and latency of a trial under load, from the records of the driver: arrivals and completions of cases on one clock.
 *
 * A latency is one case and is anchored to its completion. A rate is the number of completions in the second before a quarter of a
 * second's end, anchored to the last of them. Kills stand on it only where they were read on the driver's clock.
 */
import type { HindcastEvent } from '../model/index.ts';
import type { Kill } from './kills.ts';
import { analyseSeries, type RateSeries, type SeriesMark, type SeriesPoint, type SeriesReport } from './series.ts';
import { monoOf, type TrialRecords } from './trial-records.ts';

const windowMs = 1000;
const stepMs = 250;

export function computeLoad(trial: TrialRecords, kills: readonly Kill[]): readonly SeriesReport[] {
  const completed = trial.events.filter(({ type }) => isType(type, 'load.completed'));
  const [first] = trial.events.filter(({ type }) => isType(type, 'load.arrived'));
  if (first === undefined || completed.length === 0 || !trial.timesAreMeasured) return [];
  const at = (event: HindcastEvent): number | undefined => millisOf(event, first);
  const marks = kills.flatMap(({ injected, ordinal }): readonly SeriesMark[] => {
    const time = at(injected);
    return time === undefined ? [] : [{ at: time, label: `kill ${ordinal}`, event: injected.id }];
  });
  const latencies = completed.flatMap((event): readonly SeriesPoint[] => {
    const time = at(event);
    const value = event.data?.['latency_ms'];
    return time === undefined || typeof value !== 'number' ? [] : [{ at: time, value, event: event.id }];
  });
  const basis = `records of ${first.source.component}; clock ${first.clock ?? 'not recorded'}`;
  const shared = { marks, basis } as const;
  const series: readonly RateSeries[] = [
    { name: 'cases completed', unit: 'a second', kind: 'rate', better: 'high', points: toRates(latencies), ...shared },
    {
      name: 'arrival to completion of a case',
      unit: 'ms',
      kind: 'latency',
      better: 'low',
      points: latencies,
      ...shared,
    },
  ];
  return series.map((one) => analyseSeries(one));
}

function isType(type: string, wanted: string): boolean {
  return type === wanted;
}

/** Milliseconds after the first arrival, on its clock; undefined for another clock, and for a reading beyond what any clock comes to. */
function millisOf(event: HindcastEvent, first: HindcastEvent): number | undefined {
  const [mono, start] = [monoOf(event), monoOf(first)];
  if (event.clock !== first.clock || mono === undefined || start === undefined) return undefined;
  const ms = Number(mono - start) / 1e6;
  return Math.abs(ms) > Number.MAX_SAFE_INTEGER ? undefined : ms;
}

/**
 * Most windows in a row without a completion that are told one by one: a minute of them; behind them only the last before the next
 * completion.
 */
const mostEmpty = 240;

/** Points before even a minute is too much: with one far reading among the records, a series would fill any memory. */
const mostPoints = 200_000;

function toRates(latencies: readonly SeriesPoint[]): readonly SeriesPoint[] {
  const completions = [...latencies].sort((a, b) => a.at - b.at);
  const points: SeriesPoint[] = [];
  const end = completions.at(-1)?.at ?? 0;
  let from = 0;
  let to = 0;
  let empty = 0;
  for (let n = windowMs / stepMs; n * stepMs <= end; n++) {
    const at = n * stepMs;
    while ((completions[to]?.at ?? Number.POSITIVE_INFINITY) <= at) to++;
    while ((completions[from]?.at ?? Number.POSITIVE_INFINITY) <= at - windowMs) from++;
    const last = completions[to - 1];
    if (last !== undefined) points.push({ at, value: ((to - from) * 1000) / windowMs, event: last.event });
    empty = to === from ? empty + 1 : 0;
    if (empty >= (points.length < mostPoints ? mostEmpty : 1))
      n = Math.max(n, Math.ceil((completions[to]?.at ?? end) / stepMs) - 2);
  }
  return points;
}
