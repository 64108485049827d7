import { describe, expect, it } from 'vitest';
import { detectors, isCountName, isSecretName, scanText } from './detectors.ts';
import { countSteps } from './testing/counted-match.ts';

/** Beginnings and parts of what the patterns look for, none of which is a hit by itself when it is repeated. */
const parts = [
  'a',
  'a-',
  'a.',
  'a@',
  '@',
  'a+',
  'a/',
  'a:',
  'a://a:',
  '1',
  '1 ',
  '1-',
  '1.',
  'ab:',
  'AB12 ',
  'eyJaaaaaaaaa-',
  'eyJaaaaaaaaa.',
  'password',
  'password-',
  'password ',
  'token\\',
  'token:',
  ' ',
  'bearer ',
  'data:a/a;',
  ';a',
  '-----BEGIN ',
  'PRIVATE KEY-----',
  '/home/',
  'C:\\Users\\',
  'aB3-xY_9kLm0',
  'deadbeef0123',
  '-',
  '_',
];

describe('the work of a detector', () => {
  it.each(detectors.map((detector, n) => [n, detector.id, detector] as const))(
    'grows with the text and no faster: %i %s',
    (_, __, { pattern }) => {
      const worst = parts.map((part) => {
        const [short, long] = [360, 720].map((length) => countSteps(pattern, part.repeat(length / part.length)));
        return { part, growth: (long ?? 0) / (short ?? 1) };
      });
      // Twice the text: twice the work, and somewhat more where a pattern looks a bounded way ahead. Squared it would be four times.
      expect(worst.filter(({ growth }) => growth > 2.7)).toEqual([]);
    },
  );

  it('is counted as a matcher that tries back does it', () => {
    const growth = (pattern: RegExp) => countSteps(pattern, 'a-'.repeat(400)) / countSteps(pattern, 'a-'.repeat(200));
    expect(growth(/[\w.+%-]+@[\w-]+(?:\.[\w-]+)+/g)).toBeGreaterThan(3.5);
    expect(growth(/\b[\w-]*(?:password|secret)["']?\s*[:=]/gi)).toBeGreaterThan(3.5);
    expect(growth(/(?<![\w-])[\w-]*(?:password|secret)["']?\s*[:=]/gi)).toBeLessThan(2.1);
  });
});

describe('detectors', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
  it.each([
    ['write to ann@example.org please', 'ann@example.org'],
    ['a@b.co+x@y.zz', 'y.zz'],
    ['Jörg.Müller@example.org', 'Jör'],
    [`see session-${jwt}`, 'c2lnbmF0dXJl'],
    [`a.b.${jwt}`, 'eyJzdWIiOiIxIn0'],
    ['password: hunter2correct', 'hunter2correct'],
    ['{"password": "correct horse battery"}', 'horse battery'],
    [String.raw`{\"api_key\": \"abcd efgh\"}`, 'efgh'],
    ["client_secret='a b c'", 'b c'],
    ['clientSecretKey=abcd1234', 'abcd1234'],
    ['1https://ada:pw12@host/path', 'pw12'],
    ['https://0123456789abcdef0123@host/x', '0123456789abcdef'],
    [String.raw`C:\\Users\\ada\\notes`, 'ada'],
    [`aB3-${'xY_9kLm0'.repeat(20)}`, 'xY_9kLm0'],
    ['4111 1111 1111 1111', '1111'],
  ])('mask %s', (text, secret) => {
    const scan = scanText(text);
    expect(scan?.masked).toContain('withheld]');
    expect(scan?.masked).not.toContain(secret);
  });

  it.each(['npm @scope/name', 'a@b', '-'.repeat(200), 'http://host:8080/path', 'a-long-name-in-words-'.repeat(8)])(
    'leave %s',
    (text) => {
      expect(scanText(text)).toBeUndefined();
    },
  );

  it('know names of secrets, and counts of tokens for numbers', () => {
    for (const name of ['password', 'x-api-key', 'client_secret', 'accessToken', 'secret_access_key', 'pwd', 'Cookie'])
      expect([name, isSecretName(name)]).toEqual([name, true]);
    for (const name of ['tokenizer', 'secretary', 'passed', 'author', 'note', `${'x'.repeat(200)}password`])
      expect([name, isSecretName(name)]).toEqual([name, false]);
    expect([isCountName('input_tokens'), isCountName('token')]).toEqual([true, false]);
  });
});
