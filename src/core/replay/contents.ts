/**
 * Values by digest: turns references of a stream into the values they stand for, where the stream carries them.
 * An absent value is `undefined`, never a guess; matching works on digests and does not need it.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { type ContentReference, type HindcastEvent, contentToValue, isContentReference } from '../model/index.ts';

export interface Contents {
  /** The value with every reference inside resolved, or `undefined` when one of them is not in the stream, or all of it would be too much. */
  resolve(value: JsonValue): JsonValue | undefined;
}

/** Characters of content that one value may come to. A few contents that name each other twice would come to more than any memory. */
const mostCharacters = 64 * 1024 * 1024;

export function createContents(events: readonly HindcastEvent[]): Contents {
  const stored = new Map<string, Stored>();
  for (const event of events) {
    if (event.type !== 'content.stored' || event.data.text === undefined) continue;
    stored.set(event.data.digest, { text: event.data.text, mediaType: event.data.mediaType });
  }
  const store: Store = { stored, known: new Map() };
  return { resolve: (value) => resolve(value, store, { nesting: 0, characters: 0 }) };
}

interface Stored {
  readonly text: string;
  readonly mediaType: string | undefined;
}

interface Store {
  readonly stored: ReadonlyMap<string, Stored>;
  /** Each content is read once, however often it is named. */
  readonly known: Map<string, { readonly value: JsonValue; readonly characters: number }>;
}

interface Spent {
  readonly nesting: number;
  /** Of content so far, as often as it stands in the value. */
  characters: number;
}

/** A content that refers to itself can only come from a stream whose digests are wrong. */
const maxNesting = 64;

// Recursion is bounded: recorded values are at most maxJsonDepth deep, references are followed maxNesting times.
function resolve(value: JsonValue, store: Store, spent: Spent): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return value;
  if (isContentReference(value)) return resolveReference(value, store, spent);
  return isJsonArray(value) ? resolveItems(value, store, spent) : resolveMembers(value, store, spent);
}

function resolveReference(reference: ContentReference, store: Store, spent: Spent): JsonValue | undefined {
  const key = `${reference.$ref} ${reference.mediaType ?? ''}`;
  let known = store.known.get(key);
  if (known === undefined) {
    const stored = store.stored.get(reference.$ref);
    if (stored === undefined || spent.nesting > maxNesting) return undefined;
    const inside = { nesting: spent.nesting + 1, characters: stored.text.length };
    const value = readStored(stored, reference, store, inside);
    if (value === undefined) return undefined;
    store.known.set(key, (known = { value, characters: inside.characters }));
  }
  spent.characters += known.characters;
  return spent.characters > mostCharacters ? undefined : known.value;
}

function readStored(
  { text, mediaType }: Stored,
  reference: ContentReference,
  store: Store,
  spent: Spent,
): JsonValue | undefined {
  return resolve(contentToValue(text, mediaType, reference.mediaType), store, spent);
}

/** Values without a reference in them are returned as they are: most have none. */
function resolveItems(value: readonly JsonValue[], store: Store, spent: Spent): JsonValue | undefined {
  let isSame = true;
  const items: JsonValue[] = [];
  for (const item of value) {
    const resolved = resolve(item, store, spent);
    if (resolved === undefined) return undefined;
    isSame &&= resolved === item;
    items.push(resolved);
  }
  return isSame ? value : items;
}

function resolveMembers(value: JsonObject, store: Store, spent: Spent): JsonValue | undefined {
  let changed: Map<string, JsonValue> | undefined;
  for (const key of Object.keys(value)) {
    const member = value[key];
    const resolved = member === undefined ? undefined : resolve(member, store, spent);
    if (resolved === undefined) return undefined;
    if (resolved !== member) (changed ??= new Map<string, JsonValue>()).set(key, resolved);
  }
  if (changed === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const other = changed.get(key);
      return [key, other === undefined ? member : other];
    }),
  );
}

/** The `data` of an event as recorded JSON. */
export function dataOf(event: HindcastEvent): Readonly<Record<string, JsonValue>> {
  const data: unknown = event.data;
  return isJsonObject(data) ? data : {};
}
