/**
 * Members of recorded objects, read without trust: the value where it has the type asked for, else undefined.
 *
 * Called by every format that maps foreign records. Nothing is converted but JSON kept inside a string (`parseText`).
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';

export function memberAt(object: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(object) && Object.hasOwn(object, key) ? (object[key] ?? undefined) : undefined;
}

/** A text that is not empty. */
export function textAt(object: JsonValue | undefined, key: string): string | undefined {
  const value = memberAt(object, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberAt(object: JsonValue | undefined, key: string): number | undefined {
  const value = memberAt(object, key);
  return typeof value === 'number' ? value : undefined;
}

export function objectAt(object: JsonValue | undefined, key: string): JsonObject | undefined {
  const value = memberAt(object, key);
  return isJsonObject(value) ? value : undefined;
}

export function listAt(object: JsonValue | undefined, key: string): readonly JsonValue[] | undefined {
  const value = memberAt(object, key);
  return isJsonArray(value) ? value : undefined;
}

/** The first of these members that is a text. */
export function firstText(object: JsonValue | undefined, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const found = textAt(object, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Members that are there; `undefined` is no recorded value. */
export function withoutUndefined(object: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const out: Record<string, JsonValue> = {};
  for (const key in object) {
    const value = object[key];
    if (value !== undefined && Object.hasOwn(object, key)) setOwn(out, key, value);
  }
  return out;
}

/** What is left of an object when the members that have a place of their own are taken out; nothing that is null or undefined. */
export function restOf(object: JsonObject, placed: ReadonlySet<string>): JsonObject {
  const out: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(object)) {
    if (!placed.has(key) && value !== null) setOwn(out, key, value);
  }
  return out;
}

/** JSON that a writer put into a string, read; any other value as it is. Only containers: a text "5" stays a text. */
export function parseText(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const parsed = parseLossless(value);
  return parsed.ok ? parsed.value : value;
}

export function isEmptyObject(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}
