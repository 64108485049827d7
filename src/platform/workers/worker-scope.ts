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

/** Ends the turn of this worker, so that what the page sent meanwhile is heard. A timer would wait some milliseconds more each time. */
export function createPause(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(undefined);
    });
}

declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

/** The only synchronous way to read a Blob; workers have it, pages do not. */
export function readSliceInWorker(blob: Blob, from: number, to: number): Uint8Array {
  return new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob.slice(from, to)));
}
