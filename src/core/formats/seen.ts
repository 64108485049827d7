/**
 * Which ids were seen, and with what text: the memory behind "the same file twice adds nothing" (R68).
 *
 * An open-addressing table over typed arrays, some 40 bytes an id, because a map of a million strings costs more than the rest of
 * the index. Ids and texts are compared by 64 bits each of two independent hashes; both must agree before a record counts as a copy.
 */

export interface RecordPlace {
  /** Index of the file among those opened together. */
  readonly file: number;
  /** From 1. */
  readonly line: number;
}

export interface Seen {
  readonly kind: 'new' | 'same' | 'other';
  /** Where the first record with this id stands. */
  readonly first: RecordPlace;
}

export interface SeenIds {
  readonly add: (id: string, text: string, place: RecordPlace) => Seen;
}

/** Two for the id, two for the text, line (0 = empty slot), file. */
const wordsPerSlot = 6;

export function createSeenIds(): SeenIds {
  let capacity = 1024;
  let slots = new Uint32Array(capacity * wordsPerSlot);
  let size = 0;

  function grow(): void {
    const old = slots;
    capacity *= 2;
    slots = new Uint32Array(capacity * wordsPerSlot);
    for (let at = 0; at < old.length; at += wordsPerSlot) {
      if (old[at + 4] === 0) continue;
      let to = ((old[at] ?? 0) & (capacity - 1)) * wordsPerSlot;
      while (slots[to + 4] !== 0) to = (to + wordsPerSlot) % slots.length;
      slots.set(old.subarray(at, at + wordsPerSlot), to);
    }
  }

  function add(id: string, text: string, place: RecordPlace): Seen {
    if (size * 3 >= capacity * 2) grow();
    const [idLow, idHigh] = hash64(id);
    const [textLow, textHigh] = hashText(text);
    let at = (idLow & (capacity - 1)) * wordsPerSlot;
    for (;;) {
      const line = slots[at + 4] ?? 0;
      if (line === 0) break;
      if (slots[at] === idLow && slots[at + 1] === idHigh) {
        const same = slots[at + 2] === textLow && slots[at + 3] === textHigh;
        return { kind: same ? 'same' : 'other', first: { line, file: slots[at + 5] ?? 0 } };
      }
      at = (at + wordsPerSlot) % slots.length;
    }
    slots[at] = idLow;
    slots[at + 1] = idHigh;
    slots[at + 2] = textLow;
    slots[at + 3] = textHigh;
    slots[at + 4] = place.line;
    slots[at + 5] = place.file;
    size++;
    return { kind: 'new', first: place };
  }

  return { add };
}

/** 16 hex digits that tell one text from another: for records without an identity of their own. Not a digest. */
export function fingerprint(text: string): string {
  const [low, high] = hash64(text);
  return low.toString(16).padStart(8, '0') + high.toString(16).padStart(8, '0');
}

/**
 * As `hash64`, for texts of every record: four chains, two over the characters at even places and two over the others, so that one
 * multiplication does not wait for the other. Its values leave this file nowhere.
 */
function hashText(text: string): readonly [number, number] {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  let c = 0x9e3779b9;
  let d = 0x85ebca6b;
  const pairs = text.length & ~1;
  for (let i = 0; i < pairs; i += 2) {
    const even = text.charCodeAt(i);
    const odd = text.charCodeAt(i + 1);
    a = Math.imul(a ^ even, 2654435761);
    b = Math.imul(b ^ even, 1597334677);
    c = Math.imul(c ^ odd, 2246822507);
    d = Math.imul(d ^ odd, 3266489909);
  }
  if (pairs < text.length) a = Math.imul(a ^ text.charCodeAt(pairs), 2654435761);
  a = Math.imul(a ^ (a >>> 16) ^ c, 2246822507);
  b = Math.imul(b ^ (b >>> 13) ^ d, 3266489909);
  a = Math.imul(a ^ (a >>> 15) ^ text.length, 668265263);
  b = Math.imul(b ^ (b >>> 16) ^ text.length, 374761393);
  return [(a ^ (b >>> 13)) >>> 0, (b ^ (c >>> 16)) >>> 0];
}

/** Two 32-bit multiplicative hashes with different constants, mixed at the end. */
function hash64(text: string): readonly [number, number] {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 2654435761);
    b = Math.imul(b ^ c, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return [a >>> 0, b >>> 0];
}
