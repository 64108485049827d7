/**
 * Messages of every chat API seen in traces to one form: `{role, name?, parts: [...]}`, the form of the GenAI conventions.
 *
 * Read here: OpenAI chat and Responses items, Anthropic, Gemini, LangChain (serialised, as dictionaries, and plain), Vercel AI,
 * Inspect, and the conventions themselves. Invariant: unknown members stay on the message under their own name, so nothing is lost;
 * a value that is no message becomes the text or data part of one.
 */
import { createTable } from '../../base/table.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { listAt, memberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { answerToPart, callToPart, contentToParts } from './parts.ts';

export interface ChatMessage extends JsonObject {
  readonly role: string;
  readonly parts: readonly JsonObject[];
}

const classToRole: Readonly<Record<string, string>> = createTable({
  HumanMessage: 'user',
  HumanMessageChunk: 'user',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  SystemMessage: 'system',
  ToolMessage: 'tool',
  FunctionMessage: 'tool',
  human: 'user',
  ai: 'assistant',
  system: 'system',
  tool: 'tool',
  function: 'tool',
});

/** All messages in a value: a list, one message, a list of lists (LangChain batches), a text, or a holder of `messages`. */
export function valueToMessages(value: JsonValue | undefined, role: string): ChatMessage[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return value === '' ? [] : [{ role, parts: contentToParts(value) }];
  if (!isJsonArray(value)) return isJsonObject(value) ? objectToMessages(value, role) : [dataToMessage(value, role)];
  if (value.length > 0 && value.every(isPart)) return [{ role, parts: contentToParts(value) }];
  const out: ChatMessage[] = [];
  for (const item of value) for (const message of valueToMessages(item, role)) out.push(message);
  return out;
}

function objectToMessages(value: JsonObject, role: string): ChatMessage[] {
  const held = listAt(value, 'messages');
  if (held !== undefined && memberAt(value, 'role') === undefined) return valueToMessages(held, role);
  return [objectToMessage(value, role)];
}

function dataToMessage(value: JsonValue, role: string): ChatMessage {
  return { role, parts: [{ type: 'data', content: value }] };
}

/** A block of content, which belongs to a message that the list stands for. */
function isPart(item: JsonValue): boolean {
  if (!isJsonObject(item) || memberAt(item, 'role') !== undefined || memberAt(item, 'kwargs') !== undefined)
    return false;
  const kind = textAt(item, 'type');
  return (
    textAt(item, 'toolName') !== undefined ||
    kind === 'text' ||
    kind === 'thinking' ||
    kind === 'tool_use' ||
    kind === 'tool_result' ||
    kind === 'output_text'
  );
}

/** One message. `role` is used where the record has none. */
export function objectToMessage(value: JsonObject, role: string): ChatMessage {
  const kwargs = objectAt(value, 'kwargs');
  if (kwargs !== undefined && (value['type'] === 'constructor' || 'lc' in value)) {
    const names = listAt(value, 'id') ?? [];
    const name = names.at(-1);
    const kind = typeof name === 'string' ? name : '';
    return bodyToMessage(kwargs, classToRole[kind] ?? textAt(kwargs, 'role') ?? role, {});
  }
  const kind = textAt(value, 'type');
  const data = objectAt(value, 'data');
  if (kind !== undefined && classToRole[kind] !== undefined && memberAt(value, 'role') === undefined) {
    const body = data ?? restOf(value, new Set(['type']));
    return bodyToMessage(
      body,
      classToRole[kind] ?? role,
      data === undefined ? {} : restOf(value, new Set(['type', 'data'])),
    );
  }
  if (memberAt(value, 'role') === undefined && kind !== undefined && kind !== 'message')
    return itemToMessage(value, kind, role);
  return bodyToMessage(value, textAt(value, 'role') ?? role, {});
}

/** Items of the Responses API that stand beside messages. */
function itemToMessage(value: JsonObject, kind: string, role: string): ChatMessage {
  switch (kind) {
    case 'function_call':
    case 'custom_tool_call':
      return { role: 'assistant', parts: [callToPart(value)] };
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'tool', parts: [answerToPart(value)] };
    case 'reasoning': {
      const parts = [...contentToParts(memberAt(value, 'summary')), ...contentToParts(memberAt(value, 'content'))];
      const text = parts.map((part) => ({ ...part, type: 'reasoning' }));
      return {
        role: 'assistant',
        parts: text.length === 0 ? [{ type: 'reasoning', content: '' }] : text,
        ...restOf(value, new Set(['type', 'summary', 'content'])),
      };
    }
    default:
      return { role: kind.endsWith('_call') ? 'assistant' : role, parts: [value] };
  }
}

const bodyMembers: ReadonlySet<string> = new Set([
  'role',
  'content',
  'parts',
  'tool_calls',
  'toolCalls',
  'function_call',
  'tool_call_id',
  'additional_kwargs',
  'reasoning_content',
  'type',
]);

function bodyToMessage(body: JsonObject, role: string, more: JsonObject): ChatMessage {
  const kwargs = objectAt(body, 'additional_kwargs');
  const extra = kwargs === undefined ? {} : restOf(kwargs, new Set(['tool_calls', 'function_call']));
  const parts = bodyToParts(body, role === 'model' ? 'assistant' : role);
  const kind = textAt(body, 'type');
  const odd = kind !== undefined && kind !== 'message' && classToRole[kind] === undefined ? { type: kind } : {};
  const rest = { ...odd, ...restOf(body, bodyMembers), ...more };
  const kept = Object.keys(extra).length > 0 ? { additional_kwargs: extra } : {};
  return { role: role === 'model' ? 'assistant' : role, parts, ...rest, ...kept };
}

function bodyToParts(body: JsonObject, role: string): readonly JsonObject[] {
  const content = memberAt(body, 'parts') ?? memberAt(body, 'content');
  const answered = textAt(body, 'tool_call_id');
  if (answered !== undefined || role === 'tool' || role === 'function') {
    const parts = contentToParts(content);
    // Already answers (conventions, Vercel), or calls that a framework wrote under this role.
    if (parts.some((part) => part['type'] === 'tool_call_response' || part['type'] === 'tool_call')) return parts;
    return [withoutUndefined({ type: 'tool_call_response', id: answered, response: content ?? null })];
  }
  const reasoning = textAt(body, 'reasoning_content');
  const thought: readonly JsonObject[] = reasoning === undefined ? [] : [{ type: 'reasoning', content: reasoning }];
  return withCalls([...thought, ...contentToParts(content)], body);
}

/** Calls beside the content: each id once, however many places name it. */
function withCalls(parts: readonly JsonObject[], body: JsonObject): readonly JsonObject[] {
  const kwargs = objectAt(body, 'additional_kwargs');
  const calls = listAt(body, 'tool_calls') ?? listAt(body, 'toolCalls') ?? listAt(kwargs, 'tool_calls') ?? [];
  const listed = calls.length > 0 ? calls : (listAt(kwargs, 'tool_calls') ?? []);
  const old = objectAt(body, 'function_call') ?? objectAt(kwargs, 'function_call');
  const all = old !== undefined && listed.length === 0 ? [old] : listed;
  const known = new Set(parts.filter(({ type }) => type === 'tool_call').map(({ id }) => id));
  const added = all.map(callToPart).filter(({ id }) => id === undefined || !known.has(id));
  return added.length === 0 ? parts : [...parts, ...added];
}
