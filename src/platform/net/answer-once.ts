/**
 * One request to another origin: what the document of `net.html` does.
 *
 * It waits for one message with a port from the page of the same origin that holds it in a frame, makes that one request without cookies,
 * referrer or redirects, and answers on that port. Invariant: what comes is bounded, and never copied all at once.
 */
import { type JsonValue, isJsonObject } from '../../core/base/json.ts';

/** Progress is told after each further stretch of this many bytes. */
const reportEvery = 2 ** 20;

/** What came is stored each time this many bytes are there. */
const pieceBytes = 16 * 2 ** 20;

/** A file that was chosen is read where it lies, however large; an answer has to be stored first. */
const mostBytes = 2 * 2 ** 30;

/** What was packed for the way and grows more than `suspectRatio` times beyond `suspectBytes` is no trace. */
const suspectBytes = 256 * 2 ** 20;
const suspectRatio = 1000;

interface Failure {
  readonly kind: 'failed';
  readonly code: 'refused' | 'http';
  readonly message: string;
  readonly body?: string;
}

/** Characters of a refusal that are handed on. */
const mostRefusal = 4096;

/** Waits for the one message, and answers it. */
export function answerOnce(): void {
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
  port.postMessage(
    response.ok
      ? await receive(response, url, post !== undefined, port)
      : await refusalOf(response, url, post !== undefined),
  );
}

async function refusalOf(response: Response, url: string, isAsked: boolean): Promise<Failure> {
  const said = `${new URL(url).origin} answered ${response.status} ${response.statusText}`.trim();
  if (isAsked) return { kind: 'failed', code: 'http', message: `${said}.`, body: await readBeginning(response) };
  return {
    kind: 'failed',
    code: 'http',
    message: `${said}. Check the address, or download the file and drop it here.`,
  };
}

/** What a refusal says at its beginning. Neither its length nor a connection that breaks changes what is told. */
async function readBeginning(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length < mostRefusal) {
      const step = await reader?.read();
      if (step?.value === undefined) break;
      text += decoder.decode(step.value, { stream: true });
    }
    await reader?.cancel();
  } catch {
    // What came until then is told.
  }
  return text.slice(0, mostRefusal);
}

/**
 * The bytes of the answer, or why there are none. What came is given to the browser's own store piece by piece: all at once would
 * stop the page for as long as copying takes, and an answer without end would take its memory.
 */
async function receive(
  response: Response,
  url: string,
  isAsked: boolean,
  port: MessagePort,
): Promise<{ readonly kind: 'done'; readonly blob: Blob } | Failure> {
  const { origin } = new URL(url);
  const advice = isAsked ? '' : ' Download the file and drop it here.';
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const reader = response.body?.getReader();
  const pieces: Blob[] = [];
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let bytesHeld = 0;
  let bytesRead = 0;
  let told = 0;
  const stop = async (why: string): Promise<Failure> => {
    // The connection may be gone already; nothing more is wanted of it.
    await reader?.cancel().catch(() => undefined);
    return refused(`${origin} ${why}, so the rest was not read and nothing was opened.${advice}`);
  };
  // A length smaller than what came is the length before unpacking, and says nothing of how much is still to come.
  const bytesTotal = (): number | undefined => (length >= bytesRead ? length : undefined);
  if (length > mostBytes) return stop('answers with more than 2 GiB');
  try {
    for (;;) {
      const step = await reader?.read();
      if (step?.value === undefined) break;
      parts.push(step.value);
      bytesHeld += step.value.length;
      bytesRead += step.value.length;
      if (bytesRead > mostBytes) return await stop('answers with more than 2 GiB');
      if (bytesRead > suspectBytes && bytesRead > suspectRatio * length)
        return await stop(
          `answers with ${countToText(length)} bytes that unpack to more than a thousand times as many, which real traces do not do`,
        );
      if (bytesHeld >= pieceBytes) {
        const piece = new Blob(parts);
        pieces.push(piece);
        parts = [];
        bytesHeld = 0;
        if (!(await isKept(piece)))
          return await stop(
            `answers with more than this browser has room for (${countToText(bytesRead)} bytes so far)`,
          );
      }
      if (bytesRead - told < reportEvery) continue;
      told = bytesRead;
      port.postMessage({ kind: 'progress', bytesRead, bytesTotal: bytesTotal() });
    }
  } catch {
    const total = bytesTotal();
    const of = total === undefined ? '' : ` of ${countToText(total)}`;
    return refused(
      `The answer of ${origin} broke off after ${countToText(bytesRead)}${of} bytes.${isAsked ? '' : ' Try again, or download the file and drop it here.'}`,
    );
  }
  return { kind: 'done', blob: new Blob([...pieces, ...parts]) };
}

/** Waits until the browser has stored the piece; false where it could not. */
async function isKept(piece: Blob): Promise<boolean> {
  try {
    await piece.slice(-1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

function countToText(count: number): string {
  return new Intl.NumberFormat('en').format(count);
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
