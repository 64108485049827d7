/**
 * OpenTelemetry protocol as JSON: requests one a line, or in one document, spans and log records together, as collectors, Tempo and
 * Jaeger export them.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../base/json.ts';
import type { Sniff } from '../format.ts';
import { createTelemetryFormat } from '../genai/read.ts';
import type { TelemetryReader } from '../genai/reader.ts';
import { readValues } from '../genai/source.ts';
import { valueToEntries } from '../genai/unknown.ts';
import { objectAt } from '../genai/values.ts';
import { sniffObjects } from '../sniff.ts';
import { isBareSpan, isResource, requestToEntries } from './decode.ts';

const reader: TelemetryReader = {
  id: 'otlp',
  label: 'OpenTelemetry (OTLP JSON, spans and logs)',
  detect: detectOtlp,
  entries: async function* (file, count) {
    for await (const values of readValues(file, count, depthOf))
      yield values.flatMap((value) => valueToEntries(value, requestToEntries, isEmptyRequest));
  },
};

export const otlp = createTelemetryFormat(reader);

const envelope =
  /"(?:resourceSpans|resource_spans|resourceLogs|resource_logs|resourceMetrics|resource_metrics|batches)"\s*:\s*\[/;
const scoped = /"(?:scopeSpans|scope_spans|scopeLogs|scope_logs|instrumentationLibrarySpans|scopeMetrics)"\s*:\s*\[/;

function detectOtlp(sniff: Sniff): number {
  const head = sniff.text.trimStart();
  if (!/^[[{]/.test(head)) return sniffObjects(sniff).some(isRequest) ? 0.8 : 0;
  const start = head.slice(0, 400);
  if (
    /^\{\s*"(?:resourceSpans|resource_spans|resourceLogs|resource_logs|resourceMetrics|batches)"\s*:\s*\[/.test(start)
  )
    return 0.95;
  if (envelope.test(start) || (envelope.test(head) && scoped.test(head) && /"resource"\s*:/.test(head)))
    return isInText(head) ? 0 : 0.85;
  const objects = sniffObjects(sniff);
  if (objects.some(isRequest)) return 0.8;
  return objects.some(isBareSpan) ? 0.6 : 0;
}

/** The names stand inside a text of another format's record: quotes before them are escaped. */
function isInText(head: string): boolean {
  const at = head.search(envelope);
  return at > 0 && head[at - 1] === '\\';
}

function isRequest(object: JsonObject): boolean {
  return (
    isResource(object) ||
    envelope.test(
      Object.keys(object)
        .map((key) => `"${key}":[`)
        .join(' '),
    )
  );
}

/** How deep the elements of the outermost list of resources stand. */
function depthOf(head: string): number {
  const at = head.search(envelope);
  if (at < 0) return 0;
  let depth = 0;
  for (let i = 0; i < at; i++) {
    const c = head.charCodeAt(i);
    if (c === 34) for (i++; i < at && head.charCodeAt(i) !== 34; i++) if (head.charCodeAt(i) === 92) i++;
    if (c === 123 || c === 91) depth++;
    else if (c === 125 || c === 93) depth--;
  }
  return depth + 1;
}

/** A request without records: an empty list of resources, or of scopes. */
function isEmptyRequest(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.length === 0;
  if (!isJsonObject(value)) return false;
  return (
    isRequest(value) || Object.keys(value).length === 0 || isRequest(objectAt(value, 'result', 'trace', 'data') ?? {})
  );
}
