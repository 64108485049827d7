/**
 * Zipkin: lists of spans of version 2, and of version 1. A span id is not unique: the two halves of a call share it, so spans are
 * known by id and kind.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, setOwn } from '../../base/json.ts';
import { writeLossless } from '../../base/lossless.ts';
import type { InputPlace, Sniff } from '../format.ts';
import { textToSpanId, textToTraceId, toSpanId, toTraceId } from '../genai/ids.ts';
import { createTelemetryFormat } from '../genai/read.ts';
import type { TelemetryReader } from '../genai/reader.ts';
import type { AssumptionCode, Entry, Span, SpanEvent } from '../genai/record.ts';
import { readValues } from '../genai/source.ts';
import { addNanos, numberToTime, valueToBigInt } from '../genai/times.ts';
import { valueToEntries } from '../genai/unknown.ts';
import { listAt, objectAt, restOf, textAt, valueAt, withoutUndefined } from '../genai/values.ts';
import { fingerprint } from '../seen.ts';
import { sniffObjects } from '../sniff.ts';

const reader: TelemetryReader = {
  id: 'zipkin',
  label: 'Zipkin spans (JSON)',
  detect: detectZipkin,
  entries: async function* (file, count) {
    for await (const values of readValues(file, count, (head) => (head.startsWith('[') ? 1 : 0)))
      yield values.flatMap((value) => valueToEntries(value, zipkinToEntries, isEmptyList));
  },
};

export const zipkin = createTelemetryFormat(reader);

function detectZipkin(sniff: Sniff): number {
  const head = sniff.text.trimStart();
  if (!/^[[{]/.test(head)) return 0;
  if (sniffObjects(sniff).some(isSpan)) return 0.85;
  const has = (name: string): boolean => new RegExp(`(?:^|[^\\\\])"${name}"\\s*:`).test(head);
  if (!has('traceId') || !has('id') || has('spanId')) return 0;
  return has('localEndpoint') || has('binaryAnnotations') ? 0.85 : has('duration') && has('tags') ? 0.6 : 0;
}

function isSpan(object: JsonObject): boolean {
  if (textAt(object, 'traceId') === undefined || textAt(object, 'id') === undefined) return false;
  if (textAt(object, 'spanId') !== undefined) return false;
  const told = objectAt(object, 'localEndpoint') !== undefined || isJsonArray(object['binaryAnnotations']);
  // Spans of a console exporter are alike, but for their attributes.
  const isTimed = typeof object['timestamp'] === 'number' && typeof object['duration'] === 'number';
  return told || (isTimed && object['attributes'] === undefined);
}

function isEmptyList(value: JsonValue): boolean {
  return isJsonArray(value) && value.length === 0;
}

function zipkinToEntries(value: JsonValue, place: InputPlace): readonly Entry[] {
  const entries: Entry[] = [];
  const open: JsonValue[] = [value];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    // The query service answers with a list of traces, each a list of spans.
    if (isJsonArray(at)) open.push(...[...at].reverse());
    else if (isJsonObject(at) && (textAt(at, 'traceId') ?? textAt(at, 'id')) !== undefined)
      entries.push(toSpan(at, place));
  }
  return entries;
}

const known: ReadonlySet<string> = new Set([
  'traceId',
  'id',
  'parentId',
  'name',
  'kind',
  'timestamp',
  'duration',
  'tags',
  'annotations',
  'binaryAnnotations',
]);

function toSpan(raw: JsonObject, place: InputPlace): Span {
  const print = fingerprint(writeLossless(raw));
  const trace = toTraceId(textAt(raw, 'traceId'));
  const id = toSpanId(textAt(raw, 'id'));
  const parent = toSpanId(textAt(raw, 'parentId'));
  const spanId = id?.id ?? textToSpanId(print);
  const core = coreOf(raw);
  const side = textAt(raw, 'kind')?.toLowerCase() ?? core.side;
  const start = numberToTime(valueAt(raw, 'timestamp') ?? core.start, 1000n);
  const lasted = valueToBigInt(valueAt(raw, 'duration') ?? core.lasted);
  const attributes = tagsOf(raw);
  const error = attributes['error'] ?? (isMarked(raw, 'error') ? true : undefined);
  const assumed: AssumptionCode[] = [];
  for (const code of [trace?.assumed, id?.assumed]) if (code !== undefined) assumed.push(code);
  if (trace === undefined) assumed.push('no-trace-id');
  if (id === undefined) assumed.push('no-span-id');
  return {
    kind: 'span',
    trace: trace?.id ?? textToTraceId('untraced '),
    id: spanId,
    key: side === undefined ? spanId : `${spanId}/${side}`,
    parent: parent?.id,
    side,
    name: textAt(raw, 'name') ?? '',
    start,
    end: start === undefined || lasted === undefined ? undefined : addNanos(start, lasted * 1000n),
    // The tag says what failed; an empty one still says that something did.
    failed: error !== undefined && error !== 'false' && error !== false,
    statusText: typeof error === 'string' && error !== '' && error !== 'true' ? error : undefined,
    attributes,
    events: listAt(raw, 'annotations').filter(isJsonObject).map(toEvent),
    links: [],
    extra: withoutUndefined({
      ...restOf(raw, known),
      trace_id: textAt(raw, 'traceId') === trace?.id ? undefined : textAt(raw, 'traceId'),
      span_id: textAt(raw, 'id') === spanId ? undefined : textAt(raw, 'id'),
    }),
    place,
    print,
    assumed,
    resource: withoutUndefined({ 'service.name': serviceOf(raw) }),
    scope: {},
  };
}

/** Version 1 may mark a failure by an annotation alone. */
function isMarked(raw: JsonObject, value: string): boolean {
  return listAt(raw, 'annotations').some((one) => isJsonObject(one) && textAt(one, 'value') === value);
}

interface Core {
  readonly side?: string | undefined;
  readonly start?: JsonValue | undefined;
  readonly lasted?: JsonValue | undefined;
}

/** Which half of a call, from when and how long, as version 1 writes it: sent and received by client and server, by sender and receiver. */
const halves: readonly (readonly [side: string, begins: string, ends: string])[] = [
  ['client', 'cs', 'cr'],
  ['server', 'sr', 'ss'],
  ['producer', 'ms', 'ws'],
  ['consumer', 'wr', 'mr'],
];

/** A span that holds both halves is told as the client's, which began it. */
function coreOf(raw: JsonObject): Core {
  const at = (name: string): number | undefined => {
    const found = listAt(raw, 'annotations').find((one) => isJsonObject(one) && textAt(one, 'value') === name);
    const time = isJsonObject(found) ? found['timestamp'] : undefined;
    return typeof time === 'number' ? time : undefined;
  };
  for (const [side, begins, ends] of halves) {
    const [start, end] = [at(begins), at(ends)];
    if (start === undefined && end === undefined) continue;
    return { side, start, lasted: start === undefined || end === undefined ? undefined : end - start };
  }
  return {};
}

function serviceOf(raw: JsonObject): string | undefined {
  const own = textAt(objectAt(raw, 'localEndpoint') ?? {}, 'serviceName');
  if (own !== undefined) return own;
  for (const annotation of [...listAt(raw, 'annotations'), ...listAt(raw, 'binaryAnnotations')]) {
    const endpoint = isJsonObject(annotation) ? objectAt(annotation, 'endpoint') : undefined;
    const name = endpoint === undefined ? undefined : textAt(endpoint, 'serviceName');
    if (name !== undefined) return name;
  }
  return undefined;
}

function tagsOf(raw: JsonObject): JsonObject {
  const out: Record<string, JsonValue> = { ...objectAt(raw, 'tags') };
  for (const tag of listAt(raw, 'binaryAnnotations')) {
    const key = isJsonObject(tag) ? textAt(tag, 'key') : undefined;
    if (isJsonObject(tag) && key !== undefined) setOwn(out, key, tag['value'] ?? null);
  }
  return out;
}

function toEvent(raw: JsonObject): SpanEvent {
  const rest = restOf(raw, new Set(['timestamp', 'value']));
  return {
    name: textAt(raw, 'value') ?? 'annotation',
    time: numberToTime(valueAt(raw, 'timestamp'), 1000n),
    attributes: rest,
  };
}
