/**
 * Chunk maths: lines in, chunks of bytes with offsets out; and from a position back to a byte range.
 *
 * Invariant: a line lies in exactly one chunk, and where chunks end follows from the lines alone, so equal content makes equal chunks and
 * an equal digest. Offsets are bytes, not characters. Pure; ranges are half-open.
 */

/** A chunk holds whole lines up to this many bytes, or one line that is longer. */
export const chunkLimit = 16 * 1024 * 1024;

/** Lines are encoded together up to this many characters: a call of the host's encoder costs as much as some hundred of them. */
const pieceLimit = 32 * 1024;

export interface BodyChunk {
  readonly chunk: number;
  readonly first: number;
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface ChunkWriter {
  /** Takes one line without its newline; returns the chunk that is full by it, which does not hold the line yet. */
  add(line: string): BodyChunk | undefined;
  /** What is left, if anything. */
  finish(): BodyChunk | undefined;
  readonly count: number;
}

export function createChunkWriter(limit = chunkLimit): ChunkWriter {
  const encoder = new TextEncoder();
  let buffer = new Uint8Array(Math.min(limit, 64 * 1024));
  let used = 0;
  let offsets: number[] = [];
  let chunk = 0;
  let count = 0;

  /** Lines that are not bytes yet, each ended by its newline, and how long they are without it. They fit into the chunk. */
  let piece = '';
  let lengths: number[] = [];

  function flush(): BodyChunk | undefined {
    encodePiece();
    if (offsets.length === 0) return undefined;
    const done: BodyChunk = {
      chunk,
      first: count - offsets.length,
      offsets: Uint32Array.from(offsets),
      bytes: buffer.slice(0, used),
    };
    chunk += 1;
    used = 0;
    offsets = [];
    return done;
  }

  function reserve(bytes: number): void {
    if (used + bytes <= buffer.length) return;
    const grown = new Uint8Array(Math.max(used + bytes, Math.min(buffer.length * 2, limit)));
    grown.set(buffer.subarray(0, used));
    buffer = grown;
  }

  function encodePiece(): void {
    if (lengths.length === 0) return;
    const lines = lengths;
    const text = piece;
    piece = '';
    lengths = [];
    // Three bytes hold any UTF-16 unit.
    reserve(text.length * 3);
    const { written } = encoder.encodeInto(text, buffer.subarray(used));
    const isPlain = written === text.length;
    let at = 0;
    for (const length of lines) {
      offsets.push(used);
      used += isPlain ? length + 1 : utf8Length(text, at, at + length) + 1;
      at += length + 1;
    }
  }

  /** For a line of which only its exact length tells whether it fits into the room that is left. */
  function append(line: string, room: number): boolean {
    const bytes = encoder.encode(line);
    if (bytes.length + 1 > room) return false;
    reserve(bytes.length + 1);
    buffer.set(bytes, used);
    buffer[used + bytes.length] = 10;
    offsets.push(used);
    used += bytes.length + 1;
    count += 1;
    return true;
  }

  return {
    get count() {
      return count;
    },
    add(line) {
      if (used + (piece.length + line.length + 1) * 3 > limit) encodePiece();
      if (used + (line.length + 1) * 3 > limit) {
        if (append(line, limit - used)) return undefined;
        const full = flush();
        append(line, Infinity);
        return full;
      }
      piece += `${line}\n`;
      lengths.push(line.length);
      count += 1;
      if (piece.length > pieceLimit) encodePiece();
      return undefined;
    },
    finish: flush,
  };
}

/** Bytes of a part of a text as the host encodes it: half a pair becomes the sign for what cannot be read, three bytes. */
function utf8Length(text: string, from: number, to: number): number {
  let bytes = 0;
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if ((unit & 0xfc00) === 0xd800 && i + 1 < to && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
}

/** The last index whose value is at most `value`, in ascending values; -1 when all are greater. */
export function lastAtMost(values: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? Infinity) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Lines are read in pages: those that begin in the same stretch of `pageSize` bytes. A line lies in exactly one page. */
export function pageRange(offsets: ArrayLike<number>, size: number, offset: number, pageSize: number): ByteRange {
  const start = Math.floor(offset / pageSize) * pageSize;
  const first = lastAtMost(offsets, start - 1) + 1;
  const next = lastAtMost(offsets, start + pageSize - 1) + 1;
  return { from: offsets[first] ?? 0, to: offsets[next] ?? size };
}
