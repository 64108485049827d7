/**
 * A search for text over a body of several stretches, from the page's question to its answer: what is told meanwhile, and its end.
 */
import { describe, expect, it } from 'vitest';
import { type HindcastEvent, eventId, eventToLine, mainBranch } from '../../core/model/index.ts';
import { drawTrace } from '../../core/model/testing/trace.ts';
import type { FilterSpec } from '../../core/projections/trace-reader.ts';
import { createTestLibrary } from '../storage/testing/library.ts';
import { createAuditedReaders } from './audited-readers.ts';
import { createWorkerClient } from './client.ts';
import { runImport } from './import-job.ts';
import { createLibraryHandlers } from './library-handlers.ts';
import type { LibraryMethods, SearchTold } from './library-methods.ts';
import { createOpener, type Opener } from './open-traces.ts';
import { openedToReader } from './opened-reader.ts';
import { createReaderClient } from './reader-client.ts';
import { type Handlers, serveMethods } from './server.ts';
import { createPortPair } from './testing/ports.ts';

const drawing = drawTrace(`
  worker agent=planner:
    a message.sent {"from":"planner","to":"clerk","text":"the ledger"}
  worker agent=clerk:
    b message.sent {"from":"clerk","to":"planner","text":"which Ledger?"}
  worker agent=planner:
    c message.sent {"from":"planner","to":"clerk","text":"nothing"}
    d message.sent {"from":"planner","to":"clerk","text":"THE LEDGER"}
`);

const stretch = 2_000;

/** Each is more than is searched in one go. */
function withLongText(event: HindcastEvent): HindcastEvent {
  if (event.type !== 'message.sent') throw new Error('The drawing has messages alone.');
  return { ...event, data: { ...event.data, rest: '.'.repeat(stretch) } };
}

async function openSearched() {
  const library = createTestLibrary();
  const blob = new Blob(drawing.events.map((event) => `${eventToLine(withLongText(event))}\n`));
  const context = { signal: new AbortController().signal, progress: () => undefined };
  const request = { files: [{ path: 'x.jsonl', blob }], origin: 'opened' } as const;
  const done = await runImport({ library, readSlice: library.readSlice, ticks: () => 0 }, request, context);
  if (!done.ok) throw new Error(done.error.message);
  const readers = createAuditedReaders(library, openedToReader);
  const pair = createPortPair();
  // Cast: only the library's own methods are asked for.
  const real = createOpener({ library, readSlice: library.readSlice, stretch });
  const opener: Opener = {
    ...real,
    // As many turns as the database of a browser takes.
    open: async (id) => {
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve));
      return real.open(id);
    },
  };
  const handlers = createLibraryHandlers(library, opener, readers) as Handlers<LibraryMethods>;
  serveMethods<LibraryMethods>(pair.worker, handlers);
  const client = createReaderClient(createWorkerClient<LibraryMethods>(() => pair.page));
  const told: (SearchTold | undefined)[] = [];
  client.onSearch?.(() => told.push(client.searchOf?.(done.value.trace)));
  return { client, trace: done.value.trace, told };
}

function filterOf(text: string, agents: readonly string[] = []): FilterSpec {
  return { types: [], families: [], agents, steps: [], branches: [], text };
}

describe('a search for text', () => {
  it('tells how far it is and its first rows, which are rows of the answer, and nothing once it has ended', async () => {
    const { client, trace, told } = await openSearched();
    const page = await client.ask(trace, 'rows', [mainBranch, filterOf(' ledger', ['planner']), 0, 9]);
    expect(page.rows.map(({ id }) => id)).toEqual(['a', 'd']);
    const seen = told.flatMap((one) => (one === undefined ? [] : [one]));
    expect(seen.map(({ text, found, first }) => [text, found, first.map(({ id }) => id)])).toEqual([
      [' ledger', 1, ['a']],
      [' ledger', 2, ['a']],
      [' ledger', 2, ['a']],
    ]);
    expect(seen.map(({ bytes, bytesTotal }) => Math.round((bytes / bytesTotal) * 100))).toEqual([25, 50, 75]);
    expect(told.at(-1)).toBeUndefined();
    told.length = 0;
    await client.ask(trace, 'rows', [mainBranch, filterOf('ledger'), 0, 9]);
    expect(told).toEqual([]);
  });

  it('waits for the questions that come meanwhile, so that none of them waits for it at each of its turns', async () => {
    const { client, trace } = await openSearched();
    await client.ask(trace, 'rows', [mainBranch, filterOf(''), 0, 1]);
    const log: string[] = [];
    client.onSearch?.(() => {
      const told = client.searchOf?.(trace);
      if (told === undefined) return;
      log.push(`searched ${Math.round((told.bytes / told.bytesTotal) * 100)}`);
      if (log.length > 1) return;
      client.ask(trace, 'rowOf', [mainBranch, filterOf(''), eventId('c')]).then(
        (row) => log.push(`row ${row}`),
        () => log.push('failed'),
      );
    });
    await client.ask(trace, 'rows', [mainBranch, filterOf('ledger'), 0, 9]);
    expect(log).toEqual(['searched 25', 'row 2', 'searched 50', 'searched 75']);
  });

  it('ends for the page as soon as nobody waits for it', async () => {
    const { client, trace, told } = await openSearched();
    const stop = new AbortController();
    client.onSearch?.(() => stop.abort());
    const asked = client.ask(trace, 'rows', [mainBranch, filterOf('clerk'), 0, 9], stop.signal);
    await expect(asked).rejects.toThrow('Cancelled.');
    expect(told.map((one) => one?.found)).toEqual([1, undefined]);
  });
});
