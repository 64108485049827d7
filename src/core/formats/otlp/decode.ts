/**
 * Requests of OTLP JSON to spans and log records: every envelope around them, both spellings of names, every way to write ids, kinds
 * and states.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../base/json.ts';
import { writeLossless } from '../../base/lossless.ts';
import type { InputPlace } from '../format.ts';
import { textToSpanId, textToTraceId, toSpanId, toTraceId } from '../genai/ids.ts';
import type { AssumptionCode, Emitter, Entry, Log, Span, SpanEvent, SpanLink } from '../genai/record.ts';
import { numberToTime } from '../genai/times.ts';
import { unknownToEntry } from '../genai/unknown.ts';
import { isEmpty, listAt, objectAt, restOf, textAt, valueAt, withoutUndefined } from '../genai/values.ts';
import { fingerprint } from '../seen.ts';
import { anyValueToJson, keyValuesToObject } from './value.ts';

const spanLists = ['resourceSpans', 'resource_spans', 'batches'] as const;
const logLists = ['resourceLogs', 'resource_logs'] as const;
const metricLists = ['resourceMetrics', 'resource_metrics'] as const;
/** What stands around a request in exports of other programs. */
const wrappers = ['result', 'trace', 'traces', 'data', 'Data'] as const;

/** A request, or an element of its lists when the file was read element by element. */
export function requestToEntries(value: JsonValue, place: InputPlace): readonly Entry[] {
  const entries: Entry[] = [];
  const open: JsonValue[] = [value];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (isJsonArray(at)) {
      open.push(...[...at].reverse());
      continue;
    }
    if (!isJsonObject(at)) continue;
    for (const name of [...spanLists, ...logLists, ...metricLists]) {
      for (const item of listAt(at, name)) if (isJsonObject(item)) addResource(entries, item, place);
    }
    if (isResource(at)) addResource(entries, at, place);
    else if (isBareSpan(at)) entries.push(toSpan(at, { resource: {}, scope: {} }, place));
    for (const name of wrappers) {
      const inside = valueAt(at, name);
      if (typeof inside === 'object') open.push(inside);
    }
  }
  return entries;
}

const scopeSpanLists = ['scopeSpans', 'scope_spans', 'instrumentationLibrarySpans', 'instrumentation_library_spans'];
const scopeLogLists = ['scopeLogs', 'scope_logs', 'instrumentationLibraryLogs', 'instrumentation_library_logs'];
const scopeMetricLists = ['scopeMetrics', 'scope_metrics', 'instrumentationLibraryMetrics'];

export function isResource(object: JsonObject): boolean {
  return [...scopeSpanLists, ...scopeLogLists, ...scopeMetricLists].some((name) => isJsonArray(object[name]));
}

/** A span without anything around it, as some exports write one a line. */
export function isBareSpan(object: JsonObject): boolean {
  const id = textAt(object, 'spanId', 'span_id');
  const time = valueAt(object, 'startTimeUnixNano', 'start_time_unix_nano');
  return id !== undefined && time !== undefined && textAt(object, 'traceId', 'trace_id') !== undefined;
}

function addResource(entries: Entry[], item: JsonObject, place: InputPlace): void {
  const resource = keyValuesToObject(valueAt(objectAt(item, 'resource') ?? {}, 'attributes'));
  for (const list of scopeSpanLists) {
    for (const scoped of listAt(item, list)) {
      if (!isJsonObject(scoped)) continue;
      const emitter = { resource, scope: toScope(scoped) };
      for (const span of listAt(scoped, 'spans'))
        entries.push(isJsonObject(span) ? toSpan(span, emitter, place) : unknownToEntry(span, place));
    }
  }
  for (const list of scopeLogLists) {
    for (const scoped of listAt(item, list)) {
      if (!isJsonObject(scoped)) continue;
      const emitter = { resource, scope: toScope(scoped) };
      for (const log of listAt(scoped, 'logRecords', 'log_records', 'logs'))
        entries.push(isJsonObject(log) ? toLog(log, emitter, place) : unknownToEntry(log, place));
    }
  }
  for (const list of scopeMetricLists) {
    for (const scoped of listAt(item, list)) {
      if (!isJsonObject(scoped)) continue;
      for (const metric of listAt(scoped, 'metrics')) {
        if (!isJsonObject(metric)) continue;
        const record = { ...metric, scope: toScope(scoped) };
        const print = fingerprint(writeLossless(record));
        entries.push({ kind: 'foreign', trace: untracedOf(resource), type: 'metric', record, place, print });
      }
    }
  }
}

function toScope(scoped: JsonObject): JsonObject {
  const scope = objectAt(scoped, 'scope', 'instrumentationLibrary', 'instrumentation_library') ?? {};
  const attributes = keyValuesToObject(valueAt(scope, 'attributes'));
  return withoutUndefined({
    name: textAt(scope, 'name'),
    version: textAt(scope, 'version'),
    attributes: isEmpty(attributes) ? undefined : attributes,
    schema: textAt(scoped, 'schemaUrl', 'schema_url'),
  });
}

const sides: ReadonlyMap<JsonValue, string> = new Map<JsonValue, string>([
  [1, 'internal'],
  [2, 'server'],
  [3, 'client'],
  [4, 'producer'],
  [5, 'consumer'],
]);

/** A number, or the name of the enumeration with or without its prefix. */
function toSide(kind: JsonValue | undefined): string | undefined {
  if (typeof kind === 'number') return sides.get(kind);
  if (typeof kind !== 'string') return undefined;
  const name = kind.replace(/^SPAN_KIND_|^SpanKind\./i, '').toLowerCase();
  return /^\d$/.test(name) ? sides.get(Number(name)) : name === 'unspecified' || name === '' ? undefined : name;
}

function isErrorStatus(code: JsonValue | undefined): boolean {
  return code === 2 || (typeof code === 'string' && /^(2|STATUS_CODE_ERROR|ERROR|StatusCode\.ERROR)$/i.test(code));
}

const spanFields: ReadonlySet<string> = new Set([
  'traceId',
  'trace_id',
  'spanId',
  'span_id',
  'parentSpanId',
  'parent_span_id',
  'name',
  'kind',
  'startTimeUnixNano',
  'start_time_unix_nano',
  'endTimeUnixNano',
  'end_time_unix_nano',
  'attributes',
  'events',
  'links',
  'status',
]);

function toSpan(raw: JsonObject, emitter: Emitter, place: InputPlace): Span {
  const print = fingerprint(writeLossless(raw));
  const attributes = keyValuesToObject(valueAt(raw, 'attributes'));
  const written = { trace: textAt(raw, 'traceId', 'trace_id'), span: textAt(raw, 'spanId', 'span_id') };
  const trace = toTraceId(written.trace);
  const id = toSpanId(written.span);
  const parent = toSpanId(textAt(raw, 'parentSpanId', 'parent_span_id'));
  const status = objectAt(raw, 'status') ?? {};
  const spanId = id?.id ?? textToSpanId(print);
  const assumed: AssumptionCode[] = [];
  for (const code of [trace?.assumed, id?.assumed, parent?.assumed]) if (code !== undefined) assumed.push(code);
  if (trace === undefined) assumed.push('no-trace-id');
  if (id === undefined) assumed.push('no-span-id');
  const extra = restOf(raw, spanFields);
  return {
    kind: 'span',
    trace: trace?.id ?? untracedOf(emitter.resource),
    id: spanId,
    key: spanId,
    parent: parent?.id,
    side: toSide(raw['kind']),
    name: textAt(raw, 'name') ?? '',
    start: numberToTime(valueAt(raw, 'startTimeUnixNano', 'start_time_unix_nano'), 1n),
    end: numberToTime(valueAt(raw, 'endTimeUnixNano', 'end_time_unix_nano'), 1n),
    failed: isErrorStatus(valueAt(status, 'code')),
    statusText: textAt(status, 'message'),
    attributes,
    events: listAt(raw, 'events').filter(isJsonObject).map(toEvent),
    links: listAt(raw, 'links').filter(isJsonObject).flatMap(toLink),
    extra: withoutUndefined({
      ...extra,
      trace_id: written.trace === trace?.id ? undefined : written.trace,
      span_id: written.span === spanId ? undefined : written.span,
    }),
    place,
    print,
    assumed,
    ...emitter,
  };
}

/** Records without a trace belong to the process that wrote them (assumption `no-trace-id`). */
function untracedOf(resource: JsonObject): string {
  return textToTraceId(`untraced ${textAt(resource, 'service.instance.id', 'service.name') ?? ''}`);
}

function toEvent(raw: JsonObject): SpanEvent {
  return {
    name: textAt(raw, 'name') ?? 'event',
    time: numberToTime(valueAt(raw, 'timeUnixNano', 'time_unix_nano'), 1n),
    attributes: keyValuesToObject(valueAt(raw, 'attributes')),
  };
}

const linkFields: ReadonlySet<string> = new Set(['traceId', 'trace_id', 'spanId', 'span_id', 'attributes']);

function toLink(raw: JsonObject): readonly SpanLink[] {
  const trace = toTraceId(textAt(raw, 'traceId', 'trace_id'));
  const span = toSpanId(textAt(raw, 'spanId', 'span_id'));
  if (trace === undefined || span === undefined) return [];
  const attributes = { ...keyValuesToObject(valueAt(raw, 'attributes')), ...restOf(raw, linkFields) };
  return [{ trace: trace.id, span: span.id, attributes }];
}

const logFields: ReadonlySet<string> = new Set([
  'traceId',
  'trace_id',
  'spanId',
  'span_id',
  'timeUnixNano',
  'time_unix_nano',
  'severityText',
  'severity_text',
  'body',
  'attributes',
  'eventName',
  'event_name',
]);

function toLog(raw: JsonObject, emitter: Emitter, place: InputPlace): Log {
  const attributes = keyValuesToObject(valueAt(raw, 'attributes'));
  const trace = toTraceId(textAt(raw, 'traceId', 'trace_id'));
  const span = toSpanId(textAt(raw, 'spanId', 'span_id'));
  const body = valueAt(raw, 'body');
  const observed = numberToTime(valueAt(raw, 'observedTimeUnixNano', 'observed_time_unix_nano'), 1n);
  const time = numberToTime(valueAt(raw, 'timeUnixNano', 'time_unix_nano'), 1n) ?? observed;
  const assumed: AssumptionCode[] = [];
  for (const code of [trace?.assumed, span?.assumed]) if (code !== undefined) assumed.push(code);
  if (trace === undefined) assumed.push('no-trace-id');
  return {
    kind: 'log',
    trace: trace?.id ?? untracedOf(emitter.resource),
    span: span?.id,
    name: textAt(raw, 'eventName', 'event_name') ?? textAt(attributes, 'event.name'),
    time,
    observed,
    severity: textAt(raw, 'severityText', 'severity_text'),
    body: body === undefined ? undefined : anyValueToJson(body, 0),
    attributes,
    extra: restOf(raw, logFields),
    place,
    print: fingerprint(writeLossless(raw)),
    assumed,
    ...emitter,
  };
}
