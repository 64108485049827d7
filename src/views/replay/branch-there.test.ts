import { expect, it } from 'vitest';
import { branchId, mainBranch } from '../../core/model/index.ts';
import { isBranchThere } from './branch-there.ts';

it('a branch that is listed no more is gone, and none while the list is being read', () => {
  const listed = [{ id: mainBranch }, { id: branchId('b-1') }];
  expect(isBranchThere('b-1', listed)).toBe(true);
  expect(isBranchThere('b-2', listed)).toBe(false);
  expect(isBranchThere('b-2', undefined)).toBe(true);
  expect(isBranchThere(mainBranch, [])).toBe(true);
});
