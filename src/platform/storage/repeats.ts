/**
 * Long repeats within a trace, told once: a conversation that each request carries whole costs its messages, not their square.
 *
 * A block of whole lines becomes a list of copies (literal bytes before it, place and length of the source), then all its literal bytes.
 * Places count from the start of the trace. Invariant: a source ends before its copy begins; it may be made of copies itself, at most
 * `deepest` deep, so a range is read in a bounded number of steps. Pure; called when chunks are packed and when a page of one is read.
 */
import { lastAtMost } from './chunks.ts';

/** Shorter repeats are left to the compressor, which sees 32 KiB back. */
const shortest = 96;
/** What is shorter and stands in the chunk before is told again: each chunk that a page is read from takes time. */
const shortestCarried = 1024;
/** Bytes that must agree before a repeat is looked at. */
const anchor = 48;
const brace = 0x7b;
/** Bytes of a chunk that the next one may copy from: what was said last, with all that went before it. */
const carried = 8 * 1024 * 1024;
/** So many copies next to each other become a source of their own, which later lines copy in one go. */
const gathered = 32;
/** Literal bytes that may stand between two copies next to each other. */
const gap = 64;
/** Copies of copies, counted over all chunks of a trace. */
const deepest = 96;

export interface Copy {
  /** Literal bytes between the copy before (or the start of the block) and this one. */
  readonly literals: number;
  /** Of the source, in the bytes of the trace. */
  readonly from: number;
  readonly length: number;
}

export interface RepeatFinder {
  /** Bytes of the chunks so far. */
  readonly origin: () => number;
  /** Copies of each block of the next chunk. `starts` are the places in it at which blocks begin. */
  readonly next: (chunk: Uint8Array, starts: ArrayLike<number>) => readonly (readonly Copy[])[];
  /** The next chunk is not looked at: nothing is copied from it. */
  readonly skip: (bytes: number) => void;
}

/** Goes through the chunks of one trace in their order. */
export function createRepeatFinder(): RepeatFinder {
  let origin = 0;
  let tail = new Uint8Array();
  let depth = 0;

  return {
    origin: () => origin,
    next: (chunk, starts) => {
      const before = depth < deepest ? tail : new Uint8Array();
      const search = createSearch(before, chunk, origin - before.length, before.length === 0 ? 0 : depth);
      const blocks = Array.from({ length: starts.length }, (_none, block) =>
        search.block(before.length + (starts[block] ?? 0), before.length + (starts[block + 1] ?? chunk.length)),
      );
      origin += chunk.length;
      tail = chunk.slice(Math.max(0, chunk.length - carried));
      depth = search.depth();
      return blocks;
    },
    skip: (bytes) => {
      origin += bytes;
      tail = new Uint8Array();
      depth = 0;
    },
  };
}

/** Copies next to each other, while they are found. */
interface Stretch {
  start: number;
  end: number;
  copies: number;
  depth: number;
}

/** Over the end of the chunk before, `depth` copies deep, and the chunk; `offset` is the place of the first byte in the trace. */
function createSearch(before: Uint8Array, chunk: Uint8Array, offset: number, depth: number) {
  const bytes = new Uint8Array(before.length + chunk.length);
  bytes.set(before);
  bytes.set(chunk, before.length);
  const table = createTable(bytes.length);
  let most = 0;
  table.point(bytes, 0, before.length, depth);

  /** What many copies made is a source as a whole from now on. */
  function gather({ start, end, copies, depth: deep }: Stretch): void {
    if (copies >= gathered && deep < deepest) table.point(bytes, start, end, deep);
  }

  function block(start: number, end: number): readonly Copy[] {
    const copies: Copy[] = [];
    const stretch: Stretch = { start, end: start, copies: 0, depth: 0 };
    let literal = start;
    table.openRun();
    // Objects begin with a brace, in JSON inside a text as well: repeats are looked for where one opens.
    for (let at = bytes.indexOf(brace, start); at >= 0 && at + anchor <= end; at = bytes.indexOf(brace, at)) {
      const hash = hashAt(bytes, at);
      const found = table.find(hash);
      const length = found === undefined ? 0 : matchLength(bytes, found.from, Math.min(found.end, at), at, end);
      const isCarried = found !== undefined && found.from < before.length;
      if (found === undefined || length < (isCarried ? shortestCarried : shortest)) {
        if (isCarried) table.set(hash, at);
        else table.add(hash, at);
        at++;
        continue;
      }
      copies.push({ literals: at - literal, from: offset + found.from, length });
      table.closeRun(at);
      table.openRun();
      most = Math.max(most, found.depth + 1);
      if (at - stretch.end > gap) {
        gather(stretch);
        Object.assign(stretch, { start: at, copies: 0, depth: 0 });
      }
      at += length;
      stretch.end = at;
      stretch.copies++;
      stretch.depth = Math.max(stretch.depth, found.depth + 1);
      literal = at;
    }
    gather(stretch);
    table.closeRun(end);
    return copies;
  }

  return { block, depth: () => most };
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

interface Source {
  readonly from: number;
  readonly end: number;
  readonly depth: number;
}

/** Where anchors stand, in runs of bytes that may be a source: how far each goes, and how many copies deep it is. */
function createTable(size: number) {
  let slots = 1024;
  while (slots < size / 32 && slots < 2 ** 19) slots *= 2;
  const places = new Int32Array(slots).fill(-1);
  const runs = new Int32Array(slots);
  const ends: number[] = [];
  const depths: number[] = [];
  const openRun = (): void => {
    ends.push(Infinity);
    depths.push(0);
  };
  const set = (hash: number, at: number): void => {
    const slot = hash & (slots - 1);
    places[slot] = at;
    runs[slot] = ends.length - 1;
  };
  return {
    /** Of literal bytes. */
    openRun,
    closeRun: (end: number) => {
      ends[ends.length - 1] = end;
    },
    set,
    /** The first of each anchor is kept. */
    add: (hash: number, at: number) => {
      if ((places[hash & (slots - 1)] ?? -1) < 0) set(hash, at);
    },
    /** From now on the anchors of these bytes are found here; the run of literals goes on after it. */
    point: (bytes: Uint8Array, start: number, end: number, depth: number) => {
      ends.push(end);
      depths.push(depth);
      for (let at = bytes.indexOf(brace, start); at >= 0 && at + anchor <= end; at = bytes.indexOf(brace, at + 1)) {
        set(hashAt(bytes, at), at);
      }
      openRun();
    },
    find: (hash: number): Source | undefined => {
      const slot = hash & (slots - 1);
      const from = places[slot] ?? -1;
      const run = runs[slot] ?? 0;
      return from < 0 ? undefined : { from, end: ends[run] ?? 0, depth: depths[run] ?? 0 };
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
  /** Where each copy begins, in the bytes of the block, and in its literal bytes. */
  readonly starts: Float64Array;
  readonly used: Float64Array;
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
  const starts = new Float64Array(count);
  const used = new Float64Array(count);
  let start = 0;
  let literals = 0;
  for (let i = 0; i < count; i++) {
    const copy = { literals: next(), from: next(), length: next() };
    copies.push(copy);
    literals += copy.literals;
    used[i] = literals;
    starts[i] = start + copy.literals;
    start += copy.literals + copy.length;
  }
  return { copies, starts, used, literals: plain.subarray(at) };
}

export interface BlockVisitor {
  /** Literal bytes, which stand `at` bytes after the start of the range. */
  readonly literal: (bytes: Uint8Array, at: number) => void;
  readonly copy: (from: number, length: number, at: number) => void;
}

/** What a range of a block is made of. */
export function visitRange(
  { copies, starts, used, literals }: PlainBlock,
  from: number,
  to: number,
  visitor: BlockVisitor,
): void {
  // The copy that begins at the range or before it, and the literal bytes behind it.
  let n = lastAtMost(starts, from);
  for (let at = from; at < to; n++) {
    const copy = copies[n];
    const start = starts[n] ?? 0;
    const end = start + (copy?.length ?? 0);
    if (copy !== undefined && at < end) {
      const length = Math.min(end, to) - at;
      visitor.copy(copy.from + at - start, length, at - from);
      at += length;
    }
    const length = Math.min(starts[n + 1] ?? Infinity, to) - at;
    if (length <= 0) continue;
    const place = (used[n] ?? 0) + at - end;
    visitor.literal(literals.subarray(place, place + length), at - from);
    at += length;
  }
}

function writeNumber(out: Uint8Array, at: number, value: number): number {
  let used = at;
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out[used++] = (rest % 128) + 128;
  out[used++] = rest;
  return used;
}
