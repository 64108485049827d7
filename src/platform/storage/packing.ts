/**
 * Chunks packed once nobody waits: blocks of whole lines, long repeats told once, each block compressed by itself.
 *
 * Invariant: unpacking gives the bytes that were packed, block by block, in any order. Compressing takes the host's own compressor, in its
 * own time; reading a page is synchronous, as everything that shows a line is. Called by compact.ts and body.ts.
 */
import { deflateSync, inflateSync } from 'fflate';
import { ensureExists } from '../../core/base/assert.ts';
import { createByteCache } from './byte-cache.ts';
import { lastAtMost, pageRange } from './chunks.ts';
import { decodeBlock, encodeBlock, expandBlock, findRepeats, literalsAt, type PlainBlock } from './repeats.ts';
import type { ReadSlice } from './body.ts';
import type { StoredChunk } from './schema.ts';

/** How the bytes of a packed chunk lie in its blob. */
export interface PackedLayout {
  /** Bytes of the lines. */
  readonly size: number;
  /** Where each block begins, in bytes of the lines. */
  readonly starts: Uint32Array;
  /** Where each block ends in the blob. */
  readonly ends: Uint32Array;
}

/** Bytes of lines in a block, unless one line is longer: what is read to show a line. */
const blockSize = 256 * 1024;

export interface PackedBytes {
  readonly layout: PackedLayout;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** `pause` lets others have their turn after each block. */
export async function packChunk(
  bytes: Uint8Array,
  offsets: ArrayLike<number>,
  pause: () => Promise<void>,
  size = blockSize,
): Promise<PackedBytes> {
  const starts: number[] = [];
  for (let at = 0; at < bytes.length; at = pageRange(offsets, bytes.length, at, size).to) starts.push(at);
  const repeats = findRepeats(bytes, starts);
  const parts: Uint8Array[] = [];
  const ends: number[] = [];
  let total = 0;
  for (const [block, copies] of repeats.entries()) {
    const packed = await deflate(encodeBlock(bytes, starts[block] ?? 0, starts[block + 1] ?? bytes.length, copies));
    parts.push(packed);
    total += packed.length;
    ends.push(total);
    await pause();
  }
  const out = new Uint8Array(total);
  parts.forEach((part, block) => out.set(part, (ends[block] ?? 0) - part.length));
  return { layout: { size: bytes.length, starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) }, bytes: out };
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = createCompressor();
  if (stream === undefined) return deflateSync(bytes);
  const packed = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await packed.arrayBuffer());
}

/** Undefined where the host has none, or none of this kind. */
function createCompressor(): CompressionStream | undefined {
  try {
    return new CompressionStream('deflate-raw');
  } catch {
    return undefined;
  }
}

export interface Unpacker {
  /** The block in which a byte of the lines lies. */
  readonly blockOf: (chunk: StoredChunk & Packed, offset: number) => number;
  /** Its lines. */
  readonly read: (chunk: StoredChunk & Packed, block: number) => UnpackedBlock;
}

interface Packed {
  readonly packed: PackedLayout;
}

export interface UnpackedBlock {
  readonly from: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function isPacked(chunk: StoredChunk): chunk is StoredChunk & Packed {
  return chunk.packed !== undefined;
}

/** `budget`: bytes of literals kept, for blocks that others name. */
export function createUnpacker(readSlice: ReadSlice, budget: number): Unpacker {
  const plain = createByteCache<PlainBlock>(budget);

  function plainOf({ chunk, bytes, packed }: StoredChunk & Packed, block: number): PlainBlock {
    const key = chunk * 2 ** 32 + block;
    const known = plain.get(key);
    if (known !== undefined) return known;
    const end = ensureExists(packed.ends[block], 'the end of a block');
    const made = decodeBlock(inflateSync(readSlice(bytes, packed.ends[block - 1] ?? 0, end)));
    plain.set(key, made, made.literals.length + made.copies.length * 32);
    return made;
  }

  return {
    blockOf: ({ packed }, offset) => lastAtMost(packed.starts, offset),
    read: (chunk, block) => {
      const { starts, size } = chunk.packed;
      const from = starts[block] ?? 0;
      const to = starts[block + 1] ?? size;
      const bytes = expandBlock(plainOf(chunk, block), to - from, (source, length) => {
        const holder = lastAtMost(starts, source);
        return literalsAt(plainOf(chunk, holder), source - (starts[holder] ?? 0), length);
      });
      return { from, bytes };
    },
  };
}

/** The lines as they were before packing. */
export function unpackChunk(chunk: StoredChunk & Packed, readSlice: ReadSlice): Blob {
  const unpacker = createUnpacker(readSlice, 16 * 1024 * 1024);
  return new Blob(Array.from(chunk.packed.starts, (_start, block) => unpacker.read(chunk, block).bytes));
}
