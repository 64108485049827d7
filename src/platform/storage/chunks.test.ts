import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastAtMost, pageRange } from './chunks.ts';
import { createBody } from './body.ts';
import { linesToChunks } from './testing/library.ts';

const line = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.replaceAll('\n', ' '));

function chunksToText(lines: readonly string[], limit: number): string {
  const decoder = new TextDecoder();
  return linesToChunks(lines, limit)
    .map(({ bytes }) => decoder.decode(bytes))
    .join('');
}

describe('chunks', () => {
  it('hold every line once, whole, with its newline, in order', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 50 }), fc.integer({ min: 1, max: 300 }), (lines, limit) => {
        expect(chunksToText(lines, limit)).toBe(lines.map((text) => `${text}\n`).join(''));
      }),
      { seed: 7 },
    );
  });

  it('are at most as large as the limit, or hold one line that is larger', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 50 }), fc.integer({ min: 1, max: 300 }), (lines, limit) => {
        for (const { bytes, offsets } of linesToChunks(lines, limit)) {
          expect(bytes.length <= limit || offsets.length === 1).toBe(true);
        }
      }),
      { seed: 7 },
    );
  });

  it('are those that lines encoded one by one would make, with any characters, halves of pairs too', () => {
    const unit = fc.constantFrom('a', 'ß', '漢', '𝄞', '\ud834', '\udd1e', '\0', '"');
    const any = fc.array(unit, { maxLength: 30 }).map((units) => units.join(''));
    fc.assert(
      fc.property(fc.array(any, { maxLength: 60 }), fc.integer({ min: 1, max: 9_000 }), (lines, limit) => {
        const encoder = new TextEncoder();
        const wanted: number[][] = [];
        let used = Infinity;
        for (const text of lines) {
          const { length } = encoder.encode(text);
          if (used + length + 1 > limit) wanted.push([]);
          used = used + length + 1 > limit ? length + 1 : used + length + 1;
          wanted.at(-1)?.push(used - length - 1);
        }
        const made = linesToChunks(lines, limit);
        expect(made.map(({ offsets }) => [...offsets])).toEqual(wanted);
        const bytes = made.flatMap((chunk) => [...chunk.bytes]);
        expect(bytes).toEqual([...encoder.encode(lines.map((text) => `${text}\n`).join(''))]);
      }),
      { seed: 13 },
    );
  });

  it('are as full as they can be, so that equal lines always make equal chunks', () => {
    const lengths = linesToChunks(['aaa', 'bbb', 'ääää', 'c', 'd'], 8).map(({ bytes }) => bytes.length);
    expect(lengths).toEqual([8, 9, 4]);
  });
});

describe('a body', () => {
  it('gives back the line of any position, in any order, with any page size and budget', async () => {
    const cases = fc.tuple(fc.array(line, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 200 }));
    await fc.assert(
      fc.asyncProperty(
        cases,
        fc.integer({ min: 1, max: 120 }),
        fc.nat(400),
        async ([lines, limit], pageSize, budget) => {
          const { readSlice, chunks } = await linesToStored(lines, limit);
          const body = createBody(chunks, { readSlice, pageSize, budget });
          expect(body.count).toBe(lines.length);
          for (const position of [...lines.keys()].reverse()) expect(body.line(position)).toBe(lines[position]);
        },
      ),
      { seed: 11 },
    );
  });

  it('reads a page once while it is in the budget', async () => {
    const { readSlice, chunks } = await linesToStored(['one', 'two', 'three'], 1000);
    let reads = 0;
    const counted = (blob: Blob, from: number, to: number): Uint8Array => {
      reads += 1;
      return readSlice(blob, from, to);
    };
    const body = createBody(chunks, { readSlice: counted, pageSize: 1000, budget: 1000 });
    for (const position of [0, 2, 1, 0]) body.line(position);
    expect(reads).toBe(1);
    const small = createBody(chunks, { readSlice: counted, pageSize: 1000, budget: 0 });
    for (const position of [0, 2, 1, 0]) small.line(position);
    expect(reads).toBe(5);
  });

  it('refuses a position it does not have', async () => {
    const { readSlice, chunks } = await linesToStored(['one'], 1000);
    expect(() => createBody(chunks, { readSlice }).line(1)).toThrow('No event at position 1 of 1');
  });
});

describe('ranges', () => {
  it('find the last value at most as large', () => {
    expect([-1, 0, 4, 5, 99].map((value) => lastAtMost([0, 5, 5, 9], value))).toEqual([-1, 0, 0, 2, 3]);
    expect(lastAtMost([], 3)).toBe(-1);
  });

  it('hold whole lines: those that begin in one stretch', () => {
    const offsets = [0, 4, 9, 30, 31];
    expect(pageRange(offsets, 40, 4, 10)).toEqual({ from: 0, to: 30 });
    expect(pageRange(offsets, 40, 31, 10)).toEqual({ from: 30, to: 40 });
  });
});

async function linesToStored(lines: readonly string[], limit: number) {
  const bytesByBlob = new Map<Blob, Uint8Array>();
  const chunks = linesToChunks(lines, limit).map(({ bytes, ...chunk }) => {
    const blob = new Blob([bytes]);
    bytesByBlob.set(blob, bytes);
    return { ...chunk, store: 'store', bytes: blob };
  });
  await Promise.resolve();
  const readSlice = (blob: Blob, from: number, to: number): Uint8Array =>
    bytesByBlob.get(blob)?.slice(from, to) ?? new Uint8Array();
  return { chunks, readSlice };
}

describe('a search over whole chunks', () => {
  const small = fc.array(fc.stringMatching(/^[aAbBé ]{0,9}$/), { maxLength: 30 });

  function search(lines: readonly string[], needle: string, limit: number): number[] {
    const chunks = linesToChunks(lines, limit);
    const bytes = new Map(chunks.map((chunk) => [chunk.chunk, chunk.bytes]));
    const stored = chunks.map((chunk) => ({ ...chunk, store: 's', bytes: new Blob([chunk.bytes]) }));
    const blobs = new Map(stored.map((chunk) => [chunk.bytes, bytes.get(chunk.chunk) ?? new Uint8Array()]));
    const body = createBody(stored, {
      readSlice: (blob, from, to) => (blobs.get(blob) ?? new Uint8Array()).slice(from, to),
    });
    const found: number[] = [];
    let last = 0;
    for (const { bytes: read } of body.search(needle, (position) => found.push(position))) last = read;
    expect(last).toBe(chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0));
    return found;
  }

  it('finds the lines that a look at each line finds, whatever the case and the chunk (scale: free text)', () => {
    fc.assert(
      fc.property(
        small,
        fc.constantFrom('a', 'ab', 'é', 'b a', 'aa'),
        fc.integer({ min: 1, max: 60 }),
        (lines, needle, limit) => {
          const expected = lines.flatMap((text, i) => (text.toLowerCase().includes(needle) ? [i] : []));
          expect(search(lines, needle, limit)).toEqual(expected);
        },
      ),
      { seed: 7 },
    );
  });

  it('never finds what only the end of one line and the beginning of the next make', () => {
    expect(search(['xa', 'by', 'ab'], 'a\nb', 100)).toEqual([]);
    expect(search(['xa', 'by', 'ab'], 'ab', 100)).toEqual([2]);
  });
});
