/**
 * Raw requests and responses of model APIs (OpenAI chat and Responses, Anthropic, Gemini) to the payload of a model call.
 *
 * Invariant: what has no place in the payload is in `rest`, so that the caller can keep it; nothing is guessed from a model's name.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { firstText, listAt, memberAt, restOf, textAt } from '../members.ts';
import { type ChatMessage, valueToMessages } from './messages.ts';
import { valueToUsage } from './usage.ts';

interface ModelRequest {
  readonly model: string | undefined;
  readonly system: JsonValue | undefined;
  readonly messages: readonly ChatMessage[];
  readonly tools: JsonValue | undefined;
  /** Everything that steers the answer: temperature, limits, choice of tools. */
  readonly parameters: JsonObject;
}

const requestMembers: ReadonlySet<string> = new Set([
  'model',
  'system',
  'instructions',
  'messages',
  'input',
  'contents',
  'tools',
  'systemInstruction',
  'system_instruction',
]);

export function valueToRequest(value: JsonObject): ModelRequest {
  const body = memberAt(value, 'messages') ?? memberAt(value, 'input') ?? memberAt(value, 'contents');
  return {
    model: textAt(value, 'model'),
    system:
      memberAt(value, 'system') ??
      memberAt(value, 'instructions') ??
      memberAt(value, 'systemInstruction') ??
      memberAt(value, 'system_instruction'),
    messages: valueToMessages(body, 'user'),
    tools: memberAt(value, 'tools'),
    parameters: restOf(value, requestMembers),
  };
}

interface ModelResponse {
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly messages: readonly ChatMessage[];
  readonly usage: JsonObject | undefined;
  readonly finishReasons: readonly string[] | undefined;
}

/** Undefined where the value is no response of a known API. */
export function valueToResponse(value: JsonValue | undefined): ModelResponse | undefined {
  if (!isJsonObject(value)) return undefined;
  const found =
    choicesToMessages(value) ?? outputToMessages(value) ?? candidatesToMessages(value) ?? contentToMessages(value);
  if (found === undefined) return undefined;
  return {
    id: firstText(value, 'id', 'responseId'),
    model: firstText(value, 'model', 'modelVersion'),
    messages: found.messages,
    usage: valueToUsage(memberAt(value, 'usage') ?? memberAt(value, 'usageMetadata')),
    finishReasons: found.reasons.length > 0 ? found.reasons : undefined,
  };
}

interface Found {
  readonly messages: readonly ChatMessage[];
  readonly reasons: readonly string[];
}

/** OpenAI chat completions, and all that copy them. */
function choicesToMessages(value: JsonObject): Found | undefined {
  const choices = listAt(value, 'choices');
  return choices === undefined ? undefined : alternativesToFound(choices, ['message', 'delta']);
}

function candidatesToMessages(value: JsonObject): Found | undefined {
  const candidates = listAt(value, 'candidates');
  return candidates === undefined ? undefined : alternativesToFound(candidates, ['content']);
}

function alternativesToFound(alternatives: readonly JsonValue[], members: readonly string[]): Found {
  const messages: ChatMessage[] = [];
  const reasons: string[] = [];
  for (const one of alternatives) {
    const held = members.map((member) => memberAt(one, member)).find((member) => member !== undefined);
    messages.push(...valueToMessages(held ?? memberAt(one, 'text'), 'assistant'));
    const reason = firstText(one, 'finish_reason', 'finishReason', 'stop_reason');
    if (reason !== undefined) reasons.push(reason);
  }
  return { messages, reasons };
}

/** OpenAI Responses. */
function outputToMessages(value: JsonObject): Found | undefined {
  const output = listAt(value, 'output');
  if (output === undefined) return undefined;
  const status = textAt(value, 'status');
  return { messages: valueToMessages(output, 'assistant'), reasons: status === undefined ? [] : [status] };
}

/** Anthropic. */
function contentToMessages(value: JsonObject): Found | undefined {
  const content = memberAt(value, 'content');
  if (!isJsonArray(content) || memberAt(value, 'role') === undefined) return undefined;
  const message = { role: textAt(value, 'role') ?? 'assistant', content };
  const reason = textAt(value, 'stop_reason');
  return { messages: valueToMessages(message, 'assistant'), reasons: reason === undefined ? [] : [reason] };
}
