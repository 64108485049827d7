/** Small questions to recorded JSON, shared by the telemetry formats. */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, setOwn } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';

export function textAt(object: JsonObject, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = valueAt(object, key);
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** Own members only: a recorded key may be named like a member of every object. */
export function valueAt(object: JsonObject, ...keys: readonly string[]): JsonValue | undefined {
  for (const key of keys) {
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

export function objectAt(object: JsonObject, ...keys: readonly string[]): JsonObject | undefined {
  const value = valueAt(object, ...keys);
  return isJsonObject(value) ? value : undefined;
}

export function listAt(object: JsonObject, ...keys: readonly string[]): readonly JsonValue[] {
  const value = valueAt(object, ...keys);
  return isJsonArray(value) ? value : [];
}

/** JSON written into a text is read (rule `json-in-text`); a text that is not an object or a list stays a text. */
export function parseText(value: JsonValue): JsonValue {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const parsed = parseLossless(value);
  return parsed.ok ? parsed.value : value;
}

export function withoutUndefined(object: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const out: Record<string, JsonValue> = {};
  for (const key in object) {
    const value = object[key];
    if (value !== undefined && Object.hasOwn(object, key)) setOwn(out, key, value);
  }
  return out;
}

/** The members of `object` that are not named, without those that are null or empty. */
export function restOf(object: JsonObject, known: ReadonlySet<string>): JsonObject {
  const rest: Record<string, JsonValue> = {};
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === undefined || value === null || value === '' || known.has(key)) continue;
    setOwn(rest, key, value);
  }
  return rest;
}

export function isEmpty(object: JsonObject): boolean {
  for (const key in object) if (Object.hasOwn(object, key)) return false;
  return true;
}
