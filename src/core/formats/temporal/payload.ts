/**
 * Payloads: `{metadata: {encoding}, data}` in base64 to the value that control code worked with.
 *
 * Invariant: what cannot be read (encrypted, compressed, a binary protobuf, an encoding nobody knows) is told with its encoding and
 * stays as it was recorded; it never becomes an empty value. Payloads that a tool wrote decoded already are read as they stand.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import { decodeText } from '../decode/text.ts';
import { base64ToBytes } from '../../base/base64.ts';
import { memberAt, objectAt, textAt } from '../members.ts';
import { fieldAt } from './fields.ts';

/** What a list of payloads says. */
export interface Values {
  readonly values: readonly JsonValue[];
  /** Encodings of what could not be read; `values` then lacks those. */
  readonly unreadable: readonly string[];
  /** As recorded. */
  readonly raw: JsonValue | undefined;
}

type Read = { readonly value: JsonValue } | { readonly unreadable: string };

/** Containers in containers (a mutable side effect holds payloads in a payload); deeper ones stay as they are. */
const mostNested = 8;

// The same payloads are asked for by what links events and by what converts them: they are decoded once.
const known = new WeakMap<object, Values>();

/** `{payloads: [...]}`, a bare list of payloads (the short form of the command line), or nothing. */
export function payloadsToValues(value: JsonValue | undefined): Values {
  const key = typeof value === 'object' && value !== null ? value : undefined;
  const before = key === undefined ? undefined : known.get(key);
  if (before !== undefined) return before;
  const read = readPayloads(value, 0);
  if (key !== undefined) known.set(key, read);
  return read;
}

function readPayloads(value: JsonValue | undefined, nested: number): Values {
  const list = isJsonArray(value) ? value : listOf(value);
  const values: JsonValue[] = [];
  const unreadable: string[] = [];
  for (const payload of list) {
    const read = payloadToValue(payload, nested);
    if ('value' in read) values.push(read.value);
    else unreadable.push(read.unreadable);
  }
  return { values, unreadable, raw: value };
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  if (!isJsonObject(value)) return [value];
  const held = memberAt(value, 'payloads');
  if (isJsonArray(held)) return held;
  return isPayload(value) ? [value] : Object.keys(value).length === 0 || held !== undefined ? [] : [value];
}

/** One argument or result is the value, several are a list, none of an argument list is the empty list. */
export function valuesToArgs({ values }: Values): JsonValue {
  return values.length === 1 ? (values[0] ?? null) : values;
}

/** Nothing returned is null: that is what control code received. */
export function valuesToResult({ values }: Values): JsonValue {
  return values.length > 1 ? values : (values[0] ?? null);
}

/** The details of a marker and fields of a memo: a name to payloads each. */
export function mapToValues(map: JsonValue | undefined): {
  readonly values: Readonly<Record<string, JsonValue>>;
  readonly unreadable: readonly string[];
} {
  const values: Record<string, JsonValue> = {};
  const unreadable: string[] = [];
  for (const [name, payloads] of Object.entries(isJsonObject(map) ? map : {})) {
    const read = payloadsToValues(payloads);
    for (const encoding of read.unreadable) unreadable.push(encoding);
    if (read.unreadable.length === 0) setOwn(values, name, valuesToArgs(read));
  }
  return { values, unreadable };
}

function isPayload(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && textAt(objectAt(value, 'metadata'), 'encoding') !== undefined;
}

function payloadToValue(payload: JsonValue, nested: number): Read {
  if (!isPayload(payload)) {
    const bare = isJsonObject(payload) && isJsonObject(payload['metadata']) && typeof payload['data'] === 'string';
    return bare ? { unreadable: 'no encoding named' } : { value: payload };
  }
  const metadata = objectAt(payload, 'metadata');
  const encoding = metadataText(metadata, 'encoding');
  const data = memberAt(payload, 'data');
  switch (encoding) {
    case 'json/plain':
    case 'json/protobuf':
      return jsonToValue(encoding, data, nested);
    case 'binary/null':
      return { value: null };
    case 'binary/plain':
      return binaryToValue(data);
    default:
      return { unreadable: encoding };
  }
}

/** The encoding of a payload that cannot be read, empty for one that can, undefined for what is no payload. */
export function payloadEncoding(value: JsonValue): string | undefined {
  if (!isPayload(value)) return undefined;
  const read = payloadToValue(value, 0);
  return 'value' in read ? '' : read.unreadable;
}

/** Values of metadata are bytes, so base64; some tools write the text itself. */
function metadataText(metadata: JsonValue | undefined, key: string): string {
  const text = textAt(metadata, key) ?? '';
  const bytes = text.includes('/') && /^[a-z]+\/[a-z0-9.+-]+$/.test(text) ? undefined : base64ToBytes(text);
  if (bytes === undefined) return text;
  const read = decodeText(bytes);
  return read.invalid > 0 || !/^[\x20-\x7e]+$/.test(read.text) ? text : read.text;
}

function jsonToValue(encoding: string, data: JsonValue | undefined, nested: number): Read {
  if (data === undefined) return { unreadable: `${encoding} without data` };
  if (typeof data !== 'string') return { value: data };
  const bytes = base64ToBytes(data);
  const text = bytes === undefined ? data : decodeText(bytes).text;
  const parsed = parseLossless(text);
  if (!parsed.ok) return { unreadable: `${encoding} whose data is no JSON` };
  return { value: unwrap(parsed.value, nested) };
}

/** Payloads packed into a payload, as Go's mutable side effects are. */
function unwrap(value: JsonValue, nested: number): JsonValue {
  const inner = fieldAt(value, 'payloads');
  if (!isJsonObject(value) || Object.keys(value).length !== 1 || !isJsonArray(inner) || nested >= mostNested)
    return value;
  if (inner.length === 0 || !inner.every(isPayload)) return value;
  const read = readPayloads(value, nested + 1);
  return read.unreadable.length > 0 ? value : valuesToArgs(read);
}

/** Bytes that are text are shown as text; others stay base64. */
function binaryToValue(data: JsonValue | undefined): Read {
  if (data === undefined) return { value: '' };
  if (typeof data !== 'string') return { unreadable: 'binary/plain whose data is no text' };
  const bytes = base64ToBytes(data);
  if (bytes === undefined) return { unreadable: 'binary/plain whose data is no base64' };
  const read = decodeText(bytes);
  const isText = read.invalid === 0 && !/[\0-\x08\x0e-\x1f]/.test(read.text);
  return { value: isText ? read.text : { encoding: 'binary/plain', base64: data } };
}
