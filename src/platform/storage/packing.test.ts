/**
 * Packed chunks read back byte by byte, whatever repeats in them; and packing over the real tables.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBody, type ReadSlice } from './body.ts';
import { compactTraces } from './compact.ts';
import { beginImport } from './import-store.ts';
import { deleteTrace, findTrace } from './library.ts';
import { partsToStream, readTraceParts } from './open-trace.ts';
import { packPlaces, unpackPlaces } from './packed-places.ts';
import { createPacker } from './packing.ts';
import { createRepeatFinder } from './repeats.ts';
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

/** These lines in chunks of up to `limit` bytes, packed in blocks of `size` but for those that are to stay plain. */
async function pack(lines: readonly string[], size: number, limit?: number, isPlain = (_chunk: number) => false) {
  const packer = createPacker(size);
  const blobs = new Map<Blob, Uint8Array<ArrayBuffer>>();
  const stored: StoredChunk[] = [];
  const plain: Uint8Array[] = [];
  let total = 0;
  for (const { chunk, first, offsets, bytes } of linesToChunks(lines, limit)) {
    const packed = await packer.pack(bytes, offsets, noPause);
    const kept = isPlain(chunk) ? bytes : packed.bytes;
    const blob = new Blob([kept]);
    blobs.set(blob, kept);
    total += kept.length;
    const row = { store: 's', chunk, first, offsets, bytes: blob };
    stored.push(isPlain(chunk) ? row : { ...row, packed: packed.layout });
    plain.push(bytes);
  }
  const readSlice: ReadSlice = (blob, from, to) => blobs.get(blob)?.slice(from, to) ?? new Uint8Array();
  return { stored, plain, total, readSlice };
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
        fc.integer({ min: 400, max: 9_000 }),
        fc.nat(7),
        async (lines, size, budget, limit, plainOnes) => {
          const isPlain = (chunk: number): boolean => ((plainOnes >> (chunk % 3)) & 1) === 1;
          const { stored, readSlice } = await pack(lines, size, limit, isPlain);
          const body = createBody(stored, { readSlice, budget });
          for (const position of [...lines.keys()].reverse()) expect(body.line(position)).toBe(lines[position]);
          const text = lines.map((one) => `${one}\n`).join('');
          expect(await partsToStream({ chunks: stored, branches: [] }, readSlice).text()).toBe(text);
          const found: number[] = [];
          for (const step of body.search('"y', (position) => found.push(position)))
            expect(step.bytesTotal).toBe(new TextEncoder().encode(text).length);
          expect(found).toEqual([...lines.keys()].filter((n) => lines[n]?.includes('"y')));
        },
      ),
      { seed: 5, numRuns: 12 },
    );
  });

  it('is read as before where its copies name places in the chunk itself', async () => {
    const { stored, readSlice } = await pack(conversation(9), 900);
    const [row] = stored;
    if (row?.packed === undefined) throw new Error('not packed');
    const older = { ...row, packed: { ...row.packed, origin: undefined } };
    const second = { ...older, chunk: 1, first: 9 };
    const body = createBody([older, second], { readSlice });
    for (const n of [8, 17, 13]) expect(body.line(n)).toBe(conversation(9)[n % 9]);
  });

  it('tells a conversation that grows with each request once, over all chunks: its cost grows with the messages', async () => {
    const cost = async (turns: number): Promise<number> => (await pack(conversation(turns), 8_000, 60_000)).total;
    const chunks = linesToChunks(conversation(200), 60_000).length;
    const [short, long] = [await cost(50), await cost(200)];
    expect(chunks).toBeGreaterThan(30);
    expect(long / short).toBeLessThan(8);
  });

  it('says the whole that was said before in one copy, not message by message', () => {
    const [chunk] = linesToChunks(conversation(160));
    if (chunk === undefined) throw new Error('no lines');
    const copies = createRepeatFinder().next(chunk.bytes, [0])[0] ?? [];
    // Message by message it would be some 12,700.
    expect(copies.length).toBeLessThan(4_000);
  });

  it('copies copies, and no deeper than can be read in a few steps: then it is told again', () => {
    const lines = conversation(24);
    const [chunk] = linesToChunks(lines.slice(23));
    if (chunk === undefined) throw new Error('no lines');
    const finder = createRepeatFinder();
    const literals = Array.from({ length: 210 }, () => {
      const copied = finder.next(chunk.bytes, [0]).flatMap((copies) => copies.map(({ length }) => length));
      return chunk.bytes.length - copied.reduce((sum, length) => sum + length, 0);
    });
    const told = literals.flatMap((count, n) => (count === chunk.bytes.length ? [n] : []));
    expect(told).toEqual([0, 97, 194]);
  });

  it('copies what is short from its own chunk alone, so that a line is not read through all chunks before it', () => {
    const rest = `"source":{"component":"worker","instance":"w3-7","host":"${'h'.repeat(120)}"}}`;
    const finder = createRepeatFinder();
    for (let n = 0; n < 3; n++) {
      const [chunk] = linesToChunks(Array.from({ length: 9 }, (_none, i) => `{"n":${n * 9 + i},${rest}`));
      if (chunk === undefined) throw new Error('no lines');
      const origin = finder.origin();
      const copies = finder.next(chunk.bytes, [0]).flat();
      expect(copies.length).toBe(8);
      for (const { from } of copies) expect(from).toBeGreaterThanOrEqual(origin);
    }
  });

  it('copies from nothing that was not looked at', () => {
    const [chunk] = linesToChunks(conversation(12));
    if (chunk === undefined) throw new Error('no lines');
    const finder = createRepeatFinder();
    finder.skip(chunk.bytes.length);
    for (const { from } of finder.next(chunk.bytes, [0]).flat())
      expect(from).toBeGreaterThanOrEqual(chunk.bytes.length);
    expect(finder.origin()).toBe(2 * chunk.bytes.length);
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
