/**
 * Reads and writes of threads to HTTP exchanges.
 *
 * A thread writes a request and reads its answer; with the next request, or at the end, the exchange is complete. Until then its last
 * piece is held back, so that the record that completes an exchange carries it. Chunk sizes are taken out of the text, because the
 * probe cuts at buffers and not at chunks.
 */
import { type JsonObject, isJsonObject } from '../../base/json.ts';
import { valueToResponse } from '../chat/api.ts';
import { messagesToCalls } from '../chat/calls.ts';
import { numberAt, objectAt, textAt, withoutUndefined } from '../members.ts';
import type { SessionRecord } from '../session/source.ts';
import { createSeenIds, fingerprint } from '../seen.ts';
import { isModelPath, messageToResponse, textToMessage } from './message.ts';
import { createTold, toldKind } from './told.ts';

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

const requestLine = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (\S+) HTTP\/[\d.]+\r?\n/;

export function createAssembler(): Assembler {
  const open = new Map<string, Open>();
  /** Commands of the tool calls of complete exchanges, one for each call. */
  const commands: string[] = [];
  const told = createTold((response) => commands.push(...commandsIn(response)));
  let count = 0;
  const seen = createSeenIds();
  /** Lines that were read before: they go on behind the exchanges that the first of them are in. */
  const copies: SessionRecord[] = [];

  function push(record: SessionRecord): readonly SessionRecord[] {
    const { text, place, where } = record;
    const isCopy =
      where === 'line' && seen.add(fingerprint(text), text, { file: 0, line: place.line ?? 1 }).kind === 'same';
    if (!isCopy) return pushNew(record);
    copies.push(record);
    return [];
  }

  function pushNew(record: SessionRecord): readonly SessionRecord[] {
    const value = isJsonObject(record.value) ? record.value : {};
    if (toldKind(value) !== undefined) return told.push(record);
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
        isModel: isModelPath(line[2] ?? ''),
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
    end: () => [...[...open.values()].flatMap(complete), ...told.end(), ...copies],
  };
}

function commandsOf(exchange: Open): readonly string[] {
  if (!exchange.isModel) return [];
  if (exchange.asked.pieces !== exchange.read.length) {
    const asked = commandsIn(textToMessage(exchange.read.join('')));
    exchange.asked = { pieces: exchange.read.length, commands: asked };
  }
  return exchange.asked.commands;
}

function commandsIn(answered: JsonObject): readonly string[] {
  const read = valueToResponse(messageToResponse(answered));
  const calls = messagesToCalls(read?.messages ?? []);
  return calls.map(({ args }) => textAt(args, 'command')).filter((command) => command !== undefined);
}
