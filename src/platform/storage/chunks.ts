/**
 * Chunk maths: lines in, chunks of bytes with offsets out; and from a position back to a byte range.
 *
 * Invariant: a line lies in exactly one chunk, and where chunks end follows from the lines alone, so equal content makes equal chunks and
 * an equal digest. Offsets are bytes, not characters. Pure; ranges are half-open.
 */

/** A chunk holds whole lines up to this many bytes, or one line that is longer. */
export const chunkLimit = 16 * 1024 * 1024;

/** Characters from which on the host's encoder is faster than a loop. */
const longLine = 4096;

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

  function flush(): BodyChunk | undefined {
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

  /** Bytes written, or -1 when the line does not fit into what the chunk has left. */
  function write(line: string, room: number): number {
    // Three bytes hold any UTF-16 unit; only near the end of a chunk is the exact length worth an encoding of its own.
    const most = line.length * 3 + 1;
    if (most > room) {
      const bytes = encoder.encode(line);
      if (bytes.length + 1 > room) return -1;
      reserve(bytes.length + 1);
      buffer.set(bytes, used);
      return bytes.length + 1;
    }
    reserve(most);
    const plain = line.length <= longLine ? writePlain(line) : 0;
    if (plain === line.length) return plain + 1;
    return encoder.encodeInto(line, buffer.subarray(used)).written + 1;
  }

  /** Characters written one by one until one takes more than a byte: for lines of usual length the host's encoder costs more to call. */
  function writePlain(line: string): number {
    const bytes = buffer;
    const start = used;
    for (let i = 0; i < line.length; i++) {
      const unit = line.charCodeAt(i);
      if (unit > 127) return i;
      bytes[start + i] = unit;
    }
    return line.length;
  }

  function append(line: string, room: number): boolean {
    const written = write(line, room);
    if (written < 0) return false;
    buffer[used + written - 1] = 10;
    offsets.push(used);
    used += written;
    count += 1;
    return true;
  }

  return {
    get count() {
      return count;
    },
    add(line) {
      if (append(line, limit - used)) return undefined;
      const full = flush();
      append(line, Infinity);
      return full;
    },
    finish: flush,
  };
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
