/**
 * A list of chat messages, and nothing else, as the events of a run: what formats give that kept only the conversation.
 *
 * Invariant: without ids, an event is named by the place of its message in the list, which is all the identity there is. A call and
 * its result are joined by the provider's call id (recorded); everything else follows the order of the list (rule `message-order`).
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { digest, type EventId } from '../../model/index.ts';
import { type CauseDraft, type EventDraft, recordToEventId } from '../draft.ts';
import { restOf, textAt, withoutUndefined } from '../members.ts';
import { type ChatCall, messagesToAnswers, messagesToCalls } from './calls.ts';
import type { ChatMessage } from './messages.ts';

export const conversationRules = {
  'message-order': 'A message was written with all messages before it in the list in its context.',
  'next-unanswered-call': 'A result without a call id answers the first call before it that has no result yet.',
} as const;

interface Talk {
  readonly run: string;
  readonly agent: string;
  readonly words: ToolWords;
  /** What came since the last answer of the model: its context. */
  fresh: EventId[];
  readonly calls: { readonly event: EventId; readonly call: ChatCall; answered: boolean }[];
}

/** What a format knows of its tools. */
interface ToolWords {
  /** Whether these are the words by which a tool tells that it failed. */
  readonly saysFailed: (response: string) => boolean;
  /** Whether a tool of this name looks and changes nothing. */
  readonly isReading: (name: string) => boolean;
}

export function conversationToDrafts(
  run: string,
  messages: readonly ChatMessage[],
  words: ToolWords,
): readonly EventDraft[] {
  const talk: Talk = { run, agent: 'agent', words, fresh: [recordToEventId(run, 'run')], calls: [] };
  return messages.flatMap((message, n) => messageToDrafts(talk, message, n));
}

function messageToDrafts(talk: Talk, message: ChatMessage, n: number): readonly EventDraft[] {
  const id = recordToEventId(talk.run, `m${n}`);
  const extra = restOf(message, new Set(['role', 'parts']));
  const shared = { run: talk.run, record: `message ${n}`, extra };
  if (message.role === 'assistant') return answerToDrafts(talk, message, n, { ...shared, id });
  if (message.role === 'tool') return resultToDrafts(talk, message, { ...shared, id });
  const causes = contextOf(talk, 'caused_by');
  talk.fresh = [...talk.fresh, id];
  const content: JsonValue = message.parts;
  if (message.role === 'user') {
    return [
      {
        ...shared,
        id,
        type: 'input.received',
        causes,
        principal: { id: 'user', kind: 'human' },
        data: { name: 'message', value: content },
      },
    ];
  }
  return [{ ...shared, id, type: 'message.sent', causes, data: { to: talk.agent, role: message.role, content } }];
}

function contextOf(talk: Talk, as: CauseDraft['as']): readonly CauseDraft[] {
  const events = as === 'caused_by' ? talk.fresh.slice(-1) : talk.fresh;
  return events.map((event) => ({ event, as, rule: 'message-order' }));
}

interface Shared {
  readonly run: string;
  readonly record: string;
  readonly extra: JsonObject;
  readonly id: EventId;
}

function answerToDrafts(talk: Talk, message: ChatMessage, n: number, shared: Shared): readonly EventDraft[] {
  const calls = messagesToCalls([message]);
  const step = `m${n}`;
  const completed: EventDraft = {
    ...shared,
    type: 'model_call.completed',
    agent: talk.agent,
    step,
    causes: contextOf(talk, 'consumed'),
    command: { path: `/model:message=${step}`, kind: 'model', name: 'model', identity: 'derived', attempt: 1 },
    data: { operation: 'chat', output_messages: [{ role: message.role, parts: message.parts }], result: message.parts },
  };
  talk.fresh = [shared.id];
  if (calls.length === 0) return [completed];
  const decision = recordToEventId(talk.run, step, 'decision');
  const chosen: JsonValue = calls.map((call) => withoutUndefined({ tool: call.name, call_id: call.id }));
  const decided: EventDraft = {
    ...shared,
    id: decision,
    extra: {},
    type: 'decision.made',
    agent: talk.agent,
    step,
    causes: [{ event: shared.id, as: 'consumed' }],
    command: {
      path: `/decide:tools=${step}`,
      kind: 'decide',
      name: 'tools',
      identity: 'derived',
      args: digest({ chosen }),
    },
    data: { args: { chosen }, chosen, result: chosen, rule: 'decision-from-tool-calls' },
  };
  const dispatched = calls.map((call, at): EventDraft => {
    const event = recordToEventId(talk.run, step, `call${at}`);
    talk.calls.push({ event, call, answered: false });
    return {
      ...shared,
      id: event,
      extra: {},
      type: 'tool_call.dispatched',
      agent: talk.agent,
      step,
      causes: [{ event: decision, as: 'selected_by' }],
      command: commandOf(talk, call, step, at, true),
      data: withoutUndefined({
        tool: call.name,
        call_id: call.id,
        args: call.args,
        effect: talk.words.isReading(call.name) ? 'none' : undefined,
      }),
    };
  });
  return [completed, decided, ...dispatched];
}

function commandOf(talk: Talk, call: ChatCall, step: string, at: number, issues: boolean): JsonObject {
  const path = `/tool:${call.name}=${step}.${at}`;
  return withoutUndefined({
    path,
    kind: talk.words.isReading(call.name) ? 'read' : undefined,
    name: call.name,
    identity: 'derived',
    attempt: 1,
    args: issues ? digest(call.args) : undefined,
  });
}

function resultToDrafts(talk: Talk, message: ChatMessage, shared: Shared): readonly EventDraft[] {
  const [answer] = messagesToAnswers([message]);
  const named = answer?.id === undefined ? undefined : talk.calls.findLast(({ call }) => call.id === answer.id);
  const found = named ?? talk.calls.find(({ answered }) => !answered);
  const rule = named === undefined ? 'next-unanswered-call' : undefined;
  if (found !== undefined) found.answered = true;
  const causes: CauseDraft[] =
    found === undefined ? [...contextOf(talk, 'caused_by')] : [{ event: found.event, as: 'result_of', rule }];
  talk.fresh = [...talk.fresh, shared.id];
  const response = answer?.response ?? null;
  const text = typeof response === 'string' ? response : JSON.stringify(response);
  const failed = answer?.isError === true || textAt(message, 'status') === 'error' || talk.words.saysFailed(text);
  return [
    {
      ...shared,
      type: failed ? 'tool_call.failed' : 'tool_call.completed',
      agent: talk.agent,
      causes,
      command: found === undefined ? undefined : commandFor(talk, found.event, found.call),
      data: withoutUndefined({
        tool: found?.call.name ?? textAt(message, 'name'),
        call_id: answer?.id,
        result: failed ? undefined : response,
        error: failed ? { name: 'ToolError', message: text } : undefined,
      }),
    },
  ];
}

function commandFor(talk: Talk, event: EventId, call: ChatCall): JsonObject {
  const found = /\/(m\d+):call(\d+)$/.exec(event);
  return commandOf(talk, call, found?.[1] ?? '', Number(found?.[2] ?? 0), false);
}
