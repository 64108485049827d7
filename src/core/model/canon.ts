/**
 * Canonical form and digests of values.
 *
 * `canon` is RFC 8785 over recorded JSON (json.ts keeps what RFC 8785 cannot express); `digest` first replaces every part whose
 * canonical form is longer than 1,024 bytes by a reference to it, innermost first, so that a large value has one digest whether
 * it is inline, stored apart or absent. Everything that compares values (matching, early cut-off, cut-off of states) uses these.
 */
import { sha256Hex, utf8Length } from '../base/hash.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { type Digest, digestOfHex } from './ids.ts';

/** Longest canonical form, in bytes of UTF-8, that stays inline when a value is digested. */
export const inlineLimit = 1024;

export interface ContentReference {
  readonly $ref: Digest;
  readonly bytes: number;
  readonly mediaType?: string;
}

/** True for an object with exactly the keys of a reference; a real payload of this shape is itself stored by reference. */
export function isContentReference(value: JsonValue | undefined): value is JsonObject & ContentReference {
  if (!isJsonObject(value)) return false;
  const ref = value['$ref'];
  if (typeof ref !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(ref) || typeof value['bytes'] !== 'number') return false;
  const count = Object.keys(value).length;
  return count === 2 || (count === 3 && typeof value['mediaType'] === 'string');
}

export function canon(value: JsonValue): string {
  return write(value, false);
}

/** Canonical form in which large parts stand as `{"$ref": …}` of their own canonical form. */
export function canonHoisted(value: JsonValue): string {
  return write(value, true);
}

export function digest(value: JsonValue): Digest {
  return digestOfHex(sha256Hex(canonHoisted(value)));
}

/** Digest of content that is not JSON: over the raw bytes. */
export function digestBytes(bytes: Uint8Array): Digest {
  return digestOfHex(sha256Hex(bytes));
}

// Recursion is bounded: recorded values are at most maxJsonDepth deep.
function write(value: JsonValue, hoist: boolean): string {
  if (typeof value === 'string') {
    const text = JSON.stringify(value);
    return hoist ? hoisted(text) : text;
  }
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const text = isJsonArray(value) ? writeArray(value, hoist) : writeObject(value, hoist);
  return hoist ? hoisted(text) : text;
}

function writeArray(items: readonly JsonValue[], hoist: boolean): string {
  let out = '[';
  for (let i = 0; i < items.length; i++) {
    if (i > 0) out += ',';
    out += write(items[i] ?? null, hoist);
  }
  return out + ']';
}

function writeObject(value: JsonObject, hoist: boolean): string {
  const keys = Object.keys(value);
  if (hoist && isReferenceLong(keys.length) && isContentReference(value)) return `{"$ref":"${value.$ref}"}`;
  let out = '{';
  for (const key of sorted(keys)) {
    const member = value[key];
    if (member === undefined) continue;
    if (out.length > 1) out += ',';
    out += keyToText(key) + write(member, hoist);
  }
  return out + '}';
}

/** How many members a reference has: few objects need a closer look. */
function isReferenceLong(members: number): boolean {
  return members === 2 || members === 3;
}

/** Most objects were written in order, and sorting costs more than looking. */
function sorted(keys: string[]): readonly string[] {
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] ?? '') > (keys[i] ?? '')) return keys.sort();
  return keys;
}

/** The same few hundred keys stand in every record of a trace. */
const keyTexts = new Map<string, string>();
const mostKeyTexts = 2000;

function keyToText(key: string): string {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(key)}:`;
  if (keyTexts.size < mostKeyTexts && key.length <= 64) keyTexts.set(key, text);
  return text;
}

function hoisted(text: string): string {
  if (text.length * 3 <= inlineLimit) return text;
  if (text.length <= inlineLimit && utf8Length(text) <= inlineLimit) return text;
  return `{"$ref":"sha256:${sha256Hex(text)}"}`;
}
