import { describe, expect, it } from 'vitest';
import { reasonToWords } from './reason-words.ts';

describe('reasons in words', () => {
  it('R39 a step of a child, and the last step of a path that was cut, read as words', () => {
    expect(reasonToWords('inside')).toBe('holds');
    expect(reasonToWords('consumed (36 steps before it are left out)')).toBe('(36 steps before it are left out) used');
    expect(reasonToWords('some_other-word')).toBe('some other word');
  });
});
