/**
 * Model calls of a trial, those made again after a kill, and what these cost (R136).
 *
 * Invariant: a call is made again where a later life asks for a command that another life had asked for. Replayed observations are no
 * calls. Where a request may be missing, those that are seen are a lower bound, and none are not known. Called by outcome.ts.
 */
import type { EventOf, HindcastEvent } from '../model/index.ts';
import { lifeKey } from '../projections/effects/lives.ts';
import { findMissingWork, findUnreadOf } from './missing-records.ts';
import type { ModelCost } from './report.ts';
import type { TrialRecords } from './trial-records.ts';

type Requested = EventOf<'model_call.requested'>;

/** `control`: what the trial that it is compared with has. */
export function computeModels(trial: TrialRecords, control: ModelCost | undefined): ModelCost {
  const served = trial.ofType('model_call.served');
  const all = trial.ofType('model_call.requested');
  const answered = new Set(served.flatMap(({ causes = [] }) => causes.map(({ event }) => event)));
  // What the model's side served was asked, whatever the caller marks its request as.
  const asked = all.filter(({ id, replayed }) => replayed !== true || answered.has(id));
  const extra = asked.filter((event, i) => isAskedAgain(asked, i, event));
  const unseen = findUnseen(trial, served, all);
  const costs = extra.map((event) => costOf(trial, event));
  const known = costs.filter((cost) => cost !== undefined);
  const { calls, isAtLeast } = countCalls(trial, served, asked);
  const isCompared = control !== undefined && unseen === undefined && !isAtLeast;
  return {
    calls,
    ...(isAtLeast ? { callsAtLeast: true } : {}),
    extraCalls: extra.length,
    beyondControl:
      isCompared && control.unseen === undefined && control.callsAtLeast === undefined
        ? calls - control.calls
        : undefined,
    extraCost:
      known.length === extra.length && (extra.length > 0 || unseen === undefined)
        ? sumOf(known.map(({ amount }) => amount))
        : undefined,
    currency: costs[0]?.currency,
    extraEvents: extra.map(({ id }) => id),
    ...(unseen === undefined ? {} : { unseen }),
  };
}

/** Those served, and those that the caller has an answer of though no record of the model's side names them. */
function countCalls(
  trial: TrialRecords,
  served: readonly EventOf<'model_call.served'>[],
  asked: readonly Requested[],
): { readonly calls: number; readonly isAtLeast: boolean } {
  if (served.length === 0) return { calls: asked.length, isAtLeast: false };
  const left = asked.filter(({ id }) => !served.some((event) => names(event, id)));
  const isJoined = served.length + left.length === asked.length;
  if (!isJoined || left.length === 0) return { calls: served.length, isAtLeast: false };
  const completed = trial.ofType('model_call.completed').filter(({ replayed }) => replayed !== true);
  const done = left.filter((event) => completed.some((end) => isOfOneLife(end, event)));
  const components = new Set(served.map(({ source }) => source.component));
  // One that was never served, or one whose record is missing.
  const mayBeMissing =
    trial.input.gaps.some(({ component }) => component === undefined || components.has(component)) ||
    findUnreadOf(trial, /^model_call\./) !== undefined;
  return { calls: served.length + done.length, isAtLeast: mayBeMissing && done.length < left.length };
}

/** What may be a request of which no record is here, or one of which a record says that it was not sent. */
function findUnseen(
  trial: TrialRecords,
  served: readonly EventOf<'model_call.served'>[],
  all: readonly Requested[],
): ModelCost['unseen'] {
  const strays = [...straysOf(trial, served, all), ...unaskedOf(trial, all)];
  if (strays.length > 0) return { why: 'an answer of the model has no recorded request', events: idsOf(strays) };
  const unread = findUnreadOf(trial, /^model_call\./);
  if (unread !== undefined) return { why: unread.text, events: [] };
  if (served.length > 0) return undefined;
  const marked = all.filter((event, i) => event.replayed === true && isAskedAgain(all, i, event));
  if (marked.length > 0)
    return {
      why: 'no record of the model is here, and a request marked as replayed may have been sent',
      events: idsOf(marked),
    };
  const missing = findMissingWork(trial);
  return missing === undefined ? undefined : { why: missing.text, events: missing.events };
}

/** Served for a request that is not here, or more often than was asked. */
function straysOf(
  trial: TrialRecords,
  served: readonly EventOf<'model_call.served'>[],
  all: readonly Requested[],
): readonly HindcastEvent[] {
  const unjoined = served.filter((event) => !all.some(({ id }) => names(event, id)));
  const strays = unjoined.filter(({ causes = [] }) => causes.some(({ event }) => trial.find(event) === undefined));
  return strays.length === 0 && served.length > all.length ? unjoined : strays;
}

/** Answers that a process recorded without a request of its own. */
function unaskedOf(trial: TrialRecords, all: readonly Requested[]): readonly HindcastEvent[] {
  return trial
    .ofType('model_call.completed')
    .filter((event) => event.replayed !== true && !all.some((asked) => isOfOneLife(event, asked)));
}

function names({ causes = [] }: HindcastEvent, id: string): boolean {
  return causes.some(({ event }) => event === id);
}

function isOfOneLife(one: HindcastEvent, other: HindcastEvent): boolean {
  return (
    one.run === other.run && one.command?.path === other.command?.path && lifeKey(one.source) === lifeKey(other.source)
  );
}

function idsOf(events: readonly HindcastEvent[]): readonly string[] {
  return events.map(({ id }) => String(id));
}

function isAskedAgain(asked: readonly Requested[], at: number, event: Requested): boolean {
  const path = event.command?.path;
  if (path === undefined) return false;
  return asked
    .slice(0, at)
    .some(
      (before) =>
        before.command?.path === path && before.run === event.run && lifeKey(before.source) !== lifeKey(event.source),
    );
}

interface Cost {
  readonly amount: number;
  readonly currency: string | undefined;
}

function costOf(trial: TrialRecords, asked: HindcastEvent): Cost | undefined {
  const answers = trial.ofType('model_call.served', 'model_call.completed');
  for (const { causes, data } of answers) {
    const isOurs = causes?.some(({ event }) => event === asked.id) === true;
    const amount = data.cost?.amount;
    if (isOurs && amount !== undefined) return { amount, currency: data.cost?.currency };
  }
  return undefined;
}

/** Prices are decimal fractions: a sum is not told to more digits than they have. */
function sumOf(amounts: readonly number[]): number {
  return Number(amounts.reduce((sum, amount) => sum + amount, 0).toPrecision(12));
}
