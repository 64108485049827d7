import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from './hash.ts';
import { shortTextToSha256Hex } from './sha256.ts';

function expected(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

describe('SHA-256 of short texts', () => {
  it('is that of another implementation at every length around the ends of blocks, and up to the longest', () => {
    const lengths = [...Array.from({ length: 200 }, (_, n) => n), 4000, 4032, 4087, 4088, 4095, 4096];
    for (const length of lengths) {
      const text = Array.from({ length }, (_, n) => String.fromCharCode(32 + ((n * 7 + length) % 90))).join('');
      expect(shortTextToSha256Hex(text), String(length)).toBe(expected(text));
    }
  });

  it('leaves no trace of a longer text in the next one', () => {
    shortTextToSha256Hex('x'.repeat(4096));
    expect(shortTextToSha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(shortTextToSha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('is over UTF-8, lone surrogates as U+FFFD, and takes no text whose bytes are too many', () => {
    for (const text of ['ä€😀', '\ud800', 'a\udc00b', '€'.repeat(1365), '\u0000'])
      expect(shortTextToSha256Hex(text)).toBe(expected(text));
    for (const text of ['x'.repeat(4097), '€'.repeat(1366), `${'x'.repeat(4095)}ä`]) {
      expect(shortTextToSha256Hex(text)).toBeUndefined();
      expect(sha256Hex(text)).toBe(expected(text));
    }
  });
});
