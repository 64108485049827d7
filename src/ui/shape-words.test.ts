import { expect, it } from 'vitest';
import { shapeToNote } from './shape-words.ts';

it('says what a value fits, or what it was held against without stopping anybody, and nothing where there is nothing', () => {
  expect(shapeToNote({ basis: 'the schema recorded for x', problems: [] })).toBe('Fits the schema recorded for x.');
  expect(shapeToNote({ basis: 'the schema recorded for x', problems: ['No.'] })).toBe(
    'Checked against the schema recorded for x. You may replay it all the same.',
  );
  expect(shapeToNote({ basis: '', problems: [] })).toBeUndefined();
});
