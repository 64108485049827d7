/**
 * Rule `content` (inferred): a command uses a delivered value whose digest, or whose text of 32 characters or more, occurs in
 * its arguments. Nothing shorter counts: it would join what only looks alike.
 */
import { type JsonValue, isJsonArray } from '../base/json.ts';
import { type Digest, digest } from '../model/index.ts';

export const shortestText = 32;

export interface DeliveredValue {
  readonly path: string;
  readonly value: JsonValue;
}

export interface ContentIndex {
  /** Paths of the delivered values that occur in `args`, in order of delivery. */
  usesOf(args: JsonValue): readonly string[];
}

export function createContentIndex(values: readonly DeliveredValue[]): ContentIndex {
  const byDigest = new Map<Digest, string[]>();
  const byPrefix = new Map<string, { readonly text: string; readonly path: string }[]>();
  for (const { path, value } of values) {
    if (typeof value === 'object' && value !== null) append(byDigest, digest(value), path);
    for (const text of textsOf(value)) append(byPrefix, text.slice(0, shortestText), { text, path });
  }
  return {
    usesOf(args) {
      const found = new Set<string>();
      if (byDigest.size > 0)
        for (const part of partsOf(args)) for (const path of byDigest.get(digest(part)) ?? []) found.add(path);
      if (byPrefix.size > 0) for (const text of textsOf(args)) addOccurrences(text, byPrefix, found);
      return values.map((v) => v.path).filter((path, n, all) => found.has(path) && all.indexOf(path) === n);
    },
  };
}

function addOccurrences(
  text: string,
  byPrefix: ReadonlyMap<string, readonly { readonly text: string; readonly path: string }[]>,
  found: Set<string>,
): void {
  for (let i = 0; i + shortestText <= text.length; i++) {
    for (const candidate of byPrefix.get(text.slice(i, i + shortestText)) ?? []) {
      if (text.startsWith(candidate.text, i)) found.add(candidate.path);
    }
  }
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
