/**
 * Whether the first JSON document of a file is still open where the file ends, and where that is.
 *
 * Invariants: one pass, whatever the nesting and the chunks; nothing is looked at behind the end of the first document, so a file of
 * many records costs its first one. Called by the decoder for every file, and for files that no format knows.
 */

export interface CutDocument {
  /** Size of what is there. */
  readonly bytes: number;
  /** Line in which it ends, from 1. */
  readonly line: number;
}

interface DocumentScanner {
  readonly push: (chunk: Uint8Array) => void;
  /** At the end of the file: undefined where the first document is whole, or there is none. */
  readonly end: () => CutDocument | undefined;
  /** What was pushed ends inside the first document. */
  readonly isOpen: () => boolean;
}

export function createDocumentScanner(): DocumentScanner {
  let bytes = 0;
  let line = 1;
  let depth = 0;
  let isDone = false;
  let inText = false;
  let isEscaped = false;

  function push(chunk: Uint8Array): void {
    if (isDone) return;
    bytes += chunk.length;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] ?? 0;
      if (byte === 10) line++;
      if (inText) {
        if (isEscaped) isEscaped = false;
        else if (byte === 92) isEscaped = true;
        else if (byte === 34) inText = false;
      } else if (byte === 34) inText = true;
      else if (byte === 123 || byte === 91) depth++;
      else if ((byte === 125 || byte === 93) && --depth <= 0) {
        isDone = true;
        return;
      }
    }
  }

  const isOpen = (): boolean => !isDone && depth > 0;
  return { push, isOpen, end: () => (isOpen() ? { bytes, line } : undefined) };
}
