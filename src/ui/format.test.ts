import { describe, expect, it } from 'vitest';
import { bytesToText, countOf, instantToText, momentToText, secondsToText, shortId, timeOfDay } from './format.ts';

describe('sizes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.00 kB'],
    [12_345, '12.3 kB'],
    [999_600, '1.00 MB'],
    [372_000_000, '372 MB'],
    [5e15, '5000 TB'],
  ])('of %d bytes read %s', (bytes, text) => {
    expect(bytesToText(bytes)).toBe(text);
  });
});

it('counts in words', () => {
  expect([countOf(1, 'event'), countOf(1234, 'event'), countOf(2, 'branch', 'branches')]).toEqual([
    '1 event',
    '1,234 events',
    '2 branches',
  ]);
});

it('says durations as a person would', () => {
  expect([secondsToText(0.2), secondsToText(7.2), secondsToText(150), secondsToText(7200)]).toEqual([
    'under 1 s',
    '8 s',
    '3 min',
    '2.0 h',
  ]);
});

it('keeps recorded times as written', () => {
  expect(timeOfDay('2026-11-29T17:04:05.123456789Z')).toBe('17:04:05.123');
  expect(timeOfDay('not a time')).toBe('not a time');
});

it('leaves the middle out of long ids', () => {
  expect(shortId('0123456789abcdefghijklmnop')).toBe('0123456789a…ijklmnop');
  expect(shortId('short')).toBe('short');
});

it.each([
  ['2026-11-29T14:33:42.924000000Z', '2026-11-29 14:33:42.924 Z'],
  ['2026-11-29T14:33:42+02:00', '2026-11-29 14:33:42 +02:00'],
  ['2026-11-29T14:33:42.5', '2026-11-29 14:33:42.5'],
  ['yesterday', 'yesterday'],
])('an instant recorded as %s reads %s, with its date and its own zone', (recorded, text) => {
  expect(instantToText(recorded)).toBe(text);
});

it('a time that is counted from zero is no date', () => {
  expect(momentToText('1970-01-01T00:00:12.250Z')).toBe('00:00:12.250 from the beginning');
  expect(momentToText('1970-01-02T00:00:01Z')).toBe('1 day and 00:00:01 from the beginning');
  expect(momentToText('1971-01-02T03:04:05.000000000Z')).toBe('366 days and 03:04:05.000 from the beginning');
  expect(momentToText('2026-11-29T14:33:07Z')).toMatch(/^29 Nov 2026, \d\d:33:07$/);
  expect(momentToText('no time')).toBe('no time');
});
