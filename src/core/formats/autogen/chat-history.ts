/**
 * Messages of AutoGen 0.2 (`chat_history` of a `ChatResult`, `groupchat.messages`) in the form of AgentChat's.
 *
 * Invariant: who spoke is `name`; the role is that of the sender's side of a chat and says nothing of who spoke, so it stays beside. Only a
 * message that asks for tools is told as the answer of a model: nothing says of the others whether a model, a program or a person wrote them.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { listAt, memberAt, objectAt, textAt, withoutUndefined } from '../members.ts';

const roles: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'tool', 'function']);

/** A message of the chat; a call id of its own would be that of a provider's chat, which is another form. */
function isChatMessage(value: JsonValue): value is JsonObject {
  return (
    isJsonObject(value) &&
    roles.has(textAt(value, 'role') ?? '') &&
    'content' in value &&
    !('tool_call_id' in value) &&
    !('id' in value)
  );
}

/** One that names who spoke: what a list of messages needs to be one of AutoGen. */
function isNamedMessage(value: JsonValue): boolean {
  return isChatMessage(value) && textAt(value, 'name') !== undefined && !isJsonArray(memberAt(value, 'content'));
}

/** From 0 to 1, by the first records: a result with its history, or a list of which every message names its speaker. */
export function detectChat(objects: readonly JsonObject[]): number {
  const [first] = objects;
  const history = listAt(first, 'chat_history') ?? [];
  if (history.length > 0 && history.every(isChatMessage)) return 0.95;
  if (objects.length < 2 || !objects.every(isNamedMessage)) return 0;
  const speakers = new Set(objects.map((value) => textAt(value, 'name')));
  if (speakers.size < 2) return 0;
  return objects.some((value) => listAt(value, 'tool_responses') !== undefined) ? 0.95 : 0.85;
}

/** Undefined for what is no message of a chat. */
export function chatToAgentChat(value: JsonValue): JsonObject | undefined {
  if (!isChatMessage(value)) return undefined;
  const { content, name: _name, tool_calls: _calls, tool_responses: _responses, function_call: _call, ...rest } = value;
  const source = textAt(value, 'name') ?? textAt(value, 'role') ?? 'agent';
  const calls = callsOf(value);
  if (calls.length > 0)
    return {
      ...rest,
      source,
      type: 'ToolCallRequestEvent',
      content: calls,
      ...(content === null ? {} : { said: content ?? null }),
    };
  const answers = answersOf(value);
  if (answers.length > 0) return { ...rest, source, type: 'ToolCallExecutionEvent', content: answers };
  return { ...rest, source, type: 'TextMessage', content: content ?? '' };
}

function callsOf(message: JsonObject): readonly JsonObject[] {
  const legacy = objectAt(message, 'function_call');
  const listed = (listAt(message, 'tool_calls') ?? []).flatMap((call) => {
    const asked = objectAt(call, 'function');
    return asked === undefined ? [] : [withoutUndefined({ id: memberAt(call, 'id'), ...asked })];
  });
  return legacy === undefined ? listed : [...listed, legacy];
}

/** The program that ran a tool begins with these words when it could not. */
const failed = /^Error: /;

function answersOf(message: JsonObject): readonly JsonObject[] {
  const listed = listAt(message, 'tool_responses') ?? [];
  const answers = listed.map((answer) =>
    toAnswer(textAt(answer, 'tool_call_id'), undefined, memberAt(answer, 'content')),
  );
  if (answers.length > 0 || message['role'] !== 'function') return answers;
  return [toAnswer(undefined, textAt(message, 'name'), memberAt(message, 'content'))];
}

function toAnswer(callId: string | undefined, name: string | undefined, content: JsonValue | undefined): JsonObject {
  const isError = typeof content === 'string' && failed.test(content);
  return withoutUndefined({ call_id: callId, name, content: content ?? '', is_error: isError ? true : undefined });
}
