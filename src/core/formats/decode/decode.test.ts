import { gzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { bytesToSource } from '../testing/opening.ts';
import { ReadingCancelled } from '../format.ts';
import { type DecodeOptions, decodeFile, joinBytes } from './decode.ts';
import { suspectBytes } from './growth.ts';
import { createXxh64 } from './xxh64.ts';

const text = Array.from({ length: 400 }, (_, n) => `{"line":${n},"text":"æøå ${n * 7919}"}`).join('\n');
const plain = new TextEncoder().encode(text);

/** Two events packed by the zstd program (level 19, with checksum). */
const zstdSample =
  'KLUv/WRuAPUEAFKLIhlgrw48bcHegm00IOMaBEEAa6LnVJ64hARPHQ1All2Kt6nXtpnx1drJzVrabEhG21zG92EO31KkMcd5l/02dGt1+EybVitVeQy+5Z0qvjt9onR4R9J4l7tL5RFCIt8blk6KIpmTKKY8nvKMA2GicHg63bvPzjdmHNjO+PBtrXz3B6/Dz+fuwVPHAgUAkJ0RssEK6C5zposhWAoNxYBMOA==';

/** Text that does not get smaller, so that it stands in the frame as it is; by the zstd program, with checksum. */
const zstdRaw = 'KLUv/SQ84QEAd0pdM1h2NmtlTFl2TSxkX3YxclF6bk5rOWhVZ2cwMHFybGxCRXAscW5wTkMyS1JsaXg4R0MwSDhESkRao4jZbQ==';

async function decode(bytes: Uint8Array, chunk?: number, options: DecodeOptions = {}) {
  const file = decodeFile(bytesToSource('a.jsonl', bytes, chunk), options);
  const parts: Uint8Array[] = [];
  for await (const part of file.open()) parts.push(part);
  return { text: new TextDecoder().decode(joinBytes(parts)), report: file.report(), length: joinBytes(parts).length };
}

function fromBase64(text64: string): Uint8Array {
  return Uint8Array.from(atob(text64), (c) => c.charCodeAt(0));
}

describe('decoding', () => {
  it('hands plain text through, whatever the chunks', async () => {
    for (const chunk of [1, 7, 100_000]) expect((await decode(plain, chunk)).text).toBe(text);
  });

  it('unpacks gzip, one member and several, in chunks of any size', { timeout: 60_000 }, async () => {
    const half = plain.length >> 1;
    const members = joinBytes([
      gzipSync(plain.subarray(0, half)),
      gzipSync(plain.subarray(half, half)),
      gzipSync(plain.subarray(half)),
    ]);
    for (const chunk of [1, 13, 4096, 1_000_000]) {
      expect(await decode(gzipSync(plain), chunk)).toMatchObject({ text, report: { packing: 'gzip', problems: [] } });
      expect(await decode(members, chunk)).toMatchObject({ text, report: { packing: 'gzip', problems: [] } });
    }
  });

  it('gives what a little unpacks to in parts, a step of the host after each, and ends at once when cancelled', async () => {
    const signal = { aborted: false };
    const lengths: number[] = [];
    const steps: number[] = [];
    const file = decodeFile(bytesToSource('a.jsonl', gzipSync(new Uint8Array(4 * 2 ** 20).fill(10))), {
      signal,
      onStep: () => {
        steps.push(lengths.length);
        signal.aborted = lengths.length === 2;
        return undefined;
      },
    });
    const reading = async (): Promise<void> => {
      for await (const part of file.open()) lengths.push(part.length);
    };
    await expect(reading()).rejects.toBeInstanceOf(ReadingCancelled);
    expect([lengths, steps]).toEqual([
      [2 ** 20, 2 ** 20],
      [1, 2],
    ]);
    // No bytes, and a step all the same: empty members of an archive.
    signal.aborted = true;
    await expect(decode(gzipSync(new Uint8Array(0)), 5, { signal })).rejects.toBeInstanceOf(ReadingCancelled);
  });

  it('unpacks zstd made by the zstd program, and several frames', async () => {
    const frame = fromBase64(zstdSample);
    const once = await decode(frame, 5);
    expect(once.report).toMatchObject({ packing: 'zstd', problems: [] });
    expect(
      once.text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id),
    ).toEqual(['z:1', 'z:2']);
    expect((await decode(joinBytes([frame, frame]), 64)).text).toBe(once.text + once.text);
  });

  it('uses what a truncated archive held and says so', async () => {
    const packed = gzipSync(plain, { level: 1 });
    const cut = await decode(packed.subarray(0, packed.length - 200));
    expect(text.startsWith(cut.text)).toBe(true);
    expect(cut.text.length).toBeGreaterThan(0);
    expect(cut.report.problems.map(({ code, severity }) => [code, severity])).toEqual([
      ['archive-truncated', 'problem'],
    ]);
    const zstd = fromBase64(zstdSample);
    expect((await decode(zstd.subarray(0, zstd.length - 20))).report.stopped?.message).toMatch(
      /cut off before its first byte/,
    );
  });

  it('notices a flipped bit that only the checksum shows', async () => {
    const stored = gzipSync(plain, { level: 0 });
    const at = stored.length - 500;
    stored[at] = (stored[at] ?? 0) ^ 1;
    const { report } = await decode(stored);
    expect(report.problems).toMatchObject([{ code: 'archive-damaged', severity: 'problem' }]);
    expect(report.problems[0]?.message).toMatch(/checksum/);
  });

  it('notices a flipped bit in a member that is not the last', async () => {
    const stored = gzipSync(plain, { level: 0 });
    stored[200] = (stored[200] ?? 0) ^ 1;
    for (const chunk of [1, 1000, 1_000_000]) {
      const { report } = await decode(joinBytes([stored, gzipSync(plain)]), chunk);
      expect(report.problems.map(({ code }) => code)).toEqual(['archive-damaged']);
    }
  });

  it('says that bytes after the archive are not read', async () => {
    const { report, text: got } = await decode(
      joinBytes([gzipSync(plain), new TextEncoder().encode('and so on and so on')]),
    );
    expect(got).toBe(text);
    expect(report.problems.map(({ code }) => code)).toEqual(['archive-trailing']);
  });

  it('says how many bytes between two members are not read, and what to do', async () => {
    const between = joinBytes([gzipSync(plain), new Uint8Array(7), gzipSync(plain)]);
    const unread = gzipSync(plain).length + 7;
    for (const chunk of [1, 1000, 1_000_000]) {
      const { report } = await decode(between, chunk);
      expect(report.problems[0]?.message).toContain(
        `archive ${String(unread)} bytes follow that are no part of it, from byte ${String(gzipSync(plain).length)} on; they are not read. ${String(plain.length)} bytes were unpacked before that. If the file was put together of several, unpack each`,
      );
    }
    const { report } = await decode(joinBytes([gzipSync(plain), Uint8Array.of(65, 66, 67)]));
    expect(report.problems[0]?.message).toContain(' 3 bytes follow that are no part of it');
  });

  it('says that an archive was packed twice, whatever the chunks', async () => {
    for (const chunk of [1, 1000, 1_000_000]) {
      const { report } = await decode(gzipSync(gzipSync(plain)), chunk);
      expect(report.stopped).toEqual({
        code: 'container',
        message:
          'What is inside the gzip archive a.jsonl cannot be opened. It is a gzip archive once more. Unpack it once and open the file that comes out.',
      });
    }
    const short = await decode(gzipSync(fromBase64(zstdRaw).subarray(0, 20)));
    expect(short.report.stopped?.message).toContain('It is a zstd archive once more.');
    const zip = await decode(gzipSync(Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 0, 0)));
    expect(zip.report.stopped?.message).toContain('It is a zip archive. Unpack it');
  });

  it('says that a gzip of its first bytes is cut off, not empty', async () => {
    for (const bytes of [gzipSync(plain), gzipSync(new Uint8Array(0))]) {
      for (const length of [3, 4, 10, 12]) {
        const { report } = await decode(bytes.subarray(0, length));
        const told = report.stopped?.message ?? report.problems[0]?.message;
        expect([length, told]).toEqual([length, expect.stringContaining('is cut off')]);
      }
    }
    const { report } = await decode(gzipSync(new Uint8Array(0)));
    expect([report.stopped, report.problems]).toEqual([undefined, []]);
  });

  it('refuses an archive of nonsense in one sentence', async () => {
    const { report } = await decode(
      Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
    );
    expect(report.stopped).toMatchObject({ code: 'archive-damaged' });
  });

  it('knows a zip deep inside others and says what to do', async () => {
    const { report } = await decode(Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 0, 0));
    expect(report.stopped?.message).toBe(
      'a.jsonl cannot be opened as it is. It is a zip archive. Unpack it and open the files inside.',
    );
  });

  it('stops a gzip bomb and goes on only when told', { timeout: 120_000 }, async () => {
    // Members of zeros one after another: each is harmless, together they are not.
    const member = gzipSync(new Uint8Array(8 * 2 ** 20), { level: 9 });
    const bomb = joinBytes(Array.from({ length: 33 }, () => member));
    const size = 33 * 8 * 2 ** 20;
    const asked = await decodeLength(bomb, {});
    expect(asked.report.stopped).toMatchObject({ code: 'archive-too-large' });
    expect(asked.report.stopped?.message).toMatch(/real traces do not do\. Nothing was opened\.$/);
    expect(asked.length).toBeLessThanOrEqual(suspectBytes);
    const allowed = await decodeLength(bomb, { allowHuge: true });
    expect(allowed.report.stopped).toBeUndefined();
    expect(allowed.length).toBe(size);
  });

  it('says of data whose checksum was cut off that it is complete', async () => {
    const packed = gzipSync(plain);
    const two = joinBytes([gzipSync(plain.subarray(0, 99)), gzipSync(plain.subarray(99))]);
    for (const bytes of [packed, two]) {
      for (const missing of [1, 3, 4, 7, 8]) {
        const { report, text: got } = await decode(bytes.subarray(0, bytes.length - missing), 5000);
        expect(got).toBe(text);
        expect(report.problems).toMatchObject([{ code: 'archive-unsealed', severity: 'problem' }]);
        expect(report.problems[0]?.message).toContain(
          `is complete, but the checksum at its end is missing (${8 - missing} of its 8 bytes are there). All of it was unpacked`,
        );
      }
      const data = await decode(bytes.subarray(0, -9));
      expect(data.report.problems.map(({ code }) => code)).toEqual(['archive-truncated']);
    }
    const wrong = packed.slice(0, -2);
    wrong[wrong.length - 6] = (wrong.at(-6) ?? 0) ^ 1;
    expect((await decode(wrong)).report.problems.map(({ code }) => code)).toEqual(['archive-damaged']);
    const extra = joinBytes([packed, Uint8Array.of(7, 7)]);
    expect((await decode(extra)).report.problems.map(({ code }) => code)).toEqual(['archive-trailing']);
    const frame = fromBase64(zstdRaw);
    for (const missing of [1, 4]) {
      const { report, text: got } = await decode(frame.subarray(0, frame.length - missing), 9);
      expect([got, report.problems.map(({ code }) => code)]).toEqual([
        (await decode(frame)).text,
        ['archive-unsealed'],
      ]);
    }
  });

  it('stops a gzip that blows up behind honest data', { timeout: 60_000 }, async () => {
    // Half a megabyte that does not get smaller takes every ratio of the whole file below the limit.
    const honest = gzipSync(new Uint8Array(2 ** 19).fill(120), { level: 0 });
    for (const byte of [32, 10]) {
      const member = gzipSync(new Uint8Array(8 * 2 ** 20).fill(byte));
      const bomb = joinBytes([honest, ...Array.from({ length: 12 }, () => member)]);
      const { report, length } = await decodeLength(bomb, {});
      expect(report.stopped?.message).toMatch(/^bomb.gz has unpacked to \d+ MiB from \d+ KiB, and a part of it grows/);
      expect(length).toBeLessThan(120 * 2 ** 20);
      expect(report.bytesOut).toBeLessThan(length + 20 * 2 ** 20);
    }
  });

  it('notices a flipped bit in a zstd frame by its checksum, in any frame and in chunks of any size', async () => {
    const frame = fromBase64(zstdRaw);
    expect(await decode(frame, 7)).toMatchObject({ report: { packing: 'zstd', problems: [] } });
    const changed = frame.slice();
    changed[40] = (changed[40] ?? 0) ^ 1;
    for (const bytes of [changed, joinBytes([frame, changed]), joinBytes([changed, frame])]) {
      for (const chunk of [1, 11, 1000]) {
        const { report } = await decode(bytes, chunk);
        expect(report.problems).toMatchObject([{ code: 'archive-damaged', severity: 'problem' }]);
        expect(report.problems[0]?.message).toMatch(/checksum/);
      }
    }
  });

  it('passes over zstd frames without content, and tells bytes that follow', async () => {
    const frame = fromBase64(zstdRaw);
    const skipped = Uint8Array.of(0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3);
    const clean = await decode(joinBytes([skipped, frame, skipped, frame, skipped]), 5);
    expect(clean.report.problems).toEqual([]);
    const once = (await decode(frame)).text;
    expect(clean.text).toBe(once + once);
    const { report, text: got } = await decode(joinBytes([frame, new TextEncoder().encode('and so on and so on')]));
    expect([got, report.problems.map(({ code }) => code)]).toEqual([once, ['archive-trailing']]);
    expect((await decode(joinBytes([frame, frame.subarray(0, 6)]))).report.problems[0]?.code).toBe('archive-truncated');
  });

  it('refuses a zstd frame that asks for gigabytes of window', async () => {
    const frame = joinBytes([Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8), new Uint8Array(20)]);
    expect((await decode(frame)).report.stopped?.message).toMatch(/128 MiB/);
  });
});

async function decodeLength(bytes: Uint8Array, options: DecodeOptions) {
  const file = decodeFile(bytesToSource('bomb.gz', bytes), options);
  let length = 0;
  for await (const part of file.open()) length += part.length;
  return { length, report: file.report() };
}

describe('UTF-16', () => {
  const sample = '{"text":"æ 日本 😀 \ud800 end"}\n{"text":"second"}\n';

  it('reads both byte orders, with and without mark, in any chunks', async () => {
    for (const big of [false, true]) {
      for (const mark of [false, true]) {
        const bytes = toUtf16(mark ? `\ufeff${sample}` : sample, big);
        for (const chunk of [1, 3, 1000]) {
          const { report, text: got } = await decode(bytes, chunk);
          expect(report.encoding).toBe(big ? 'utf-16be' : 'utf-16le');
          expect(got.replaceAll(/\ufffd+/g, '?')).toBe(sample.replace('\ud800', '?'));
          expect(report.problems.map(({ code }) => code)).toEqual(['utf-16']);
        }
      }
    }
  });

  it('reads UTF-32 of both byte orders, with and without mark, in any chunks', async () => {
    const line = '{"text":"aé漢😀","n":1}\n'.repeat(3);
    for (const big of [false, true]) {
      for (const mark of ['', '\ufeff']) {
        const points = Array.from(mark + line).map((c) => c.codePointAt(0) ?? 0);
        const bytes = new Uint8Array(points.length * 4);
        for (const [n, point] of points.entries()) new DataView(bytes.buffer).setUint32(n * 4, point, !big);
        for (const chunk of [1, 3, 1000]) {
          const { report, text } = await decode(bytes, chunk);
          expect([report.encoding, text]).toEqual([big ? 'utf-32be' : 'utf-32le', line]);
          expect(report.problems.map(({ code }) => code)).toEqual(['utf-32']);
        }
        const { report } = await decode(bytes.slice(0, -1), 1000);
        expect(report.problems.map(({ code }) => code)).toEqual(['utf-32', 'utf-32-odd']);
      }
    }
  });

  it('says when half a character is missing at the end', async () => {
    const bytes = toUtf16(sample, false);
    expect((await decode(bytes.subarray(0, -1))).report.problems.map(({ code }) => code)).toEqual([
      'utf-16',
      'utf-16-odd',
    ]);
  });
});

function toUtf16(value: string, big: boolean): Uint8Array {
  const bytes = new Uint8Array(value.length * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < value.length; i++) view.setUint16(i * 2, value.charCodeAt(i), !big);
  return bytes;
}

/** A zstd frame by hand: its descriptor and what follows it, then blocks of a type (0 as it is, 1 one byte repeated) with their content. */
function toFrame(
  header: readonly number[],
  blocks: readonly (readonly [type: number, size: number, content: string])[],
  end: readonly number[] = [],
) {
  const parts = blocks.map(([type, size, content], n) => {
    const word = (size << 3) | (type << 1) | (n === blocks.length - 1 ? 1 : 0);
    return joinBytes([Uint8Array.of(word & 255, (word >> 8) & 255, word >> 16), new TextEncoder().encode(content)]);
  });
  return joinBytes([Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, ...header), ...parts, Uint8Array.from(end)]);
}

describe('zstd frames', () => {
  const repeated = toFrame([0x20, 20], [[1, 20, 'a']]);

  it('of a repeated byte, of an empty last block with a checksum, behind an empty frame to be passed over', async () => {
    expect((await decode(joinBytes([repeated, repeated]), 3)).text).toBe('a'.repeat(40));
    const hash = createXxh64();
    hash.add(new TextEncoder().encode('abc'));
    const sum = hash.low();
    const bytes = [0, 8, 16, 24].map((shift) => (sum >>> shift) & 255);
    const checked = toFrame(
      [0x24, 3],
      [
        [0, 3, 'abc'],
        [0, 0, ''],
      ],
      bytes,
    );
    const passedOver = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0);
    for (const chunk of [1, 100]) {
      const decoded = await decode(joinBytes([checked, passedOver, repeated]), chunk);
      expect([decoded.text, decoded.report.problems]).toEqual([`abc${'a'.repeat(20)}`, []]);
    }
  });

  it('what follows the last one and is none is told as that', async () => {
    const { report } = await decode(joinBytes([repeated, new Uint8Array(12).fill(65)]));
    expect(report.problems.map(({ code }) => code)).toEqual(['archive-trailing']);
  });

  it('bytes behind the last one, or behind the last gzip member, are counted and placed in the same words', async () => {
    const packed = gzipSync(new TextEncoder().encode('abc'.repeat(20)));
    for (const [format, archive] of [
      ['zstd', joinBytes([repeated, repeated])],
      ['gzip', packed],
    ] as const) {
      // Too few bytes for the beginning of another one, as well as many.
      for (const extra of [1, 2, 7, 8, 300]) {
        for (const chunk of [1, 1_000_000]) {
          const { report } = await decode(joinBytes([archive, new Uint8Array(extra).fill(65)]), chunk);
          const what = extra === 1 ? 'one byte follows that is' : `${extra} bytes follow that are`;
          expect(report.problems.map(({ message }) => message)).toEqual([
            expect.stringContaining(
              `after the end of the ${format} archive ${what} no part of it, from byte ${archive.length} on; ${extra === 1 ? 'it is' : 'they are'} not read.`,
            ),
          ]);
        }
      }
    }
    // What may be the beginning of a frame is one that is cut off.
    for (const begun of [Uint8Array.of(0x28), Uint8Array.of(0x28, 0xb5, 0x2f), Uint8Array.of(0x5f, 0x2a)])
      expect((await decode(joinBytes([repeated, begun]))).report.problems[0]?.code).toBe('archive-truncated');
  });

  it('a window of more than 128 MiB is refused, also by an eighth', async () => {
    const wide = (descriptor: number) => decode(toFrame([0, descriptor], [[0, 1, 'a']]));
    expect((await wide((17 << 3) | 1)).report.stopped?.code).toBe('archive-refused');
    expect((await wide((16 << 3) | 7)).report.stopped).toBeUndefined();
  });
});
