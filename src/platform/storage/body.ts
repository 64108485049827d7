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

  return { count, line };
}
