import { describe, expect, it } from 'vitest';
import { findElements } from './elements.ts';
import { millisToTime, valueToTime } from './times.ts';
import { timeToMillis } from '../base/time.ts';

function text(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}

function find(json: string, ...wanted: readonly string[]) {
  return findElements(new TextEncoder().encode(json), new Set(wanted));
}

describe('elements of a document', () => {
  it('are found by their place, with exact offsets, and the frame is what is left', () => {
    const json = '{"a": {"list": [1]}, "list": [\n{"x": "}{[,"}, {"y": [{"z": 1}]}], "b": 2}';
    const { elements, frames } = find(json, 'list.*');
    expect(elements.map(({ bytes }) => text(bytes))).toEqual(['{"x": "}{[,"}', '{"y": [{"z": 1}]}']);
    expect(elements.map(({ offset, line }) => [offset, line])).toEqual([
      [31, 2],
      [46, 2],
    ]);
    expect(JSON.parse(text(frames[0]?.bytes))).toEqual({ a: { list: [1] }, list: [], b: 2 });
  });

  it('below lists of lists and at the top', () => {
    expect(find('[{"spans":[{"a":1},{"a":2}]},{"spans":[{"a":3}]}]', '*.spans.*').elements).toHaveLength(3);
    expect(find('[{"a":1},{"a":2}]', '*').frames.map(({ bytes }) => text(bytes))).toEqual(['[]']);
    expect(find('{"a":1} {"a":2}', '').frames).toEqual([]);
  });

  it('of a document that is cut off: whole elements, a closed frame, the cut element marked', () => {
    const json = '{"id": "t", "list": [{"a": 1}, {"b": "x';
    const { elements, frames } = find(json, 'list.*');
    expect(elements.map(({ ended }) => ended)).toEqual([true, false]);
    expect(JSON.parse(text(frames[0]?.bytes))).toEqual({ id: 't', list: [] });
    expect(frames[0]?.ended).toBe(false);
  });

  it('at every cut give elements that are whole or marked, and a frame that reads (fuzz over all cuts)', () => {
    const json = '{"id":"t\\"","m":{"k":[1,{"q":null}]},"list":[{"a":{"b":[{}]}},{"c":"}"}],"z":"é"}';
    const bytes = new TextEncoder().encode(json);
    for (let cut = 1; cut < bytes.length; cut++) {
      const { elements, frames } = findElements(bytes.subarray(0, cut), new Set(['list.*']));
      for (const element of elements)
        if (element.ended) expect(() => void JSON.parse(text(element.bytes))).not.toThrow();
      for (const frame of frames) expect(() => void JSON.parse(text(frame.bytes)), json.slice(0, cut)).not.toThrow();
    }
  });
});

describe('times', () => {
  it('without a zone are UTC and marked; numbers are told by their size and marked; words are none', () => {
    expect(valueToTime('2024-12-04T19:59:29.374537')).toEqual({ time: '2024-12-04T19:59:29.374537Z', assumed: 'zone' });
    expect(valueToTime('2024-12-04 19:59:29+02:00')).toEqual({ time: '2024-12-04T19:59:29+02:00' });
    expect(valueToTime(1_728_803_137_170)).toEqual({ time: '2024-10-13T07:05:37.170Z', assumed: 'unit' });
    expect(valueToTime(1_728_803_137)?.time).toBe('2024-10-13T07:05:37.000Z');
    expect(valueToTime('yesterday')).toBeUndefined();
    expect(valueToTime(12)).toBeUndefined();
  });

  it('go from milliseconds to text and back', () => {
    for (const millis of [0, 951_782_400_000, 1_709_164_800_001, 1_735_689_599_999, 4_102_444_799_000]) {
      expect(timeToMillis(millisToTime(millis) ?? '')).toBe(millis);
    }
    // Kept to the microsecond, and carried over where rounding makes a whole one.
    expect(millisToTime(1_000.25)).toBe('1970-01-01T00:00:01.000250Z');
    expect(millisToTime(1_000.9999)).toBe('1970-01-01T00:00:01.001Z');
    for (const none of [undefined, -1, Number.NaN, 253_402_300_800_000]) expect(millisToTime(none)).toBeUndefined();
  });
});
