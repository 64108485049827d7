/**
 * The digest that names a trace: over the chunks of its stream and its damaged records, not over file names or packing.
 *
 * Invariant: the same content gives the same digest whether it came plain or packed, under whatever name. Chunks are hashed one by one
 * (the host hashes only what is whole), then their digests together.
 */
import { textToUtf8, sha256Hex } from '../../core/base/hash.ts';
import type { Problem } from '../../core/formats/format.ts';
import { computeSha256 } from '../crypto/index.ts';

export interface ContentDigest {
  addChunk(bytes: Uint8Array<ArrayBuffer>): void;
  addProblems(problems: readonly Problem[]): void;
  finish(format: string): Promise<string>;
}

export function createContentDigest(): ContentDigest {
  const parts: Promise<string>[] = [];
  return {
    addChunk: (bytes) => {
      parts.push(computeSha256(bytes));
    },
    addProblems: (problems) => {
      for (const { code, place, raw } of problems) {
        const header = `${code} ${String(place?.offset ?? '')} ${String(place?.line ?? '')}`;
        parts.push(
          computeSha256(Uint8Array.from(raw ?? [])).then((body) => sha256Hex(textToUtf8(`${header} ${body}`))),
        );
      }
    },
    finish: async (format) => sha256Hex(['hindcast content 1', format, ...(await Promise.all(parts))].join('\n')),
  };
}

/** How much of the beginning and of the end of a file tells it from others, for noticing a second import of it. */
const sampleSize = 64 * 1024;

/** Tells files apart well enough for a lease; the content digest decides what they are. */
export async function computeFingerprint(files: readonly { readonly blob: Blob }[]): Promise<string> {
  const samples = await Promise.all(
    files.map(async ({ blob }) => {
      const ends = new Blob([blob.slice(0, sampleSize), blob.slice(-sampleSize)]);
      return `${blob.size} ${await computeSha256(new Uint8Array(await ends.arrayBuffer()))}`;
    }),
  );
  return sha256Hex(samples.sort().join('\n'));
}
