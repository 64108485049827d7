/**
 * Messages that stand in log records or span events of their own: one record a message, as the conventions had it before 1.37, and
 * one record for the whole call (`gen_ai.client.inference.operation.details`).
 */
import { type JsonObject, type JsonValue, isJsonObject, setOwn } from '../../base/json.ts';
import { type Message, toMessage, valueToMessages } from './messages.ts';
import type { Log, SpanEvent } from './record.ts';
import { objectAt, parseText, restOf, textAt, valueAt } from './values.ts';

const roles: ReadonlyMap<string, string> = new Map([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
  ['gen_ai.choice', 'assistant'],
  ['gen_ai.content.prompt', 'user'],
  ['gen_ai.content.completion', 'assistant'],
]);

/** Records that say of the whole call what attributes of a span would say. */
const wholeCalls: ReadonlySet<string> = new Set([
  'gen_ai.client.inference.operation.details',
  'gemini_cli.api_request',
]);

/** True for the name of a record that is a part of a model call. */
export function isSpoken(name: string | undefined): boolean {
  return name !== undefined && (roles.has(name) || wholeCalls.has(name));
}

/** The attributes of a span, filled from records of its whole call where it has none of that name. */
export function withSpokenAttributes(
  attributes: JsonObject,
  logs: readonly Log[],
  events: readonly SpanEvent[],
): JsonObject {
  const whole = [...logs, ...events].filter(({ name }) => name !== undefined && wholeCalls.has(name));
  if (whole.length === 0) return attributes;
  const out: Record<string, JsonValue> = {};
  for (const source of [...whole.map(wholeToAttributes), attributes]) {
    for (const key of Object.keys(source)) setOwn(out, key, source[key] ?? null);
  }
  return out;
}

/** Some programs write the members as attributes of the record, some as members of its body. */
function wholeToAttributes(record: Log | SpanEvent): JsonObject {
  const body = 'body' in record && isJsonObject(record.body) ? record.body : {};
  const named = Object.fromEntries(Object.entries(body).filter(([name]) => name.startsWith('gen_ai.')));
  return { ...named, ...restOf(record.attributes, new Set(['event.name'])) };
}

function compareTimes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Which of several answers a record tells: the body says it, in older versions an attribute. */
export function indexOfChoice({ attributes, body }: Pick<Log, 'attributes' | 'body'>): number {
  const index = valueAt(body !== undefined && isJsonObject(body) ? body : {}, 'index') ?? valueAt(attributes, 'index');
  return typeof index === 'number' ? index : 0;
}

interface Spoken {
  readonly input: readonly Message[];
  readonly output: readonly Message[];
  /** Attributes that the records have and the messages do not show. */
  readonly rest: JsonObject;
}

interface Said {
  readonly name: string;
  readonly time: string | undefined;
  readonly attributes: JsonObject;
  readonly body: JsonValue | undefined;
}

export function logsToMessages(logs: readonly Log[], events: readonly SpanEvent[]): Spoken {
  const said: Said[] = [];
  for (const { name, time, attributes, body } of logs)
    if (name !== undefined) said.push({ name, time, attributes, body });
  for (const { name, time, attributes } of events) {
    if (roles.has(name)) said.push({ name, time, attributes, body: undefined });
  }
  // The log records come in their order; events of the span stand between them by their times.
  said.sort((a, b) => compareTimes(a.time ?? '', b.time ?? ''));
  const input: Message[] = [];
  const output: Message[] = [];
  const rest: Record<string, JsonValue> = {};
  for (const record of said) {
    const { name, attributes } = record;
    if (wholeCalls.has(name)) continue;
    if (name === 'gen_ai.choice' || name === 'gen_ai.content.completion') output.push(...choiceToMessages(record));
    else input.push(...saidToMessages(record, roles.get(name) ?? 'user'));
    const left = restOf(attributes, content);
    for (const key of Object.keys(left)) setOwn(rest, key, left[key] ?? null);
  }
  return { input, output, rest };
}

/** What the messages already show, and the name of the record. */
const content: ReadonlySet<string> = new Set([
  'event.name',
  'gen_ai.system',
  'gen_ai.provider.name',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.system_instructions',
  'gen_ai.tool.definitions',
  'gen_ai.prompt',
  'gen_ai.completion',
  'content',
  'role',
  'message',
  'tool_calls',
  'id',
  'index',
  'finish_reason',
  'request_text',
]);

/** The body of a record; span events have their content in attributes. */
function bodyOf({ body, attributes }: Said): JsonValue {
  if (body !== undefined) return parseText(body);
  const written = valueAt(attributes, 'gen_ai.prompt', 'gen_ai.completion');
  if (written !== undefined) return parseText(written);
  const out: Record<string, JsonValue> = {};
  for (const key of Object.keys(attributes)) setOwn(out, key, parseText(attributes[key] ?? null));
  return out;
}

function saidToMessages(said: Said, role: string): readonly Message[] {
  const body = bodyOf(said);
  if (said.name === 'gen_ai.content.prompt' || !isJsonObject(body)) return valueToMessages(body, role);
  return [toMessage(withContent(body), role)];
}

/** An empty message is a message all the same: its content was not captured. */
function withContent(body: JsonObject): JsonObject {
  const { 'gen_ai.system': _system, 'gen_ai.provider.name': _provider, 'event.name': _name, ...rest } = body;
  return rest;
}

function choiceToMessages(said: Said): readonly Message[] {
  const body = bodyOf(said);
  if (!isJsonObject(body)) return valueToMessages(body, 'assistant');
  const reason = textAt(body, 'finish_reason');
  const inside = objectAt(body, 'message');
  const message =
    inside === undefined ? valueToMessages(withContent(body), 'assistant') : [toMessage(inside, 'assistant')];
  return message.map((one) => (reason === undefined ? one : { ...one, finish_reason: reason }));
}
