/**
 * A stream of server-sent events of a model API to the response it stands for: Anthropic, OpenAI chat and Responses, Gemini.
 *
 * Usage is told several times while a stream runs: the last telling of each count stands, nothing is added.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import { listAt, memberAt, numberAt, objectAt, textAt, withoutUndefined } from '../members.ts';
import { jsonOrText, objectsAt } from '../session/fields.ts';

export function textToEvents(body: string): readonly JsonObject[] {
  const events: JsonObject[] = [];
  for (const block of body.split(/\r?\n\r?\n/)) {
    const data = block
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trim())
      .join('\n');
    const parsed = data === '' || data === '[DONE]' ? undefined : parseLossless(data);
    if (parsed?.ok === true && isJsonObject(parsed.value)) events.push(parsed.value);
  }
  return events;
}

/** In the form of a response that was not streamed; undefined where the events are of no known API. */
export function eventsToResponse(events: readonly JsonObject[]): JsonObject | undefined {
  const done = events.find((event) => textAt(event, 'type') === 'response.completed');
  if (done !== undefined) return objectAt(done, 'response');
  // The beginning of a stream may be lost; its blocks are still what was said.
  if (events.some((event) => /^(?:message_start|content_block_(?:start|delta))$/.test(textAt(event, 'type') ?? '')))
    return anthropic(events);
  if (events.some((event) => listAt(event, 'choices') !== undefined)) return openAi(events);
  return events.some((event) => listAt(event, 'candidates') !== undefined) ? gemini(events) : undefined;
}

function anthropic(events: readonly JsonObject[]): JsonObject {
  let message: JsonObject = {};
  let usage: JsonObject = {};
  const blocks: JsonObject[] = [];
  const inputs = new Map<number, string>();
  for (const event of events) {
    const at = numberAt(event, 'index') ?? 0;
    const delta = objectAt(event, 'delta');
    switch (textAt(event, 'type')) {
      case 'message_start':
        message = objectAt(event, 'message') ?? {};
        usage = { ...usage, ...objectAt(message, 'usage') };
        break;
      case 'content_block_start':
        blocks[at] = objectAt(event, 'content_block') ?? {};
        break;
      case 'content_block_delta':
        blocks[at] = grow(blocks[at] ?? {}, delta ?? {});
        inputs.set(at, (inputs.get(at) ?? '') + (textAt(delta, 'partial_json') ?? ''));
        break;
      case 'message_delta':
        message = { ...message, ...delta };
        usage = { ...usage, ...objectAt(event, 'usage') };
        break;
      default:
    }
  }
  const content = blocks.map((block, index) => {
    const input = inputs.get(index) ?? '';
    return input === '' ? block : { ...block, input: jsonOrText(input) ?? {} };
  });
  return { ...message, role: textAt(message, 'role') ?? 'assistant', content: content.filter(isJsonObject), usage };
}

function grow(block: JsonObject, delta: JsonObject): JsonObject {
  for (const key of ['text', 'thinking'] as const) {
    const more = memberAt(delta, key);
    if (typeof more === 'string') return { type: key, ...block, [key]: (textAt(block, key) ?? '') + more };
  }
  return block;
}

function openAi(events: readonly JsonObject[]): JsonObject {
  let head: JsonObject = {};
  let content = '';
  let reason: string | undefined;
  const calls: { id?: string | undefined; name: string; args: string }[] = [];
  for (const event of events) {
    const { choices: _, ...rest } = event;
    head = { ...head, ...withoutNull(rest) };
    const [choice] = objectsAt(event, 'choices');
    const delta = objectAt(choice, 'delta');
    content += textAt(delta, 'content') ?? '';
    reason = textAt(choice, 'finish_reason') ?? reason;
    for (const part of objectsAt(delta, 'tool_calls')) {
      const at = numberAt(part, 'index') ?? 0;
      const call = (calls[at] ??= { name: '', args: '' });
      call.id = textAt(part, 'id') ?? call.id;
      call.name += textAt(objectAt(part, 'function'), 'name') ?? '';
      call.args += textAt(objectAt(part, 'function'), 'arguments') ?? '';
    }
  }
  const asked = calls.map(({ id, name, args }) =>
    withoutUndefined({ id, type: 'function', function: { name, arguments: args } }),
  );
  const message = withoutUndefined({ role: 'assistant', content, tool_calls: asked.length === 0 ? undefined : asked });
  return { ...head, choices: [withoutUndefined({ index: 0, message, finish_reason: reason })] };
}

function withoutNull(object: JsonObject): JsonObject {
  const out: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(object)) if (value !== null) out[key] = value;
  return out;
}

function gemini(events: readonly JsonObject[]): JsonObject {
  let head: JsonObject = {};
  const parts: JsonValue[] = [];
  let reason: string | undefined;
  for (const event of events) {
    head = { ...head, ...event };
    const [candidate] = objectsAt(event, 'candidates');
    for (const part of listAt(objectAt(candidate, 'content'), 'parts') ?? []) parts.push(part);
    reason = textAt(candidate, 'finishReason') ?? reason;
  }
  return { ...head, candidates: [withoutUndefined({ content: { role: 'model', parts }, finishReason: reason })] };
}
