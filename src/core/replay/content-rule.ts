/**
 * Rule `content` (inferred): a command uses a delivered value that occurs in its arguments: the same structure, its digest as
 * text, or a text of it of 32 characters or more. Nothing shorter counts: it would join what only looks alike.
 */
import { type JsonValue, isJsonArray } from '../base/json.ts';
import { type Digest, canon, digest } from '../model/index.ts';
import { createTextSearch } from './text-search.ts';

export const shortestText = 32;

export interface DeliveredValue {
  readonly path: string;
  readonly value: JsonValue;
}

export interface ContentIndex {
  /** Paths of the delivered values that occur in `args`. */
  usesOf(args: JsonValue): readonly string[];
}

export function createContentIndex(values: readonly DeliveredValue[]): ContentIndex {
  const byDigest = new Map<Digest, string[]>();
  const texts: { readonly text: string; readonly value: string }[] = [];
  for (const { path, value } of values) {
    const own = digest(value);
    if (isTelling(value)) append(byDigest, own, path);
    for (const text of [own, ...textsOf(value)]) texts.push({ text, value: path });
  }
  const search = createTextSearch(texts, shortestText);
  return {
    usesOf(args) {
      const found = new Set<string>();
      for (const part of partsOf(args)) {
        if (isTelling(part)) for (const path of byDigest.get(digest(part)) ?? []) found.add(path);
      }
      for (const text of textsOf(args)) search.find(text, found);
      return [...found];
    },
  };
}

/** A structure that says enough to be recognised: `{}` and `{"ok":true}` are everywhere. */
function isTelling(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && canon(value).length >= shortestText;
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** Every object and array inside, itself first. */
function partsOf(value: JsonValue): readonly JsonValue[] {
  const out: JsonValue[] = [];
  const todo: JsonValue[] = [value];
  for (let item = todo.pop(); item !== undefined; item = todo.pop()) {
    if (typeof item !== 'object' || item === null) continue;
    out.push(item);
    for (const member of isJsonArray(item) ? item : Object.values(item)) todo.push(member);
  }
  return out;
}

function textsOf(value: JsonValue): readonly string[] {
  const out: string[] = [];
  const todo: JsonValue[] = [value];
  for (let item = todo.pop(); item !== undefined; item = todo.pop()) {
    if (typeof item === 'string') {
      if (item.length >= shortestText) out.push(item);
    } else if (typeof item === 'object' && item !== null)
      for (const member of isJsonArray(item) ? item : Object.values(item)) todo.push(member);
  }
  return out;
}
