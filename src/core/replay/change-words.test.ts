/** Counted verdicts: several of a thing stand in the plural. */
import { expect, it } from 'vitest';
import { verdictCountToWords } from './change-words.ts';

it('R48 counts verdicts in words', () => {
  expect(verdictCountToWords('needs-observation', 1)).toBe('1 needs an answer');
  expect(verdictCountToWords('needs-observation', 14)).toBe('14 need an answer');
  expect(verdictCountToWords('diverges', 2)).toBe('2 diverge');
  expect(verdictCountToWords('identical', 3)).toBe('3 identical');
});
