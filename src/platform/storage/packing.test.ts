/**
 * Packed chunks read back byte by byte, whatever repeats in them; and packing over the real tables.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBody } from './body.ts';
import { compactTraces } from './compact.ts';
import { beginImport } from './import-store.ts';
import { deleteTrace, findTrace } from './library.ts';
import { partsToStream, readTraceParts } from './open-trace.ts';
import { packPlaces, unpackPlaces } from './packed-places.ts';
import { packChunk, unpackChunk } from './packing.ts';
import { findRepeats } from './repeats.ts';
import type { StoredChunk } from './schema.ts';
import {
  createTestLibrary,
  linesToChunks,
  newTrace,
  noColumns,
  noPlaces,
  type TestLibrary,
} from './testing/library.ts';

function noPause(): Promise<void> {
  return Promise.resolve();
}

/** One chunk of these lines, packed in blocks of `size`, with a reader of its blob. */
async function pack(lines: readonly string[], size: number) {
  const [chunk] = linesToChunks(lines);
  if (chunk === undefined) throw new Error('no lines');
  const { layout, bytes } = await packChunk(chunk.bytes, chunk.offsets, noPause, size);
  const stored = {
    store: 's',
    chunk: 0,
    first: 0,
    offsets: chunk.offsets,
    bytes: new Blob([bytes]),
    packed: layout,
  } satisfies StoredChunk;
  return {
    stored,
    bytes,
    plain: chunk.bytes,
    readSlice: (_blob: Blob, from: number, to: number) => bytes.slice(from, to),
  };
}

/** A conversation as each request of an agent carries it: whole. */
function conversation(turns: number): readonly string[] {
  const messages = Array.from({ length: turns }, (_none, n) => {
    const words = Array.from({ length: 60 }, (_word, i) => ((n * 7919 + i * 104729) % 65_521).toString(36));
    return { role: n % 2 === 0 ? 'user' : 'assistant', content: words.join(' ') };
  });
  return messages.map((_message, n) => JSON.stringify({ id: n, messages: messages.slice(0, n + 1) }));
}

describe('a packed chunk', () => {
  it('gives back every line, in any order, with any size of block, whatever repeats', async () => {
    const part = fc.constantFrom(...conversation(4), '{"a":"ü"}', '{', '', `{"x":"${'y'.repeat(200)}"}`);
    const line = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(','));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 200, max: 4_000 }),
        fc.nat(3_000),
        async (lines, size, budget) => {
          const { stored, readSlice, plain } = await pack(lines, size);
          const body = createBody([stored], { readSlice, budget });
          for (const position of [...lines.keys()].reverse()) expect(body.line(position)).toBe(lines[position]);
          expect(await unpackChunk(stored, readSlice).text()).toBe(new TextDecoder().decode(plain));
          const found: number[] = [];
          for (const step of body.search('"y', (position) => found.push(position)))
            expect(step.bytesTotal).toBe(plain.length);
          expect(found).toEqual([...lines.keys()].filter((n) => lines[n]?.includes('"y')));
        },
      ),
      { seed: 5, numRuns: 10 },
    );
  });

  it('tells a conversation that grows with each request once: its cost grows with the messages', () => {
    const literals = (turns: number): number => {
      const [chunk] = linesToChunks(conversation(turns));
      if (chunk === undefined) throw new Error('no lines');
      const copied = findRepeats(chunk.bytes, [0]).flatMap((copies) => copies.map(({ length }) => length));
      return chunk.bytes.length - copied.reduce((sum, length) => sum + length, 0);
    };
    const [short, long] = [literals(40), literals(160)];
    expect(long / short).toBeLessThan(5);
    expect(linesToChunks(conversation(160))[0]?.bytes.length).toBeGreaterThan(20 * long);
  });

  it('reads a block from literals alone: no copy names bytes that are copied themselves, or another block in part', () => {
    const [chunk] = linesToChunks(conversation(60));
    if (chunk === undefined) throw new Error('no lines');
    const starts = chunk.offsets.filter((_offset, n) => n % 7 === 0);
    const isCopied = new Uint8Array(chunk.bytes.length);
    let copies = 0;
    for (const [block, list] of findRepeats(chunk.bytes, starts).entries()) {
      let at = starts[block] ?? 0;
      for (const { literals, from, length } of list) {
        at += literals;
        expect(isCopied.subarray(from, from + length).includes(1)).toBe(false);
        expect(starts.filter((start) => start > from && start < from + length)).toEqual(new Uint32Array());
        isCopied.fill(1, at, at + length);
        at += length;
        copies++;
      }
    }
    expect(copies).toBeGreaterThan(100);
  });
});

describe('packed places', () => {
  it('are the same columns again, in order or not, beyond 4 GiB and with one file after another', () => {
    const columns = {
      files: ['a', 'b'],
      file: Uint32Array.of(0, 0, 1, 0, 1),
      line: Uint32Array.of(1, 4_000_000_000, 0, 7, 2),
      offset: Float64Array.of(0, 9_000_000_000_000, 12, 5, 2 ** 50),
    };
    const packed = packPlaces(columns);
    expect(unpackPlaces({ ...columns, store: 's', chunk: 0, packed })).toEqual(columns);
  });
});

const lines = conversation(12);

async function importOne(library: TestLibrary) {
  const begun = await beginImport(library, 'f', 'talk');
  if (!begun.ok) throw new Error(begun.error.message);
  for (const chunk of linesToChunks(lines, 9_000)) await begun.value.addChunk(chunk, noPlaces);
  const done = await begun.value.commit(newTrace({ events: lines.length }), noColumns, []);
  if (!done.ok) throw new Error(done.error.message);
  return done.value.trace;
}

async function streamOf(library: TestLibrary, trace: Awaited<ReturnType<typeof importOne>>): Promise<string> {
  const parts = await readTraceParts(library, trace, 0);
  if (!parts.ok) throw new Error(parts.error.message);
  return partsToStream(parts.value, library.readSlice).text();
}

describe('packing of the library', () => {
  const run = (library: TestLibrary, signal = new AbortController().signal, pause = noPause) =>
    compactTraces(library, { signal, pause });

  it('makes traces smaller, changes no line, and has nothing to do the next time', async () => {
    const library = createTestLibrary();
    const trace = await importOne(library);
    const before = await streamOf(library, trace);
    const chunks = await library.db.body.count();
    expect(chunks).toBeGreaterThan(2);
    expect(await run(library)).toBe(chunks);
    expect(await streamOf(library, trace)).toBe(before);
    expect((await findTrace(library, trace))?.storedBytes).toBeLessThan(before.length / 2);
    expect(await run(library)).toBe(0);
  });

  it('leaves whole chunks of either kind where it is stopped, and goes on with the rest', async () => {
    const library = createTestLibrary();
    const trace = await importOne(library);
    const before = await streamOf(library, trace);
    const stop = new AbortController();
    const first = await run(library, stop.signal, () => {
      stop.abort();
      return Promise.resolve();
    });
    expect(first).toBe(1);
    expect(await streamOf(library, trace)).toBe(before);
    expect(await run(library)).toBe((await library.db.body.count()) - 1);
    expect(await streamOf(library, trace)).toBe(before);
  });

  it('brings nothing back of a trace that is deleted meanwhile', async () => {
    const library = createTestLibrary();
    const trace = await importOne(library);
    await run(library, undefined, async () => {
      await deleteTrace(library, trace, undefined);
    });
    expect(await library.db.body.count()).toBe(0);
  });
});
