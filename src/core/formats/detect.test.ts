import { describe, expect, it } from 'vitest';
import { describeSniff, detectFormat } from './detect.ts';
import { formats } from './registry.ts';
import { readSniff, sniffBytes } from './sniff.ts';
import { bytesToSource } from './testing/opening.ts';

describe('detection', () => {
  it('reads a flood of any one thing once, not once for each', { timeout: 60_000 }, async () => {
    // Quadratic work on the beginning of a file would not end: a pattern that goes over blank lines does it.
    const pieces = [
      '\n',
      ' ',
      '\r\n',
      '[',
      '{',
      '[\n',
      '"a" ',
      '"kind" ',
      '{"a":',
      '\\',
      'client ',
      '0',
      '"client.beta.',
    ];
    for (const begin of ['', '{"a":1}\n']) {
      for (const piece of pieces) {
        const text = begin + piece.repeat(sniffBytes / piece.length);
        const sniff = await readSniff(bytesToSource('flood', new TextEncoder().encode(text)));
        expect([begin, piece, detectFormat(sniff, formats)?.format.id]).toEqual([begin, piece, undefined]);
        expect(describeSniff(sniff)).toMatch(/^(holds|is) /);
      }
    }
  });

  it('says of a file that begins with blanks only what was looked at', async () => {
    const source = (text: string) => bytesToSource('blanks', new TextEncoder().encode(text));
    expect(describeSniff(await readSniff(source(' \n')))).toBe('holds only white space');
    const long = await readSniff(source(`${' '.repeat(sniffBytes * 2)}{"a":1}`));
    expect(describeSniff(long)).toMatch(
      /^holds only white space in its first [\d,]+ characters; what follows was not looked at$/,
    );
  });
});
