/**
 * Reads and writes of threads to HTTP exchanges.
 *
 * A thread writes a request and reads its answer; with the next request, or at the end, the exchange is complete. Until then its last
 * piece is held back, so that the record that completes an exchange carries it. Chunk sizes are taken out of the text, because the
 * probe cuts at buffers and not at chunks.
 */
import { type JsonObject, isJsonObject } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import { valueToResponse } from '../chat/api.ts';
import { messagesToCalls } from '../chat/calls.ts';
import { numberAt, objectAt, textAt, withoutUndefined } from '../members.ts';
import type { SessionRecord } from '../session/source.ts';
import { eventsToResponse, textToEvents } from './sse.ts';

interface Open {
  readonly name: string;
  readonly isModel: boolean;
  readonly written: string[];
  readonly read: string[];
  held: SessionRecord | undefined;
  truncated: boolean;
  /** The commands in what was read so far, and how many pieces that was. */
  asked: { readonly pieces: number; readonly commands: readonly string[] };
}

export interface Assembler {
  readonly push: (record: SessionRecord) => readonly SessionRecord[];
  readonly end: () => readonly SessionRecord[];
}

/** Paths at which models are asked. */
const modelPath =
  /\/(messages|chat\/completions|responses|completions|api\/(chat|generate))(\?|$)|:(stream)?[gG]enerateContent/;
const requestLine = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (\S+) HTTP\/[\d.]+\r?\n/;

export function createAssembler(): Assembler {
  const open = new Map<string, Open>();
  /** Commands of the tool calls of complete exchanges, one for each call. */
  const commands: string[] = [];
  let count = 0;

  function push(record: SessionRecord): readonly SessionRecord[] {
    const value = isJsonObject(record.value) ? record.value : {};
    const data = objectAt(value, 'data') ?? value;
    const text = textAt(data, 'data') ?? '';
    const kind = textAt(data, 'function') ?? '';
    const isTls = textAt(value, 'source') === 'ssl' || kind !== '';
    if (!isTls) return [withCall(record, data)];
    const thread = `${String(numberAt(data, 'pid') ?? '')}:${String(numberAt(data, 'tid') ?? '')}`;
    const out: SessionRecord[] = [];
    const isWrite = kind.startsWith('WRITE');
    const line = isWrite ? requestLine.exec(text) : null;
    let exchange = open.get(thread);
    if (line !== null) {
      if (exchange !== undefined) out.push(...complete(exchange));
      const name = `${thread}#${String(count++)}`;
      exchange = {
        name,
        isModel: modelPath.test(line[2] ?? ''),
        written: [],
        read: [],
        held: undefined,
        truncated: false,
        asked: { pieces: 0, commands: [] },
      };
      open.set(thread, exchange);
    }
    if (exchange === undefined) return [...out, record];
    if (exchange.held !== undefined) out.push(piece(exchange, exchange.held));
    exchange.held = record;
    (isWrite ? exchange.written : exchange.read).push(text);
    exchange.truncated ||= data['truncated'] === true;
    return out;
  }

  function piece(exchange: Open, record: SessionRecord): SessionRecord {
    return { ...record, group: exchange.name, beside: { role: exchange.isModel ? 'model piece' : 'other piece' } };
  }

  function complete(exchange: Open): readonly SessionRecord[] {
    if (exchange.held === undefined) return [];
    const request = textToMessage(exchange.written.join(''));
    const response = textToMessage(exchange.read.join(''));
    commands.push(...commandsOf(exchange));
    const role = exchange.isModel ? 'model' : 'other';
    const beside = withoutUndefined({ role, request, response, truncated: exchange.truncated ? true : undefined });
    return [{ ...exchange.held, group: exchange.name, beside }];
  }

  /** A process is given the command it runs, where exactly one answer of a model seen before asked for it. */
  function withCall(record: SessionRecord, data: JsonObject): SessionRecord {
    const line = textAt(data, 'full_command') ?? textAt(data, 'command') ?? textAt(data, 'filename') ?? '';
    if (line === '') return record;
    const asked = [...commands, ...[...open.values()].flatMap(commandsOf)];
    const [only, another] = asked.filter((command) => line.includes(command));
    return only !== undefined && another === undefined ? { ...record, beside: { command: only } } : record;
  }

  return {
    push,
    end: () => [...open.values()].flatMap(complete),
  };
}

function commandsOf(exchange: Open): readonly string[] {
  if (!exchange.isModel) return [];
  if (exchange.asked.pieces !== exchange.read.length) {
    const read = valueToResponse(messageToResponse(textToMessage(exchange.read.join(''))));
    const calls = messagesToCalls(read?.messages ?? []);
    const asked = calls.map(({ args }) => textAt(args, 'command')).filter((command) => command !== undefined);
    exchange.asked = { pieces: exchange.read.length, commands: asked };
  }
  return exchange.asked.commands;
}

/** A whole response, or the one that a stream stands for. */
export function messageToResponse(message: JsonObject | undefined): JsonObject | undefined {
  return bodyToJson(message) ?? eventsToResponse(textToEvents(textAt(message, 'body') ?? ''));
}

/** First line, headers and body; the sizes of chunks are taken out. */
function textToMessage(text: string): JsonObject {
  const end = text.search(/\r?\n\r?\n/);
  const head = (end < 0 ? text : text.slice(0, end)).split(/\r?\n/);
  const rest = end < 0 ? '' : text.slice(end).replace(/^\r?\n\r?\n/, '');
  const headers: Record<string, string> = {};
  for (const line of head.slice(1)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
  }
  const isChunked = /chunked/i.test(headers['transfer-encoding'] ?? '');
  const body = isChunked ? withoutLastChunk(rest.replaceAll(/(^|\r\n)[0-9a-fA-F]{1,8}\r\n/g, '$1')) : rest;
  return { line: head[0] ?? '', headers, body };
}

/** Without the line end, the size 0 and the blanks behind the last chunk. A pattern for it would read a flood of line ends once for each. */
function withoutLastChunk(text: string): string {
  const end = text.trimEnd().length;
  if (text.endsWith('\r\n0', end)) return text.slice(0, end - 3);
  const at = text.indexOf('\r\n', end);
  return at < 0 ? text : text.slice(0, at);
}

/** A body that is one JSON value. */
export function bodyToJson(message: JsonObject | undefined): JsonObject | undefined {
  const parsed = parseLossless((textAt(message, 'body') ?? '').trim());
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
}
