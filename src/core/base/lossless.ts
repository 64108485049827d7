/**
 * JSON text to recorded JSON and back without loss (see json.ts for the reserved forms).
 *
 * The fast path is the host's own parser, taken whenever it surely loses nothing: no number that a double cannot hold, no repeated
 * and no reserved name. Otherwise the iterative reader below runs, which keeps all of them. Called by every importer, once a record.
 */
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  maxJsonDepth,
  repeatedKeyOf,
  reservedKeyOf,
  reservedKeys,
  setOwn,
} from './json.ts';
import { type Result, err, ok } from './result.ts';
import { withoutEnd } from './text-end.ts';

export interface JsonSyntaxError {
  readonly message: string;
  /** UTF-16 index in the text at which reading stopped. */
  readonly at: number;
}

/** Characters of a number without exponent up to which a double holds it exactly as written. */
const plainDigits = 15;

/** Sloppy writers' tokens that JSON does not allow but logs contain. */
const bareTokens: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity']);

export function parseLossless(text: string): Result<JsonValue, JsonSyntaxError> {
  const plain = parsePlain(text);
  return plain === undefined ? new Reader(text).read() : ok(plain);
}

/** Members that stand more than once in their object, which JSON allows and programs read differently. */
export interface RepeatedMembers {
  /** Of the first one, from the top: `data.list[3].name`. */
  readonly path: string;
  /** Objects that have such members. */
  readonly objects: number;
}

/** Numbers that are kept as their text, for a double does not hold them, and tokens such as `NaN`. */
export interface InexactNumbers {
  /** Of the first one, from the top; empty where the number is all there is. */
  readonly path: string;
  /** The first one, as it is written. */
  readonly token: string;
  readonly numbers: number;
}

/** A value, and what of it programs read otherwise than it is written. */
export interface NotedValue {
  readonly value: JsonValue;
  readonly repeated: RepeatedMembers | undefined;
  readonly inexact: InexactNumbers | undefined;
}

/** `parseLossless` that also says which members are repeated and which numbers a double does not hold; as fast for text that has none. */
export function parseNoting(text: string): Result<NotedValue, JsonSyntaxError> {
  const plain = parsePlain(text);
  if (plain !== undefined) return ok({ value: plain, repeated: undefined, inexact: undefined });
  const reader = new Reader(text);
  const read = reader.read();
  return read.ok ? ok({ value: read.value, repeated: reader.repeated, inexact: reader.inexact }) : read;
}

/** What the host's parser reads, where that surely loses nothing. */
function parsePlain(text: string): JsonValue | undefined {
  const names = countNamesIfPlain(text);
  if (names === undefined) return undefined;
  try {
    // Cast: the host's parser is typed `any`; JSON text yields exactly this type.
    const value = JSON.parse(text) as JsonValue;
    return countNames(value) === names ? value : undefined;
  } catch {
    // Not JSON for the host: the reader below names the place, or accepts a sloppy number token.
    return undefined;
  }
}

/**
 * How many member names the text holds, if the host's parser keeps every number token of it; undefined where that is not sure, or
 * the text is nested too deep for a record. Of text that is no JSON the answer means nothing: the parser refuses it afterwards.
 */
function countNamesIfPlain(text: string): number | undefined {
  let names = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === quote) i = endOfString(text, i);
    else if (c === colon) names++;
    else if (c === openBrace || c === openBracket) {
      if (++depth > maxJsonDepth) return undefined;
    } else if (c === closeBrace || c === closeBracket) depth--;
    else if (c === minus || (c >= zero && c <= nine)) {
      const end = plainNumberEnd(text, i);
      if (end === undefined) return undefined;
      i = end - 1;
    }
  }
  return names;
}

/** Index of the quote that ends the string opened at `start`. The host's search passes over a text faster than a loop here does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

const quote = 34;
const minus = 45;
const dot = 46;
const zero = 48;
const nine = 57;
const colon = 58;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/** Where a number token ends that is short enough for a double to hold it, has no exponent and is no negative zero. */
function plainNumberEnd(text: string, start: number): number | undefined {
  if (text.charCodeAt(start) === minus && text.charCodeAt(start + 1) === zero) return undefined;
  let end = start + 1;
  for (; end < text.length; end++) {
    const c = text.charCodeAt(end);
    if ((c < zero || c > nine) && c !== dot) break;
  }
  const next = text.charCodeAt(end);
  return end - start > plainDigits || next === 69 || next === 101 ? undefined : end;
}

/** Names of all members of a parsed value; repeated ones are gone by then. Not a number where one of them is reserved. */
function countNames(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let names = 0;
  if (isJsonArray(value)) {
    for (const item of value) names += countNames(item);
    return names;
  }
  for (const name in value) {
    if (reservedKeys.has(name)) return Number.NaN;
    names += 1 + countNames(value[name] ?? null);
  }
  return names;
}

interface Frame {
  readonly items: JsonValue[];
  /** Present for objects: one key per item. */
  readonly keys?: string[];
}

class Reader {
  repeated: RepeatedMembers | undefined;
  inexact: InexactNumbers | undefined;
  private i = 0;
  private readonly stack: Frame[] = [];
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  read(): Result<JsonValue, JsonSyntaxError> {
    try {
      const value = this.document();
      this.space();
      if (this.i < this.text.length) this.fail('there is more text after the value');
      return ok(value);
    } catch (error) {
      if (error instanceof ReadFailure) return err({ message: error.message, at: error.at });
      throw error;
    }
  }

  private document(): JsonValue {
    for (;;) {
      let value = this.openOrScalar();
      while (value !== undefined) {
        const frame = this.stack.at(-1);
        if (frame === undefined) return value;
        frame.items.push(value);
        value = this.afterItem(frame);
      }
    }
  }

  /** Reads a scalar, or opens a container and returns undefined (an empty container is returned whole). */
  private openOrScalar(): JsonValue | undefined {
    this.space();
    const c = this.text[this.i];
    if (c === '{' || c === '[') {
      this.i++;
      if (this.stack.length >= maxJsonDepth) this.fail(`nested deeper than ${String(maxJsonDepth)} levels`);
      this.space();
      if (this.text[this.i] === (c === '{' ? '}' : ']')) {
        this.i++;
        return c === '{' ? {} : [];
      }
      this.stack.push(c === '{' ? { items: [], keys: [this.key()] } : { items: [] });
      return undefined;
    }
    return c === '"' ? this.string() : this.bare();
  }

  /** After a member: returns the finished container, or undefined when another member follows. */
  private afterItem(frame: Frame): JsonValue | undefined {
    this.space();
    const c = this.text[this.i];
    if (c === ',') {
      this.i++;
      if (frame.keys !== undefined) {
        this.space();
        frame.keys.push(this.key());
      }
      return undefined;
    }
    if (c !== (frame.keys === undefined ? ']' : '}')) {
      this.fail(c === undefined ? 'the text ends inside a value' : 'expected a comma or the end of the value');
    }
    this.i++;
    this.stack.pop();
    if (frame.keys === undefined) return frame.items;
    const value = membersToObject(frame.keys, frame.items);
    const name = repeatedKeyOf(value);
    if (name !== undefined) {
      const { path = joinPath(this.path(), name), objects = 0 } = this.repeated ?? {};
      this.repeated = { path, objects: objects + 1 };
    }
    return value;
  }

  /** Of the value that is read now. */
  private path(): string {
    const steps = this.stack.map(({ items, keys }) =>
      keys === undefined ? `[${String(items.length)}]` : `.${keys.at(-1) ?? ''}`,
    );
    return steps.join('').replace(/^\./, '');
  }

  private key(): string {
    if (this.text[this.i] !== '"') this.fail('expected a quoted member name');
    const key = this.string();
    this.space();
    if (this.text[this.i] !== ':') this.fail('expected a colon');
    this.i++;
    return key;
  }

  private string(): string {
    const start = this.i;
    for (this.i++; this.text.charCodeAt(this.i) !== 34; this.i++) {
      if (this.i >= this.text.length) this.fail('the text ends inside a string', start);
      if (this.text.charCodeAt(this.i) === 92) this.i++;
    }
    this.i++;
    const token = this.text.slice(start, this.i);
    if (!token.includes('\\') && !hasControl(token)) return token.slice(1, -1);
    try {
      // Cast: a quoted token parses to a string or throws.
      return JSON.parse(escapeControls(token)) as string;
    } catch {
      return this.fail('a string has a broken escape', start);
    }
  }

  private bare(): JsonValue {
    const start = this.i;
    while (this.i < this.text.length && !' \t\r\n,:]}[{"'.includes(this.text.charAt(this.i))) this.i++;
    const token = this.text.slice(start, this.i);
    if (token === 'true') return true;
    if (token === 'false') return false;
    if (token === 'null') return null;
    if (bareTokens.has(token)) return this.note(token, { $num: token });
    if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(token)) return this.note(token, numberTokenToValue(token));
    return this.fail(
      token === ''
        ? start >= this.text.length
          ? 'the text ends where a value should be'
          : 'expected a value'
        : 'not a JSON value',
      start,
    );
  }

  private note(token: string, value: JsonValue): JsonValue {
    if (typeof value !== 'number') {
      const { path = this.path(), token: first = token, numbers = 0 } = this.inexact ?? {};
      this.inexact = { path, token: first, numbers: numbers + 1 };
    }
    return value;
  }

  private space(): void {
    for (;;) {
      const c = this.text.charCodeAt(this.i);
      if (c === 32 || c === 9 || c === 10 || c === 13) this.i++;
      else return;
    }
  }

  private fail(message: string, at = this.i): never {
    throw new ReadFailure(message, at);
  }
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

class ReadFailure extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

function hasControl(token: string): boolean {
  for (let i = 0; i < token.length; i++) if (token.charCodeAt(i) < 32) return true;
  return false;
}

/** Raw control characters inside strings are a common writer's fault and carry meaning; keep them. */
function escapeControls(token: string): string {
  return token.replace(/[\u0000-\u001f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function membersToObject(keys: readonly string[], items: readonly JsonValue[]): JsonObject {
  const out: Record<string, JsonValue> = {};
  let repeated = false;
  for (const [n, key] of keys.entries()) {
    const item = items[n];
    if (item === undefined) continue;
    if (Object.hasOwn(out, key)) repeated = true;
    setOwn(out, key, item);
  }
  if (repeated) return { $dup: keys.map((key, n) => [key, items[n] ?? null]) };
  return reservedKeyOf(out) === undefined ? out : { $esc: out };
}

/** A double when it prints back to an equal number, else the token itself. */
export function numberTokenToValue(token: string): JsonValue {
  const value = Number(token);
  if (token.length <= plainDigits && !/[eE]/.test(token)) return Object.is(value, -0) ? 0 : value;
  if (!Number.isFinite(value)) return { $num: token };
  return decimalOf(token) === decimalOf(String(value)) ? (Object.is(value, -0) ? 0 : value) : { $num: token };
}

/** Canonical spelling of a decimal: sign, significant digits, exponent. */
function decimalOf(token: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token);
  if (match === null) return token;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  const trimmed = withoutEnd(digits, '0');
  if (trimmed === '') return '0';
  return `${sign}${trimmed}e${String(Number(exponent) - fraction.length + digits.length - trimmed.length)}`;
}

/** The text of a recorded value: reserved forms are written as the tokens they stand for. Compact; members in recorded order, names that are array indices first. */
export function writeLossless(value: JsonValue): string {
  // Without a reserved form the host writes the same text, several times faster.
  if (!holdsReserved(value)) return JSON.stringify(value);
  const parts: string[] = [];
  write(value, parts);
  return parts.join('');
}

function holdsReserved(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isJsonArray(value)) return value.some(holdsReserved);
  if (reservedKeyOf(value) !== undefined) return true;
  for (const name in value) if (holdsReserved(value[name] ?? null)) return true;
  return false;
}

function write(value: JsonValue, parts: string[]): void {
  if (typeof value !== 'object' || value === null) {
    parts.push(JSON.stringify(value));
  } else if (isJsonArray(value)) {
    parts.push('[');
    for (const [n, item] of value.entries()) {
      if (n > 0) parts.push(',');
      write(item, parts);
    }
    parts.push(']');
  } else writeObject(value, parts);
}

function writeObject(value: JsonObject, parts: string[]): void {
  const reserved = reservedKeyOf(value);
  const inner = reserved === undefined ? undefined : value[reserved];
  if (reserved === '$num' && typeof inner === 'string') parts.push(inner);
  else if (reserved === '$dup' && isJsonArray(inner)) writeMembers(inner.map(pairOf), parts);
  else writeMembers(Object.entries(reserved === '$esc' && isJsonObject(inner) ? inner : value), parts);
}

function pairOf(pair: JsonValue): readonly [string, JsonValue] {
  if (!isJsonArray(pair)) return ['', pair];
  const [key, member] = pair;
  return [typeof key === 'string' ? key : '', member ?? null];
}

function writeMembers(members: readonly (readonly [string, JsonValue])[], parts: string[]): void {
  parts.push('{');
  let first = true;
  for (const [key, member] of members) {
    if (!first) parts.push(',');
    first = false;
    parts.push(JSON.stringify(key), ':');
    write(member, parts);
  }
  parts.push('}');
}
