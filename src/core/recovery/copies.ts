/**
 * One trial under several run ids: whoever copies a file and renames the run has not tried twice (R104, R105).
 *
 * Invariant: a process is started once. Two trials in which the same process id started at the same reading of one monotonic clock
 * tell of one process, whatever else was changed, and so do two whose processes took the very same times from record to record, equal to
 * the nanosecond, under whatever number and clock; the first trial keeps it. Times that are laid out tell nothing. Called by campaign.ts.
 */
import { nameToShown } from '../base/shown-text.ts';
import type { HindcastEvent } from '../model/index.ts';
import type { Life } from '../projections/effects/lives.ts';
import type { Check } from './report.ts';
import { monoOf, type TrialRecords } from './trial-records.ts';

/** By run, for each trial that has a process of one before it. */
export function findCopies(trials: readonly TrialRecords[]): ReadonlyMap<string, Check> {
  const owners = new Map<string, string>();
  const copies = new Map<string, Check>();
  for (const trial of trials.filter(({ timesAreMeasured }) => timesAreMeasured)) {
    const starts = trial.workers.flatMap((life) => keysOf(trial, life));
    const shared = starts.find(({ key }) => owners.has(key));
    const owner = owners.get(shared?.key ?? '');
    if (shared === undefined || owner === undefined) for (const { key } of starts) owners.set(key, trial.run);
    else if (owner !== trial.run) copies.set(trial.run, toCheck(shared, owner));
  }
  return copies;
}

interface ProcessKey {
  readonly key: string;
  readonly event: HindcastEvent;
  readonly how: string;
}

/** The start of a process by its number and its clock, and the times between its records: no two processes take the same ones. */
function keysOf(trial: TrialRecords, life: Life): readonly ProcessKey[] {
  const { started } = life;
  if (started === undefined) return [];
  const { source, clock, mono = '' } = started;
  const pace = paceOf(trial.ofLife(life));
  const name = `process ${source.pid === undefined ? '' : `${String(source.pid)} `}of ${nameToShown(source.component)}`;
  return [
    ...(source.pid === undefined || clock === undefined || mono === ''
      ? []
      : [
          {
            key: `${source.component}|${clock}|${mono}|${String(source.pid)}`,
            event: started,
            how: `${name}, started at ${mono} of its clock,`,
          },
        ]),
    ...(pace === undefined
      ? []
      : [{ key: `pace|${pace}`, event: started, how: `${name}, by the time from each of its records to the next,` }]),
  ];
}

/** Fewer readings that differ come out alike by chance, and of a clock of tenths of milliseconds and coarser it takes more. */
const leastPaces = 5;
const leastCoarsePaces = 20;

function paceOf(events: readonly HindcastEvent[]): string | undefined {
  const readings = events.flatMap((event) => monoOf(event) ?? []).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const [first] = readings;
  if (first === undefined) return undefined;
  const paces = [...new Set(readings.map((at) => at - first))];
  const isCoarse = paces.every((pace) => pace % 100_000n === 0n);
  return paces.length > (isCoarse ? leastCoarsePaces : leastPaces) ? paces.join(',') : undefined;
}

function toCheck({ event, how }: ProcessKey, owner: string): Check {
  const text = `Its ${how} is one of trial ${nameToShown(owner)} too: these are records of one trial under two run ids, which counts once.`;
  return { id: 'own-processes', status: 'not established', text, events: [event.id] };
}
