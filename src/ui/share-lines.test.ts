import { describe, expect, it } from 'vitest';
import { shareLines } from './share-lines.ts';

describe('lines shared by paragraphs', () => {
  it('go to those that need them, from the first on, and one to each whatever there is', () => {
    expect(shareLines([3, 3, 3], 5)).toEqual([2, 2, 1]);
    expect(shareLines([1, 4, 1], 6)).toEqual([1, 4, 1]);
    expect(shareLines([5, 1, 1, 1], 6)).toEqual([3, 1, 1, 1]);
    expect(shareLines([2, 2, 2, 2], 3)).toEqual([1, 1, 1, 1]);
  });

  it('are not handed out where nobody needs them', () => {
    expect(shareLines([1, 2], 9)).toEqual([1, 2]);
    expect(shareLines([], 6)).toEqual([]);
  });
});
