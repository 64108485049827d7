import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type NetReply, createForeignFetch } from './fetch-foreign.ts';

type Answer = (port: MessagePort, origin: string) => void;

/** The page, with frames that load when told, and a document in them that answers as given. */
function createPage(answer: Answer) {
  const frames: HTMLIFrameElement[] = [];
  vi.spyOn(document, 'createElement').mockImplementation((name: string) => {
    const frame = document.createElementNS('http://www.w3.org/1999/xhtml', name);
    const postMessage = (_message: unknown, origin: string, [port]: readonly MessagePort[]): void => {
      if (port !== undefined) answer(port, origin);
    };
    Object.defineProperty(frame, 'contentWindow', { value: { postMessage } });
    if (frame instanceof HTMLIFrameElement) frames.push(frame);
    return frame;
  });
  return { foreign: createForeignFetch(document), load: () => frames.at(-1)?.dispatchEvent(new Event('load')) };
}

function say(port: MessagePort, reply: NetReply): void {
  port.postMessage(reply);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a foreign request', () => {
  it('that is cancelled before its document has loaded is cancelled, not out of order', async () => {
    const cancelling = new AbortController();
    const { foreign } = createPage(() => undefined);
    const asked = foreign.fetch('https://example.org/t', { signal: cancelling.signal });
    cancelling.abort();
    expect(await asked).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });

  it('ends with a sentence where what loaded is another page, which hears nothing', async () => {
    const { foreign, load } = createPage(() => undefined);
    const asked = foreign.fetch('https://example.org/t', { signal: new AbortController().signal });
    load();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await asked).toMatchObject({
      ok: false,
      error: { code: 'unavailable', message: expect.stringContaining('did not open. Nothing was sent.') },
    });
  });

  it('is handed to a document of the own origin alone: one that a redirect put there gets no port', async () => {
    const origins: string[] = [];
    const { foreign, load } = createPage((port, origin) => {
      origins.push(origin);
      say(port, { kind: 'failed', code: 'http', message: 'example.org answered 404.' });
    });
    const asked = foreign.fetch('https://example.org/t', { signal: new AbortController().signal });
    load();
    expect(await asked).toMatchObject({ ok: false, error: { code: 'http' } });
    expect(origins).toEqual([location.origin]);
    expect(location.origin).toMatch(/^https?:\/\//);
  });

  it('waits as long as it takes once it is heard', async () => {
    let port: MessagePort | undefined;
    const { foreign, load } = createPage((given) => {
      port = given;
      say(given, { kind: 'heard' });
    });
    let told = 0;
    const asked = foreign.fetch('https://example.org/t', {
      signal: new AbortController().signal,
      onProgress: ({ bytesRead }) => (told = bytesRead),
    });
    load();
    await vi.waitUntil(() => port !== undefined);
    if (port !== undefined) say(port, { kind: 'progress', bytesRead: 7 });
    await vi.waitUntil(() => told === 7);
    await vi.advanceTimersByTimeAsync(60_000);
    if (port !== undefined) say(port, { kind: 'failed', code: 'http', message: 'example.org answered 404.' });
    expect(await asked).toMatchObject({ ok: false, error: { code: 'http' } });
  });
});
