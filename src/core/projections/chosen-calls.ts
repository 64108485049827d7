/**
 * What a decision chose with what it was called with, where the decision itself names only the calls: their own records have it.
 *
 * Invariant: a call is joined by its id, or, where the decision names but one and one came of it, by that; nothing else is guessed.
 * Called for titles.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { memberOf, payloadOf, textAt } from '../causal/index.ts';
import type { HindcastEvent } from '../model/index.ts';
import type { TraceView } from './trace-view.ts';

/** Decisions that choose more at once are counted by tool in their title. */
const mostJoined = 8;

export function withCalls(view: TraceView, position: number, event: HindcastEvent): HindcastEvent {
  if (event.type !== 'decision.made') return event;
  const data = payloadOf(event);
  const chosen = memberOf(data, 'chosen');
  if (!isJsonArray(chosen) || chosen.length === 0 || chosen.length > mostJoined) return event;
  if (!chosen.every((one) => textAt(one, 'tool') !== undefined)) return event;
  const calls = callsOf(view, position);
  if (calls.length === 0) return event;
  const told = chosen.map((one) => withArgs(one, calls, chosen.length === 1));
  return { ...event, data: { ...data, chosen: told } };
}

function callsOf(view: TraceView, position: number): readonly JsonObject[] {
  const calls: JsonObject[] = [];
  for (const { to } of view.effectsOf(position)) {
    const type = view.index.type(to);
    if (type === 'tool_call.dispatched' || type === 'agent.spawned') calls.push(view.data(to));
    if (calls.length >= 4 * mostJoined) break;
  }
  return calls;
}

function withArgs(one: JsonValue, calls: readonly JsonObject[], isOnly: boolean): JsonValue {
  if (!isJsonObject(one) || memberOf(one, 'args') !== undefined) return one;
  const id = textAt(one, 'call_id');
  const named = id === undefined ? undefined : calls.find((call) => textAt(call, 'call_id') === id);
  const [first, second] = calls;
  const call = named ?? (isOnly && second === undefined ? first : undefined);
  const args = memberOf(call, 'args');
  return args === undefined ? one : { ...one, args };
}
