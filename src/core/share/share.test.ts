import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type SharePayload,
  base64UrlToBytes,
  bytesToBase64Url,
  decodePayload,
  encodePayload,
  keyToFragment,
  parseShareFile,
  parseShareFragment,
  shareToFile,
  shareToFragment,
} from './index.ts';

const payload: SharePayload = {
  v: 1,
  kind: 'hindcast-share',
  title: 'incident',
  stream: '{"v":1}\n{"v":1}\n',
  note: 'look at e3',
};
const key = new Uint8Array(32).fill(7);

function errorOf(result: { readonly ok: true } | { readonly ok: false; readonly error: string }): string {
  return result.ok ? '' : result.error;
}

describe('payload', () => {
  it('R76 comes back as it went in, padded to a multiple of 256 bytes', () => {
    const bytes = encodePayload(payload);
    expect(bytes.length % 256).toBe(0);
    expect(decodePayload(bytes)).toEqual({ ok: true, value: payload });
  });

  it('refuses every cut with a sentence', () => {
    const bytes = encodePayload({
      ...payload,
      stream: 'x'.repeat(5000) + Array.from({ length: 400 }, (_, n) => String(n * 7919)).join(),
    });
    for (let cut = 0; cut < bytes.length - 256; cut += 97)
      expect(errorOf(decodePayload(bytes.slice(0, cut)))).toMatch(/share/);
  });

  it('refuses a share from a newer version politely', () => {
    const future = encodePayload(JSON.parse(JSON.stringify({ ...payload, v: 9 })) as SharePayload);
    expect(errorOf(decodePayload(future))).toContain('newer Hindcast');
  });

  it('refuses content that is no share', () => {
    expect(errorOf(decodePayload(encodePayload(JSON.parse('{"other":1}') as SharePayload)))).toContain(
      'Not a Hindcast share',
    );
    const odd = { v: 1, kind: 'hindcast-share', title: 't', stream: '', view: 5 };
    expect(errorOf(decodePayload(encodePayload(JSON.parse(JSON.stringify(odd)) as SharePayload)))).toBe(
      'Not a Hindcast share: "view" must be an object, not a number. Ask the sender for it again.',
    );
  });
});

describe('links and files', () => {
  it('base64url round-trips any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(base64UrlToBytes(bytesToBase64Url(bytes))).toEqual(bytes);
        expect(bytesToBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  it('R76 a link holds key and share, a key link only the key', () => {
    const sealed = new Uint8Array(300).map((_, n) => n % 251);
    expect(parseShareFragment(shareToFragment(key, sealed))).toEqual({
      ok: true,
      value: { kind: 'share', key, sealed },
    });
    expect(parseShareFragment(keyToFragment(key))).toEqual({ ok: true, value: { kind: 'key', key } });
    expect(parseShareFragment('#/t/abc')).toEqual({ ok: true, value: undefined });
  });

  it('R76 a link opens as mail and chat programs hand it on: broken, indented, in brackets, at the end of a sentence', () => {
    const sealed = new Uint8Array(300).map((_, n) => n % 251);
    const link = shareToFragment(key, sealed);
    const broken = (by: string): string => link.replaceAll(/(?<=^.{7}.*)(.{76})/g, `$1${by}`);
    for (const by of ['\n', '\r\n', ' ', '\r\n  ', '%0A', '%0D%0a', '%20', '\u00a0', '%C2%A0', '\u200b', '%E2%80%8B']) {
      expect(broken(by)).not.toBe(link);
      expect([by, parseShareFragment(broken(by))]).toEqual([by, { ok: true, value: { kind: 'share', key, sealed } }]);
    }
    for (const end of ['>', '%3E', ')', '.', '>.', '"', ' >', '\n'])
      expect([end, parseShareFragment(`${link}${end}`)]).toEqual([
        end,
        { ok: true, value: { kind: 'share', key, sealed } },
      ]);
    expect(parseShareFragment(`${keyToFragment(key)}%0A>`)).toEqual({ ok: true, value: { kind: 'key', key } });
    // A letter that is none of the link is still damage.
    expect(errorOf(parseShareFragment(`${link.slice(0, 90)}é${link.slice(90)}`))).toContain('cut');
  });

  it('R76 a hostile link of marks inside is answered in time that grows with its length', { timeout: 2000 }, () => {
    for (const marks of ['!', '%3e', '>%29'])
      expect(errorOf(parseShareFragment(`#share=1.${marks.repeat(80_000)}a`))).toContain('key is incomplete');
    expect(parseShareFragment(`${keyToFragment(key)}${'>%29'.repeat(80_000)}`)).toMatchObject({ ok: true });
  });

  it.each([
    ['plain base64, padded', (part: string) => Buffer.from(part, 'base64url').toString('base64')],
    ['plain base64, escaped', (part: string) => encodeURIComponent(Buffer.from(part, 'base64url').toString('base64'))],
    ['escapes of signs that need none', (part: string) => part.replaceAll('-', '%2D').replaceAll('_', '%5f')],
  ])('R76 a link that was encoded anew opens: %s', (_, encode) => {
    const sealed = new Uint8Array(301).map((_, n) => (n * 7) % 256);
    const signs = new Uint8Array(32).fill(251);
    const link = shareToFragment(signs, sealed);
    const [head = '', ...parts] = link.split('.');
    for (const point of ['.', '%2e']) {
      const anew = [head, ...parts.map(encode)].join(point);
      expect(anew).not.toBe(link);
      expect(parseShareFragment(anew)).toEqual({ ok: true, value: { kind: 'share', key: signs, sealed } });
    }
  });

  it('names what is wrong with a damaged or future link', () => {
    const link = shareToFragment(key, new Uint8Array(300));
    expect(errorOf(parseShareFragment(link.slice(0, 20)))).toContain('key is incomplete');
    expect(errorOf(parseShareFragment(link.slice(0, 60)))).toContain('cut');
    expect(errorOf(parseShareFragment(link.replace('=1.', '=2.')))).toContain('newer Hindcast');
    for (const version of ['abc', '0', '', '-1', '01', '1e3', '9'.repeat(23)])
      expect(errorOf(parseShareFragment(link.replace('=1.', `=${version}.`)))).toContain('no version');
    expect(parseShareFragment(link.replace('#share', '#Share'))).toEqual(parseShareFragment(link));
  });

  it('R76 files open with a key or a passphrase and refuse cuts and futures', () => {
    const sealed = new Uint8Array(64).fill(3);
    expect(parseShareFile(shareToFile({ sealed }))).toEqual({ ok: true, value: { sealed } });
    const passphrase = { salt: new Uint8Array(16).fill(9), iterations: 600_000 };
    const file = shareToFile({ sealed, passphrase });
    expect(parseShareFile(file)).toEqual({ ok: true, value: { sealed, passphrase } });
    expect(errorOf(parseShareFile(file.slice(0, 40)))).toContain('cut');
    expect(
      errorOf(parseShareFile(shareToFile({ sealed, passphrase: { ...passphrase, iterations: 4_000_000_000 } }))),
    ).toContain('unreasonable');
    const asking = (iterations: number) =>
      parseShareFile(shareToFile({ sealed, passphrase: { ...passphrase, iterations } }));
    for (const iterations of [0, 1, 99_999, 10_000_001])
      expect([iterations, errorOf(asking(iterations))]).toEqual([iterations, expect.stringContaining('unreasonable')]);
    for (const iterations of [100_000, 10_000_000]) expect(asking(iterations)).toMatchObject({ ok: true });
    const future = file.slice();
    future[7] = 50;
    expect(errorOf(parseShareFile(future))).toContain('newer Hindcast');
    expect(errorOf(parseShareFile(new Uint8Array(64)))).toMatch(/not a share file of Hindcast.*ask the sender/);
  });
});
