/**
 * Digests inside texts. One of a withheld value would confirm a guess of it, so what is written like a digest gets a stand-in, wherever it
 * stands in a text that a copy keeps, and in whatever form: hexadecimal in one piece, in groups or split into folders; base64 of either
 * alphabet, padded or not, also as it stands in an address.
 *
 * Invariant: words, numbers, UUIDs and ids of 16 hexadecimal digits are no digests. The work over a text grows with its length and no faster:
 * patterns begin where a group begins and look a bounded way ahead, or walk a run once.
 */

/** How methods are called. */
export const method = String.raw`(?:sha-?\d{1,3}(?:[-_/]\d{3})?|md5|ripemd-?\d{3}|blake\d?\w?-?\d{0,3})`;

/** A number has no letter. */
const hexForms = new RegExp(
  [
    // Folders of a store: ab/cdef…
    String.raw`(?<![0-9a-z])(?:[\da-f]{2}/){1,4}[\da-f]{28,}(?![0-9a-z])`,
    // Fingerprints: groups of one length, with one sign between them.
    ...[2, 4, 8].map((size) => {
      const group = `[\\da-f]{${String(size)}}`;
      const name = `sign${String(size)}`;
      return `(?<![0-9a-z])${group}(?<${name}>[ :-])${group}(?:\\k<${name}>${group}){${String(32 / size - 2)},}(?![0-9a-z])`;
    }),
    String.raw`(?:${method}[:=-]|0x|\\x)?[\da-f]{32,}`,
  ].join('|'),
  'gi',
);

/** A run of base64, in an address too. */
const run = /(?:[A-Za-z0-9+/_-]|%2[BbFf])+(?:=|%3[Dd]){0,2}/g;
const named = new RegExp(`${method}[:=-]$`, 'i');
/** Of digests of 16, 20, 28, 32, 48 and 64 bytes, without padding. */
const lengths = [22, 27, 38, 43, 64, 86] as const;
const [shortest] = lengths;
const longestName = 16;

/** False where no digest can stand in the text: most texts are not looked through. */
export function mayHoldDigest(text: string): boolean {
  return text.length >= shortest && possible.test(text);
}

const possible = /[\w+/%-]{22}|[\da-f]{2,8}(?:[ :-][\da-f]{2,8}){3}/i;

/** The text with a stand-in for every digest in it. */
export function replaceDigests(text: string, toStandIn: (found: string) => string): string {
  let out = '';
  let from = 0;
  for (const { 0: found, index } of text.matchAll(hexForms)) {
    if (!/[a-f]/i.test(found.replace(/^(?:.*[:=]|0x|\\x)(?=[\da-f]{32})/i, ''))) continue;
    out += replaceBase64(text.slice(from, index), toStandIn) + toStandIn(found);
    from = index + found.length;
  }
  return out + replaceBase64(text.slice(from), toStandIn);
}

function replaceBase64(text: string, toStandIn: (found: string) => string): string {
  let out = '';
  let from = 0;
  for (const { 0: found, index } of text.matchAll(run)) {
    const at = found.length < shortest ? undefined : firstDigest(text, found, index);
    if (at === undefined) continue;
    out += text.slice(from, at) + toStandIn(text.slice(at, index + found.length));
    from = index + found.length;
  }
  return out + text.slice(from);
}

/**
 * Where the first digest of a run begins, with the name of its method: a part as long as one, between the ends of the run and the signs
 * that may part it from what stands beside it. Since a digest has such signs itself, the rest of the run is taken with it.
 */
function firstDigest(text: string, found: string, index: number): number | undefined {
  const { signs, places, padding } = toSigns(found);
  const changes = countChanges(signs);
  for (let start = 0; start + shortest <= signs.length; start++) {
    if (start > 0 && !isSeparator(signs[start - 1])) continue;
    const at = index + (places[start] ?? 0);
    const name = named.exec(text.slice(Math.max(0, at - longestName), at))?.[0] ?? '';
    const isDigest = lengths.some((length) => {
      const end = start + length;
      if (end > signs.length || (end < signs.length && !isSeparator(signs[end]))) return false;
      const isPadded = end === signs.length && padding > 0 && padding === (4 - (length % 4)) % 4;
      if (isPadded || (name !== '' && end === signs.length)) return true;
      return (changes[end - 1] ?? 0) - (changes[start] ?? 0) >= length * 0.33 && isMixed(signs.slice(start, end));
    });
    if (isDigest) return at - name.length;
  }
  return undefined;
}

function toSigns(found: string): {
  readonly signs: readonly string[];
  readonly places: readonly number[];
  readonly padding: number;
} {
  const signs: string[] = [];
  const places: number[] = [];
  let padding = 0;
  for (const { 0: sign, index } of found.matchAll(/%[0-9A-Fa-f]{2}|./g)) {
    if (sign === '=' || /^%3d$/i.test(sign)) padding += 1;
    else {
      signs.push(sign.length > 1 ? '/' : sign);
      places.push(index);
    }
  }
  return { signs, places, padding };
}

function isSeparator(sign: string | undefined): boolean {
  return sign !== undefined && '+/_-'.includes(sign);
}

/** At each sign: how often the kind of letter had changed before it. */
function countChanges(signs: readonly string[]): readonly number[] {
  let count = 0;
  let last = '';
  return signs.map((sign) => {
    const kind = kindOf(sign);
    if (kind !== '' && last !== '' && kind !== last) count += 1;
    if (kind !== '') last = kind;
    return count;
  });
}

function kindOf(sign: string): string {
  if (/[a-z]/.test(sign)) return 'small';
  if (/[A-Z]/.test(sign)) return 'capital';
  return /\d/.test(sign) ? 'digit' : '';
}

/** Names in words have no digits, or no capitals, or change between them seldom; in a long digest a digit may well be missing. */
function isMixed(signs: readonly string[]): boolean {
  const kinds = new Set(signs.map(kindOf));
  return kinds.has('small') && kinds.has('capital') && (kinds.has('digit') || signs.length > 40);
}
