/**
 * Recorded JSON: the in-memory form of every payload.
 *
 * A `JsonValue` is plain JSON in which three single-member objects are reserved, so that nothing a writer recorded is lost:
 * `{"$num": token}` for a number that a double cannot hold, `{"$dup": [[key, value], …]}` for an object with repeated keys,
 * and `{"$esc": object}` around a real object that has exactly one of these three keys as its only member.
 * `parseLossless` produces this form, `writeLossless` turns it back into the text that was recorded.
 */

export type JsonScalar = string | number | boolean | null;

export type JsonValue = JsonScalar | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Nesting that any recorded value may have; deeper input becomes a recorded problem, never a stack overflow. */
export const maxJsonDepth = 512;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** What stands in a redacted copy where a value was withheld: exactly `{"$hole": id}`. */
export function isHole(value: unknown): value is { readonly $hole: string } {
  return isJsonObject(value) && typeof value['$hole'] === 'string' && Object.keys(value).length === 1;
}

export const reservedKeys: ReadonlySet<string> = new Set(['$num', '$dup', '$esc']);

/** The reserved key when `value` has exactly one member and it is a reserved one. */
export function reservedKeyOf(value: JsonObject): '$num' | '$dup' | '$esc' | undefined {
  let only: string | undefined;
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    if (only !== undefined) return undefined;
    only = key;
  }
  if (only === undefined || !reservedKeys.has(only)) return undefined;
  return only === '$num' ? '$num' : only === '$dup' ? '$dup' : '$esc';
}

/** The first member that an object has more than once, by its name; undefined for every other value. */
export function repeatedKeyOf(value: JsonObject): string | undefined {
  const pairs = reservedKeyOf(value) === '$dup' ? value['$dup'] : undefined;
  if (!isJsonArray(pairs)) return undefined;
  const seen = new Set<JsonValue | undefined>();
  for (const pair of pairs) {
    const key = isJsonArray(pair) ? pair[0] : undefined;
    if (typeof key === 'string' && seen.has(key)) return key;
    seen.add(key);
  }
  return undefined;
}

/** Sets an own property even for `__proto__`, which plain assignment would turn into a prototype. */
export function setOwn(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

/** Plain JSON (as a program holds it) to recorded JSON: wraps look-alikes of the reserved forms, drops nothing. What needs no change is not copied. */
export function plainToRecorded(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value;
  if (isJsonArray(value)) return changeItems(value, plainToRecorded);
  const out = changeMembers(value, plainToRecorded);
  return reservedKeyOf(out) === undefined ? out : { $esc: out };
}

/** Recorded JSON to what a program receives: doubles for long numbers, the last of repeated keys, the wrapper removed. */
export function recordedToPlain(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isJsonArray(value)) return changeItems(value, recordedToPlain);
  const reserved = reservedKeyOf(value);
  if (reserved === '$num') return Number(value['$num']);
  if (reserved === '$dup') return pairsToPlain(value['$dup']);
  const source = reserved === '$esc' ? value['$esc'] : value;
  return isJsonObject(source) ? changeMembers(source, recordedToPlain) : null;
}

/** The same array where no item changes. */
function changeItems(items: readonly JsonValue[], change: (item: JsonValue) => JsonValue): readonly JsonValue[] {
  let out: JsonValue[] | undefined;
  for (let n = 0; n < items.length; n++) {
    const item = items[n] ?? null;
    const changed = change(item);
    if (out === undefined && !Object.is(changed, items[n])) out = items.slice(0, n);
    out?.push(changed);
  }
  return out ?? items;
}

/** The same object where no member changes; without members that are undefined. */
function changeMembers(value: JsonObject, change: (member: JsonValue) => JsonValue): JsonObject {
  let out: Record<string, JsonValue> | undefined;
  const keys = Object.keys(value);
  for (let n = 0; n < keys.length; n++) {
    const key = keys[n] ?? '';
    const member = value[key];
    const changed = member === undefined ? undefined : change(member);
    if (out === undefined && (changed === undefined || !Object.is(changed, member))) {
      out = {};
      for (const before of keys.slice(0, n)) setOwn(out, before, value[before] ?? null);
    }
    if (out !== undefined && changed !== undefined) setOwn(out, key, changed);
  }
  return out ?? value;
}

function pairsToPlain(pairs: JsonValue | undefined): JsonObject {
  const out: Record<string, JsonValue> = {};
  if (!isJsonArray(pairs)) return out;
  for (const pair of pairs) {
    if (!isJsonArray(pair)) continue;
    const [key, member] = pair;
    if (typeof key === 'string' && member !== undefined) setOwn(out, key, recordedToPlain(member));
  }
  return out;
}
