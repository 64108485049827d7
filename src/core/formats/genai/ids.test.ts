import { describe, expect, it } from 'vitest';
import { toSpanId, toTraceId } from './ids.ts';
import { nanosToTime, numberToTime, valueToTime } from './times.ts';

const id = '0123456789abcdef0123456789abcdef';

describe('ids in the shape of W3C', () => {
  it('from every way in which they are written', () => {
    for (const text of [
      id,
      id.toUpperCase(),
      `0x${id}`,
      '01234567-89ab-cdef-0123-456789abcdef',
      'ASNFZ4mrze8BI0VniavN7w==',
    ])
      expect(toTraceId(text)).toEqual({ id, assumed: undefined });
    expect(toTraceId('89abcdef01234567')).toEqual({
      id: '000000000000000089abcdef01234567',
      assumed: 'short-trace-id',
    });
    expect(toSpanId('ASNFZ4mrze8=')).toEqual({ id: '0123456789abcdef', assumed: undefined });
    expect(toSpanId('invoke1')?.assumed).toBe('odd-id');
    expect(toSpanId('invoke1')?.id).toMatch(/^[0-9a-f]{16}$/);
  });

  it('none where there is none', () => {
    for (const text of [undefined, '', '0'.repeat(32)]) expect(toTraceId(text)).toBeUndefined();
    expect(toSpanId('0000000000000000')).toBeUndefined();
  });
});

describe('times', () => {
  it('keep nanoseconds, and are none at zero', () => {
    expect(nanosToTime(1_544_712_660_123_456_789n)).toBe('2018-12-13T14:51:00.123456789Z');
    expect(nanosToTime(951_782_400_000_000_000n)).toBe('2000-02-29T00:00:00.000000000Z');
    expect(numberToTime('1544712660123456', 1000n)).toBe('2018-12-13T14:51:00.123456000Z');
    expect(numberToTime(0, 1n)).toBeUndefined();
  });

  it('say what was assumed', () => {
    expect(valueToTime('2026-01-02T03:04:05.6+02:00')).toEqual({
      time: '2026-01-02T01:04:05.600000000Z',
      assumed: undefined,
    });
    expect(valueToTime('2026-01-02T03:04:05.6')).toEqual({
      time: '2026-01-02T03:04:05.600000000Z',
      assumed: 'time-without-zone',
    });
    for (const value of [1_544_712_660, 1_544_712_660_000, 1_544_712_660_000_000, '1544712660000000000'])
      expect(valueToTime(value)).toEqual({ time: '2018-12-13T14:51:00.000000000Z', assumed: 'unit-guess' });
    expect(valueToTime([1_544_712_660, 5])).toEqual({ time: '2018-12-13T14:51:00.000000005Z', assumed: undefined });
    expect(valueToTime('yesterday')).toBeUndefined();
  });
});
