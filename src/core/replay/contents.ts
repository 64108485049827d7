/**
 * Values by digest: turns references of a stream into the values they stand for, where the stream carries them.
 * An absent value is `undefined`, never a guess; matching works on digests and does not need it.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { type HindcastEvent, isContentReference } from '../model/index.ts';

export interface Contents {
  /** The value with every reference inside resolved, or `undefined` when one of them is not in the stream. */
  resolve(value: JsonValue): JsonValue | undefined;
}

export function createContents(events: readonly HindcastEvent[]): Contents {
  const contents = new Map<string, Stored>();
  for (const event of events) {
    if (event.type !== 'content.stored' || event.data.text === undefined) continue;
    contents.set(event.data.digest, { text: event.data.text, mediaType: event.data.mediaType });
  }
  return { resolve: (value) => resolve(value, contents, 0) };
}

interface Stored {
  readonly text: string;
  readonly mediaType: string | undefined;
}

/** A content that refers to itself can only come from a stream whose digests are wrong. */
const maxNesting = 64;

// Recursion is bounded: recorded values are at most maxJsonDepth deep, references are followed maxNesting times.
function resolve(value: JsonValue, contents: ReadonlyMap<string, Stored>, nesting: number): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return value;
  if (isContentReference(value)) {
    const stored = contents.get(value.$ref);
    if (stored === undefined || nesting > maxNesting) return undefined;
    const mediaType = stored.mediaType ?? value.mediaType ?? 'application/json';
    if (!mediaType.includes('json')) return stored.text;
    const parsed = parseLossless(stored.text);
    return parsed.ok ? resolve(parsed.value, contents, nesting + 1) : stored.text;
  }
  return isJsonArray(value) ? resolveItems(value, contents, nesting) : resolveMembers(value, contents, nesting);
}

/** Values without a reference in them are returned as they are: most have none. */
function resolveItems(
  value: readonly JsonValue[],
  contents: ReadonlyMap<string, Stored>,
  nesting: number,
): JsonValue | undefined {
  let isSame = true;
  const items: JsonValue[] = [];
  for (const item of value) {
    const resolved = resolve(item, contents, nesting);
    if (resolved === undefined) return undefined;
    isSame &&= resolved === item;
    items.push(resolved);
  }
  return isSame ? value : items;
}

function resolveMembers(
  value: JsonObject,
  contents: ReadonlyMap<string, Stored>,
  nesting: number,
): JsonValue | undefined {
  let changed: Map<string, JsonValue> | undefined;
  for (const key of Object.keys(value)) {
    const member = value[key];
    const resolved = member === undefined ? undefined : resolve(member, contents, nesting);
    if (resolved === undefined) return undefined;
    if (resolved !== member) (changed ??= new Map<string, JsonValue>()).set(key, resolved);
  }
  if (changed === undefined) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, changed.get(key) ?? member]));
}

/** The `data` of an event as recorded JSON. */
export function dataOf(event: HindcastEvent): Readonly<Record<string, JsonValue>> {
  const data: unknown = event.data;
  return isJsonObject(data) ? data : {};
}
