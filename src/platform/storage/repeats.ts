/**
 * Long repeats within a chunk, told once: a conversation that each request carries whole costs its messages, not their square.
 *
 * A block of whole lines becomes a list of copies (literal bytes before it, place and length of the source in the chunk), then all its
 * literal bytes. Invariant: a source lies in literal bytes of one block, so a block is read from its own literals and those of the
 * blocks it names, never through a chain. Pure; called when a chunk is packed and when a page of it is read.
 */

/** Shorter repeats are left to the compressor, which sees 32 KiB back. */
const shortest = 96;
/** Bytes that must agree before a repeat is looked at. */
const anchor = 48;
const brace = 0x7b;

export interface Copy {
  /** Literal bytes between the copy before (or the start of the block) and this one. */
  readonly literals: number;
  /** Of the source, in the bytes of the chunk. */
  readonly from: number;
  readonly length: number;
}

/** Copies of each block. `starts` are the places at which blocks begin. */
export function findRepeats(bytes: Uint8Array, starts: ArrayLike<number>): readonly (readonly Copy[])[] {
  const table = createTable(bytes.length);
  const blocks: (readonly Copy[])[] = [];
  for (let block = 0; block < starts.length; block++) {
    const start = starts[block] ?? 0;
    const end = starts[block + 1] ?? bytes.length;
    const copies: Copy[] = [];
    let literal = start;
    table.openRun();
    // Objects begin with a brace, in JSON inside a text as well: repeats are looked for where one opens.
    for (let at = bytes.indexOf(brace, start); at >= 0 && at + anchor <= end; at = bytes.indexOf(brace, at)) {
      const hash = hashAt(bytes, at);
      const found = table.find(hash);
      const length = found === undefined ? 0 : matchLength(bytes, found.from, Math.min(found.end, at), at, end);
      if (found === undefined || length < shortest) {
        table.add(hash, at);
        at++;
        continue;
      }
      copies.push({ literals: at - literal, from: found.from, length });
      table.closeRun(at);
      table.openRun();
      at += length;
      literal = at;
    }
    table.closeRun(end);
    blocks.push(copies);
  }
  return blocks;
}

function matchLength(bytes: Uint8Array, from: number, fromEnd: number, to: number, toEnd: number): number {
  const most = Math.min(fromEnd - from, toEnd - to);
  let length = 0;
  while (length < most && bytes[from + length] === bytes[to + length]) length++;
  return length;
}

function hashAt(bytes: Uint8Array, at: number): number {
  let hash = 0x811c9dc5;
  for (let i = at; i < at + anchor; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Where anchors stand in literal bytes, the first of each kept, and how far their run of literals goes. */
function createTable(size: number) {
  let slots = 1024;
  while (slots < size / 32 && slots < 2 ** 19) slots *= 2;
  const places = new Int32Array(slots).fill(-1);
  const runs = new Int32Array(slots);
  const ends: number[] = [];
  return {
    openRun: () => {
      ends.push(Infinity);
    },
    closeRun: (end: number) => {
      ends[ends.length - 1] = end;
    },
    add: (hash: number, at: number) => {
      const slot = hash & (slots - 1);
      if ((places[slot] ?? -1) >= 0) return;
      places[slot] = at;
      runs[slot] = ends.length - 1;
    },
    find: (hash: number): { readonly from: number; readonly end: number } | undefined => {
      const slot = hash & (slots - 1);
      const from = places[slot] ?? -1;
      return from < 0 ? undefined : { from, end: ends[runs[slot] ?? 0] ?? 0 };
    },
  };
}

/** The block as it is compressed: number of copies, the copies, the literals. */
export function encodeBlock(
  bytes: Uint8Array,
  from: number,
  to: number,
  copies: readonly Copy[],
): Uint8Array<ArrayBuffer> {
  const copied = copies.reduce((sum, { length }) => sum + length, 0);
  // A number takes up to five bytes.
  const out = new Uint8Array(5 + copies.length * 15 + (to - from - copied));
  let used = writeNumber(out, 0, copies.length);
  for (const { literals, from: source, length } of copies) {
    used = writeNumber(out, used, literals);
    used = writeNumber(out, used, source);
    used = writeNumber(out, used, length);
  }
  let at = from;
  for (const { literals, length } of copies) {
    out.set(bytes.subarray(at, at + literals), used);
    used += literals;
    at += literals + length;
  }
  out.set(bytes.subarray(at, to), used);
  return out.slice(0, used + to - at);
}

export interface PlainBlock {
  readonly copies: readonly Copy[];
  readonly literals: Uint8Array;
}

export function decodeBlock(plain: Uint8Array): PlainBlock {
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = plain[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const count = next();
  const copies: Copy[] = [];
  for (let i = 0; i < count; i++) copies.push({ literals: next(), from: next(), length: next() });
  return { copies, literals: plain.subarray(at) };
}

/** The bytes of a block, `size` of them; `source` gives literal bytes of the chunk. */
export function expandBlock(
  { copies, literals }: PlainBlock,
  size: number,
  source: (from: number, length: number) => Uint8Array,
): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(size);
  let at = 0;
  let used = 0;
  for (const copy of copies) {
    out.set(literals.subarray(used, used + copy.literals), at);
    used += copy.literals;
    at += copy.literals;
    out.set(source(copy.from, copy.length), at);
    at += copy.length;
  }
  out.set(literals.subarray(used), at);
  return out;
}

/** Literal bytes at `from` bytes from the start of their block; they lie between two copies. */
export function literalsAt({ copies, literals }: PlainBlock, from: number, length: number): Uint8Array {
  let at = 0;
  let used = 0;
  for (const copy of copies) {
    if (from < at + copy.literals) break;
    at += copy.literals + copy.length;
    used += copy.literals;
  }
  return literals.subarray(used + from - at, used + from - at + length);
}

function writeNumber(out: Uint8Array, at: number, value: number): number {
  let used = at;
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out[used++] = (rest % 128) + 128;
  out[used++] = rest;
  return used;
}
