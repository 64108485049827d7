/**
 * What the SDKs of OpenTelemetry print and dump: spans and log records as objects with plain attributes, one after another, in a
 * list, or inside `{"spans": [ … ]}`; what Node's console prints of them; the telemetry file of Gemini CLI; attributes by themselves.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../base/json.ts';
import { writeLossless } from '../../base/lossless.ts';
import type { InputPlace, Sniff, SourceFile } from '../format.ts';
import { toSpanId, toTraceId } from '../genai/ids.ts';
import { createTelemetryFormat } from '../genai/read.ts';
import type { TelemetryReader } from '../genai/reader.ts';
import type { AssumptionCode, Entry, Log } from '../genai/record.ts';
import { objectToSpan, toEmitter, untracedOf } from '../genai/sdk-span.ts';
import { readValues, type SourceValue } from '../genai/source.ts';
import { valueToTime } from '../genai/times.ts';
import { valueToEntries } from '../genai/unknown.ts';
import { listAt, objectAt, restOf, textAt, valueAt } from '../genai/values.ts';
import { fingerprint } from '../seen.ts';
import { sniffObjects } from '../sniff.ts';
import { geminiLogToEntry } from './gemini.ts';
import { inspectTextToJson } from './inspect-text.ts';

const reader: TelemetryReader = {
  id: 'otel',
  label: 'OpenTelemetry SDK dump (spans and logs as a console prints them)',
  detect: detectDump,
  entries: readDump,
};

export const otelDump = createTelemetryFormat(reader);

async function* readDump(file: SourceFile, count: (bytes: number) => void): AsyncGenerator<readonly Entry[]> {
  for await (const values of readValues(file, count, depthOf))
    yield values.flatMap((value) => valueToEntries(printedToValue(value), dumpToEntries, isEmptyDump));
}

/** What is no JSON may be what Node's console prints. */
function printedToValue(value: SourceValue): SourceValue {
  if (value.value !== undefined || value.problem.raw === undefined || value.problem.place === undefined) return value;
  const text = new TextDecoder().decode(value.problem.raw);
  const read = inspectTextToJson(text);
  return read === undefined || !isJsonObject(read) ? value : { value: read, text, place: value.problem.place };
}

function detectDump(sniff: Sniff): number {
  const head = sniff.text.trimStart();
  if (!/^[[{]/.test(head)) return printedSpan.test(head) ? 0.6 : 0;
  const has = (name: string): boolean => new RegExp(`(?:^|[^\\\\])"${name}"\\s*:`).test(head);
  if (has('span_kind') && has('context')) return 0;
  const hasIds = (has('context') && has('span_id') && has('trace_id')) || (has('spanContext') && has('spanId'));
  if (hasIds && has('attributes') && (has('start_time') || has('startTime') || has('status'))) return 0.8;
  if (has('hrTime') && has('attributes')) return 0.85;
  // The console exporter of JavaScript, written as JSON.
  if (has('traceId') && has('timestamp') && has('duration') && has('attributes') && has('links')) return 0.8;
  if (has('_rawAttributes') || (has('severity_number') && has('trace_id') && has('body'))) return 0.8;
  if (printedSpan.test(head)) return 0.7;
  const objects = sniffObjects(sniff, 5);
  const whole = objects.length > 0 ? objects : wholeObject(sniff);
  return whole.some(isAttributeMap) ? 0.6 : 0;
}

// Blanks within a line only: across lines, a flood of empty ones would be read once for each.
const printedSpan = /^[ \t]*(?:traceId|parentSpanContext|instrumentationScope): /m;

function wholeObject(sniff: Sniff): readonly JsonObject[] {
  if (!sniff.whole) return [];
  const read = inspectTextToJson(sniff.text);
  return isJsonObject(read) ? [read] : [];
}

/** Nothing but attributes, of which some are of the GenAI conventions. */
function isAttributeMap(object: JsonObject): boolean {
  const keys = Object.keys(object);
  const dotted = keys.filter((key) => /^(?:gen_ai|llm|openinference|ai|traceloop)\.[\w.]+$/.test(key));
  return dotted.length >= 2 && dotted.length * 2 >= keys.length;
}

function depthOf(head: string): number {
  if (head.startsWith('[')) return 1;
  return /^\{\s*"spans"\s*:\s*\[/.test(head) ? 2 : 0;
}

function isEmptyDump(value: JsonValue): boolean {
  return isJsonArray(value) ? value.length === 0 : isJsonObject(value) && isJsonArray(value['spans']);
}

function dumpToEntries(value: JsonValue, place: InputPlace): readonly Entry[] {
  const entries: Entry[] = [];
  const open: JsonValue[] = [value];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (isJsonArray(at)) open.push(...[...at].reverse());
    else if (isJsonObject(at)) {
      const spans = at['spans'];
      if (isJsonArray(spans) && !isSpan(at)) open.push(...[...spans].reverse());
      else entries.push(...objectToEntries(at, place));
    }
  }
  return entries;
}

function objectToEntries(raw: JsonObject, place: InputPlace): readonly Entry[] {
  if (isLog(raw)) return [geminiLogToEntry(toLog(raw, place))];
  if (isSpan(raw)) return [objectToSpan(raw, objectAt(raw, 'attributes') ?? {}, place)];
  if (isAttributeMap(raw)) return [objectToSpan({}, raw, place)].map((span) => ({ ...span, ...identity(raw) }));
  const { resource } = toEmitter(raw);
  const metrics = isJsonArray(raw['scopeMetrics']) || isJsonArray(raw['resource_metrics']);
  const print = fingerprint(writeLossless(raw));
  return [
    {
      kind: 'foreign',
      trace: untracedOf(metrics ? metricAttributes(raw) : {}, resource),
      type: metrics ? 'metrics' : 'unknown',
      record: raw,
      place,
      print,
    },
  ];
}

/** The attributes of the first data point: they name the session. */
function metricAttributes(raw: JsonObject): JsonObject {
  for (const scoped of listAt(raw, 'scopeMetrics')) {
    for (const metric of isJsonObject(scoped) ? listAt(scoped, 'metrics') : []) {
      const [point] = isJsonObject(metric) ? listAt(metric, 'dataPoints') : [];
      if (isJsonObject(point)) return objectAt(point, 'attributes') ?? {};
    }
  }
  return {};
}

/** Attributes by themselves have no id: one is made of them. */
function identity(raw: JsonObject): { readonly id: string; readonly key: string; readonly print: string } {
  const print = fingerprint(writeLossless(raw));
  return { id: print, key: print, print };
}

function isSpan(raw: JsonObject): boolean {
  if (isLog(raw)) return false;
  if (objectAt(raw, 'context', 'spanContext', '_spanContext') !== undefined) return true;
  const id = textAt(raw, 'id', 'spanId', 'span_id');
  return id !== undefined && textAt(raw, 'traceId', 'trace_id') !== undefined;
}

function isLog(raw: JsonObject): boolean {
  return (
    ('hrTime' in raw && ('_body' in raw || 'body' in raw)) ||
    ('severity_number' in raw && 'body' in raw) ||
    '_body' in raw
  );
}

const logFields: ReadonlySet<string> = new Set([
  'hrTime',
  'timestamp',
  'resource',
  'instrumentationScope',
  'attributes',
  '_body',
  'body',
  'severityText',
  '_severityText',
  'severity_text',
  'trace_id',
  'span_id',
  'spanContext',
]);

function toLog(raw: JsonObject, place: InputPlace): Log {
  const emitter = toEmitter(raw);
  const attributes = objectAt(raw, 'attributes') ?? {};
  const context = objectAt(raw, 'spanContext') ?? raw;
  const trace = toTraceId(textAt(context, 'traceId', 'trace_id'));
  const span = toSpanId(textAt(context, 'spanId', 'span_id'));
  const time = valueToTime(valueAt(raw, 'hrTime', 'timestamp'));
  const assumed: AssumptionCode[] = [];
  for (const code of [trace?.assumed, span?.assumed, time?.assumed]) if (code !== undefined) assumed.push(code);
  if (trace === undefined) assumed.push('no-trace-id');
  return {
    kind: 'log',
    trace: trace?.id ?? untracedOf(attributes, emitter.resource),
    span: span?.id,
    name: textAt(attributes, 'event.name') ?? textAt(raw, 'event_name'),
    time: time?.time,
    observed: valueToTime(valueAt(raw, 'hrTimeObserved', 'observed_timestamp'))?.time,
    severity: textAt(raw, 'severityText', '_severityText', 'severity_text'),
    body: valueAt(raw, '_body', 'body'),
    attributes,
    extra: restOf(raw, logFields),
    place,
    print: fingerprint(writeLossless(raw)),
    assumed,
    ...emitter,
  };
}
