/**
 * The document that makes foreign requests, one per confirmation (`net.html`).
 *
 * Owns the boundary between the page, which may reach its own origin only, and the origin a person named. It makes no
 * request by itself: it waits for one message with a port from the page of the same origin that holds it in a frame, makes that one
 * request without cookies, referrer or redirects, and answers on that port. Removing the frame ends the request.
 */
import { isJsonObject } from './core/base/json.ts';

/** Progress is told after each further stretch of this many bytes. */
const reportEvery = 1024 * 1024;

interface Failure {
  readonly kind: 'failed';
  readonly code: 'refused' | 'http';
  readonly message: string;
}

function listenOnce(): void {
  const heard = new AbortController();
  addEventListener(
    'message',
    (event: MessageEvent<unknown>) => {
      const port = event.ports[0];
      if (event.origin !== location.origin || event.source !== parent || parent === window || port === undefined)
        return;
      heard.abort();
      const url = isJsonObject(event.data) && event.data['kind'] === 'fetch' ? event.data['url'] : undefined;
      if (typeof url !== 'string' || !mayRequest(url)) {
        port.postMessage(refused('Only https addresses, and http on this machine, can be opened.'));
        return;
      }
      answer(url, port).catch(() => port.postMessage(unreachable(url)));
    },
    { signal: heard.signal },
  );
}

/** The policy of this document says the same; a check here gives a sentence instead of a silent refusal. */
function mayRequest(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname));
}

async function answer(url: string, port: MessagePort): Promise<void> {
  const response = await fetch(url, {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    // A redirect leads to an address nobody confirmed.
    redirect: 'error',
  });
  if (!response.ok) {
    port.postMessage({
      kind: 'failed',
      code: 'http',
      message: `${new URL(url).origin} answered ${response.status} ${response.statusText}. Check the address, or download the file and drop it here.`,
    } satisfies Failure);
    return;
  }
  port.postMessage({ kind: 'done', blob: await readWithProgress(response, port) });
}

async function readWithProgress(response: Response, port: MessagePort): Promise<Blob> {
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const bytesTotal = Number.isFinite(length) ? length : undefined;
  const reader = response.body?.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytesRead = 0;
  let told = 0;
  for (;;) {
    const step = await reader?.read();
    if (step?.value === undefined) return new Blob(parts);
    parts.push(step.value);
    bytesRead += step.value.length;
    if (bytesRead - told < reportEvery) continue;
    told = bytesRead;
    port.postMessage({ kind: 'progress', bytesRead, bytesTotal });
  }
}

function refused(message: string): Failure {
  return { kind: 'failed', code: 'refused', message };
}

function unreachable(url: string): Failure {
  return refused(
    `${new URL(url).origin} could not be read: it does not answer, redirects elsewhere, or does not allow other sites to read it (CORS). Download the file and drop it here.`,
  );
}

listenOnce();
