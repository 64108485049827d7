import { expect, it } from 'vitest';
import { branchId, mainBranch } from '../../core/model/index.ts';
import { baseToWords } from './base-words.ts';

it('calls original only what a replay of the original is compared with', () => {
  expect(baseToWords(mainBranch)).toEqual({ name: 'original', phrase: 'the original', title: 'Original' });
  expect(baseToWords(branchId('b-1'))).toEqual({ name: 'branch b-1', phrase: 'branch b-1', title: 'Branch b-1' });
});
