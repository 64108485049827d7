/**
 * What a worker's own global gives, typed: the project compiles with the page's library, whose globals differ in these points.
 */
import type { Port } from './protocol.ts';

/** The worker's end of its port to the page. */
export function createScopePort(): Port {
  return {
    postMessage: (message, transfer) => self.postMessage(message, { transfer }),
    addEventListener: (type, listener) => self.addEventListener(type, listener),
  };
}

declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

/** The only synchronous way to read a Blob; workers have it, pages do not. */
export function readSliceInWorker(blob: Blob, from: number, to: number): Uint8Array {
  return new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob.slice(from, to)));
}
