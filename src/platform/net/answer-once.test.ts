// @vitest-environment node
import { type Server, type ServerResponse, createServer } from 'node:http';
import { MessageChannel } from 'node:worker_threads';
import { createGzip } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type JsonObject, isJsonObject } from '../../core/base/json.ts';
import { createTable } from '../../core/base/table.ts';
import { answerOnce } from './answer-once.ts';

/** A document that lives for one request, as the page's frame does: loaded anew, told once, heard on one port. */
async function ask(url: string, post?: JsonObject) {
  const listeners: ((event: unknown) => void)[] = [];
  const holder = { name: 'the page' };
  vi.stubGlobal('addEventListener', (_type: string, listener: (event: unknown) => void) => listeners.push(listener));
  vi.stubGlobal('location', { origin: 'https://tools.example.org' });
  vi.stubGlobal('parent', holder);
  vi.stubGlobal('window', { name: 'the frame' });
  answerOnce();
  const { port1, port2 } = new MessageChannel();
  const progress: JsonObject[] = [];
  const end = new Promise<Record<string, unknown>>((resolve) => {
    port1.on('message', (reply: Record<string, unknown>) => {
      if (isJsonObject(reply) && reply['kind'] === 'progress') progress.push(reply);
      else if (reply['kind'] !== 'heard') resolve(reply);
    });
  });
  const data = { kind: 'fetch', url, ...(post === undefined ? {} : { post }) };
  for (const listener of listeners)
    listener({ ports: [port2], origin: 'https://tools.example.org', source: holder, data });
  const reply = await end;
  port1.close();
  return { reply, progress };
}

const mebibyte = 2 ** 20;

/** As a server that a stranger runs may answer. */
const answers = createTable<(response: ServerResponse) => void>({
  '/whole': (response) => response.end('x'.repeat(20 * mebibyte)),
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': 98_000 });
    response.write('x'.repeat(30_000), () => setTimeout(() => response.destroy(), 100));
  },
  '/long': (response) => {
    response.writeHead(200, { 'content-length': 3 * 2 ** 30 });
    response.write('x');
  },
  '/endless': (response) => {
    const block = 'x'.repeat(mebibyte);
    const more = (): void => {
      while (!response.destroyed && response.write(block));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  },
  '/bomb': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb),
  '/refused': (response) => response.writeHead(404).end('nothing here'),
  '/endless-refusal': (response) => {
    response.writeHead(500);
    answers['/endless']?.(response);
  },
});

let bomb = Buffer.alloc(0);
let server: Server;
let origin = '';

beforeAll(async () => {
  bomb = await packSpaces(300);
  server = createServer((request, response) => answers[request.url ?? '']?.(response));
  // A busy machine reads slowly: what was sent whole is not cut off before it was read.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => server.close());
afterEach(() => {
  vi.unstubAllGlobals();
});

async function packSpaces(mebibytes: number): Promise<Buffer<ArrayBuffer>> {
  const gzip = createGzip();
  const packed: Buffer[] = [];
  gzip.on('data', (piece: Buffer) => packed.push(piece));
  const ended = new Promise((resolve) => gzip.once('end', resolve));
  const block = Buffer.alloc(mebibyte, ' ');
  for (let written = 0; written < mebibytes; written++)
    if (!gzip.write(block)) await new Promise((resolve) => gzip.once('drain', resolve));
  gzip.end();
  await ended;
  return Buffer.concat(packed);
}

describe('an answer from another origin', () => {
  it('comes whole, and tells how far it is', async () => {
    const { reply, progress } = await ask(`${origin}/whole`);
    expect(reply['blob']).toBeInstanceOf(Blob);
    expect(reply['blob']).toHaveProperty('size', 20 * mebibyte);
    expect(progress.length).toBeGreaterThan(5);
  });

  it('that was packed for the way and blows up is stopped with a sentence, long before it is whole', async () => {
    const { reply, progress } = await ask(`${origin}/bomb`);
    expect(reply).toEqual({
      kind: 'failed',
      code: 'refused',
      message: `${origin} answers with ${new Intl.NumberFormat('en').format(bomb.length)} bytes that unpack to more than a thousand times as many, which real traces do not do, so the rest was not read and nothing was opened. Download the file and drop it here.`,
    });
    // The length on the way is not the length of what comes.
    expect(progress.at(-1)).toMatchObject({ bytesTotal: undefined });
  });

  it('without end is stopped at 2 GiB, and no more than 16 MiB of it are ever copied at once', async () => {
    let mostAtOnce = 0;
    class CountedBlob {
      readonly size: number;
      constructor(parts: readonly { readonly length?: number; readonly size?: number }[]) {
        this.size = parts.reduce((sum, { length = 0, size = 0 }) => sum + length + size, 0);
        mostAtOnce = Math.max(mostAtOnce, this.size);
      }
      slice(): { readonly arrayBuffer: () => Promise<ArrayBuffer> } {
        return { arrayBuffer: () => Promise.resolve(new ArrayBuffer(1)) };
      }
    }
    vi.stubGlobal('Blob', CountedBlob);
    const block = new Uint8Array(4 * mebibyte);
    const stream = new ReadableStream({ pull: (controller) => controller.enqueue(block) });
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(stream)));
    const { reply } = await ask(`${origin}/endless`);
    expect(reply['message']).toBe(
      `${origin} answers with more than 2 GiB, so the rest was not read and nothing was opened. Download the file and drop it here.`,
    );
    expect(mostAtOnce).toBe(16 * mebibyte);
  });

  it('that says beforehand that it is too long is not read at all', async () => {
    const { reply, progress } = await ask(`${origin}/long`);
    expect(reply['message']).toContain('answers with more than 2 GiB');
    expect(progress).toEqual([]);
  });

  it('that the browser has no room for ends with a sentence', async () => {
    vi.stubGlobal(
      'Blob',
      class {
        slice(): { readonly arrayBuffer: () => Promise<ArrayBuffer> } {
          return { arrayBuffer: () => Promise.reject(new DOMException('no room', 'NotReadableError')) };
        }
      },
    );
    const { reply } = await ask(`${origin}/whole`);
    expect(reply['message']).toContain('answers with more than this browser has room for (');
  });

  it('that breaks off in the middle is told as broken off, and how far it came', async () => {
    const { reply } = await ask(`${origin}/cut`);
    expect(reply['message']).toBe(
      `The answer of ${origin} broke off after 30,000 of 98,000 bytes. Try again, or download the file and drop it here.`,
    );
  });

  it('that refuses is told with its status; of what it says to a request only the beginning is read', async () => {
    const { reply } = await ask(`${origin}/refused`);
    expect(reply).toEqual({
      kind: 'failed',
      code: 'http',
      message: `${origin} answered 404 Not Found. Check the address, or download the file and drop it here.`,
    });
    const { reply: refusal } = await ask(`${origin}/endless-refusal`, { headers: {}, body: '{}' });
    expect(refusal).toMatchObject({ code: 'http', message: `${origin} answered 500 Internal Server Error.` });
    expect(refusal['body']).toBe('x'.repeat(4096));
  });

  it('that does not come is told as unreachable', async () => {
    const { reply } = await ask('http://127.0.0.1:9/nothing');
    expect(reply['message']).toContain('could not be read: it does not answer, redirects elsewhere');
  });
});
