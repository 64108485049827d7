/**
 * Requests, answers and streams that AgentSight's own analyzers put together already: entries of a processed timeline, and the events of its
 * HTTP parser and of its processor of streams. Here they are only paired.
 *
 * Invariant: an answer goes to the oldest open request of its thread that it can answer: a stream to one at which models are asked, any other
 * answer first to one of its own kind. The record that completes an exchange carries it.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { listAt, memberAt, numberAt, objectAt, textAt, withoutUndefined } from '../members.ts';
import { objectsAt } from '../session/fields.ts';
import type { SessionRecord } from '../session/source.ts';
import { isModelPath, textToMessage } from './message.ts';
import { textToEvents } from './sse.ts';

interface Open {
  readonly name: string;
  readonly isModel: boolean;
  readonly request: JsonObject;
  response: JsonObject | undefined;
  readonly events: JsonObject[];
  held: SessionRecord;
}

interface Told {
  readonly push: (record: SessionRecord) => readonly SessionRecord[];
  readonly end: () => readonly SessionRecord[];
}

type Kind = 'request' | 'response' | 'stream';

/** Undefined for records that are none of these. */
export function toldKind(value: JsonObject): Kind | undefined {
  const source = textAt(value, 'source');
  if (source === 'sse_processor') return 'stream';
  const kind = source === undefined ? textAt(value, 'type') : textAt(objectAt(value, 'data'), 'message_type');
  if (source !== undefined && source !== 'http_parser') return undefined;
  return kind === 'request' || kind === 'response' ? kind : undefined;
}

/** `onAnswer` is given each whole answer of a model. */
export function createTold(onAnswer: (response: JsonObject) => void): Told {
  const threads = new Map<string, Open[]>();
  let count = 0;

  function push(record: SessionRecord): readonly SessionRecord[] {
    const value = isJsonObject(record.value) ? record.value : {};
    const kind = toldKind(value);
    const data = objectAt(value, 'data') ?? value;
    const thread = `${String(numberAt(data, 'pid') ?? numberAt(value, 'pid') ?? '')}:${String(numberAt(data, 'tid') ?? '')}`;
    const open = threads.get(thread) ?? [];
    threads.set(thread, open);
    if (kind === 'request') {
      const isModel = isModelPath(textAt(data, 'path') ?? '');
      const request = toMessage(data, `${textAt(data, 'method') ?? 'GET'} ${textAt(data, 'path') ?? '/'} HTTP/1.1`);
      const name = `told ${thread}#${String(count++)}`;
      open.push({ name, isModel, request, response: undefined, events: [], held: record });
      return [];
    }
    const events = eventsOf(data);
    const isStream = kind === 'stream' || events.length > 0 || isStreamHead(data);
    const exchange = pick(open, isStream, kind === 'response');
    if (exchange === undefined) return [record];
    const out = [piece(exchange)];
    exchange.held = record;
    exchange.events.push(...events);
    if (kind === 'response') exchange.response = responseOf(data);
    const waits = isStream && !exchange.events.some(isLast) && events.length === 0;
    if (waits || (kind === 'stream' && !exchange.events.some(isLast))) return out;
    open.splice(open.indexOf(exchange), 1);
    return [...out, complete(exchange)];
  }

  function complete(exchange: Open): SessionRecord {
    const response = withoutUndefined({
      ...(exchange.response ?? {}),
      events: exchange.events.length === 0 ? undefined : exchange.events,
    });
    if (exchange.isModel) onAnswer(response);
    const role = exchange.isModel ? 'model' : 'other';
    return { ...exchange.held, group: exchange.name, beside: { role, request: exchange.request, response } };
  }

  return { push, end: () => [...threads.values()].flatMap((open) => open.splice(0).map(complete)) };
}

function piece({ held, name, isModel }: Open): SessionRecord {
  return { ...held, group: name, beside: { role: isModel ? 'model piece' : 'other piece' } };
}

function pick(open: readonly Open[], isStream: boolean, isResponse: boolean): Open | undefined {
  const free = isResponse ? open.filter(({ response }) => response === undefined) : open;
  return free.find(({ isModel }) => isModel === isStream) ?? free[0];
}

/** A head behind which a stream comes in records of its own. */
function isStreamHead(data: JsonObject): boolean {
  const type = textAt(objectAt(data, 'headers'), 'content-type') ?? '';
  return type.includes('text/event-stream') && (textAt(data, 'body') ?? '') === '';
}

function responseOf(data: JsonObject): JsonObject {
  const status = numberAt(data, 'status_code') ?? 0;
  const message = toMessage(data, `HTTP/1.1 ${String(status)} ${textAt(data, 'status_text') ?? ''}`.trim());
  // What a processed timeline writes as the body of a stream is its words alone.
  const isStream = listAt(data, 'sse_raw_chunks') !== undefined;
  return isStream ? { ...message, words: textAt(data, 'body') ?? '' } : message;
}

function toMessage(data: JsonObject, line: string): JsonObject {
  const json = objectAt(data, 'json_body');
  const body = textAt(data, 'body') ?? '';
  return {
    line,
    headers: objectAt(data, 'headers') ?? {},
    body: json !== undefined && !body.trimStart().startsWith('{') ? JSON.stringify(json) : body,
  };
}

/** Events of a stream: those of its processor, those in the chunks of a processed answer, or those in the body. */
function eventsOf(data: JsonObject): readonly JsonObject[] {
  const processed = objectsAt(data, 'sse_events');
  if (processed.length > 0) return processed.flatMap(eventOf);
  const chunks = objectsAt(data, 'sse_raw_chunks');
  if (chunks.length > 0) {
    const raw = textToMessage(textAt(data, 'raw_data') ?? '');
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
    const text = chunks.map((chunk) => textAt(chunk, 'raw_data') ?? '').join('');
    const events = textToEvents(textAt(textToMessage(head + text), 'body') ?? '');
    const parsed =
      events.length > 0 ? events : chunks.flatMap((chunk) => objectsAt(chunk, 'sse_events').flatMap(eventOf));
    return [...textToEvents(textAt(raw, 'body') ?? ''), ...parsed];
  }
  return textToEvents(textAt(data, 'body') ?? '');
}

function eventOf(event: JsonObject): readonly JsonObject[] {
  const parsed = memberAt(event, 'parsed_data');
  return isJsonObject(parsed) ? [parsed] : textToEvents(`data: ${textAt(event, 'data') ?? ''}`);
}

/** The event with which the streams of the known APIs end. */
function isLast(event: JsonObject): boolean {
  const type = textAt(event, 'type');
  if (type === 'message_stop' || type === 'response.completed') return true;
  const ends = [...objectsAt(event, 'choices'), ...objectsAt(event, 'candidates')];
  return ends.some((one) => textAt(one, 'finish_reason') !== undefined || textAt(one, 'finishReason') !== undefined);
}
