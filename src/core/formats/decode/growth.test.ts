import { describe, expect, it } from 'vitest';
import { createGrowthGuard, hugeBytes, isSuspect, isSuspectMember, suspectBytes, tooLarge } from './growth.ts';

const mib = 2 ** 20;

/** How many bytes came out before the guard spoke, `ratio` times what went in; undefined where it never did. */
function untilAsked(
  method: 'deflate' | 'zstd',
  ratio: number,
  piece: Uint8Array,
  most: number,
  before = 0,
  isInDocument = false,
) {
  const guard = createGrowthGuard(method, () => isInDocument);
  let bytesIn = before;
  let out = 0;
  if (before > 0) guard.unpacked(new Uint8Array(before).fill(120), bytesIn);
  for (; out < most; out += piece.length) {
    bytesIn += piece.length / ratio;
    if (guard.unpacked(piece, bytesIn)) return out + piece.length;
  }
  return undefined;
}

const ofLines = new Uint8Array(mib).fill(10);
const ofOneLine = new Uint8Array(mib).fill(32);

describe('the guard against archives that blow up', () => {
  it('asks about a stretch of deflate that grows more than 300 times, wherever it stands', () => {
    const bounds = [0, 5 * mib].map((before) => untilAsked('deflate', 1000, ofLines, 400 * mib, before));
    expect(bounds.map((out) => Math.round((out ?? 0) / mib))).toEqual([92, 92]);
    expect(untilAsked('deflate', 290, ofLines, 300 * mib)).toBeUndefined();
  });

  it('lets a log of 100 MiB pass that says the same line again and again', () => {
    // What gzip makes of lines of 20 and 3,000 bytes, and of entries of a document that differ in their time.
    for (const ratio of [412, 604, 677]) expect(untilAsked('deflate', ratio, ofLines, 100 * mib)).toBeUndefined();
    expect(untilAsked('deflate', 250, ofLines, 100 * mib, 0, true)).toBeUndefined();
  });

  it('lets zstd repeat a long context, up to a thousand times', () => {
    expect(untilAsked('zstd', 990, ofLines, 400 * mib)).toBeUndefined();
    expect(untilAsked('zstd', 5000, ofLines, 600 * mib)).toBe(257 * mib);
    expect(untilAsked('zstd', 5000, ofLines, 600 * mib, mib)).toBe(320 * mib);
  });

  it('asks sooner about a document of many lines, which is held in memory too', () => {
    expect(untilAsked('deflate', 200, ofLines, 400 * mib)).toBeUndefined();
    expect(untilAsked('deflate', 200, ofLines, 400 * mib, 0, true)).toBe(129 * mib);
    expect(untilAsked('zstd', 90, ofLines, 400 * mib, 0, true)).toBeUndefined();
  });

  it('asks sooner about a single line, which is held in memory', () => {
    expect(untilAsked('zstd', 400, ofOneLine, 400 * mib, mib)).toBe(86 * mib);
    expect(untilAsked('zstd', 90, ofOneLine, 100 * mib)).toBeUndefined();
    // A line begins anew behind each line end, also in the middle of what was unpacked.
    const ended = ofOneLine.slice();
    ended[mib - 5] = 10;
    expect(untilAsked('zstd', 400, ended, 100 * mib)).toBeUndefined();
  });

  it('asks about anything beyond 8 GiB', () => {
    const guard = createGrowthGuard('deflate', () => false);
    const piece = new Uint8Array(64 * mib);
    piece[piece.length - 1] = 10;
    let pieces = 1;
    while (pieces < 200 && !guard.unpacked(piece, pieces * mib)) pieces++;
    expect(pieces).toBe(hugeBytes / piece.length + 1);
  });

  it('judges by the sizes that an archive states', () => {
    expect(isSuspect(suspectBytes, 1)).toBe(false);
    expect(isSuspect(suspectBytes + 1, suspectBytes / 1000)).toBe(true);
    expect(isSuspect(suspectBytes * 2, suspectBytes / 500)).toBe(false);
    expect(isSuspectMember('deflate', 65 * mib, 1000)).toBe(true);
    expect(isSuspectMember('deflate', 64 * mib, 1000)).toBe(false);
    expect(isSuspectMember('zstd', 200 * mib, 1000)).toBe(false);
    expect(isSuspectMember('zstd', 300 * mib, 1000)).toBe(true);
  });

  it('says how much came out of how little', () => {
    expect(tooLarge('a.gz', hugeBytes + 1, 5, 'has unpacked').message).toContain('a.gz unpacks to more than 8 GiB.');
    expect(tooLarge('a.gz', suspectBytes + 1, 1025, 'has unpacked').message).toContain(
      'a.gz has unpacked to 256 MiB from 2 KiB, more than a thousand times its size, which',
    );
    expect(tooLarge('a.zip', 90 * mib, 600 * 1024, 'would unpack').message).toContain(
      'a.zip would unpack to 90 MiB from 600 KiB, and a part of it grows hundreds of times or more, which',
    );
  });
});
