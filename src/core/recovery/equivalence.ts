/**
 * The faulted run beside its control: by digest where that is exact, else what is constrained, and a list of what cannot be compared
 * (R92, R93).
 *
 * Invariant: a digest is believed only where the value beside it, if there is one, is what it says; a record that contradicts itself
 * decides nothing.
 */
import { isJsonObject, type JsonValue } from '../base/json.ts';
import { containsHole } from '../base/withheld.ts';
import { digest, eventToMismatches, type HindcastEvent, mismatchToText } from '../model/index.ts';
import { computeCompletion } from './completion.ts';
import type { Comparison } from './report.ts';
import { textIn, type TrialRecords } from './trial-records.ts';

export function compareWithControl(trial: TrialRecords, control: TrialRecords): readonly Comparison[] {
  const isApart = areCopiesApart(trial, control);
  const values = [compareOutput(trial, control), ...compareStates(trial, control)];
  const requests = [...compareRequests(trial, control), ...compareModels(trial, control)];
  return [
    ...values.map((one) => (isApart ? toApart(one) : one)),
    compareEffects(trial, control, isApart),
    ...requests.map((one) => (isApart ? toApart(one) : one)),
  ];
}

/** Copies that were made one by one: one thing has one stand-in in each of them, and another one in every other. */
function areCopiesApart(trial: TrialRecords, control: TrialRecords): boolean {
  const hasStandIns = [trial, control].some(({ input }) => input.copy?.hasStandIns === true);
  return hasStandIns && !trial.input.traces.some((trace) => control.input.traces.includes(trace));
}

/** What is equal is equal in copies too; what differs may differ by its stand-ins. */
function toApart(compared: Comparison): Comparison {
  if (compared.verdict !== 'differs') return compared;
  const text = 'stand-ins of copies that were made apart differ, so this difference says nothing';
  return { ...compared, verdict: 'not comparable', text };
}

/** What one side records of a value: the digest that its writer made, else that of the value itself. */
interface Recorded {
  readonly digest: string | undefined;
  /** Of the value itself where it is whole. */
  readonly value: string | undefined;
  /** Why neither can be believed. */
  readonly doubt: string | undefined;
}

interface Side {
  readonly trial: TrialRecords;
  readonly event: HindcastEvent | undefined;
}

function digestsToComparison(what: string, faulted: Side, control: Side, member?: string): Comparison {
  const idsOf = ({ event }: Side): readonly string[] => (event === undefined ? [] : [event.id]);
  const sides = { control: idsOf(control), faulted: idsOf(faulted) };
  const [theirs, ours] = [toRecorded(control, member), toRecorded(faulted, member)];
  const notComparable = (text: string): Comparison => ({ what, verdict: 'not comparable', text, ...sides });
  const doubt = theirs.doubt === undefined ? ours.doubt : `in the control, ${theirs.doubt}`;
  if (doubt !== undefined) return notComparable(doubt);
  if (theirs.digest !== undefined && ours.digest !== undefined) {
    return theirs.digest === ours.digest
      ? { what, verdict: 'equal', text: 'the digests are equal', ...sides }
      : { what, verdict: 'differs', text: 'the digests differ', ...sides };
  }
  if (theirs.value !== undefined && ours.value !== undefined) {
    return theirs.value === ours.value
      ? { what, verdict: 'equal', text: 'the values are equal', ...sides }
      : { what, verdict: 'differs', text: 'the values differ', ...sides };
  }
  return notComparable(`${theirs.digest === undefined ? 'the control' : 'the faulted run'} has no digest of it`);
}

function toRecorded({ trial, event }: Side, member: string | undefined): Recorded {
  if (event === undefined) return { digest: undefined, value: undefined, doubt: undefined };
  const isCopy = trial.input.copy !== undefined;
  const contradiction = eventToMismatches(event, isCopy).find(({ is }) => is === 'other-value');
  const data: unknown = event.data;
  const value = member !== undefined && isJsonObject(data) ? data[member] : undefined;
  return {
    digest: textIn(data, member === undefined ? 'request_digest' : 'digest'),
    value: toValueDigest(value, isCopy),
    doubt: contradiction === undefined ? undefined : `its record contradicts itself: ${mismatchToText(contradiction)}`,
  };
}

/** What a copy shows may have stand-ins inside it, which are equal in no other copy. */
function toValueDigest(value: JsonValue | undefined, isCopy: boolean): string | undefined {
  return value === undefined || isCopy || containsHole(value) ? undefined : digest(value);
}

function compareOutput(trial: TrialRecords, control: TrialRecords): Comparison {
  const ended = (one: TrialRecords): Side => ({ trial: one, event: computeCompletion(one).by });
  return digestsToComparison('output of the run', ended(trial), ended(control), 'result');
}

/** The last of each state. */
function compareStates(trial: TrialRecords, control: TrialRecords): readonly Comparison[] {
  const last = (one: TrialRecords): Map<string, HindcastEvent> =>
    new Map(one.ofType('state.transitioned').map((event) => [event.data.name ?? 'state', event]));
  const [ours, theirs] = [last(trial), last(control)];
  return [...new Set([...theirs.keys(), ...ours.keys()])].map((name) =>
    digestsToComparison(
      `final state "${name}"`,
      { trial, event: ours.get(name) },
      { trial: control, event: theirs.get(name) },
      'value',
    ),
  );
}

/** How often each effect was executed; ids are the service's own and say nothing, and so do names of copies made apart. */
function compareEffects(trial: TrialRecords, control: TrialRecords, isApart: boolean): Comparison {
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
  if (isApart) return compareCounts(what, ours.counts, theirs.counts, sides);
  const paths = [...new Set([...theirs.counts.keys(), ...ours.counts.keys()])];
  const different = paths.filter((path) => ours.counts.get(path) !== theirs.counts.get(path));
  if (different.length === 0) return { what, verdict: 'equal', text: 'the same effects, as often', ...sides };
  const told = different.map(
    (path) => `${path}: ${theirs.counts.get(path) ?? 0} in the control, ${ours.counts.get(path) ?? 0} here`,
  );
  return { what, verdict: 'differs', text: told.join('; '), ...sides };
}

/** Without names: other numbers are a difference, and the same numbers no equality. */
function compareCounts(
  what: string,
  ours: ReadonlyMap<string, number>,
  theirs: ReadonlyMap<string, number>,
  sides: Pick<Comparison, 'control' | 'faulted'>,
): Comparison {
  const toText = (counts: ReadonlyMap<string, number>): string =>
    [...counts.values()].sort((a, b) => b - a).join(', ') || 'none';
  const [here, there] = [toText(ours), toText(theirs)];
  if (here === there) {
    const text = 'as many effects, as often; which they are, stand-ins of copies that were made apart do not say';
    return { what, verdict: 'not comparable', text, ...sides };
  }
  return { what, verdict: 'differs', text: `executions by effect: ${there} in the control, ${here} here`, ...sides };
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
    const compared = digestsToComparison(what, { trial, event: ours }, { trial: control, event: theirs });
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
