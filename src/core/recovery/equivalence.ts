/**
 * The faulted run beside its control: by digest where that is exact, else what is constrained, and a list of what cannot be compared
 * (R92, R93).
 */
import type { HindcastEvent } from '../model/index.ts';
import { computeCompletion } from './completion.ts';
import type { Comparison } from './report.ts';
import { textIn, type TrialRecords } from './trial-records.ts';

export function compareWithControl(trial: TrialRecords, control: TrialRecords): readonly Comparison[] {
  return [
    compareOutput(trial, control),
    ...compareStates(trial, control),
    compareEffects(trial, control),
    ...compareRequests(trial, control),
    ...compareModels(trial, control),
  ];
}

function digestsToComparison(
  what: string,
  faulted: HindcastEvent | undefined,
  control: HindcastEvent | undefined,
  digestOf: (event: HindcastEvent) => string | undefined,
): Comparison {
  const ids = (event: HindcastEvent | undefined): readonly string[] => (event === undefined ? [] : [event.id]);
  const sides = { control: ids(control), faulted: ids(faulted) };
  const [a, b] = [control, faulted].map((event) => (event === undefined ? undefined : digestOf(event)));
  if (a === undefined || b === undefined) {
    const side = a === undefined ? 'the control' : 'the faulted run';
    return { what, verdict: 'not comparable', text: `${side} has no digest of it`, ...sides };
  }
  return a === b
    ? { what, verdict: 'equal', text: 'the digests are equal', ...sides }
    : { what, verdict: 'differs', text: 'the digests differ', ...sides };
}

function compareOutput(trial: TrialRecords, control: TrialRecords): Comparison {
  const ended = (one: TrialRecords): HindcastEvent | undefined => computeCompletion(one).by;
  return digestsToComparison('output of the run', ended(trial), ended(control), (event) =>
    textIn(event.data, 'digest'),
  );
}

/** The last digest of each state. */
function compareStates(trial: TrialRecords, control: TrialRecords): readonly Comparison[] {
  const last = (one: TrialRecords): Map<string, HindcastEvent> =>
    new Map(one.ofType('state.transitioned').map((event) => [event.data.name ?? 'state', event]));
  const [ours, theirs] = [last(trial), last(control)];
  return [...new Set([...theirs.keys(), ...ours.keys()])].map((name) =>
    digestsToComparison(`final state "${name}"`, ours.get(name), theirs.get(name), (event) =>
      textIn(event.data, 'digest'),
    ),
  );
}

/** How often each effect was executed; ids are the service's own and say nothing. */
function compareEffects(trial: TrialRecords, control: TrialRecords): Comparison {
  const what = 'effects executed';
  const [ours, theirs] = [countEffects(trial), countEffects(control)];
  const sides = { control: theirs.events, faulted: ours.events };
  for (const [one, side] of [
    [control, 'the control'],
    [trial, 'the faulted run'],
  ] as const) {
    const unknown = one.ledger.commands.find(({ hasServiceRecords }) => !hasServiceRecords);
    if (unknown === undefined) continue;
    const text = `no record of the service is in ${side}, so what ${unknown.path} executed is not known`;
    return { what, verdict: 'not comparable', text, ...sides };
  }
  const paths = [...new Set([...theirs.counts.keys(), ...ours.counts.keys()])];
  const different = paths.filter((path) => ours.counts.get(path) !== theirs.counts.get(path));
  if (different.length === 0) return { what, verdict: 'equal', text: 'the same effects, as often', ...sides };
  const told = different.map(
    (path) => `${path}: ${theirs.counts.get(path) ?? 0} in the control, ${ours.counts.get(path) ?? 0} here`,
  );
  return { what, verdict: 'differs', text: told.join('; '), ...sides };
}

function countEffects(trial: TrialRecords): {
  readonly counts: ReadonlyMap<string, number>;
  readonly events: readonly string[];
} {
  const counts = new Map<string, number>();
  const events: string[] = [];
  for (const { path, executions } of trial.ledger.commands) {
    if (executions.length > 0) counts.set(path, executions.length);
    for (const { records } of executions) for (const { id } of records) events.push(id);
  }
  return { counts, events };
}

/** What was asked of a service: equal, or not comparable where a model's answer stands in it. */
function compareRequests(trial: TrialRecords, control: TrialRecords): readonly Comparison[] {
  const isFree = trial.ofType('model_call.requested').length > 0;
  return trial.ledger.commands.flatMap(({ path, executions }) => {
    const ours = executions[0]?.records[0];
    const theirs = control.ledger.commands.find((command) => command.path === path)?.executions[0]?.records[0];
    if (ours === undefined || theirs === undefined) return [];
    const what = `request of ${path}`;
    const compared = digestsToComparison(what, ours, theirs, (event) => textIn(event.data, 'request_digest'));
    if (compared.verdict !== 'differs' || !isFree) return [compared];
    const text = 'the requests differ; a model was asked in both runs and may answer otherwise';
    return [{ ...compared, verdict: 'not comparable', text }];
  });
}

function compareModels(trial: TrialRecords, control: TrialRecords): readonly Comparison[] {
  const ids = (one: TrialRecords): readonly string[] => one.ofType('model_call.completed').map(({ id }) => id);
  const sides = { control: ids(control), faulted: ids(trial) };
  if (sides.control.length + sides.faulted.length === 0) return [];
  const text = 'a model may answer otherwise each time; its answers are not compared';
  return [{ what: 'answers of models', verdict: 'not comparable', text, ...sides }];
}
