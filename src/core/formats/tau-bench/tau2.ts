/**
 * Results of τ²-bench, `{info, tasks, simulations}`, as results of the first version: a simulation is a run, with times, counts and costs.
 *
 * Invariant: what the simulated customer does with tools of its own is no act of the agent, and the agent never saw it.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { valueToUsage } from '../chat/usage.ts';
import type { EventDraft } from '../draft.ts';
import { listAt, memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { valueToTime } from '../times.ts';

export function isSimulation(value: JsonValue): value is JsonObject {
  return (
    isJsonObject(value) &&
    listAt(value, 'messages') !== undefined &&
    'task_id' in value &&
    'termination_reason' in value
  );
}

interface Simulation {
  /** In the form of the first version. */
  readonly result: JsonObject;
  /** The messages of `result.traj`, as they were recorded. */
  readonly messages: readonly JsonObject[];
  /** What the customer did with tools. */
  readonly aside: readonly JsonObject[];
}

export function toSimulation(value: JsonObject): Simulation {
  const all = (listAt(value, 'messages') ?? []).flatMap(bundled).filter(isJsonObject);
  const aside = all.filter((message) => textAt(message, 'role') === 'tool' && textAt(message, 'requestor') === 'user');
  const messages = all.filter((message) => !aside.includes(message));
  const reason = textAt(value, 'termination_reason') ?? '';
  const info = withoutUndefined({
    reward_info: memberAt(value, 'reward_info'),
    error: /error|max_steps/.test(reason) ? reason : undefined,
  });
  const rest = restOf(value, new Set(['messages', 'reward_info']));
  const reward = numberAt(objectAt(value, 'reward_info'), 'reward');
  return {
    result: withoutUndefined({
      ...rest,
      traj: messages.map((message, n) => (n === 0 ? toFirst(message) : toChat(message))),
      info,
      reward,
    }),
    messages,
    aside,
  };
}

/** Answers to several calls at once stand in one message. */
function bundled(message: JsonValue): readonly JsonValue[] {
  return isJsonObject(message) ? (listAt(message, 'tool_messages') ?? [message]) : [];
}

const beside: ReadonlySet<string> = new Set(['timestamp', 'usage', 'cost', 'requestor', 'error', 'id']);

function toChat(message: JsonObject): JsonObject {
  const rest = restOf(message, beside);
  if (textAt(message, 'role') !== 'tool') return rest;
  return withoutUndefined({
    ...rest,
    tool_call_id: memberAt(message, 'id'),
    status: message['error'] === true ? 'error' : undefined,
  });
}

/** The environment greets the customer in the name of the agent: no model was asked, and nothing was counted. */
function toFirst(message: JsonObject): JsonObject {
  const isGreeting = textAt(message, 'role') === 'assistant' && memberAt(message, 'usage') === undefined;
  return isGreeting ? { ...toChat(message), role: 'greeting' } : toChat(message);
}

/** Times, counts and costs to the events of the message that has them. */
export function withMessages(
  drafts: readonly EventDraft[],
  messages: readonly JsonObject[],
  clock: string,
): EventDraft[] {
  return drafts.map((draft) => {
    const n = /^message (\d+)$/.exec(draft.record ?? '')?.[1];
    const message = n === undefined ? undefined : messages[Number(n)];
    if (message === undefined) return draft;
    const time = valueToTime(memberAt(message, 'timestamp'))?.time;
    const timed = time === undefined ? draft : { ...draft, time, clock };
    if (draft.type !== 'model_call.completed') return timed;
    const cost = numberAt(message, 'cost');
    const counted = withoutUndefined({
      usage: valueToUsage(memberAt(message, 'usage')),
      cost: cost === undefined || cost === 0 ? undefined : { amount: cost, currency: 'USD' },
    });
    return { ...timed, data: { ...draft.data, ...counted } };
  });
}
