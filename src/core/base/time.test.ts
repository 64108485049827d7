import { describe, expect, it } from 'vitest';
import { nanosToText, secondsToText, timeToMillis, timeToNanos } from './time.ts';

describe('timeToMillis', () => {
  it('agrees with the calendar of the host', () => {
    const texts = [
      '1970-01-01T00:00:00Z',
      '1969-12-31T23:59:59.999Z',
      '2000-02-29T12:00:00Z',
      '2026-01-01T00:00:00.125Z',
      '2026-07-31T23:59:59+05:30',
      '2100-03-01T00:00:00-08:00',
    ];
    expect(texts.map(timeToMillis)).toEqual(texts.map((text) => Date.parse(text)));
  });

  it('keeps nanoseconds apart as far as a double can', () => {
    expect(timeToMillis('1970-01-01T00:00:00.000000250Z')).toBeCloseTo(0.00025, 9);
  });

  it('refuses what is no time', () => {
    for (const text of ['', 'yesterday', '2026-13-01T00:00:00Z', '2026-01-01T25:00:00Z', '2026-01-01T00:00:00']) {
      expect(timeToMillis(text)).toBeUndefined();
    }
    for (const day of ['2026-02-29', '2026-02-31', '2026-04-31', '2100-02-29', '2026-12-32'])
      expect(timeToMillis(`${day}T00:00:00Z`), day).toBeUndefined();
    for (const day of ['2024-02-29', '2000-02-29', '2026-12-31', '2026-04-30'])
      expect(timeToMillis(`${day}T00:00:00Z`), day).toBe(Date.parse(`${day}T00:00:00Z`));
  });
});

describe('nanoseconds', () => {
  it('go from text to numbers and back, before the epoch and around leap days too', () => {
    for (const text of [
      '1970-01-01T00:00:00.000000000Z',
      '1969-12-31T23:59:59.000000001Z',
      '1600-02-29T23:59:59.999999999Z',
      '2000-02-29T12:00:00.000000000Z',
      '2000-03-01T00:00:00.000000000Z',
      '2026-01-01T00:00:00.125000000Z',
      '2100-12-31T23:59:59.999999999Z',
    ])
      expect(nanosToText(timeToNanos(text) ?? 0n)).toBe(text);
    expect(timeToNanos('2026-07-31T23:59:59.5+05:30')).toBe(
      BigInt(Date.parse('2026-07-31T18:29:59.500Z')) * 1_000_000n,
    );
    expect(timeToNanos('1970-01-01T00:00:01.1234567899Z')).toBe(1_123_456_789n);
    expect([timeToNanos('yesterday'), timeToNanos('2026-13-01T00:00:00Z')]).toEqual([undefined, undefined]);
  });

  it('have the dates of the calendar of the host, over centuries', () => {
    const wrong: number[] = [];
    // A prime number of seconds, somewhat more than a month.
    for (let seconds = -12_000_000_000; seconds < 12_000_000_000; seconds += 2_678_413) {
      if (`${secondsToText(seconds)}.000Z` !== new Date(seconds * 1000).toISOString()) wrong.push(seconds);
    }
    expect(wrong).toEqual([]);
  });
});
