/**
 * A kept value as the copy shows it: values stored apart stand in their place, and what a detector finds is a hole.
 *
 * Invariant: no reference to a stored value is left, at any depth, for its digest is one of the original. A text counts as secret by
 * what it looks like or by the name it stands under. What a copy may grow to by stored values is bounded. Called by `holes.ts`.
 */
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  maxJsonDepth,
  reservedKeyOf,
  setOwn,
} from '../base/json.ts';
import { writeLossless } from '../base/lossless.ts';
import { type Result, err } from '../base/result.ts';
import { type ContentReference, isContentReference } from '../model/index.ts';
import { isCountName, isSecretName, scanText } from './detectors.ts';

/** A value stored apart, or why the copy cannot hold it. */
export type ContentLookup = (reference: ContentReference) => Result<JsonValue, string>;

export function noContent(): Result<JsonValue, string> {
  return err('stored apart and absent from the trace');
}

interface Scrubber<At> {
  /** Undefined where the place can hold no hole. */
  readonly value: (value: JsonValue, at: At) => JsonValue | undefined;
  readonly key: (key: string) => string;
}

interface ScrubPort<At> {
  readonly detecting: boolean;
  readonly content: ContentLookup;
  readonly below: (at: At, key: string) => At;
  readonly hole: (at: At, reason: string, value: JsonValue, masked?: string) => JsonValue | undefined;
  /** The text without digests of withheld values; undefined where it has none. */
  readonly undigest: (text: string) => string | undefined;
  /** Of stored values, in one copy; absent: 64 MiB. */
  readonly mostCharacters?: number;
}

/** What a name says of the scalars below it: nothing, that its texts are secret, or its numbers too. */
type Secret = 'no' | 'texts' | 'all';

interface Inside {
  readonly secret: Secret;
  readonly depth: number;
  /** Stored values around this one. */
  readonly nesting: number;
}

/** Stored values inside of stored values; a longer chain can only come from a stream whose digests are wrong. */
const maxNesting = 64;
/** Characters that stored values may add to one copy. */
const mostInlined = 64 * 1024 * 1024;

const nameMembers = ['name', 'key', 'header', 'field', 'path', 'pointer', 'parameter', 'param', 'variable', 'id'];
const valueMembers: ReadonlySet<string> = new Set(['value', 'val', 'default']);

export function createScrubber<At>(port: ScrubPort<At>): Scrubber<At> {
  const { detecting, content, below, mostCharacters = mostInlined } = port;
  /** Stored values that were looked through and hold nothing to withhold: a conversation names each message again with every call. */
  const clean = new Map<string, { readonly value: JsonValue; readonly characters: number }>();
  let inlined = 0;
  let holes = 0;

  function hole(at: At, reason: string, value: JsonValue, masked?: string): JsonValue | undefined {
    holes += 1;
    return port.hole(at, reason, value, masked);
  }

  // Recursion is bounded by maxJsonDepth, which `walk` checks.
  function walk(value: JsonValue, at: At, inside: Inside): JsonValue | undefined {
    if (typeof value === 'string') return text(value, at, inside);
    if (typeof value === 'number') return number(value, String(value), at, inside);
    if (typeof value !== 'object' || value === null) return value;
    if (inside.depth >= maxJsonDepth) return hole(at, 'nested too deeply for a copy', value);
    if (isContentReference(value)) return stored(value, at, inside);
    const deeper = { ...inside, depth: inside.depth + 1 };
    if (isJsonArray(value)) return items(value, at, deeper);
    switch (reservedKeyOf(value)) {
      case '$num':
        return number(value, writeLossless(value), at, inside);
      case '$dup':
        return { $dup: pairs(value['$dup'], at, deeper) };
      case '$esc': {
        const wrapped = value['$esc'];
        return isJsonObject(wrapped) ? { $esc: members(wrapped, at, deeper) } : value;
      }
      default:
        return members(value, at, deeper);
    }
  }

  function text(value: string, at: At, { secret }: Inside): JsonValue | undefined {
    if (secret !== 'no') return hole(at, 'detected: secret', value);
    const undigested = port.undigest(value);
    const scan = detecting ? scanText(undigested ?? value) : undefined;
    if (scan === undefined && undigested === undefined) return value;
    const hits = new Set([...(undigested === undefined ? [] : ['digest of a withheld value']), ...(scan?.hits ?? [])]);
    return hole(at, `detected: ${[...hits].join(', ')}`, value, scan?.masked ?? undigested);
  }

  function number(value: JsonValue, written: string, at: At, { secret }: Inside): JsonValue | undefined {
    const isFound = secret === 'all' || (detecting && scanText(written) !== undefined);
    return isFound ? hole(at, 'detected', value) : value;
  }

  function stored(reference: JsonObject & ContentReference, at: At, inside: Inside): JsonValue | undefined {
    const key = `${inside.secret} ${reference.$ref} ${reference.mediaType ?? ''}`;
    const known = clean.get(key);
    if (known !== undefined && inlined + known.characters <= mostCharacters) {
      inlined += known.characters;
      return known.value;
    }
    const found = content(reference);
    if (!found.ok) return hole(at, found.error, reference);
    const before = inlined;
    inlined += typeof found.value === 'string' ? found.value.length : writeLossless(found.value).length;
    if (inside.nesting >= maxNesting || inlined > mostCharacters)
      return hole(at, 'stored apart, and too large for a copy in all its places', reference);
    const holesBefore = holes;
    const shown = walk(found.value, at, { ...inside, depth: inside.depth + 1, nesting: inside.nesting + 1 });
    // Without a hole it is the same wherever it stands; holes are of their places.
    if (shown !== undefined && holes === holesBefore) clean.set(key, { value: shown, characters: inlined - before });
    return shown;
  }

  function items(list: readonly JsonValue[], at: At, inside: Inside): JsonValue {
    // A header or an assignment as a pair.
    const [first] = list;
    const named = list.length === 2 && typeof first === 'string' ? inNamed(first, inside) : inside;
    const out: JsonValue[] = [];
    for (const [n, item] of list.entries()) {
      const shown = walk(item, below(at, String(n)), n === 1 ? named : inside);
      if (shown !== undefined) out.push(shown);
    }
    return out;
  }

  /** Members of an object that has one name twice. */
  function pairs(list: JsonValue | undefined, at: At, inside: Inside): JsonValue {
    const out: JsonValue[] = [];
    for (const pair of isJsonArray(list) ? list : []) {
      const [key, member] = isJsonArray(pair) ? pair : [];
      if (typeof key !== 'string' || member === undefined) continue;
      const safe = keyOf(key);
      const shown = walk(member, below(at, safe), inNamed(key, inside));
      if (shown !== undefined) out.push([safe, shown]);
    }
    return out;
  }

  function members(value: JsonObject, at: At, inside: Inside): JsonObject {
    const says = detecting ? nameMembers.map((key) => value[key]).find(isNameOfSecret) : undefined;
    const out: Record<string, JsonValue> = {};
    for (const key of Object.keys(value)) {
      const member = value[key];
      if (member === undefined) continue;
      const safe = uniqueIn(out, keyOf(key), key);
      const isNamed = says !== undefined && valueMembers.has(key);
      const shown = walk(member, below(at, safe), isNamed ? { ...inside, secret: 'all' } : inNamed(key, inside));
      if (shown !== undefined) setOwn(out, safe, shown);
    }
    return out;
  }

  function inNamed(name: string, inside: Inside): Inside {
    if (!detecting || inside.secret === 'all' || !isSecretName(name)) return inside;
    return { ...inside, secret: isCountName(name) ? 'texts' : 'all' };
  }

  function keyOf(key: string): string {
    const undigested = port.undigest(key) ?? key;
    return detecting ? (scanText(undigested)?.masked ?? undigested) : undigested;
  }

  return { value: (value, at) => walk(value, at, { secret: 'no', depth: 0, nesting: 0 }), key: keyOf };
}

/** The last part of a path or pointer is the name. */
function isNameOfSecret(value: JsonValue | undefined): boolean {
  return (
    typeof value === 'string' && isSecretName(value.slice(Math.max(value.lastIndexOf('/'), value.lastIndexOf('.')) + 1))
  );
}

/** Two names that a mask made equal stay two. */
function uniqueIn(out: JsonObject, safe: string, key: string): string {
  if (safe === key) return safe;
  let unique = safe;
  for (let n = 2; Object.hasOwn(out, unique); n++) unique = `${safe} ${String(n)}`;
  return unique;
}
