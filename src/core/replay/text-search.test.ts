/** Rule `content`: which delivered texts occur, found by reading once. The answer is that of looking for each. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createTextSearch } from './text-search.ts';

function occurring(texts: readonly string[], text: string, shortest: number): ReadonlySet<number> {
  const found = new Set<number>();
  createTextSearch(
    texts.map((one, value) => ({ text: one, value })),
    shortest,
  ).find(text, found);
  return found;
}

describe('searching for many texts', () => {
  it('finds what looking for each finds', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 3, maxLength: 9 });
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 8 }),
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 }),
        (texts, text) => {
          const expected = texts.flatMap((one, n) => (text.includes(one) ? [n] : []));
          expect([...occurring(texts, text, 3)].sort((a, b) => a - b)).toEqual(expected);
        },
      ),
      { seed: 20260702, numRuns: 2000 },
    );
  });

  it('is not slowed by texts that begin alike: what does not follow is compared with nothing', () => {
    const beginning = 'x'.repeat(400);
    const texts = Array.from({ length: 300 }, (_, n) => `${beginning}${String(n).padStart(4, '0')}!`);
    const compared = vi.spyOn(String.prototype, 'startsWith');
    const found = [...occurring(texts, `${'x'.repeat(2000)}0007!`, 32)];
    const times = compared.mock.calls.length;
    compared.mockRestore();
    expect(found).toEqual([7]);
    expect(times).toBeLessThan(10);
  });

  it('compares what has the same hash: texts made to collide are told apart', () => {
    // The sequence of Thue and Morse and its opposite have one hash under any odd base, once it is long enough.
    let [one, other] = ['a', 'b'];
    while (one.length < 2048) [one, other] = [one + other, other + one];
    const beginning = 'x'.repeat(32);
    expect([...occurring([beginning + one], beginning + other, 32)]).toEqual([]);
    expect([...occurring([beginning + one], beginning + one, 32)]).toEqual([0]);
  });
});
