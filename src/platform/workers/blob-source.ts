/**
 * A Blob as a source file of the import, counting the bytes as they are read.
 */
import { lineToShown } from '../../core/base/shown-text.ts';
import { type SourceFile, SourceReadError } from '../../core/formats/format.ts';

/** The host may give megabytes at once, and each may unpack to hundreds: what was given counts as read only once it is wanted. */
const pieceBytes = 64 * 1024;

export interface CountedSource extends SourceFile {
  /** Bytes of the Blob read by the latest reading. */
  readonly bytesRead: () => number;
}

export function blobToSource(path: string, blob: Blob): CountedSource {
  const name = lineToShown(path);
  let bytes = 0;
  return {
    name,
    size: blob.size,
    bytesRead: () => bytes,
    open: () => {
      bytes = 0;
      return readBlob(name, blob, (count) => (bytes += count));
    },
    // Places of an archive are read in any order and more than once: progress is the furthest place reached.
    slice: (start, end) => {
      let at = start;
      return readBlob(name, blob.slice(start, end), (count) => {
        at += count;
        bytes = Math.max(bytes, at);
      });
    },
  };
}

/**
 * By a reader, not `for await`: not every browser can iterate a stream. Ends the reading when the consumer stops early. The host reads
 * the next bytes while those at hand are looked at, and never more.
 */
async function* readBlob(name: string, blob: Blob, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const reader = blob.stream().getReader();
  const read = (): ReturnType<typeof reader.read> => {
    const reading = reader.read();
    // Whoever comes for it is told; nobody comes where the consumer stopped.
    reading.catch(() => undefined);
    return reading;
  };
  try {
    for (let coming = read(); ;) {
      const { done, value } = await coming.catch((error: unknown) => {
        throw new SourceReadError(toSentence(name, error));
      });
      if (done) return;
      coming = read();
      for (let at = 0; at < value.length; at += pieceBytes) {
        const piece = value.subarray(at, at + pieceBytes);
        count(piece.length);
        yield piece;
      }
    }
  } finally {
    // A stream that failed answers its cancelling with the same error: the sentence that was thrown says it better.
    await reader.cancel().catch(() => undefined);
  }
}

/** A file of the disk is a name and a time until it is read: it may be gone, changed or forbidden by then. */
function toSentence(name: string, error: unknown): string {
  const cause = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `${name} cannot be read: it was removed, changed or locked after it was chosen (${cause.replace(/\.$/, '')}). Choose it again.`;
}
