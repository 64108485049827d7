/**
 * Effects that callers were told of, beside those of the ledger (R100, R125): an answer that names another one is told.
 *
 * Invariant: a command without a record of its service has nothing to be held against. What an answer names stands under `effect_id`,
 * or is a value of it that is written as the ids of this command's effects are. Called by invariants.ts, outcome.ts and validity.ts.
 */
import type { JsonValue } from '../base/json.ts';
import type { EventOf, HindcastEvent } from '../model/index.ts';
import type { EffectCommand } from '../projections/effects/ledger.ts';
import { textsIn, textsLike, toShape } from '../projections/effects/like-ids.ts';
import { effectIdOf } from '../projections/effects/verdict.ts';
import { holdsText } from './engine-run.ts';
import { textIn } from './trial-records.ts';

interface ToldEffect {
  readonly id: string;
  readonly event: HindcastEvent;
}

/** Effects that an answer names, or that a saved answer is of, and that the ledger of this run does not have for the command. */
export function effectsNotInLedger({ attempts, executions, hasServiceRecords }: EffectCommand): readonly ToldEffect[] {
  if (!hasServiceRecords) return [];
  const known = new Set(executions.flatMap(({ effectId }) => effectId ?? []));
  const saved = attempts.flatMap(({ records }) => records.deduplicated);
  const told = saved.flatMap((event) => toTold(savedIdOf(event), event));
  const shapes = new Set([...known, ...told.map(({ id }) => id)].map(toShape));
  const answers = attempts.flatMap(({ records }) =>
    records.acknowledged.flatMap((event) => idsToldBy(event, known, shapes).map((id): ToldEffect => ({ id, event }))),
  );
  const strange = [...answers, ...told].filter(({ id }) => !known.has(id));
  return strange.filter(({ id, event }, at) => strange.findIndex((one) => one.id === id && one.event === event) === at);
}

function toTold(id: string | undefined, event: HindcastEvent): readonly ToldEffect[] {
  return id === undefined ? [] : [{ id, event }];
}

function savedIdOf(event: HindcastEvent): string | undefined {
  return textIn(event.data, 'effect_id') ?? effectIdOf(event);
}

function idsToldBy(
  event: EventOf<'tool_call.acknowledged'>,
  known: ReadonlySet<string>,
  shapes: ReadonlySet<string>,
): readonly string[] {
  const named = textIn(event.data, 'effect_id');
  if (named !== undefined) return [named];
  const { response } = event.data;
  if ([...known].some((id) => holdsText(response, id))) return [];
  return textsLike(textsIn(response), shapes);
}

/** Values that are written as these ids are, and are none of them; empty where one of them is among the values. */
export function otherIdsIn(value: JsonValue | undefined, ids: readonly string[]): readonly string[] {
  if (ids.some((id) => holdsText(value, id))) return [];
  return textsLike(textsIn(value), new Set(ids.map(toShape)));
}

export function toldToText(told: readonly ToldEffect[]): string {
  const names = [...new Set(told.map(({ id }) => id))].join(', ');
  return `a caller was told of ${names}, which the ledger of this run does not have`;
}
