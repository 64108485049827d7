import { describe, expect, it } from 'vitest';
import { itemAt, pageSize, rangeToPages } from './pages.ts';

describe('pages', () => {
  it('start at multiples of their size', () => {
    expect(rangeToPages(0, 40)).toEqual([0, 0]);
    expect(rangeToPages(pageSize - 10, pageSize + 30)).toEqual([0, pageSize]);
    expect(rangeToPages(pageSize, pageSize * 2)).toEqual([pageSize, pageSize]);
    expect(rangeToPages(0, 0)).toEqual([0, 0]);
    expect(rangeToPages(-8, 12)).toEqual([0, 0]);
  });

  it('give an item by its number, or nothing before it came', () => {
    const pages = [{ from: 4, items: ['e', 'f'] }, undefined];
    expect([itemAt(pages, 3), itemAt(pages, 4), itemAt(pages, 5), itemAt(pages, 6)]).toEqual([
      undefined,
      'e',
      'f',
      undefined,
    ]);
  });
});
