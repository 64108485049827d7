/**
 * Client and server over a fake port: every call settles, whatever happens at the other end.
 */
import { describe, expect, it } from 'vitest';
import { createWorkerClient, type WorkerClient } from './client.ts';
import { WorkerError } from './protocol.ts';
import { type Handlers, serveMethods } from './server.ts';
import { createPortPair, type PortPair } from './testing/ports.ts';

interface Calls {
  readonly double: { readonly args: readonly [n: number]; readonly value: number; readonly progress: string };
  readonly wait: { readonly args: readonly []; readonly value: string; readonly progress: undefined };
  readonly broken: { readonly args: readonly []; readonly value: unknown; readonly progress: undefined };
}

const handlers: Handlers<Calls> = {
  double: ({ progress }, n) => {
    progress(`doubling ${n}`);
    return n * 2;
  },
  wait: ({ signal }) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped, nothing left'))),
  broken: () => {
    throw new Error('a defect');
  },
};

function start(served: Handlers<Calls> = handlers): { client: WorkerClient<Calls>; pairs: PortPair[] } {
  const pairs: PortPair[] = [];
  const client = createWorkerClient<Calls>(() => {
    const pair = createPortPair();
    pairs.push(pair);
    serveMethods(pair.worker, served);
    return pair.page;
  });
  return { client, pairs };
}

describe('a call', () => {
  it('is answered with its value, after its progress', async () => {
    const heard: string[] = [];
    const { client } = start();
    expect(await client.call('double', [21], { onProgress: (text) => heard.push(text) })).toBe(42);
    expect(heard).toEqual(['doubling 21']);
  });

  it('starts the worker when first made, and once', async () => {
    const { client, pairs } = start();
    expect(pairs).toHaveLength(0);
    await Promise.all([client.call('double', [1]), client.call('double', [2])]);
    expect(pairs).toHaveLength(1);
  });

  it('is answered by the worker that was started before it', async () => {
    const { client, pairs } = start();
    client.start();
    client.start();
    expect(pairs).toHaveLength(1);
    expect(await client.call('double', [3])).toBe(6);
    expect(pairs).toHaveLength(1);
  });

  it('gets its own answer when several are under way', async () => {
    const { client } = start({
      ...handlers,
      double: (_context, n) => new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(n * 2))).unref()),
    });
    const slow = client.call('double', [1]);
    const failed = client.call('broken', []);
    await expect(failed).rejects.toMatchObject({ code: 'defect' });
    expect(await slow).toBe(2);
  });

  it('that meets a defect says what, where and what to do, and that it is not of the input', async () => {
    const { client } = start();
    await expect(client.call('broken', [])).rejects.toMatchObject({
      code: 'defect',
      message: expect.stringMatching(
        /by a defect of Hindcast and not of the input: a defect \(.*“broken”\)\. Nothing half done was stored.* Reload the page/,
      ),
    });
  });

  it('that the browser does not allow is told as that, and is no defect', async () => {
    const refused = new Error('The operation is insecure.');
    refused.name = 'SecurityError';
    const { client } = start({ ...handlers, broken: () => Promise.reject(refused) });
    await expect(client.call('broken', [])).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining('Allow site data for this address'),
    });
  });

  it('of a method the worker does not have is refused by name', async () => {
    const { double: _double, ...fewer } = handlers;
    // Cast: an older worker file, still cached, lacks a method that the page knows.
    const { client } = start(fewer as Handlers<Calls>);
    await expect(client.call('double', [1])).rejects.toMatchObject({
      code: 'unknown-method',
      message: expect.stringContaining('"double"'),
    });
  });

  it('whose value cannot be sent fails and does not hang', async () => {
    const { client } = start({ ...handlers, broken: () => () => undefined });
    await expect(client.call('broken', [])).rejects.toMatchObject({ code: 'defect' });
    expect(await client.call('double', [1])).toBe(2);
  });
});

describe('cancelling', () => {
  it('rejects at once and reaches the handler', async () => {
    const { client } = start();
    const controller = new AbortController();
    const call = client.call('wait', [], { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    expect(await client.call('double', [1])).toBe(2);
  });

  it('can wait for what the worker says about it', async () => {
    const { client } = start();
    const controller = new AbortController();
    const call = client.call('wait', [], { signal: controller.signal, cancel: 'when-answered' });
    await client.call('double', [1]);
    controller.abort();
    expect(await call).toBe('stopped, nothing left');
  });

  it('before the call means that nothing is sent', async () => {
    const { client, pairs } = start();
    await expect(client.call('double', [1], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(pairs).toHaveLength(0);
  });
});

describe('a worker that dies', () => {
  it('rejects everything pending with a sentence, and the next call starts another one', async () => {
    const { client, pairs } = start();
    const calls = [client.call('wait', []), client.call('wait', [])];
    pairs[0]?.die('out of memory');
    for (const call of calls) {
      await expect(call).rejects.toMatchObject({
        code: 'died',
        message: expect.stringContaining('stopped before its first answer (out of memory), and what was asked'),
      });
    }
    expect(await client.call('double', [3])).toBe(6);
    expect(pairs).toHaveLength(2);
  });

  it('after its first word has left whole what it had stored', async () => {
    const { client, pairs } = start();
    await client.call('double', [1]);
    const call = client.call('wait', []);
    pairs[0]?.die('out of memory');
    await expect(call).rejects.toThrow('stopped (out of memory). What it had stored before is in the library, whole');
  });

  it('that the browser refuses to make is a sentence for each call, and stops nothing else', async () => {
    const client = createWorkerClient<Calls>(() => {
      throw new DOMException('no workers here', 'SecurityError');
    });
    client.start();
    await expect(client.call('double', [1])).rejects.toMatchObject({
      code: 'died',
      message: expect.stringContaining('did not start (no workers here)'),
    });
  });

  it('may be ended on purpose', async () => {
    const { client, pairs } = start();
    const call = client.call('wait', []);
    client.terminate(new WorkerError('cancelled', 'Cancelled.'));
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    expect(pairs[0]?.terminated()).toBe(true);
  });

  it('that died before does not take a later worker with it', async () => {
    const { client, pairs } = start();
    const first = client.call('wait', []);
    client.terminate(new WorkerError('cancelled', 'Cancelled.'));
    await expect(first).rejects.toThrow();
    const second = client.call('double', [4]);
    pairs[0]?.die('late');
    expect(await second).toBe(8);
  });
});
