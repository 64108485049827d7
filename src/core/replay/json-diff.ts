/**
 * Where two recorded values differ, as JSON pointers. For showing a divergence, not for patching.
 */
import { type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';

export interface JsonDifference {
  /** RFC 6901; empty for the whole value. */
  readonly pointer: string;
  readonly recorded?: JsonValue;
  readonly now?: JsonValue;
}

/** Differences beyond this many are not listed; the caller sees the digests differ anyway. */
const mostDifferences = 50;

export function computeJsonDifferences(recorded: JsonValue, now: JsonValue): readonly JsonDifference[] {
  const out: JsonDifference[] = [];
  const todo: { pointer: string; a: JsonValue | undefined; b: JsonValue | undefined }[] = [
    { pointer: '', a: recorded, b: now },
  ];
  for (let item = todo.pop(); item !== undefined && out.length < mostDifferences; item = todo.pop()) {
    const { pointer, a, b } = item;
    if (a === b) continue;
    const keys = commonKeys(a, b);
    if (keys === undefined) {
      out.push({ pointer, ...(a === undefined ? {} : { recorded: a }), ...(b === undefined ? {} : { now: b }) });
      continue;
    }
    for (const key of keys.toReversed()) {
      todo.push({
        pointer: `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        a: memberOf(a, key),
        b: memberOf(b, key),
      });
    }
  }
  return out;
}

/** Keys to compare when both are objects or both are lists. */
function commonKeys(a: JsonValue | undefined, b: JsonValue | undefined): readonly string[] | undefined {
  if (isJsonArray(a) && isJsonArray(b))
    return Array.from({ length: Math.max(a.length, b.length) }, (_, n) => String(n));
  if (isJsonObject(a) && isJsonObject(b)) return [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return undefined;
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (isJsonArray(value)) return value[Number(key)];
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
