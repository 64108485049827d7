/**
 * Reading the body of a trace: the line of any position, synchronously, with memory bounded by a byte budget.
 *
 * Bytes are read in pages of whole lines (see `pageRange`), kept in a least-recently-used cache. How a slice of a Blob is read is passed
 * in: workers have a synchronous reader, tests have bytes. Called wherever an opened trace is asked.
 */
import { ensureExists } from '../../core/base/assert.ts';
import { lastAtMost, pageRange } from './chunks.ts';
import { createByteCache } from './byte-cache.ts';
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
}

const defaultPageSize = 256 * 1024;
const defaultBudget = 48 * 1024 * 1024;
/** Bytes searched between two yields, unless a line is longer: some ten milliseconds. */
const searchStretch = 4 * 1024 * 1024;

interface Page {
  readonly from: number;
  readonly bytes: Uint8Array;
}

export function createBody(
  chunks: readonly StoredChunk[],
  { readSlice, pageSize = defaultPageSize, budget = defaultBudget }: BodyOptions,
): Body {
  const firsts = chunks.map(({ first }) => first);
  const last = chunks.at(-1);
  const count = last === undefined ? 0 : last.first + last.offsets.length;
  const cache = createByteCache<Page>(budget);
  const decoder = new TextDecoder();

  function pageOf(chunkNumber: number, chunk: StoredChunk, offset: number): Page {
    const key = chunkNumber * 2 ** 32 + Math.floor(offset / pageSize);
    const known = cache.get(key);
    if (known !== undefined) return known;
    const { from, to } = pageRange(chunk.offsets, chunk.bytes.size, offset, pageSize);
    const page = { from, bytes: readSlice(chunk.bytes, from, to) };
    cache.set(key, page, to - from);
    return page;
  }

  function line(position: number): string {
    const chunkNumber = lastAtMost(firsts, position);
    const chunk = chunks[chunkNumber];
    if (chunk === undefined || position >= count) throw new RangeError(`No event at position ${position} of ${count}.`);
    const within = position - chunk.first;
    const from = ensureExists(chunk.offsets[within], 'the offset of a line');
    const to = (chunk.offsets[within + 1] ?? chunk.bytes.size) - 1;
    const page = pageOf(chunkNumber, chunk, from);
    return decoder.decode(page.bytes.subarray(from - page.from, to - page.from));
  }

  function* search(needle: string, found: (position: number) => void): Generator<SearchProgress, void> {
    const bytesTotal = chunks.reduce((sum, { bytes }) => sum + bytes.size, 0);
    let bytes = 0;
    for (const chunk of chunks) {
      const { offsets, bytes: blob } = chunk;
      for (let at = 0; at < offsets.length;) {
        const from = offsets[at] ?? 0;
        const next = Math.max(at + 1, lastAtMost(offsets, from + searchStretch) + 1);
        const to = offsets[next] ?? blob.size;
        findLines(decoder.decode(readSlice(blob, from, to)).toLowerCase(), needle, chunk.first + at, found);
        bytes += to - from;
        yield { bytes, bytesTotal };
        at = next;
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
