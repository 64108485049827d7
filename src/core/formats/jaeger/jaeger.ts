/** Jaeger: answers of its query service, what its page downloads, and lists of spans. */
import { type JsonValue, isJsonArray, isJsonObject } from '../../base/json.ts';
import type { Sniff } from '../format.ts';
import { createTelemetryFormat } from '../genai/read.ts';
import type { TelemetryReader } from '../genai/reader.ts';
import { readValues } from '../genai/source.ts';
import { valueToEntries } from '../genai/unknown.ts';
import { listAt } from '../genai/values.ts';
import { jaegerToEntries } from './decode.ts';

const reader: TelemetryReader = {
  id: 'jaeger',
  label: 'Jaeger traces (JSON)',
  detect: detectJaeger,
  entries: async function* (file, count) {
    for await (const values of readValues(file, count, depthOf))
      yield values.flatMap((value) => valueToEntries(value, jaegerToEntries, isEmptyAnswer));
  },
};

export const jaeger = createTelemetryFormat(reader);

/** The names as keys, not inside a text, where their quotes are escaped. */
function detectJaeger({ text }: Sniff): number {
  const head = text.trimStart();
  if (!/^[[{]/.test(head)) return 0;
  const has = (name: string): boolean => new RegExp(`(?:^|[^\\\\])"${name}"\\s*:`).test(head);
  if (!has('traceID')) return 0;
  if (has('spanID')) return has('operationName') || has('references') ? 0.9 : has('duration') ? 0.6 : 0;
  return has('spans') && has('processes') ? 0.7 : 0;
}

/** Elements of a list, or traces in the list of an answer. */
function depthOf(head: string): number {
  if (head.startsWith('[')) return 1;
  return /^\{\s*"data"\s*:\s*\[/.test(head) ? 2 : 0;
}

function isEmptyAnswer(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.length === 0;
  return isJsonObject(value) && (isJsonArray(value['data']) || listAt(value, 'spans').length === 0) && 'data' in value;
}
