/**
 * Canonical form and digests, written again without a dependency: a recorder is copied into other people's agents.
 *
 * Invariant: equal to `digest` of `core/model` for every value (a property test holds them together). Values are plain JSON here, so an
 * object that has a reserved key as its only member is written as the escape that a reader makes of it.
 */
import { createHash } from 'node:crypto';

export type Json = string | number | boolean | null | readonly Json[] | JsonRecord;

export interface JsonRecord {
  readonly [key: string]: Json;
}

const inlineLimit = 1024;
const reserved: ReadonlySet<string> = new Set(['$num', '$dup', '$esc']);

export function digestOf(value: Json): string {
  return `sha256:${sha256(write(value))}`;
}

export function digestOfText(text: string): string {
  return `sha256:${sha256(text)}`;
}

/** What control code gets and what is written are the same: the value as JSON carries it. */
export function toJson(value: unknown, whenAbsent: Json): Json {
  const text = JSON.stringify(value) as string | undefined;
  // Cast: JSON text yields exactly this type.
  const json = text === undefined ? whenAbsent : (JSON.parse(text) as Json);
  refuseReferences(json);
  return json;
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text, or none where something else stands. */
export function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

// Recursion is bounded by that of JSON.stringify, which the value has passed.
function write(value: Json): string {
  if (typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value);
    return typeof value === 'string' ? hoisted(text) : text;
  }
  if (isList(value)) return hoisted(`[${value.map(write).join(',')}]`);
  const keys = Object.keys(value).sort();
  const text = hoisted(`{${keys.map((key) => `${JSON.stringify(key)}:${write(value[key] ?? null)}`).join(',')}}`);
  const [only] = keys;
  return keys.length === 1 && only !== undefined && reserved.has(only) ? hoisted(`{"$esc":${text}}`) : text;
}

function hoisted(text: string): string {
  return Buffer.byteLength(text) <= inlineLimit ? text : `{"$ref":"sha256:${sha256(text)}"}`;
}

/** An object of this shape means bytes stored elsewhere; one that only looks like it would be read as that. */
function refuseReferences(value: Json): void {
  const todo: Json[] = [value];
  for (let item = todo.pop(); item !== undefined; item = todo.pop()) {
    if (typeof item !== 'object' || item === null) continue;
    if (isRecord(item) && isReference(item))
      throw new TypeError(
        'A value of the shape {"$ref": "sha256:…", "bytes": n} cannot be recorded: it means bytes stored elsewhere.',
      );
    for (const member of Object.values(item)) todo.push(member);
  }
}

function isReference(value: JsonRecord): boolean {
  const ref = value['$ref'];
  return typeof ref === 'string' && /^sha256:[0-9a-f]{64}$/.test(ref) && typeof value['bytes'] === 'number';
}
