/**
 * One request to another origin, made by the document that may (`net.html`), in a frame that lives for that request alone.
 *
 * Called only after the person confirmed the exact origin. The page itself cannot reach other origins: its policy forbids it.
 */
import { type Result, err, ok } from '../../core/base/result.ts';

export interface FetchProgress {
  readonly bytesRead: number;
  readonly bytesTotal?: number | undefined;
}

export interface FetchFailure {
  readonly code: 'refused' | 'http' | 'cancelled' | 'unavailable';
  readonly message: string;
}

export interface FetchOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
}

export interface ForeignFetch {
  fetch(url: string, options: FetchOptions): Promise<Result<Blob, FetchFailure>>;
}

/** What `net.html` says on the port. */
export type NetReply =
  | { readonly kind: 'progress'; readonly bytesRead: number; readonly bytesTotal?: number | undefined }
  | { readonly kind: 'done'; readonly blob: Blob }
  | { readonly kind: 'failed'; readonly code: FetchFailure['code']; readonly message: string };

/** How long the frame may take to appear. */
const frameTimeout = 15_000;

export function createForeignFetch(page: Document): ForeignFetch {
  return {
    async fetch(url, { signal, onProgress }) {
      const frame = page.createElement('iframe');
      frame.hidden = true;
      frame.title = 'Foreign request';
      frame.src = new URL('net.html', page.baseURI).href;
      try {
        if (!(await frameToReady(page, frame, signal))) {
          return err({ code: 'unavailable', message: 'The document for foreign requests (net.html) did not open.' });
        }
        return await requestThrough(frame, url, signal, onProgress);
      } finally {
        frame.remove();
      }
    },
  };
}

function frameToReady(page: Document, frame: HTMLIFrameElement, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), frameTimeout);
    const settle = (value: boolean): void => {
      clearTimeout(timer);
      resolve(value);
    };
    frame.addEventListener('load', () => settle(true), { once: true });
    signal.addEventListener('abort', () => settle(false), { once: true });
    page.body.append(frame);
  });
}

function requestThrough(
  frame: HTMLIFrameElement,
  url: string,
  signal: AbortSignal,
  onProgress: FetchOptions['onProgress'],
): Promise<Result<Blob, FetchFailure>> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const cancel = (): void => {
      port1.close();
      resolve(err({ code: 'cancelled', message: 'Cancelled.' }));
    };
    if (signal.aborted) {
      cancel();
      return;
    }
    signal.addEventListener('abort', cancel, { once: true });
    port1.addEventListener('message', (event: MessageEvent<NetReply>) => {
      const reply = event.data;
      if (reply.kind === 'progress') {
        onProgress?.({ bytesRead: reply.bytesRead, bytesTotal: reply.bytesTotal });
        return;
      }
      signal.removeEventListener('abort', cancel);
      port1.close();
      resolve(reply.kind === 'done' ? ok(reply.blob) : err({ code: reply.code, message: reply.message }));
    });
    port1.start();
    // The frame is of this origin; a document of another origin (a redirecting host) must not get the port.
    frame.contentWindow?.postMessage({ kind: 'fetch', url }, location.origin, [port2]);
  });
}
