/**
 * Digests of withheld values inside texts of a class that is kept: an error that quotes the digest of an argument would let a guess of that
 * argument be confirmed.
 *
 * A kept text is the run's own: a commit or a checksum in it stays. What is looked for are the digests of what this copy withholds, at any
 * depth of it, and those that its records name without the copy having the value. A value can be withheld after the text was passed, so
 * a copy whose texts hold such a digest is made again, knowing it. Called by `redact.ts` (which makes it again) and `holes.ts`.
 */
import { base64ToBytes } from '../base/base64.ts';
import { textToUtf8 } from '../base/hash.ts';
import { bytesToDigests, bytesToHex } from '../base/hashes.ts';
import { type JsonValue, isJsonArray, isJsonObject } from '../base/json.ts';
import { canon, canonHoisted, isContentReference } from '../model/index.ts';
import { mayHoldDigest, method, replaceDigests } from './digests.ts';
import type { ContentLookup } from './scrub.ts';

export interface DigestWatch {
  /** The text with a mask for every digest known to be of a withheld value; undefined where there is none. */
  readonly mask: (text: string) => string | undefined;
  readonly withhold: (value: JsonValue) => void;
  /** A digest of the original that the copy does not show. */
  readonly withholdDigest: (recorded: string) => void;
  /** Of the texts that were kept: the digests that are of withheld values, and are not yet known. */
  readonly findLeaks: (names: Iterable<string>) => ReadonlySet<string>;
}

/** `known`: digests of withheld values, as `findLeaks` gave them. */
export function createDigestWatch(known: ReadonlySet<string>, content: ContentLookup): DigestWatch {
  /** What is written like a digest in a kept text, in hexadecimal. */
  const seen = new Set<string>();
  const values: JsonValue[] = [];
  const digests = new Set<string>();

  function mask(text: string): string | undefined {
    if (!mayHoldDigest(text)) return undefined;
    const masked = replaceDigests(text, (found) => {
      const readings = toHex(found);
      for (const reading of readings) seen.add(reading);
      return readings.some((reading) => known.has(reading)) ? '[digest withheld]' : found;
    });
    return masked === text ? undefined : masked;
  }

  function findLeaks(names: Iterable<string>): ReadonlySet<string> {
    const leaks = new Set<string>();
    if (seen.size === 0) return leaks;
    const add = (hex: string): void => {
      if (seen.has(hex) && !known.has(hex)) leaks.add(hex);
    };
    for (const hex of digests) add(hex);
    const lengths = new Set([...seen].map(({ length }) => length));
    const addText = (text: string): void => {
      for (const hex of bytesToDigests(textToUtf8(text), lengths)) add(hex);
    };
    for (const text of writings(values, content)) addText(text);
    for (const name of names) {
      for (const hex of toHex(name)) add(hex);
      addText(name);
    }
    return leaks;
  }

  return {
    mask,
    withhold: (value) => {
      values.push(value);
    },
    withholdDigest: (recorded) => {
      for (const hex of toHex(recorded)) digests.add(hex);
    },
    findLeaks,
  };
}

/** What may have been digested of the values: every part of them, as it stands and in canonical form. Each once. */
function* writings(values: readonly JsonValue[], content: ContentLookup): Iterable<string> {
  const done = new Set<string>();
  const todo: JsonValue[] = [...values];
  for (let value = todo.pop(); value !== undefined; value = todo.pop()) {
    const texts = typeof value === 'string' ? [value, canon(value)] : [canon(value), canonHoisted(value)];
    if (texts.every((text) => done.has(text))) continue;
    for (const text of texts) {
      if (done.has(text)) continue;
      done.add(text);
      yield text;
    }
    if (isContentReference(value)) {
      const stored = content(value);
      if (stored.ok) todo.push(stored.value);
    }
    const parts = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
    for (const part of parts) todo.push(part);
  }
}

/** What may stand before a digest, with at least the shortest behind it. */
const prefix = new RegExp(`^(?:${method}[:=-]|.*[:=]|0x|\\\\x)(?=[\\w+/%-]{20})`, 'i');

const base64Lengths = [86, 64, 43, 38, 27, 22] as const;

/** The digests that the text may be, in lowercase hexadecimal: of base64 also those that a longer run begins with. */
function toHex(found: string): readonly string[] {
  const bare = found.replace(/^"|"$/g, '').replace(prefix, '');
  const hex = bare.replace(/[/ :-]/g, '').toLowerCase();
  if (/^[\da-f]{32,}$/.test(hex)) return hexReadings(hex);
  const signs = bare.replaceAll(/%2b/gi, '+').replaceAll(/%2f/gi, '/').replaceAll('-', '+').replaceAll('_', '/');
  return base64Lengths.flatMap((length) => (signs.length < length ? [] : (base64ToHex(signs.slice(0, length)) ?? [])));
}

/** Digests of one length may stand one behind the other. */
function hexReadings(hex: string): readonly string[] {
  const lengths = [32, 40, 56, 64, 96, 128].filter((length) => length <= hex.length);
  return [hex, ...lengths.flatMap((length) => [hex.slice(0, length), hex.slice(-length)])];
}

function base64ToHex(signs: string): string | undefined {
  const bytes = base64ToBytes(signs);
  return bytes === undefined ? undefined : bytesToHex(bytes);
}
