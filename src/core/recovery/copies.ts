/**
 * One trial under several run ids: whoever copies a file and renames the run has not tried twice (R104, R105).
 *
 * Invariant: a process is started once. Two trials in which the same process id started at the same reading of one monotonic clock
 * tell of one process, whatever else was changed; the first trial keeps it. Times that are laid out tell nothing. Called by campaign.ts.
 */
import { nameToShown } from '../base/shown-text.ts';
import type { HindcastEvent } from '../model/index.ts';
import type { Check } from './report.ts';
import type { TrialRecords } from './trial-records.ts';

/** By run, for each trial that has a process of one before it. */
export function findCopies(trials: readonly TrialRecords[]): ReadonlyMap<string, Check> {
  const owners = new Map<string, string>();
  const copies = new Map<string, Check>();
  for (const trial of trials.filter(({ timesAreMeasured }) => timesAreMeasured)) {
    const starts = trial.ofType('worker.started').flatMap((event) => {
      const key = processKey(event);
      return key === undefined ? [] : [{ key, event }];
    });
    const shared = starts.find(({ key }) => owners.has(key));
    const owner = owners.get(shared?.key ?? '');
    if (shared === undefined || owner === undefined) for (const { key } of starts) owners.set(key, trial.run);
    else if (owner !== trial.run) copies.set(trial.run, toCheck(shared.event, owner));
  }
  return copies;
}

function processKey({ source, clock, mono }: HindcastEvent): string | undefined {
  if (source.pid === undefined || clock === undefined || mono === undefined) return undefined;
  return `${source.component}|${clock}|${mono}|${String(source.pid)}`;
}

function toCheck({ id, source, mono = '' }: HindcastEvent, owner: string): Check {
  const process = `process ${String(source.pid)} of ${nameToShown(source.component)}`;
  const text = `Its ${process}, started at ${mono} of its clock, is one of trial ${nameToShown(owner)} too: these are records of one trial under two run ids, which counts once.`;
  return { id: 'own-processes', status: 'not established', text, events: [id] };
}
