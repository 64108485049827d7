/**
 * Activities that are model calls: what they ask and what they answer, in the form of the conventions.
 *
 * An activity is a model call when its only argument holds a request (messages, contents or input items beside a model, its settings
 * or its instructions), or when its type is that of a known integration (`invoke_model`, `invoke_model_activity`, `invokeModel…`).
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { valueToRequest, valueToResponse } from '../chat/api.ts';
import { type ChatCall, messagesToCalls } from '../chat/calls.ts';
import { type ChatMessage, valueToMessages } from '../chat/messages.ts';
import { valueToUsage } from '../chat/usage.ts';
import { firstText, isEmptyObject, listAt, memberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';

const requestParts = ['messages', 'contents', 'input'];
const requestSides = [
  'model',
  'model_name',
  'modelName',
  'model_settings',
  'modelSettings',
  'system_instructions',
  'instructions',
];

export function isModelActivity(name: string, args: JsonValue | undefined): boolean {
  if (/^invoke_?model(?:_?activity|_?stream(?:ing)?)?$/i.test(name)) return true;
  if (!isJsonObject(args)) return false;
  const speaks = requestParts.some((part) => isJsonArray(args[part]) || typeof args[part] === 'string');
  return speaks && requestSides.some((side) => Object.hasOwn(args, side));
}

const placed: ReadonlySet<string> = new Set([
  'model',
  'model_name',
  'system_instructions',
  'input',
  'contents',
  'messages',
  'tools',
  'handoffs',
  'config',
]);

/** The model a request names; its answer is told by the same name. */
export function requestModel(args: JsonValue | undefined): string | undefined {
  return isJsonObject(args) ? (valueToRequest(args).model ?? firstText(args, 'model_name', 'modelName')) : undefined;
}

/** The request beside the arguments: they stay what control code passed. */
export function requestMembers(args: JsonValue | undefined): JsonObject {
  if (!isJsonObject(args)) return { operation: 'chat' };
  const config = objectAt(args, 'config');
  const read = valueToRequest(args);
  const tools = [
    ...(listAt(args, 'tools') ?? []),
    ...(listAt(config, 'tools') ?? []),
    ...(listAt(args, 'handoffs') ?? []),
  ];
  const parameters = {
    ...restOf(args, placed),
    ...(config === undefined ? {} : restOf(config, new Set(['systemInstruction', 'tools']))),
  };
  return withoutUndefined({
    operation: 'chat',
    request_model: requestModel(args),
    system_instructions:
      read.system ??
      memberAt(args, 'system_instructions') ??
      memberAt(config, 'systemInstruction') ??
      memberAt(config, 'system_instruction'),
    input_messages: read.messages.length > 0 ? read.messages : undefined,
    tool_definitions: tools.length > 0 ? tools : undefined,
    parameters: isEmptyObject(parameters) ? undefined : parameters,
  });
}

/** The answer beside the result. */
export function answerMembers(result: JsonValue | undefined): JsonObject {
  const parts = answerParts(result);
  const messages = answerMessages(result);
  const last = parts.at(-1);
  const response = valueToResponse(last);
  const reason = firstText(last, 'finishReason', 'finish_reason', 'stop_reason');
  return withoutUndefined({
    response_id: firstText(last, 'response_id', 'id', 'responseId'),
    response_model: firstText(last, 'modelVersion', 'model_version', 'model'),
    output_messages: messages.length > 0 ? messages : undefined,
    // Parts of a stream repeat the count so far: the last one counts.
    usage: parts.map(usageOf).findLast((count) => count !== undefined),
    finish_reasons: response?.finishReasons ?? (reason === undefined ? undefined : [reason]),
  });
}

function usageOf(part: JsonValue): JsonObject | undefined {
  return valueToUsage(memberAt(part, 'usage') ?? memberAt(part, 'usageMetadata') ?? memberAt(part, 'usage_metadata'));
}

export function answerCalls(result: JsonValue | undefined): readonly ChatCall[] {
  return messagesToCalls(answerMessages(result));
}

/** One answer, or the list of its parts as they were streamed. */
function answerParts(result: JsonValue | undefined): readonly JsonValue[] {
  if (isJsonArray(result)) return result;
  return result === undefined || result === null ? [] : [result];
}

function answerMessages(result: JsonValue | undefined): readonly ChatMessage[] {
  if (typeof result === 'string') return valueToMessages(result, 'assistant');
  const messages: ChatMessage[] = [];
  for (const part of answerParts(result)) {
    if (!isJsonObject(part) || memberAt(part, 'partial') === true) continue;
    const content = memberAt(part, 'content');
    const held =
      valueToResponse(part)?.messages ??
      (content === undefined ? [] : valueToMessages(content, textAt(part, 'role') ?? 'assistant'));
    for (const message of held) messages.push(message);
  }
  return messages;
}
