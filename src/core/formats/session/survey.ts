/**
 * First pass over session files: what is kept of each record so that the second pass knows what belongs together.
 *
 * Invariant: ids, names and fingerprints are kept, never content, so memory grows with records and not with bytes.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { writeLossless } from '../../base/lossless.ts';
import { timeToMillis } from '../../base/time.ts';
import { fingerprint } from '../seen.ts';
import { textAt } from '../members.ts';
import { contentToText } from './fields.ts';
import type { CallPart, EchoPart, InputPart, ModelPart, Part, Reading } from './part.ts';

export interface StubPart {
  readonly kind: Part['kind'];
  /** Names the answer of the model. */
  readonly key?: string | undefined;
  readonly call?: string | undefined;
  readonly name?: string | undefined;
  /** Fingerprints of the texts (input, model, echo), the arguments (call) or the total (usage). */
  readonly prints: readonly string[];
  readonly failed?: boolean | undefined;
  readonly whole?: boolean | undefined;
  readonly spawns?: boolean | undefined;
  readonly started?: boolean | undefined;
  readonly counted?: boolean | undefined;
  readonly child?: string | undefined;
  readonly alias?: string | undefined;
  /** The id of the call in the answer of the model. */
  readonly asked?: string | undefined;
  readonly again?: boolean | undefined;
  readonly joins?: readonly string[] | undefined;
  readonly parentSession?: string | undefined;
  readonly person?: boolean | undefined;
  readonly by?: CallPart['by'] | undefined;
  readonly closes?: boolean | undefined;
  readonly onlyOpen?: boolean | undefined;
  readonly of?: EchoPart['of'] | undefined;
  /** What an echo becomes where nothing else says it. */
  readonly otherwise?: StubPart | undefined;
  readonly setting?: JsonObject | undefined;
}

export interface Stub {
  readonly kind: string;
  readonly print: string;
  /** How often the same text stood in the file before. */
  readonly occurrence: number;
  readonly file: number;
  readonly line: number;
  readonly session: string | undefined;
  readonly agent: string | undefined;
  readonly agentCall: string | undefined;
  readonly id: string | undefined;
  readonly parent: string | null | undefined;
  readonly causes: readonly string[];
  readonly time: string | undefined;
  readonly millis: number | undefined;
  readonly number: number | undefined;
  readonly version: string | undefined;
  readonly zoneless: boolean;
  readonly retold: boolean;
  readonly parts: readonly StubPart[];
}

export function readingToStub(
  reading: Reading,
  at: { readonly print: string; readonly occurrence: number; readonly file: number; readonly line: number },
): Stub {
  return {
    ...at,
    kind: reading.kind,
    session: reading.session,
    agent: reading.agent,
    agentCall: reading.agentCall,
    id: reading.id,
    parent: reading.parent,
    causes: reading.causes ?? [],
    time: reading.time,
    millis: reading.time === undefined ? undefined : timeToMillis(reading.time),
    number: reading.number,
    version: reading.version,
    zoneless: reading.zoneless === true,
    retold: reading.retold === true,
    parts: reading.parts.map(partToStub),
  };
}

function partToStub(part: Part): StubPart {
  switch (part.kind) {
    case 'start':
      return { kind: 'start', prints: [], parentSession: part.parentSession, name: part.agent };
    case 'input':
      return inputStub(part);
    case 'model':
      return modelStub(part);
    case 'call': {
      const { id, name, key, spawns, child, alias, args } = part;
      const asked = 'asked' in part ? part.asked : id;
      const { by } = part;
      return { kind: 'call', call: id, name, key, spawns, child, alias, asked, by, prints: [printOf(args)] };
    }
    case 'result': {
      const { call, name, child, started, joins, again, onlyOpen } = part;
      const otherwise = part.otherwise === undefined ? undefined : inputStub(part.otherwise);
      return {
        kind: 'result',
        call,
        name,
        child,
        started,
        joins,
        again,
        onlyOpen,
        failed: part.error !== undefined,
        prints: [],
        otherwise,
      };
    }
    case 'usage':
      return { kind: 'usage', key: part.key, prints: [part.total] };
    case 'echo': {
      const otherwise =
        part.otherwise === undefined
          ? undefined
          : part.otherwise.kind === 'input'
            ? inputStub(part.otherwise)
            : modelStub(part.otherwise);
      const said = part.key === undefined ? part.text?.trim() : keyText(part.key);
      const prints = said === undefined ? [] : [fingerprint(said)];
      return { kind: 'echo', of: part.of, call: part.call, child: part.child, prints, otherwise };
    }
    case 'setting':
      return { kind: 'setting', setting: part.data, prints: [] };
    case 'event':
      return { kind: 'event', call: part.call, prints: part.key === undefined ? [] : [fingerprint(keyText(part.key))] };
  }
}

function inputStub(part: InputPart): StubPart {
  const prints = [fingerprint(part.key === undefined ? contentToText(part.content).trim() : keyText(part.key))];
  return { kind: 'input', prints, person: part.from === 'person', closes: part.closes };
}

function modelStub(part: ModelPart): StubPart {
  const texts = part.parts.map((one) => textAt(one, 'content') ?? '').filter((text) => text !== '');
  const prints = texts.map((text) => fingerprint(text.trim()));
  if (texts.length > 1) prints.push(fingerprint(texts.join('\n').trim()));
  for (const key of [part.key, part.alias]) if (key !== undefined) prints.push(fingerprint(keyText(key)));
  const { key, whole, data } = part;
  return {
    kind: 'model',
    key,
    whole,
    failed: part.error !== undefined,
    counted: data !== undefined && 'usage' in data,
    prints,
  };
}

/** No text of a message begins like this. */
function keyText(key: string): string {
  return `\u0000key ${key}`;
}

function printOf(value: JsonValue): string {
  return fingerprint(writeLossless(value));
}
