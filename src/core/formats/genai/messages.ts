/**
 * Messages of every dialect in the one shape of the GenAI conventions: `{role, parts: [{type, …}]}`.
 *
 * Nothing is dropped: members of a message or part that the shape has no name for stay beside it. Called for each model span, twice:
 * in the survey for the ids in the messages, and in the conversion.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, setOwn } from '../../base/json.ts';
import { listAt, objectAt, parseText, restOf, textAt, valueAt, withoutUndefined } from './values.ts';

export type Message = JsonObject;

/** A value that holds messages, to a list of them. */
export function valueToMessages(value: JsonValue, role: string): readonly Message[] {
  const read = parseText(value);
  if (typeof read === 'string') return [{ role, parts: [{ type: 'text', content: read }] }];
  if (isJsonArray(read)) return listToMessages(read, role);
  if (!isJsonObject(read)) return [{ role, parts: [{ type: 'text', content: String(read) }] }];
  return objectToMessages(read, role);
}

function listToMessages(list: readonly JsonValue[], role: string): readonly Message[] {
  // A list of lists is one list for each prompt of a batch.
  const flat = list.every(isJsonArray) ? list.flat() : list;
  const isParts = flat.every((item) => isJsonObject(item) && item['role'] === undefined && isPart(item));
  if (flat.length > 0 && isParts) return [{ role, parts: flat.map(toPart) }];
  return flat.flatMap((item) => (isJsonObject(item) ? objectToMessages(item, role) : valueToMessages(item, role)));
}

function isPart(item: JsonObject): boolean {
  const type = item['type'];
  return typeof type === 'string' && !langChainRoles.has(type);
}

const langChainRoles: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['AIMessageChunk', 'assistant'],
  ['system', 'system'],
  ['tool', 'tool'],
]);

const wrappers = [
  'messages',
  'contents',
  'candidates',
  'generations',
  'choices',
  'outputs',
  'message',
  'content',
] as const;

/** One message, or an object that holds messages: a request or a response of some provider. */
function objectToMessages(object: JsonObject, role: string): readonly Message[] {
  if (textAt(object, 'role') !== undefined || Array.isArray(object['parts'])) return [toMessage(object, role)];
  const kwargs = objectAt(object, 'kwargs', 'data');
  if (kwargs !== undefined && valueAt(kwargs, 'content') !== undefined) {
    const kind = textAt(object, 'type') ?? textAt(kwargs, 'type') ?? '';
    const id = listAt(object, 'id').at(-1);
    const named = typeof id === 'string' ? id.replace(/Message(Chunk)?$/, '').toLowerCase() : kind;
    return [toMessage(kwargs, langChainRoles.get(kind) ?? langChainRoles.get(named) ?? role)];
  }
  const kind = textAt(object, 'type');
  if (kind !== undefined && langChainRoles.has(kind)) return [toMessage(object, langChainRoles.get(kind) ?? role)];
  const system = valueAt(object, 'system');
  const before = typeof system === 'string' ? [{ role: 'system', parts: [{ type: 'text', content: system }] }] : [];
  for (const name of wrappers) {
    const inside = valueAt(object, name);
    if (inside === undefined || (typeof inside === 'string' && name !== 'content')) continue;
    if (name === 'content' && typeof inside !== 'string' && !isJsonObject(inside)) return [toMessage(object, role)];
    const messages = valueToMessages(inside, role);
    return [...before, ...messages.map((message) => withFinish(message, object))];
  }
  const text = textAt(object, 'prompt', 'text', 'input', 'output');
  if (text !== undefined) return [...before, { role, parts: [{ type: 'text', content: text }] }];
  if (valueAt(object, 'tool_calls', 'toolCalls') !== undefined) return [toMessage(object, role)];
  return [{ role, parts: [{ type: 'json', content: object }] }];
}

/** Choices and candidates carry the reason beside the message. */
function withFinish(message: Message, holder: JsonObject): Message {
  const reason = textAt(holder, 'finish_reason', 'finishReason');
  return reason === undefined || message['finish_reason'] !== undefined
    ? message
    : { ...message, finish_reason: reason };
}

const known: ReadonlySet<string> = new Set([
  'role',
  'content',
  'contents',
  'parts',
  'tool_calls',
  'toolCalls',
  'tool_call_id',
  'toolCallId',
  'function_call',
]);

export function toMessage(object: JsonObject, fallback: string): Message {
  const written = textAt(object, 'role') ?? fallback;
  const role = written === 'model' ? 'assistant' : written;
  const parts: JsonObject[] = [];
  const answers = textAt(object, 'tool_call_id', 'toolCallId') ?? (role === 'tool' ? textAt(object, 'id') : undefined);
  const body = valueAt(object, 'parts') ?? parseList(valueAt(object, 'content')) ?? valueAt(object, 'contents');
  if (answers !== undefined) parts.push({ type: 'tool_call_response', id: answers, response: parseText(body ?? '') });
  else if (typeof body === 'string') {
    if (body !== '') parts.push({ type: 'text', content: body });
  } else if (isJsonArray(body)) parts.push(...body.map(toPart));
  else if (body !== undefined) parts.push(toPart(body));
  for (const call of listAt(object, 'tool_calls', 'toolCalls')) if (isJsonObject(call)) parts.push(toToolCall(call));
  const single = objectAt(object, 'function_call');
  if (single !== undefined) parts.push(toToolCall(single));
  const { id, ...rest } = restOf(object, known);
  return { role, parts, ...(id === undefined || id === answers ? {} : { id }), ...rest };
}

/** Content that is a list of parts written as text. */
function parseList(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string') return value;
  const parsed = parseText(value);
  const isParts =
    isJsonArray(parsed) && parsed.length > 0 && parsed.every((item) => isJsonObject(item) && isPart(item));
  return isParts ? parsed : value;
}

function toPart(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) return { type: 'text', content: typeof value === 'string' ? value : JSON.stringify(value) };
  const called = objectAt(value, 'functionCall', 'function_call');
  if (called !== undefined) return toToolCall(called);
  const answered = objectAt(value, 'functionResponse', 'function_response');
  if (answered !== undefined) return toToolAnswer(answered);
  switch (textAt(value, 'type')) {
    case 'tool_use':
    case 'tool-call':
    case 'tool_call':
    case 'function_call':
      return toToolCall(value);
    case 'tool_result':
    case 'tool-result':
    case 'tool_call_response':
    case 'function_call_output':
      return toToolAnswer(value);
    case 'text':
    case 'output_text':
    case 'input_text':
      return textPart('text', value);
    case 'reasoning':
    case 'thinking':
      return textPart('reasoning', value);
    case undefined:
      return value['thought'] === true ? textPart('reasoning', value) : textPart('text', value);
    default:
      return value;
  }
}

function textPart(type: string, value: JsonObject): JsonObject {
  const content = textAt(value, 'content', 'text', 'thinking');
  if (content === undefined) return value['type'] === undefined ? { type: 'json', content: value } : value;
  return { type, content, ...restOf(value, new Set(['type', 'content', 'text', 'thinking'])) };
}

const callKeys: ReadonlySet<string> = new Set([
  'type',
  'id',
  'call_id',
  'toolCallId',
  'tool_call_id',
  'name',
  'toolName',
  'function',
  'arguments',
  'args',
  'input',
  'tool_call',
]);

function toToolCall(value: JsonObject): JsonObject {
  const call = objectAt(value, 'tool_call') ?? value;
  const inner = objectAt(call, 'function') ?? call;
  const args = valueAt(inner, 'arguments', 'args', 'input');
  return withoutUndefined({
    type: 'tool_call',
    id: textAt(call, 'call_id', 'toolCallId', 'tool_call_id', 'id'),
    name: textAt(inner, 'name', 'toolName'),
    arguments: args === undefined ? undefined : parseText(args),
    ...restOf(call, callKeys),
  });
}

function toToolAnswer(value: JsonObject): JsonObject {
  const answer = valueAt(value, 'response', 'result', 'output', 'content');
  return withoutUndefined({
    type: 'tool_call_response',
    id: textAt(value, 'call_id', 'toolCallId', 'tool_call_id', 'tool_use_id', 'id'),
    name: textAt(value, 'name', 'toolName'),
    response: answer === undefined ? undefined : parseText(answer),
    ...restOf(value, answerKeys),
  });
}

const answerKeys: ReadonlySet<string> = new Set([
  'type',
  'id',
  'call_id',
  'toolCallId',
  'tool_call_id',
  'tool_use_id',
  'name',
  'toolName',
  'response',
  'result',
  'output',
  'content',
]);

/**
 * Names with an index each, `0.role`, `0.message.content`, `0.tool_calls.0.name`, to the objects they spell. The outer level must be
 * indices; gaps close.
 */
export function indexedToList(entries: readonly (readonly [string, JsonValue])[]): readonly JsonObject[] {
  const root: Tree = { children: new Map(), value: undefined };
  for (const [name, value] of entries) {
    let at = root;
    for (const part of name.split('.').slice(0, 24)) {
      const next = at.children.get(part) ?? { children: new Map<string, Tree>(), value: undefined };
      at.children.set(part, next);
      at = next;
    }
    at.value = value;
  }
  const list = treeToValue(root);
  return isJsonArray(list) ? list.filter(isJsonObject) : [];
}

interface Tree {
  readonly children: Map<string, Tree>;
  value: JsonValue | undefined;
}

/** As deep as names have dots, of which at most 24 are read. */
function treeToValue(tree: Tree): JsonValue {
  if (tree.children.size === 0) return tree.value ?? null;
  const names = [...tree.children.keys()];
  if (names.every((name) => /^\d+$/.test(name))) {
    const ordered = names.sort((a, b) => Number(a) - Number(b));
    return ordered.map((name) => childToValue(tree, name));
  }
  const out: Record<string, JsonValue> = {};
  for (const name of names) setOwn(out, name, childToValue(tree, name));
  // OpenInference wraps each member of a list in an object named after its kind.
  const [only] = names;
  const wrapped = names.length === 1 && only !== undefined && wrapping.has(only) ? out[only] : undefined;
  return wrapped ?? out;
}

const wrapping: ReadonlySet<string> = new Set(['message', 'tool_call', 'message_content', 'document']);

function childToValue(tree: Tree, name: string): JsonValue {
  const child = tree.children.get(name);
  return child === undefined ? null : treeToValue(child);
}

export interface CalledTool {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly args: JsonValue | undefined;
}

export function messagesToCalls(messages: readonly Message[]): readonly CalledTool[] {
  const calls: CalledTool[] = [];
  for (const message of messages) {
    for (const part of listAt(message, 'parts')) {
      if (!isJsonObject(part) || part['type'] !== 'tool_call') continue;
      calls.push({ id: textAt(part, 'id'), name: textAt(part, 'name'), args: valueAt(part, 'arguments') });
    }
  }
  return calls;
}

/** An answer of a tool in a request. */
export interface GivenAnswer {
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** The answers that are new in this request: those that stand after the last message of the model. */
export function messagesToAnswers(messages: readonly Message[]): readonly GivenAnswer[] {
  const answers: GivenAnswer[] = [];
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (message === undefined || isOfModel(message)) break;
    for (const part of listAt(message, 'parts')) {
      if (!isJsonObject(part) || part['type'] !== 'tool_call_response') continue;
      answers.push({ id: textAt(part, 'id'), name: textAt(part, 'name') });
    }
  }
  return answers;
}

/** By its role, or because it asks for tools: some writers give the model another role. */
export function isOfModel(message: Message): boolean {
  const asks = listAt(message, 'parts').some((part) => isJsonObject(part) && part['type'] === 'tool_call');
  return asks || message['role'] === 'assistant';
}
