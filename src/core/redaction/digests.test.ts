/** What is written like a digest, at any place of a text and in any form, and what only looks like one (R73, R75). */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { replaceDigests } from './digests.ts';

function replaced(text: string): string {
  return replaceDigests(text, () => '<digest>');
}

const methods = [
  'md5',
  'ripemd160',
  'sha1',
  'sha224',
  'sha256',
  'sha384',
  'sha512',
  'sha512-256',
  'sha3-256',
  'blake2b512',
];
const drawn = Array.from({ length: 20 }, (_, n) => `withheld ${String(n)}`);

function hexOf(method: string, text: string): string {
  return createHash(method).update(text).digest('hex');
}

function groups(text: string, size: number, sign: string): string {
  return (text.match(new RegExp(`.{1,${String(size)}}`, 'g')) ?? []).join(sign);
}

const hexForms: readonly (readonly [string, (hex: string, method: string) => string])[] = [
  ['alone', (hex) => hex],
  ['in capitals', (hex) => hex.toUpperCase()],
  ['in a sentence', (hex) => `the digest ${hex}, kept`],
  ['with the name of its method', (hex, method) => `${method}:${hex}`],
  ['as a number', (hex) => `0x${hex}`],
  ['as bytes of a database', (hex) => `\\x${hex}`],
  ['in a file name', (hex) => `file_${hex}.bin`],
  ['behind letters', (hex) => `etagxyz${hex}`],
  ['twice in a row', (hex) => hex + hex],
  ['as a fingerprint', (hex) => groups(hex, 2, ':')],
  ['in groups of four', (hex) => groups(hex, 4, ' ')],
  ['in groups of eight', (hex) => groups(hex, 8, '-')],
  ['in a folder of a store', (hex, method) => `blobs/${method}/${hex.slice(0, 2)}/${hex.slice(2)}`],
  ['in folders of a store', (hex) => `objects/${hex.slice(0, 2)}/${hex.slice(2, 4)}/${hex.slice(4)}`],
];

const base64Forms: readonly (readonly [string, (text: string, method: string) => string])[] = [
  ['alone', (text) => text],
  ['in a sentence', (text) => `the digest ${text}, kept`],
  ['in quotation marks', (text) => `W/"${text}"`],
  ['in an address', (text) => `https://x.example/?of=${encodeURIComponent(text)}&a=b`],
  ['in a folder', (text) => `blobs/${text}`],
  ['with the name of its method', (text, method) => `${method}:${text}`],
  ['in a file name', (text) => `file_${text}.bin`],
];

describe('R73 R75 a digest in a text', () => {
  it.each(hexForms)('in hexadecimal, %s', (_, form) => {
    for (const method of methods)
      for (const text of drawn) {
        const hex = hexOf(method, text);
        const left = replaced(form(hex, method));
        expect(left).toContain('<digest>');
        const rest = left.replace(/[^0-9a-f]/gi, '').toLowerCase();
        for (let at = 0; at + 8 <= hex.length; at++) expect(rest).not.toContain(hex.slice(at, at + 8));
      }
  });

  it.each(base64Forms)('in base64 with its padding, %s', (_, form) => {
    for (const method of methods.filter((one) => one !== 'sha384'))
      for (const text of drawn) {
        const digest = createHash(method).update(text).digest('base64');
        const left = replaced(form(digest, method));
        expect(left).toContain('<digest>');
        expect(left).not.toContain(digest.slice(-12, -3));
      }
  });

  it.each(base64Forms)('in base64 without padding, of either alphabet, %s', (_, form) => {
    const left: string[] = [];
    for (const method of methods)
      for (const text of drawn)
        for (const alphabet of ['base64', 'base64url'] as const) {
          const digest = createHash(method).update(text).digest(alphabet).replace(/=+$/, '');
          if (!replaced(form(digest, method)).includes('<digest>')) left.push(digest);
        }
    // A short one in which no digit stands, or that is drawn like a name in words, is told from no name.
    expect(left.filter((digest) => digest.length > 40)).toEqual([]);
    expect(left.length).toBeLessThan(methods.length * drawn.length * 2 * 0.03);
  });

  it('keeps the text around it', () => {
    const hex = hexOf('sha256', 'a');
    expect(replaced(`a ${hex} b md5:${hexOf('md5', 'a')} c`)).toBe('a <digest> b <digest> c');
    expect(replaced(`"sha512-${createHash('sha512').update('a').digest('base64')}", kept`)).toBe('"<digest>", kept');
  });

  it.each([
    'a plain sentence of words, 1234567890 and deadbeef',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    '3F2504E0-4F89-11D3-9A0C-0305E82C3301 and 3f2504e0-4f89-11d3-9a0c-0305e82c3302',
    'urn:uuid:3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    'span 00f067aa0ba902b7 of it',
    '12345678901234567890123456789012345678901234567890',
    '10 20 30 40 50 60 70 80 90 11 22 33 44 55 66 77 88 99',
    '2026-06-23T08:15:08.411300000Z',
    'src/core/redaction/payload.ts',
    'x'.repeat(40),
    'https://example.com/a/long/path/of/many/small/words/without/any/end',
    'https://example.com/Users/Alice/Documents/Report2024/Final-Version_3',
    'AbstractSingletonProxyFactoryBeanConfiguration2',
    'sha256-based-authentication-scheme-for-all',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'toolu_01KA6NusiEvFaq72v4Rgv3T3',
    'a-b-c-d-e-f-a-b-c-d-e-f-a-b-c-d-e-f-a-b-c-d-e-f-a-b-c-d-e-f-a-b-c-d-e-f',
  ])('is not %s', (text) => {
    expect(replaced(text)).toBe(text);
  });

  it.each(['ab:', 'ab/', 'Ab1/', 'a1b2 ', '%2F', 'f'])('takes work that grows with the text: many %s', (part) => {
    const text = part.repeat(200_000);
    expect(replaced(`${text}!`).length).toBeGreaterThan(0);
  });
});
