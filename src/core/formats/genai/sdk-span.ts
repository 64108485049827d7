/**
 * Spans as the SDKs of OpenTelemetry and Phoenix write them: an object with a context and plain attributes, not OTLP. Used by
 * `otel-dump` and `openinference`.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, setOwn } from '../../base/json.ts';
import { writeLossless } from '../../base/lossless.ts';
import type { InputPlace } from '../format.ts';
import { fingerprint } from '../seen.ts';
import { textToSpanId, textToTraceId, toSpanId, toTraceId } from './ids.ts';
import type { AssumptionCode, Emitter, Span, SpanEvent, SpanLink } from './record.ts';
import { addNanos, numberToTime, type ReadTime, valueToBigInt, valueToTime } from './times.ts';
import { isEmpty, listAt, objectAt, restOf, textAt, valueAt, withoutUndefined } from './values.ts';

const known: ReadonlySet<string> = new Set([
  'name',
  'context',
  'spanContext',
  '_spanContext',
  'traceId',
  'trace_id',
  'spanId',
  'span_id',
  'parent_id',
  'parentId',
  'parentSpanId',
  'parent_span_id',
  'parentSpanContext',
  'kind',
  'start_time',
  'end_time',
  'startTime',
  'endTime',
  'timestamp',
  'duration',
  'status',
  'attributes',
  'events',
  'links',
  'resource',
  'instrumentationScope',
  'instrumentationLibrary',
  'instrumentation_scope',
  'status_code',
  'status_message',
  'span_kind',
]);

/** `attributes` are decoded by the caller: the dialects nest them differently. */
export function objectToSpan(raw: JsonObject, attributes: JsonObject, place: InputPlace): Span {
  const print = fingerprint(writeLossless(raw));
  const context = objectAt(raw, 'context', 'spanContext', '_spanContext') ?? raw;
  const written = {
    trace: textAt(context, 'trace_id', 'traceId') ?? textAt(raw, 'context.trace_id', 'trace_id', 'traceId'),
    // The console exporter of JavaScript names the span id just `id`.
    span: textAt(context, 'span_id', 'spanId') ?? textAt(raw, 'context.span_id', 'span_id', 'spanId', 'id'),
    parent:
      textAt(raw, 'parent_id', 'parentSpanId', 'parentId', 'parent_span_id') ??
      textAt(objectAt(raw, 'parentSpanContext', 'parent') ?? {}, 'spanId', 'span_id'),
  };
  const trace = toTraceId(written.trace);
  const id = toSpanId(written.span);
  const parent = toSpanId(written.parent);
  const spanId = id?.id ?? textToSpanId(print);
  const emitter = toEmitter(raw);
  const times = timesOf(raw);
  const status = statusOf(raw);
  const assumed = [trace?.assumed, id?.assumed, parent?.assumed, times.start?.assumed, times.end?.assumed];
  if (trace === undefined) assumed.push('no-trace-id');
  if (id === undefined) assumed.push('no-span-id');
  const codes = assumed.filter((code) => code !== undefined);
  return {
    kind: 'span',
    trace: trace?.id ?? untracedOf(attributes, emitter.resource),
    id: spanId,
    key: spanId,
    parent: parent?.id,
    side: sdkSide(raw['kind']),
    name: textAt(raw, 'name') ?? '',
    start: times.start?.time,
    end: times.end?.time,
    ...status,
    attributes,
    events: listOf(raw, 'events').flatMap(toEvent),
    links: listOf(raw, 'links').flatMap(toLink),
    extra: withoutUndefined({
      ...restOf(raw, known),
      trace_id: written.trace === trace?.id ? undefined : written.trace,
      span_id: written.span === spanId ? undefined : written.span,
      ...writtenTimes(raw, codes),
    }),
    place,
    print,
    assumed: codes,
    ...emitter,
  };
}

/** Times as they were written, where reading them assumed something. */
function writtenTimes(raw: JsonObject, assumed: readonly AssumptionCode[]): JsonObject {
  if (!assumed.includes('time-without-zone') && !assumed.includes('unit-guess')) return {};
  return withoutUndefined({
    start_time: valueAt(raw, 'start_time', 'startTime', 'timestamp'),
    end_time: valueAt(raw, 'end_time', 'endTime', 'duration'),
  });
}

/** Without a trace id a record belongs to its session, else to the process (assumption `no-trace-id`). */
export function untracedOf(attributes: JsonObject, resource: JsonObject): string {
  const session = textAt(attributes, 'gen_ai.conversation.id', 'session.id');
  return textToTraceId(`untraced ${session ?? textAt(resource, 'service.instance.id', 'service.name') ?? ''}`);
}

interface Times {
  readonly start: ReadTime | undefined;
  readonly end: ReadTime | undefined;
}

function timesOf(raw: JsonObject): Times {
  const start = valueToTime(valueAt(raw, 'start_time', 'startTime'));
  const end = valueToTime(valueAt(raw, 'end_time', 'endTime'));
  if (start !== undefined || end !== undefined) return { start, end };
  // The console exporter of JavaScript: microseconds, and how many more.
  const begun = valueAt(raw, 'timestamp');
  const time = typeof begun === 'number' ? numberToTime(begun, 1000n) : undefined;
  if (time === undefined) return { start: valueToTime(begun), end: undefined };
  const lasted = valueToBigInt(valueAt(raw, 'duration'));
  const until = lasted === undefined ? undefined : addNanos(time, lasted * 1000n);
  return {
    start: { time, assumed: undefined },
    end: until === undefined ? undefined : { time: until, assumed: undefined },
  };
}

function statusOf(raw: JsonObject): Pick<Span, 'failed' | 'statusText'> {
  const status = objectAt(raw, 'status') ?? {};
  const code = valueAt(status, 'status_code', 'code') ?? valueAt(raw, 'status_code');
  const failed = code === 2 || (typeof code === 'string' && /^(2|(STATUS_CODE_|StatusCode\.)?ERROR)$/i.test(code));
  return { failed, statusText: textAt(status, 'description', 'message') ?? textAt(raw, 'status_message') };
}

/** The JavaScript SDK counts kinds from 0, OTLP from 1. */
const sdkSides = ['internal', 'server', 'client', 'producer', 'consumer'] as const;

function sdkSide(kind: JsonValue | undefined): string | undefined {
  if (typeof kind === 'number') return sdkSides[kind];
  return typeof kind === 'string' ? kind.replace(/^SpanKind\.|^SPAN_KIND_/i, '').toLowerCase() : undefined;
}

export function toEmitter(raw: JsonObject): Emitter {
  const resource = objectAt(raw, 'resource') ?? {};
  const scope = objectAt(raw, 'instrumentationScope', 'instrumentationLibrary', 'instrumentation_scope') ?? {};
  const pairs = listAt(resource, '_rawAttributes');
  const attributes = pairs.length > 0 ? pairsToObject(pairs) : (objectAt(resource, 'attributes', '_attributes') ?? {});
  return { resource: attributes, scope: restOf(scope, new Set()) };
}

function pairsToObject(pairs: readonly JsonValue[]): JsonObject {
  const out: Record<string, JsonValue> = {};
  for (const pair of pairs) {
    if (!isJsonArray(pair)) continue;
    const [key, value] = pair;
    if (typeof key === 'string' && value !== undefined) setOwn(out, key, value);
  }
  return out;
}

/** A list, or a text that holds one. */
function listOf(raw: JsonObject, name: string): readonly JsonObject[] {
  return listAt(raw, name).filter(isJsonObject);
}

function toEvent(raw: JsonObject): readonly SpanEvent[] {
  const time = valueToTime(valueAt(raw, 'timestamp', 'time'));
  const attributes = objectAt(raw, 'attributes') ?? {};
  return [{ name: textAt(raw, 'name') ?? 'event', time: time?.time, attributes }];
}

function toLink(raw: JsonObject): readonly SpanLink[] {
  const context = objectAt(raw, 'context', 'spanContext') ?? raw;
  const trace = toTraceId(textAt(context, 'trace_id', 'traceId'));
  const span = toSpanId(textAt(context, 'span_id', 'spanId'));
  if (trace === undefined || span === undefined) return [];
  return [{ trace: trace.id, span: span.id, attributes: objectAt(raw, 'attributes') ?? {} }];
}

/**
 * Nested attributes to dotted names, lists of objects with indices: the form in which the conventions are written. Values that are
 * no objects, and lists of them, stay.
 */
export function flattenAttributes(attributes: JsonObject): JsonObject {
  const out: Record<string, JsonValue> = {};
  const open: [string, JsonValue, number][] = [['', attributes, 0]];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [name, value, depth] = at;
    const inside = depth < 32 ? membersOf(value) : undefined;
    if (inside === undefined || (inside.length === 0 && name !== '')) setOwn(out, name, value);
    else {
      for (const [key, member] of inside.reverse())
        open.push([name === '' ? key : `${name}.${key}`, member, depth + 1]);
    }
  }
  return isEmpty(out) ? {} : out;
}

function membersOf(value: JsonValue): [string, JsonValue][] | undefined {
  if (isJsonObject(value)) return Object.keys(value).map((key) => [key, value[key] ?? null]);
  if (isJsonArray(value) && value.length > 0 && value.every(isJsonObject))
    return value.map((item, n) => [String(n), item]);
  return undefined;
}
