/**
 * Effects that callers were told of, beside those of the ledger (R100, R125): an answer that names another one is told.
 *
 * Invariant: a command without a record of its service has nothing to be held against. What an answer names stands under `effect_id`,
 * or is a value of it that names an effect as `like-ids.ts` says. Called by invariants.ts, outcome.ts and validity.ts.
 */
import type { EventOf, HindcastEvent } from '../model/index.ts';
import type { EffectCommand } from '../projections/effects/ledger.ts';
import { type Known, otherIdsIn, placesOf, toShape } from '../projections/effects/like-ids.ts';
import { wordsOf } from '../projections/effects/told.ts';
import { effectIdOf } from '../projections/effects/verdict.ts';
import { textIn } from './trial-records.ts';

interface ToldEffect {
  readonly id: string;
  readonly event: HindcastEvent;
}

/** Effects that an answer names, or that a saved answer is of, and that the ledger of this run does not have for the command. */
export function effectsNotInLedger(command: EffectCommand): readonly ToldEffect[] {
  const { attempts, executions, hasServiceRecords, hasStandIns } = command;
  if (!hasServiceRecords) return [];
  const ids = new Set(executions.flatMap(({ effectId }) => effectId ?? []));
  const saved = attempts.flatMap(({ records }) => records.deduplicated);
  const told = saved.flatMap((event) => toTold(savedIdOf(event), event));
  const acknowledged = attempts.flatMap(({ records }) => records.acknowledged);
  const events = hasStandIns
    ? acknowledged.filter(({ data }) => textIn(data, 'effect_id') !== undefined)
    : acknowledged;
  const known: Known = {
    ids,
    shapes: new Set([...ids, ...told.map(({ id }) => id)].map(toShape)),
    words: attempts.flatMap(wordsOf),
    places: new Set(events.flatMap(({ data }) => placesOf(data.response, ids))),
  };
  const answers = events.flatMap((event) => idsToldBy(event, known).map((id): ToldEffect => ({ id, event })));
  const strange = [...answers, ...told].filter(({ id }) => !ids.has(id));
  return strange.filter(({ id, event }, at) => strange.findIndex((one) => one.id === id && one.event === event) === at);
}

function toTold(id: string | undefined, event: HindcastEvent): readonly ToldEffect[] {
  return id === undefined ? [] : [{ id, event }];
}

function savedIdOf(event: HindcastEvent): string | undefined {
  return textIn(event.data, 'effect_id') ?? effectIdOf(event);
}

function idsToldBy({ data }: EventOf<'tool_call.acknowledged'>, known: Known): readonly string[] {
  const named = textIn(data, 'effect_id');
  if (named !== undefined) return [named];
  // A refusal made nothing.
  if (typeof data.http_status === 'number' && data.http_status >= 400) return [];
  return otherIdsIn(data.response, known);
}

export function toldToText(told: readonly ToldEffect[]): string {
  const names = [...new Set(told.map(({ id }) => id))].join(', ');
  return `a caller was told of ${names}, which the ledger of this run does not have`;
}
