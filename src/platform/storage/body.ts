/**
 * Reading the body of a trace: the line of any position, synchronously, with memory bounded by a byte budget.
 *
 * Bytes are read in pages of whole lines (see `pageRange`), kept in a least-recently-used cache. How a slice of a Blob is read is passed
 * in: workers have a synchronous reader, tests have bytes. Called wherever an opened trace is asked.
 */
import { ensureExists } from '../../core/base/assert.ts';
import { lastAtMost, pageRange } from './chunks.ts';
import { createByteCache } from './byte-cache.ts';
import { createUnpacker, isPacked, sizeOf, type Unpacker } from './packing.ts';
import type { StoredChunk } from './schema.ts';

export interface Body {
  readonly count: number;
  /** The text of the line, without its newline. */
  readonly line: (position: number) => string;
  /**
   * Calls `found` with the position of every line whose text holds the needle (in lower case, as the text is compared), in order. Goes
   * through whole chunks beside the cache, so that a search does not push out what is being looked at. Yields after each stretch, for
   * callers that have other work between.
   */
  readonly search: (needle: string, found: (position: number) => void) => Generator<SearchProgress, void>;
}

export interface SearchProgress {
  readonly bytes: number;
  readonly bytesTotal: number;
}

export type ReadSlice = (blob: Blob, from: number, to: number) => Uint8Array;

export interface BodyOptions {
  readonly readSlice: ReadSlice;
  readonly pageSize?: number | undefined;
  /** Bytes of pages kept in memory. */
  readonly budget?: number | undefined;
  /** Bytes searched between two yields, unless a line is longer. */
  readonly stretch?: number | undefined;
}

const defaultPageSize = 256 * 1024;
const defaultBudget = 48 * 1024 * 1024;
/** Some ten milliseconds of searching. */
const defaultStretch = 4 * 1024 * 1024;

interface Page {
  readonly from: number;
  readonly bytes: Uint8Array;
}

export function createBody(
  chunks: readonly StoredChunk[],
  { readSlice, pageSize = defaultPageSize, budget = defaultBudget, stretch = defaultStretch }: BodyOptions,
): Body {
  const firsts = chunks.map(({ first }) => first);
  const last = chunks.at(-1);
  const count = last === undefined ? 0 : last.first + last.offsets.length;
  const cache = createByteCache<Page>(budget);
  const unpacker = createUnpacker(chunks, readSlice, budget / 4);
  const decoder = new TextDecoder();

  function pageOf(chunkNumber: number, chunk: StoredChunk, offset: number): Page {
    const place = isPacked(chunk) ? unpacker.blockOf(chunk, offset) : Math.floor(offset / pageSize);
    const key = chunkNumber * 2 ** 32 + place;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const page = isPacked(chunk) ? unpacker.read(chunk, place) : readPage(chunk, offset);
    cache.set(key, page, page.bytes.length);
    return page;
  }

  function readPage(chunk: StoredChunk, offset: number): Page {
    const { from, to } = pageRange(chunk.offsets, chunk.bytes.size, offset, pageSize);
    return { from, bytes: readSlice(chunk.bytes, from, to) };
  }

  function line(position: number): string {
    const chunkNumber = lastAtMost(firsts, position);
    const chunk = chunks[chunkNumber];
    if (chunk === undefined || position >= count) throw new RangeError(`No event at position ${position} of ${count}.`);
    const within = position - chunk.first;
    const from = ensureExists(chunk.offsets[within], 'the offset of a line');
    const to = (chunk.offsets[within + 1] ?? sizeOf(chunk)) - 1;
    const page = pageOf(chunkNumber, chunk, from);
    return decoder.decode(page.bytes.subarray(from - page.from, to - page.from));
  }

  /** Whole lines from a place on: a stretch of the chunk, or a block of it, by an unpacker of the search. */
  function readStretch(chunk: StoredChunk, from: number, own: Unpacker): Page {
    if (isPacked(chunk)) return own.read(chunk, own.blockOf(chunk, from));
    const { offsets, bytes } = chunk;
    const next = Math.max(lastAtMost(offsets, from), lastAtMost(offsets, from + stretch)) + 1;
    return { from, bytes: readSlice(bytes, from, offsets[next] ?? bytes.size) };
  }

  function* search(needle: string, found: (position: number) => void): Generator<SearchProgress, void> {
    const bytesTotal = chunks.reduce((sum, chunk) => sum + sizeOf(chunk), 0);
    let bytes = 0;
    let told = 0;
    const own = createUnpacker(chunks, readSlice, budget / 4);
    for (const chunk of chunks) {
      for (let from = 0; from < sizeOf(chunk);) {
        const part = readStretch(chunk, from, own);
        const first = chunk.first + lastAtMost(chunk.offsets, from);
        findLines(decoder.decode(part.bytes).toLowerCase(), needle, first, found);
        from += part.bytes.length;
        bytes += part.bytes.length;
        if (bytes - told < stretch && bytes < bytesTotal) continue;
        told = bytes;
        yield { bytes, bytesTotal };
      }
    }
  }

  return { count, line, search };
}

/** Numbers of the lines of a text that hold the needle, counted from `first`. */
function findLines(text: string, needle: string, first: number, found: (position: number) => void): void {
  let position = first;
  let lineStart = 0;
  for (let hit = text.indexOf(needle); hit >= 0;) {
    for (let end = text.indexOf('\n', lineStart); end >= 0 && end < hit; end = text.indexOf('\n', lineStart)) {
      lineStart = end + 1;
      position++;
    }
    const end = text.indexOf('\n', hit);
    const next = end < 0 ? text.length : end + 1;
    // A needle that runs over the end of the line is in no line.
    if (end < 0 || hit + needle.length <= end) {
      found(position);
      hit = text.indexOf(needle, next);
    } else hit = text.indexOf(needle, hit + 1);
  }
}
