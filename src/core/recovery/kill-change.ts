/**
 * How a time changes with the number of the kill, as a sentence: what the first and the fifth kill of the same runs show.
 *
 * Invariant: a difference is one of two observations of one run; runs are not put together, and of several the range stands there, no
 * mean. Called by the page and the command line, beside the observations themselves.
 */
import type { Observation, OrdinalRow, StrategyReport } from './report.ts';

interface KillChange {
  /** Without the name of the design. */
  readonly text: string;
  /** Those of the first and of the later kill that the sentence compares, run by run. */
  readonly observations: readonly Observation[];
}

/** The kill that is asked about; a run with fewer has a last one. */
const asked = 5;

interface Run {
  readonly first: Observation;
  readonly later: Observation;
  readonly all: readonly number[];
  readonly isOtherPlace: boolean;
}

/** Undefined where no run has this time after two of its kills. */
export function computeKillChange(
  { ordinals }: Pick<StrategyReport, 'ordinals'>,
  metric: string,
): KillChange | undefined {
  const rows = ordinals.filter(
    (row) => row.metric === metric && row.fault === undefined && row.grouping === 'several kills in one run',
  );
  const numbers = [...new Set(rows.map(({ ordinal }) => ordinal))].sort((a, b) => a - b);
  const [first, second] = numbers;
  const later = numbers.includes(asked) ? asked : numbers.at(-1);
  if (first === undefined || later === undefined || second === undefined) return undefined;
  const runs = runsOf(rows, first, later);
  if (runs.length === 0) return undefined;
  const observations = runs.flatMap((run) => [run.first, run.later]);
  const isByWall = observations.some(({ basis }) => basis !== undefined);
  const clock = isByWall
    ? ' Not every time is of a monotonic clock: that of the wall may have been set meanwhile.'
    : '';
  return { text: `${runsToText(runs, first, later)}${clock}`, observations };
}

function runsOf(rows: readonly OrdinalRow[], first: number, later: number): readonly Run[] {
  const byTrial = new Map<string, { readonly row: OrdinalRow; readonly observation: Observation }[]>();
  for (const row of rows) {
    for (const observation of row.observations) {
      const list = byTrial.get(observation.trial) ?? [];
      byTrial.set(observation.trial, list);
      list.push({ row, observation });
    }
  }
  return [...byTrial.values()].flatMap((list): readonly Run[] => {
    const inOrder = list.toSorted((a, b) => a.row.ordinal - b.row.ordinal);
    const [one, other] = [first, later].map((number) => inOrder.find(({ row }) => row.ordinal === number));
    if (one === undefined || other === undefined) return [];
    const isOtherPlace = one.row.point !== other.row.point || one.row.effect !== other.row.effect;
    const all = inOrder.filter(({ row }) => row.ordinal <= later).map(({ observation }) => observation.ms);
    return [{ first: one.observation, later: other.observation, all, isOtherPlace }];
  });
}

function runsToText(runs: readonly Run[], first: number, later: number): string {
  const [only, another] = runs;
  const times = (of: 'first' | 'later'): string => rangeToText(runs.map((run) => run[of].ms));
  // Of the numbers as they are shown: a reader takes one from the other.
  const changes = runs.map((run) => toShown(run.later.ms) - toShown(run.first.ms));
  const longer = changes.filter((change) => change > 0).length;
  const ends = `${times('first')} after kill ${first} and ${times('later')} after kill ${later}`;
  const place = runs.some(({ isOtherPlace }) => isOtherPlace)
    ? ' The two kills struck different places, which may be the difference.'
    : '';
  if (only !== undefined && another === undefined) {
    const change = changes[0] ?? 0;
    return `${ends} of one run: ${changeToText(change, only)}; ${courseToText(only.all)}.${place}`;
  }
  const sizes = rangeToText(changes.map(Math.abs));
  const how =
    longer === runs.length
      ? `longer in every run, by ${sizes}`
      : longer === 0
        ? `longer in no run: the same, or shorter by up to ${msToText(Math.max(...changes.map(Math.abs)))}`
        : `longer in ${longer} of ${runs.length} runs; the two differ by ${sizes}`;
  return `${ends} of ${runs.length} runs: ${how}.${place}`;
}

function changeToText(change: number, { first, later }: Run): string {
  if (change === 0) return 'the same';
  const ratio = first.ms > 0 ? ` (${Number((later.ms / first.ms).toPrecision(2))} times as long)` : '';
  return `${msToText(Math.abs(change))} ${change > 0 ? 'longer' : 'shorter'}${ratio}`;
}

/** What lies between the two: a difference of the ends alone may hide it. */
function courseToText(all: readonly number[]): string {
  const steps = all.slice(1).map((ms, at) => ms - (all[at] ?? ms));
  if (all.length < 3) return 'no kill between them was measured';
  if (steps.every((step) => step > 0)) return 'longer after every further kill';
  if (steps.every((step) => step < 0)) return 'shorter after every further kill';
  return `not in one direction: ${all.map((ms) => msToText(ms)).join(', ')}`;
}

function rangeToText(values: readonly number[]): string {
  const [least = 0, ...more] = values.toSorted((a, b) => a - b);
  const greatest = more.at(-1) ?? least;
  return msToText(least) === msToText(greatest) ? msToText(least) : `${msToText(least)} to ${msToText(greatest)}`;
}

/** Whole milliseconds; below ten, a tenth. */
function toShown(ms: number): number {
  return Math.abs(ms) >= 10 ? Math.round(ms) : Math.round(ms * 10) / 10;
}

function msToText(ms: number): string {
  return `${toShown(ms)} ms`;
}
