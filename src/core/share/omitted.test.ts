import { expect, it } from 'vitest';
import { omissionToWords } from './omitted.ts';

it('R74 what other branches hold is not told as left out of the run that was chosen', () => {
  expect(omissionToWords({ omitted: 37, lacking: 0 })).toBe('37 events of other branches');
  expect(omissionToWords({ omitted: 1200, lacking: 1 })).toBe(
    '1 event of this branch and 1,199 events of other branches',
  );
  expect(omissionToWords({ omitted: 5, lacking: 5 })).toBe('5 events of this branch');
  expect(omissionToWords({ omitted: 6, lacking: 5, chosen: 2 })).toBe(
    '5 events of these branches and 1 event of other branches',
  );
  expect(omissionToWords({ omitted: 0, lacking: 0 })).toBeUndefined();
});
