/**
 * Sets of positions as bits: what slices, closures, branch views and filters are made of.
 *
 * Invariant: positions are below `size`; words beyond it are zero, so that counting needs no mask.
 */

export interface Bitset {
  readonly size: number;
  readonly words: Uint32Array;
}

export function createBitset(size: number): Bitset {
  return { size, words: new Uint32Array((size + 31) >>> 5) };
}

export function createFullBitset(size: number): Bitset {
  const set = createBitset(size);
  set.words.fill(0xffffffff);
  if ((size & 31) !== 0) set.words[set.words.length - 1] = 0xffffffff >>> (32 - (size & 31));
  return set;
}

export function hasBit(set: Bitset, position: number): boolean {
  return (((set.words[position >>> 5] ?? 0) >>> (position & 31)) & 1) === 1;
}

export function addBit(set: Bitset, position: number): void {
  const word = position >>> 5;
  set.words[word] = (set.words[word] ?? 0) | (1 << (position & 31));
}

export function removeBit(set: Bitset, position: number): void {
  const word = position >>> 5;
  set.words[word] = (set.words[word] ?? 0) & ~(1 << (position & 31));
}

export function copyBitset(set: Bitset): Bitset {
  return { size: set.size, words: set.words.slice() };
}

/** `left` becomes what is in both. */
export function intersectWith(left: Bitset, right: Bitset): void {
  for (let i = 0; i < left.words.length; i++) left.words[i] = (left.words[i] ?? 0) & (right.words[i] ?? 0);
}

export function countBits(set: Bitset): number {
  let count = 0;
  for (const word of set.words) {
    let bits = word - ((word >>> 1) & 0x55555555);
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    count += (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
  }
  return count;
}

/** The positions of the set, ascending. */
export function bitsToPositions(set: Bitset): Int32Array {
  const out = new Int32Array(countBits(set));
  let at = 0;
  for (let w = 0; w < set.words.length; w++) {
    for (let word = set.words[w] ?? 0; word !== 0; word &= word - 1) {
      out[at++] = (w << 5) + (31 - Math.clz32(word & -word));
    }
  }
  return out;
}

export function positionsToBitset(size: number, positions: Iterable<number>): Bitset {
  const set = createBitset(size);
  for (const position of positions) addBit(set, position);
  return set;
}
