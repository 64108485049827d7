/** Spans of Jaeger: tags with types, references, processes beside the spans or inside them, times in microseconds. */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, setOwn } from '../../base/json.ts';
import { numberTokenToValue, writeLossless } from '../../base/lossless.ts';
import type { InputPlace } from '../format.ts';
import { textToSpanId, textToTraceId, toSpanId, toTraceId } from '../genai/ids.ts';
import type { AssumptionCode, Emitter, Entry, Span, SpanEvent, SpanLink } from '../genai/record.ts';
import { addNanos, numberToTime, valueToBigInt } from '../genai/times.ts';
import { unknownToEntry } from '../genai/unknown.ts';
import { listAt, objectAt, restOf, textAt, valueAt, withoutUndefined } from '../genai/values.ts';
import { fingerprint } from '../seen.ts';

/** A trace, an answer of the query service with several, or a span by itself. */
export function jaegerToEntries(value: JsonValue, place: InputPlace): readonly Entry[] {
  const entries: Entry[] = [];
  const open: JsonValue[] = [value];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (isJsonArray(at)) open.push(...[...at].reverse());
    else if (isJsonObject(at)) {
      const spans = at['spans'];
      const data = valueAt(at, 'data', '_source');
      if (isJsonArray(spans)) {
        const processes = objectAt(at, 'processes') ?? {};
        for (const span of spans)
          entries.push(isJsonObject(span) ? toSpan(span, processes, place) : unknownToEntry(span, place));
      } else if (typeof data === 'object') open.push(data);
      else if (isSpan(at)) entries.push(toSpan(at, {}, place));
    }
  }
  return entries;
}

function isSpan(object: JsonObject): boolean {
  return textAt(object, 'traceID') !== undefined && textAt(object, 'spanID') !== undefined;
}

const known: ReadonlySet<string> = new Set([
  'traceID',
  'spanID',
  'parentSpanID',
  'operationName',
  'references',
  'startTime',
  'duration',
  'tags',
  'logs',
  'process',
  'processID',
]);

/** Tags that have a place of their own. */
const named: ReadonlySet<string> = new Set([
  'otel.scope.name',
  'otel.scope.version',
  'otel.library.name',
  'otel.library.version',
  'otel.status_description',
]);

function toSpan(raw: JsonObject, processes: JsonObject, place: InputPlace): Span {
  const print = fingerprint(writeLossless(raw));
  const tags = tagsToObject(raw['tags'] ?? raw['tag']);
  const trace = toTraceId(textAt(raw, 'traceID'));
  const id = toSpanId(textAt(raw, 'spanID'));
  const spanId = id?.id ?? textToSpanId(print);
  const { parent, links } = referencesOf(raw, trace?.id);
  const start = numberToTime(valueAt(raw, 'startTime'), 1000n);
  const lasted = valueToBigInt(valueAt(raw, 'duration'));
  const assumed: AssumptionCode[] = [];
  for (const code of [trace?.assumed, id?.assumed]) if (code !== undefined) assumed.push(code);
  if (trace === undefined) assumed.push('no-trace-id');
  if (id === undefined) assumed.push('no-span-id');
  const { emitter, attributes } = splitTags(tags, processOf(raw, processes));
  return {
    kind: 'span',
    trace: trace?.id ?? textToTraceId('untraced '),
    id: spanId,
    key: spanId,
    parent,
    side: textAt(tags, 'span.kind'),
    name: textAt(raw, 'operationName') ?? '',
    start,
    end: start === undefined || lasted === undefined ? undefined : addNanos(start, lasted * 1000n),
    failed: isTrue(tags['error']) || tags['otel.status_code'] === 'ERROR',
    statusText: textAt(tags, 'otel.status_description'),
    attributes,
    events: listAt(raw, 'logs').filter(isJsonObject).map(toEvent),
    links,
    extra: withoutUndefined({
      ...restOf(raw, known),
      trace_id: textAt(raw, 'traceID') === trace?.id ? undefined : textAt(raw, 'traceID'),
      span_id: textAt(raw, 'spanID') === spanId ? undefined : textAt(raw, 'spanID'),
    }),
    place,
    print,
    assumed,
    ...emitter,
  };
}

function splitTags(
  tags: JsonObject,
  process: JsonObject,
): { readonly emitter: Emitter; readonly attributes: JsonObject } {
  const scope = withoutUndefined({
    name: textAt(tags, 'otel.scope.name', 'otel.library.name'),
    version: textAt(tags, 'otel.scope.version', 'otel.library.version'),
  });
  return { emitter: { resource: resourceOf(process), scope }, attributes: restOf(tags, named) };
}

const resources = new WeakMap<JsonObject, JsonObject>();

/** Spans of one process share the object. */
function resourceOf(process: JsonObject): JsonObject {
  const made = resources.get(process);
  if (made !== undefined) return made;
  const name = textAt(process, 'serviceName');
  const resource = withoutUndefined({ 'service.name': name, ...tagsToObject(process['tags'] ?? process['tag']) });
  resources.set(process, resource);
  return resource;
}

function processOf(raw: JsonObject, processes: JsonObject): JsonObject {
  const id = textAt(raw, 'processID');
  const named = id === undefined ? undefined : objectAt(processes, id);
  return named ?? objectAt(raw, 'process') ?? {};
}

/** Tags are a list with types; in some stores a plain object. */
function tagsToObject(tags: JsonValue | undefined): JsonObject {
  if (isJsonObject(tags)) return tags;
  const out: Record<string, JsonValue> = {};
  if (!isJsonArray(tags)) return out;
  for (const tag of tags) {
    if (!isJsonObject(tag)) continue;
    const key = textAt(tag, 'key');
    const value = tag['value'];
    if (key !== undefined && value !== undefined) setOwn(out, key, typed(value, textAt(tag, 'type')));
  }
  return out;
}

function typed(value: JsonValue, type: string | undefined): JsonValue {
  if (typeof value !== 'string') return value;
  if (type === 'bool') return value === 'true' ? true : value === 'false' ? false : value;
  return (type === 'int64' || type === 'float64') && /^-?\d+(\.\d+)?$/.test(value) ? numberTokenToValue(value) : value;
}

function isTrue(value: JsonValue | undefined): boolean {
  return value === true || (typeof value === 'string' && value !== '' && value !== 'false');
}

function referencesOf(
  raw: JsonObject,
  trace: string | undefined,
): { readonly parent: string | undefined; readonly links: readonly SpanLink[] } {
  let parent = toSpanId(textAt(raw, 'parentSpanID'))?.id;
  const links: SpanLink[] = [];
  for (const reference of listAt(raw, 'references')) {
    if (!isJsonObject(reference)) continue;
    const span = toSpanId(textAt(reference, 'spanID'));
    const own = toTraceId(textAt(reference, 'traceID'))?.id ?? trace;
    const type = textAt(reference, 'refType') ?? 'CHILD_OF';
    if (span === undefined || own === undefined) continue;
    if (type === 'CHILD_OF' && own === trace && parent === undefined) parent = span.id;
    else if (span.id !== parent || own !== trace) links.push({ trace: own, span: span.id, attributes: { type } });
  }
  return { parent, links };
}

function toEvent(raw: JsonObject): SpanEvent {
  const fields = tagsToObject(raw['fields']);
  const { event, ...attributes } = fields;
  const name = typeof event === 'string' && event !== '' ? event : 'log';
  return { name, time: numberToTime(valueAt(raw, 'timestamp'), 1000n), attributes };
}
