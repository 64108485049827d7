import { describe, expect, it } from 'vitest';
import { lineToScroll, scrollToLine, wholeHeight } from './long-list.ts';

describe('a list of any length (scale: views at any size)', () => {
  const million = { count: 1_000_000, lineHeight: 40, frame: 700 };

  it('is never taller than a browser allows, and reaches its first and last line', () => {
    for (const count of [1, 2, 1000, 1_000_000, 1_000_000_000]) {
      const list = { ...million, count };
      expect(wholeHeight(list)).toBeLessThan(33_554_428);
      expect(scrollToLine(list, 0)).toBe(0);
      expect(scrollToLine(list, wholeHeight(list) - list.frame)).toBe(count - 1);
    }
  });

  it('finds every line again from where it scrolled to', () => {
    for (const line of [0, 1, 499_999, 932_066, 999_999]) {
      expect(scrollToLine(million, lineToScroll(million, line))).toBeCloseTo(line, 5);
    }
    expect(lineToScroll(million, -3)).toBe(0);
    expect(lineToScroll({ ...million, count: 0 }, 5)).toBe(0);
  });

  it('moves a short list line by line, unscaled', () => {
    const short = { ...million, count: 1000 };
    expect(scrollToLine(short, 40)).toBeCloseTo(1);
    expect(scrollToLine(short, 20)).toBeCloseTo(0.5);
  });
});
