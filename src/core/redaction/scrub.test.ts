import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../base/json.ts';
import { err, ok } from '../base/result.ts';
import type { Digest } from '../model/index.ts';
import { type ContentLookup, createScrubber, noContent } from './scrub.ts';

/** What stands in a hole's place, and why, by pointer. */
function scrub(value: JsonValue, content: ContentLookup = noContent, detecting = true, mostCharacters = 1e9) {
  const holes: Record<string, string> = {};
  const scrubber = createScrubber<string>({
    detecting,
    content,
    mostCharacters,
    below: (at, key) => `${at}/${key}`,
    undigest: () => undefined,
    hole: (at, reason) => {
      holes[at] = reason;
      return { $hole: at };
    },
  });
  return { shown: scrubber.value(value, ''), holes };
}

function refTo(n: number): { readonly $ref: Digest; readonly bytes: number } {
  // Cast: 64 hex digits are a digest.
  return { $ref: `sha256:${String(n).padStart(64, '0')}` as Digest, bytes: 2000 };
}

describe('a secret by its name', () => {
  it.each([
    [{ password: 'hunter2correct' }, ['/password']],
    [{ 'x-api-key': 'q9w8', api_key: 12345678, note: 'fine' }, ['/x-api-key', '/api_key']],
    [
      { credentials: { user: 'ada', parts: ['x', { n: 7 }] } },
      ['/credentials/user', '/credentials/parts/0', '/credentials/parts/1/n'],
    ],
    [
      {
        headers: [
          { name: 'Authorization', value: 'xyz' },
          { name: 'Accept', value: 'text' },
        ],
      },
      ['/headers/0/value'],
    ],
    [[{ op: 'replace', path: '/user/password', value: 'abc' }], ['/0/value']],
    [
      {
        raw: [
          ['Cookie', 'sid=1'],
          ['Accept', 'text'],
        ],
      },
      ['/raw/0/1'],
    ],
    [
      {
        $dup: [
          ['token', 'a'],
          ['n', 1],
          ['token', 'b'],
        ],
      },
      ['/token'],
    ],
    [{ $esc: { $num: 'x', password: 'y' } }, ['/password']],
  ])('is a hole: %j', (value, expected) => {
    const { holes, shown } = scrub(value);
    expect(Object.keys(holes)).toEqual(expected);
    expect(JSON.stringify(shown)).not.toMatch(/hunter2|q9w8|12345678|"ada"|"xyz"|"abc"|sid=1|"a"|"b"|"y"/);
  });

  it('leaves flags, counts of tokens and all other names', () => {
    const value = {
      max_tokens: 4096,
      tokens: { input: 5, output: 6 },
      requires_password: true,
      secret: null,
      pass: 12,
      tokenizer: 'cl100k',
      list: [{ name: 'title', value: 'x' }],
    };
    expect(scrub(value)).toEqual({ shown: value, holes: {} });
  });

  it('is not looked for where detectors are off', () => {
    expect(scrub({ password: 'x' }, noContent, false).shown).toEqual({ password: 'x' });
  });

  it('keeps two members whose names a mask makes equal', () => {
    const { shown } = scrub({ 'ann@example.org': 1, 'bob@example.org': 2 });
    expect(Object.values(shown as object)).toEqual([1, 2]);
  });
});

describe('a value stored apart', () => {
  const inner: ContentLookup = ({ $ref }) =>
    $ref === refTo(1).$ref ? ok([{ role: 'user', more: refTo(2) }]) : $ref === refTo(2).$ref ? ok('text') : err('gone');

  it('stands in its place at any depth, with or without detectors', () => {
    for (const detecting of [true, false]) {
      const { shown, holes } = scrub({ args: { messages: [refTo(1), refTo(2)] } }, inner, detecting);
      expect(shown).toEqual({ args: { messages: [[{ role: 'user', more: 'text' }], 'text'] } });
      expect(holes).toEqual({});
    }
  });

  it('that is absent is a hole, and its digest does not leave', () => {
    const { shown, holes } = scrub({ args: [{ deep: refTo(3) }] }, inner);
    expect(holes).toEqual({ '/args/0/deep': 'gone' });
    expect(JSON.stringify(shown)).not.toContain('sha256:');
  });

  it('is looked through like any other value', () => {
    expect(scrub(refTo(1), () => ok({ password: 'hunter2' })).holes).toEqual({ '/password': 'detected: secret' });
  });

  it('that names itself, or doubles without end, ends in holes', () => {
    const own = scrub(refTo(1), () => ok([refTo(1)]));
    expect(Object.values(own.holes)).toEqual(['stored apart, and too large for a copy in all its places']);
    const doubling: ContentLookup = ({ $ref }) => {
      const n = Number($ref.slice(-3));
      return ok(n === 0 ? 'y '.repeat(50) : [refTo(n - 1), refTo(n - 1)]);
    };
    // 2^40 texts would be more than any memory.
    const { shown, holes } = scrub(refTo(40), doubling, true, 100_000);
    expect(JSON.stringify(shown).length).toBeLessThan(200_000);
    expect(Object.keys(holes).length).toBeGreaterThan(0);
  });

  it('is read and looked through once where nothing in it is withheld', () => {
    let read = 0;
    const { shown } = scrub([refTo(1), refTo(1), refTo(1)], () => {
      read += 1;
      return ok('a text');
    });
    expect([read, shown]).toEqual([1, ['a text', 'a text', 'a text']]);
  });
});
