/**
 * Synchronous reading of stored Blobs in Node, which has no `FileReaderSync`: all are read beforehand.
 */
import type { ReadSlice } from '../../storage/index.ts';
import type { TestLibrary } from '../../storage/testing/library.ts';

/** Chunks are told apart by their size: enough for the small traces of tests, and an error where it is not. */
export async function preloadSlices(library: TestLibrary): Promise<ReadSlice> {
  const chunks = await library.db.body.toArray();
  const loaded = await Promise.all(chunks.map(async ({ bytes }) => new Uint8Array(await bytes.arrayBuffer())));
  return (blob, from, to) => {
    const [found, ...more] = loaded.filter((bytes) => bytes.length === blob.size);
    if (found === undefined || more.length > 0) throw new Error(`not one stored chunk of ${blob.size} bytes`);
    return found.slice(from, to);
  };
}
