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
import { createRepeatFinder, decodeBlock, encodeBlock, type PlainBlock, visitRange } from './repeats.ts';
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
  /** Bytes of the lines of the chunks before it. Absent in older rows, whose copies name places in the chunk itself. */
  readonly origin?: number | undefined;
}

/** Bytes of lines in a block, unless one line is longer: what is read to show a line. */
const blockSize = 256 * 1024;

export interface PackedBytes {
  readonly layout: PackedLayout;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Packer {
  /** `pause` lets others have their turn after each block. */
  readonly pack: (bytes: Uint8Array, offsets: ArrayLike<number>, pause: () => Promise<void>) => Promise<PackedBytes>;
  /** The next chunk was packed before; its lines have so many bytes. */
  readonly skip: (bytes: number) => void;
}

/** Takes the chunks of one trace in their order. */
export function createPacker(size = blockSize): Packer {
  const finder = createRepeatFinder();
  return {
    skip: finder.skip,
    pack: async (bytes, offsets, pause) => {
      const starts: number[] = [];
      for (let at = 0; at < bytes.length; at = pageRange(offsets, bytes.length, at, size).to) starts.push(at);
      const origin = finder.origin();
      const repeats = finder.next(bytes, starts);
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
      const layout = { size: bytes.length, starts: Uint32Array.from(starts), ends: Uint32Array.from(ends), origin };
      return { layout, bytes: out };
    },
  };
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

/** Bytes of the lines of a chunk. */
export function sizeOf({ packed, bytes }: StoredChunk): number {
  return packed?.size ?? bytes.size;
}

/** Over all chunks of a trace, in their order. `budget`: bytes of literals kept, for blocks that others name. */
export function createUnpacker(chunks: readonly StoredChunk[], readSlice: ReadSlice, budget: number): Unpacker {
  const plain = createByteCache<PlainBlock>(budget);
  /** Where each chunk begins in the bytes of the trace. */
  const origins: number[] = [];
  chunks.reduce((sum, chunk) => {
    origins.push(sum);
    return sum + sizeOf(chunk);
  }, 0);

  function plainOf({ chunk, bytes, packed }: StoredChunk & Packed, block: number): PlainBlock {
    const key = chunk * 2 ** 32 + block;
    const known = plain.get(key);
    if (known !== undefined) return known;
    const end = ensureExists(packed.ends[block], 'the end of a block');
    const made = decodeBlock(inflateSync(readSlice(bytes, packed.ends[block - 1] ?? 0, end)));
    plain.set(key, made, made.literals.length + made.copies.length * 64);
    return made;
  }

  /** Bytes of the trace from a place on, as many as there is room for. */
  function fill(out: Uint8Array, place: number): void {
    const open = [{ at: 0, from: place, length: out.length }];
    for (let piece = open.pop(); piece !== undefined; piece = open.pop()) {
      const { at, from, length } = piece;
      const holder = lastAtMost(origins, from);
      const chunk = ensureExists(chunks[holder], 'the chunk of a place');
      const origin = origins[holder] ?? 0;
      const start = from - origin;
      if (!isPacked(chunk)) {
        const taken = Math.min(length, chunk.bytes.size - start);
        out.set(readSlice(chunk.bytes, start, start + taken), at);
        if (taken < length) open.push({ at: at + taken, from: from + taken, length: length - taken });
        continue;
      }
      const { starts, size, origin: counted } = chunk.packed;
      const block = lastAtMost(starts, start);
      const begin = starts[block] ?? 0;
      const taken = Math.min(length, (starts[block + 1] ?? size) - start);
      if (taken < length) open.push({ at: at + taken, from: from + taken, length: length - taken });
      visitRange(plainOf(chunk, block), start - begin, start - begin + taken, {
        literal: (bytes, within) => out.set(bytes, at + within),
        copy: (source, copied, within) =>
          open.push({ at: at + within, from: counted === undefined ? origin + source : source, length: copied }),
      });
    }
  }

  return {
    blockOf: ({ packed }, offset) => lastAtMost(packed.starts, offset),
    read: (chunk, block) => {
      const { starts, size } = chunk.packed;
      const from = starts[block] ?? 0;
      const bytes = new Uint8Array((starts[block + 1] ?? size) - from);
      fill(bytes, (origins[chunks.indexOf(chunk)] ?? 0) + from);
      return { from, bytes };
    },
  };
}

/** The lines as they were before packing. */
export function unpackChunk(chunk: StoredChunk & Packed, unpacker: Unpacker): Blob {
  return new Blob(Array.from(chunk.packed.starts, (_start, block) => unpacker.read(chunk, block).bytes));
}
