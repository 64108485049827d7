import { expect, it } from 'vitest';
import { branchId, mainBranch } from '../../core/model/index.ts';
import { casesToProgram, placeToTried } from './golden-program.ts';

it('R80 runs cases of this run against the program on the left, and others against their own until it is changed', () => {
  const place = { branch: mainBranch, run: 'r', changed: undefined, own: 'recorded' };
  const [here, there] = [{ golden: { run: 'r' } }, { golden: { run: 'other' } }];
  expect(casesToProgram([here], place)).toBe('recorded');
  expect(casesToProgram([here, there], place)).toBeUndefined();
  expect(casesToProgram([here, there], { ...place, branch: branchId('b-1') })).toBe('recorded');
  expect(casesToProgram([there], { ...place, changed: 'mine' })).toBe('mine');
  expect(placeToTried(place)).toBeUndefined();
});
