/**
 * The document that makes foreign requests, one per confirmation (`net.html`).
 *
 * Owns the boundary between the page, which may reach its own origin only, and the origin a person named. It makes no
 * request by itself: it waits for one message with a port from the page of the same origin that holds it in a frame, makes that one
 * request without cookies, referrer or redirects, and answers on that port. Removing the frame ends the request.
 */
import { type JsonValue, isJsonObject } from './core/base/json.ts';

/** Progress is told after each further stretch of this many bytes. */
const reportEvery = 1024 * 1024;

interface Failure {
  readonly kind: 'failed';
  readonly code: 'refused' | 'http';
  readonly message: string;
  readonly body?: string;
}

/** Characters of a refusal that are handed on. */
const mostRefusal = 4096;

function listenOnce(): void {
  const heard = new AbortController();
  addEventListener(
    'message',
    (event: MessageEvent<unknown>) => {
      const port = event.ports[0];
      if (event.origin !== location.origin || event.source !== parent || parent === window || port === undefined)
        return;
      heard.abort();
      port.postMessage({ kind: 'heard' });
      const asked = isJsonObject(event.data) && event.data['kind'] === 'fetch' ? event.data : undefined;
      const url = asked?.['url'];
      if (typeof url !== 'string' || !mayRequest(url)) {
        port.postMessage(refused('Only https addresses, and http at localhost or 127.0.0.1, can be opened.'));
        return;
      }
      const post = asked?.['post'];
      if (post !== undefined && !isPost(post)) {
        port.postMessage(refused('What is to be sent is not a request that this page makes.'));
        return;
      }
      answer(url, post, port).catch(() => port.postMessage(unreachable(url, post !== undefined)));
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

interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The headers that the interfaces of models want. Others are refused. */
const sendable = new Set([
  'content-type',
  'authorization',
  'x-api-key',
  'anthropic-version',
  'anthropic-dangerous-direct-browser-access',
]);

function isPost(value: JsonValue): value is JsonValue & Post {
  if (!isJsonObject(value) || typeof value['body'] !== 'string' || !isJsonObject(value['headers'])) return false;
  return Object.entries(value['headers']).every(([name, text]) => sendable.has(name) && typeof text === 'string');
}

async function answer(url: string, post: Post | undefined, port: MessagePort): Promise<void> {
  const response = await fetch(url, {
    ...(post === undefined ? {} : { method: 'POST', headers: post.headers, body: post.body }),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    // A redirect leads to an address nobody confirmed.
    redirect: 'error',
  });
  if (!response.ok) {
    const said = `${new URL(url).origin} answered ${response.status} ${response.statusText}`.trim();
    const failure: Failure =
      post === undefined
        ? {
            kind: 'failed',
            code: 'http',
            message: `${said}. Check the address, or download the file and drop it here.`,
          }
        : { kind: 'failed', code: 'http', message: `${said}.`, body: (await response.text()).slice(0, mostRefusal) };
    port.postMessage(failure);
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

function unreachable(url: string, isAsked: boolean): Failure {
  const why = 'it does not answer, redirects elsewhere, or does not allow other sites to read it (CORS)';
  return refused(
    isAsked
      ? `${new URL(url).origin} could not be asked: ${why}.`
      : `${new URL(url).origin} could not be read: ${why}. Download the file and drop it here.`,
  );
}

listenOnce();
