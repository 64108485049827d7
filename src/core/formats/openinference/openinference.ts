/**
 * Phoenix: spans with OpenInference attributes, as lists, one a line, pages of its interface, or rows of its data frames.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, setOwn } from '../../base/json.ts';
import type { InputPlace, Sniff } from '../format.ts';
import { createTelemetryFormat } from '../genai/read.ts';
import type { TelemetryReader } from '../genai/reader.ts';
import type { Entry, Span } from '../genai/record.ts';
import { flattenAttributes, objectToSpan } from '../genai/sdk-span.ts';
import { readValues } from '../genai/source.ts';
import { valueToEntries } from '../genai/unknown.ts';
import { objectAt, parseText, textAt, valueAt } from '../genai/values.ts';
import { sniffObjects } from '../sniff.ts';

const reader: TelemetryReader = {
  id: 'openinference',
  label: 'Phoenix spans (OpenInference)',
  detect: detectPhoenix,
  entries: async function* (file, count) {
    for await (const values of readValues(file, count, depthOf))
      yield values.flatMap((value) => valueToEntries(value, phoenixToEntries, isEmptyPage));
  },
};

export const openinference = createTelemetryFormat(reader);

function detectPhoenix(sniff: Sniff): number {
  const head = sniff.text.trimStart();
  if (!/^[[{]/.test(head)) return 0;
  if (sniffObjects(sniff).some(isSpan)) return 0.9;
  const has = (name: string): boolean => new RegExp(`(?:^|[^\\\\])"${name}"\\s*:`).test(head);
  if (has('context.span_id') && has('span_kind')) return 0.9;
  return has('span_kind') && has('context') && has('span_id') && has('trace_id') ? 0.85 : 0;
}

/** The kind stands beside the context: in a dump of an SDK it is an attribute. */
function isSpan(object: JsonObject): boolean {
  const context = objectAt(object, 'context');
  const id = context === undefined ? textAt(object, 'context.span_id') : textAt(context, 'span_id', 'spanId');
  return id !== undefined && textAt(object, 'span_kind') !== undefined;
}

/** Elements of a list, or of the list in a page or in an object of lists. */
function depthOf(head: string): number {
  if (head.startsWith('[')) return 1;
  return /^\{\s*"[^"]*"\s*:\s*\[/.test(head) ? 2 : 0;
}

function isEmptyPage(value: JsonValue): boolean {
  return isJsonArray(value) ? value.length === 0 : isJsonObject(value) && Object.values(value).every(isEmptyList);
}

function isEmptyList(value: JsonValue): boolean {
  return value === null || (isJsonArray(value) && value.length === 0);
}

function phoenixToEntries(value: JsonValue, place: InputPlace): readonly Entry[] {
  const entries: Entry[] = [];
  const open: JsonValue[] = [value];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (isJsonArray(at)) open.push(...[...at].reverse());
    else if (isJsonObject(at)) {
      if (isSpan(at)) entries.push(toSpan(at, place));
      else for (const member of Object.values(at).reverse()) if (isJsonArray(member)) open.push(member);
    }
  }
  return entries;
}

function toSpan(raw: JsonObject, place: InputPlace): Span {
  const { row, attributes } = splitRow(raw);
  const kind = textAt(raw, 'span_kind');
  const flat = flattenAttributes(attributes);
  const named =
    'openinference.span.kind' in flat || kind === undefined ? flat : { ...flat, 'openinference.span.kind': kind };
  return objectToSpan(row, named, place);
}

/** A row of a data frame has its attributes as columns. */
function splitRow(raw: JsonObject): { readonly row: JsonObject; readonly attributes: JsonObject } {
  const row: Record<string, JsonValue> = {};
  const attributes: Record<string, JsonValue> = {};
  const whole = parseText(valueAt(raw, 'attributes') ?? {});
  if (isJsonObject(whole)) for (const key of Object.keys(whole)) setOwn(attributes, key, whole[key] ?? null);
  for (const key of Object.keys(raw)) {
    const value = raw[key];
    if (value === undefined || value === null) continue;
    if (key.startsWith('attributes.')) setOwn(attributes, key.slice('attributes.'.length), value);
    else if (key === 'events' || key === 'links') setOwn(row, key, parseText(value));
    else setOwn(row, key, value);
  }
  return { row, attributes };
}
