/**
 * Bytes of a file by place, for archives: their members are many and small, and asking the host for each costs more than unpacking it.
 *
 * Invariant: at most `mostBlocks` blocks are held besides what a caller reads. What is longer than a block goes past them. A file that cannot
 * be read in places is held whole, up to a limit.
 */
import type { ImportOptions, SourceFile } from '../format.ts';
import { joinBytes } from './join-bytes.ts';
import { takeStep } from './steps.ts';

export interface RandomBytes {
  readonly size: number;
  readonly read: (start: number, end: number) => Promise<Uint8Array>;
  readonly stream: (start: number, end: number) => AsyncIterable<Uint8Array>;
}

/** Archives that cannot be read in places are held in memory up to this size. */
const maxHeld = 512 * 2 ** 20;

const blockBytes = 2 ** 20;
const mostBlocks = 4;

/** Undefined: too long to be held. */
export async function toRandomBytes(file: SourceFile, options: ImportOptions): Promise<RandomBytes | undefined> {
  const { slice, size } = file;
  if (slice !== undefined && size !== undefined) return throughBlocks(size, slice);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of file.open()) {
    parts.push(chunk);
    length += chunk.length;
    if (length > maxHeld) return undefined;
    await takeStep(options);
  }
  const held = joinBytes(parts);
  return {
    size: length,
    read: (start, end) => Promise.resolve(held.subarray(start, end)),
    stream: (start, end) => cut(held.subarray(start, end)),
  };
}

function throughBlocks(size: number, slice: NonNullable<SourceFile['slice']>): RandomBytes {
  const blocks = new Map<number, Promise<Uint8Array>>();
  const fetchAll = async (start: number, end: number): Promise<Uint8Array> =>
    joinBytes(await collect(slice(start, Math.min(end, size))));
  const blockAt = async (n: number): Promise<Uint8Array> => {
    let block = blocks.get(n);
    // The one asked for last is the last to go.
    blocks.delete(n);
    block ??= fetchAll(n * blockBytes, (n + 1) * blockBytes);
    blocks.set(n, block);
    const [oldest] = blocks.keys();
    if (blocks.size > mostBlocks && oldest !== undefined) blocks.delete(oldest);
    return block;
  };
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    const last = Math.min(end, size);
    if (last <= start || last - start > blockBytes) return fetchAll(start, Math.max(start, last));
    const from = Math.floor(start / blockBytes);
    const first = await blockAt(from);
    const offset = from * blockBytes;
    if (last <= offset + blockBytes) return first.subarray(start - offset, last - offset);
    const second = await blockAt(from + 1);
    return joinBytes([first.subarray(start - offset), second.subarray(0, last - offset - blockBytes)]);
  };
  const small = async function* (start: number, end: number): AsyncGenerator<Uint8Array> {
    yield* cut(await read(start, end));
  };
  return { size, read, stream: (start, end) => (end - start > blockBytes ? slice(start, end) : small(start, end)) };
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return parts;
}

const chunkBytes = 256 * 1024;

async function* cut(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes)
    yield await Promise.resolve(bytes.subarray(at, at + chunkBytes));
}
