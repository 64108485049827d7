import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinBytes } from './decode/join-bytes.ts';
import { createLineSplitter, type Line, readLines } from './lines.ts';
import { bytesToSource } from './testing/opening.ts';

const seed = 20_260_101;

async function linesOf(bytes: Uint8Array, chunk = 64 * 1024, limit?: number): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const batch of readLines(bytesToSource('f', bytes, chunk).open(), limit)) lines.push(...batch);
  return lines;
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

describe('lines', () => {
  it('gives the exact bytes of each line, for any text, terminator and chunks', { timeout: 60_000 }, async () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'é', '日', '😀', '"', '{', '}', ' '), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 20 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        async (pieces, end, mark, chunk) => {
          const bytes = utf8((mark ? '\ufeff' : '') + pieces.map((text) => text + end).join(''));
          const lines = await linesOf(bytes, chunk);
          const expected = pieces.map((text, n) => ({ text, line: n + 1 })).filter(({ text }) => text.trim() !== '');
          expect(lines.map(({ text, line }) => ({ text, line }))).toEqual(expected);
          for (const { offset, length, text } of lines) {
            expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(offset, offset + length))).toBe(
              text,
            );
          }
        },
      ),
      { seed, numRuns: 200 },
    );
  });

  it('splits at CR alone in files that use it, and leaves it in strings elsewhere', async () => {
    const old = await linesOf(utf8('{"a":1}\r{"a":2}\r'), 3);
    expect(old.map(({ text, line, offset }) => [text, line, offset])).toEqual([
      ['{"a":1}', 1, 0],
      ['{"a":2}', 2, 8],
    ]);
    const inside = await linesOf(utf8('{"a":"x\ry"}\n{"a":2}\n'), 4);
    expect(inside.map(({ text }) => text)).toEqual(['{"a":"x\ry"}', '{"a":2}']);
  });

  it('takes no byte order mark into a line, also where files were put behind one another', async () => {
    for (const chunk of [1, 4, 100]) {
      const lines = await linesOf(
        utf8('\ufeff{"a":1}\n\ufeff{"a":2}\n\ufeff\ufeff{"a":3}\ufeff\r\n{"a":4}\ufeff'),
        chunk,
      );
      expect(lines.map(({ text, offset, length }) => [text, offset, length])).toEqual([
        ['{"a":1}', 3, 7],
        ['{"a":2}', 14, 7],
        ['{"a":3}', 28, 7],
        ['{"a":4}', 40, 7],
      ]);
    }
  });

  it('R67 tells a last line without terminator', async () => {
    const lines = await linesOf(utf8('{"a":1}\n{"a"'));
    expect(lines.map(({ text, ended }) => [text, ended])).toEqual([
      ['{"a":1}', true],
      ['{"a"', false],
    ]);
  });

  it('reports bytes that are not UTF-8 at their line, and keeps them', async () => {
    const bytes = Uint8Array.of(...utf8('ok\nba'), 0xff, 0xc3, ...utf8('d\nlast'));
    const lines = await linesOf(bytes, 2);
    expect(lines.map(({ text, invalid, line, offset }) => [text, invalid, line, offset])).toEqual([
      ['ok', 0, 1, 0],
      ['ba\ufffd\ufffdd', 2, 2, 3],
      ['last', 0, 3, 9],
    ]);
    expect(lines[1]?.raw).toEqual(bytes.slice(3, 8));
  });

  it('reads surrogates written as three bytes as what they stand for', async () => {
    const lines = await linesOf(Uint8Array.of(...utf8('"'), 0xed, 0xa0, 0x80, ...utf8('"\n')));
    expect(lines[0]?.text).toBe('"\ud800"');
    expect(lines[0]).toMatchObject({ invalid: 0 });
    expect(lines[0]?.raw?.length).toBe(5);
  });

  it('reads a line of 64 MB in chunks of 64 KiB', { timeout: 60_000 }, async () => {
    const size = 64 * 2 ** 20;
    const bytes = new Uint8Array(size + 4).fill(0x61);
    bytes[size] = 10;
    const lines = await linesOf(bytes);
    expect(lines.map(({ length, offset, line }) => [length, offset, line])).toEqual([
      [size, 0, 1],
      [3, size + 1, 2],
    ]);
  });

  it('joins nothing twice while a long line comes in', { timeout: 60_000 }, () => {
    const splitter = createLineSplitter();
    const chunk = new Uint8Array(1024).fill(0x61);
    // 50,000 chunks of one line: quadratic work would not end.
    let early = 0;
    for (let n = 0; n < 50_000; n++) early += splitter.push(chunk).length;
    expect(early).toBe(0);
    expect(splitter.end()[0]?.length).toBe(50_000 * 1024);
  });

  it('keeps the beginning of a line longer than the limit and goes on after it', async () => {
    const bytes = utf8(`{"a":1}\n${'x'.repeat(5000)}\n{"a":2}\n`);
    const lines = await linesOf(bytes, 100, 1000);
    expect(lines.map(({ text, line, offset, length, tooLong }) => ({ text, line, offset, length, tooLong }))).toEqual([
      { text: '{"a":1}', line: 1, offset: 0, length: 7, tooLong: false },
      { text: '', line: 2, offset: 8, length: 5000, tooLong: true },
      { text: '{"a":2}', line: 3, offset: 5009, length: 7, tooLong: false },
    ]);
  });

  it('keeps a line that is as long as the limit', async () => {
    const [line, next] = await linesOf(utf8(`${'x'.repeat(70_000)}\n{"a":2}\n`), 1000, 70_000);
    expect([line?.length, line?.tooLong, next?.text]).toEqual([70_000, false, '{"a":2}']);
  });

  it('sees that CR ends the lines where blanks stand behind it, and that it does not before other text', async () => {
    const texts = async (text: string): Promise<readonly string[]> =>
      (await linesOf(utf8(text), 3)).map((line) => line.text.trim());
    expect(await texts('{"a":1}\r \t\r{"a":2}\r')).toEqual(['{"a":1}', '{"a":2}']);
    expect(await texts('{"a":1\r "b":2}\n')).toEqual(['{"a":1\r "b":2}']);
  });

  it('keeps the beginning of a first line longer than the limit, whatever ends it', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const bytes = utf8(`${'x'.repeat(5000)}${end}{"a":2}${end}`);
      for (const chunk of [1, 700, 4096]) {
        const [long, next] = await linesOf(bytes, chunk, 1000);
        const length = end === '\r\n' ? 5001 : 5000;
        expect([end, chunk, long?.tooLong, long?.length, long?.raw?.length]).toEqual([end, chunk, true, length, 1000]);
        expect([next?.text, next?.line, next?.offset]).toEqual(['{"a":2}', 2, length + 1]);
      }
    }
  });

  it('counts a flood of blank lines and takes none of them', async () => {
    const flood = utf8('\n \n\r\n\t\n'.repeat(100_000));
    const bytes = joinBytes([utf8('{"a":1}\n'), flood, utf8('{"a":2}\n'), flood, utf8('{"a":3}')]);
    for (const chunk of [1000, 3_000_000]) {
      const lines = await linesOf(bytes, chunk);
      expect(lines.map(({ text, line, offset }) => [text, line, offset])).toEqual([
        ['{"a":1}', 1, 0],
        ['{"a":2}', 400_002, 8 + flood.length],
        ['{"a":3}', 800_003, 16 + 2 * flood.length],
      ]);
    }
  });
});
