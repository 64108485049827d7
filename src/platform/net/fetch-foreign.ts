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
  /** What a service answered to a POST that it refused. */
  readonly body?: string | undefined;
}

export interface FetchOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
}

/** What is sent with a request that sends something; without it the request only reads. */
export interface ForeignPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ForeignFetch {
  fetch(url: string, options: FetchOptions): Promise<Result<Blob, FetchFailure>>;
  /** One POST. A refusal of the service is a failure with code `http` and its body in `body`. */
  post(url: string, post: ForeignPost, options: FetchOptions): Promise<Result<Blob, FetchFailure>>;
}

/** What `net.html` says on the port. */
export type NetReply =
  /** At once, before anything is asked of another origin. */
  | { readonly kind: 'heard' }
  | { readonly kind: 'progress'; readonly bytesRead: number; readonly bytesTotal?: number | undefined }
  | { readonly kind: 'done'; readonly blob: Blob }
  | {
      readonly kind: 'failed';
      readonly code: FetchFailure['code'];
      readonly message: string;
      readonly body?: string | undefined;
    };

/** How long the frame may take to appear, and then to say that it is the document that was asked for. */
const frameTimeout = 15_000;

const cancelled: FetchFailure = { code: 'cancelled', message: 'Cancelled.' };
const notOpened: FetchFailure = {
  code: 'unavailable',
  message:
    'The document for foreign requests (net.html) did not open. Nothing was sent. Reload the page and try again; if it stays so, the site lacks that file.',
};

export function createForeignFetch(page: Document): ForeignFetch {
  async function request(
    url: string,
    post: ForeignPost | undefined,
    { signal, onProgress }: FetchOptions,
  ): Promise<Result<Blob, FetchFailure>> {
    const frame = page.createElement('iframe');
    frame.hidden = true;
    frame.title = 'Foreign request';
    frame.src = new URL('net.html', page.baseURI).href;
    try {
      const isReady = await frameToReady(page, frame, signal);
      if (signal.aborted) return err(cancelled);
      if (!isReady) return err(notOpened);
      return await requestThrough(frame, { kind: 'fetch', url, post }, signal, onProgress);
    } finally {
      frame.remove();
    }
  }
  return {
    fetch: (url, options) => request(url, undefined, options),
    post: (url, post, options) => request(url, post, options),
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
  message: { readonly kind: 'fetch'; readonly url: string; readonly post: ForeignPost | undefined },
  signal: AbortSignal,
  onProgress: FetchOptions['onProgress'],
): Promise<Result<Blob, FetchFailure>> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const fail = (failure: FetchFailure): void => {
      clearTimeout(silence);
      signal.removeEventListener('abort', cancel);
      port1.close();
      resolve(err(failure));
    };
    const cancel = (): void => fail(cancelled);
    // A page that says "not found" loads too, and does not hear what is posted to it.
    const silence = setTimeout(() => fail(notOpened), frameTimeout);
    signal.addEventListener('abort', cancel, { once: true });
    port1.addEventListener('message', (event: MessageEvent<NetReply>) => {
      const reply = event.data;
      clearTimeout(silence);
      if (reply.kind === 'heard') return;
      if (reply.kind === 'progress') {
        onProgress?.({ bytesRead: reply.bytesRead, bytesTotal: reply.bytesTotal });
        return;
      }
      signal.removeEventListener('abort', cancel);
      port1.close();
      if (reply.kind === 'done') resolve(ok(reply.blob));
      else {
        const { code, message: sentence, body } = reply;
        resolve(err({ code, message: sentence, ...(body === undefined ? {} : { body }) }));
      }
    });
    port1.start();
    // The frame is of this origin; a document of another origin (a redirecting host) must not get the port.
    frame.contentWindow?.postMessage(message, location.origin, [port2]);
  });
}
