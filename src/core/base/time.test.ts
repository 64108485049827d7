import { describe, expect, it } from 'vitest';
import { timeToMillis } from './time.ts';

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
  });
});
