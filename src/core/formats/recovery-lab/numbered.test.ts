import { expect, it } from 'vitest';
import { createNumberedRecords } from './numbered.ts';

it('the last before a number is the one with the highest number under it, the later added of two alike', () => {
  const records = createNumberedRecords();
  for (const [id, seq] of [
    ['c', 7],
    ['none', undefined],
    ['a', 2],
    ['b', 5],
    ['b again', 5],
  ] as const)
    records.add('k', { id, seq });
  expect([8, 7, 6, 5, 2, 0, undefined].map((seq) => records.before('k', seq))).toEqual([
    'c',
    'b again',
    'b again',
    'a',
    'none',
    'none',
    'c',
  ]);
  expect(records.before('other', 8)).toBeUndefined();
  expect([records.countOf('k'), records.countOf('other')]).toEqual([5, 0]);
  records.add('k', { id: 'late', seq: 6 });
  expect(records.before('k', 7)).toBe('late');
});

it('answers 500,000 questions about as many records of one key', () => {
  const records = createNumberedRecords();
  const count = 500_000;
  for (let n = count - 1; n >= 0; n--) records.add('k', { id: String(n), seq: n });
  let right = 0;
  for (let n = 0; n < count; n++) if (records.before('k', n + 1) === String(n)) right++;
  expect(right).toBe(count);
});
