/** Whether a branch that a result names is still in the library: it may have been deleted since, here or in another tab. */
import { type BranchId, mainBranch } from '../../core/model/index.ts';

/** `branches` undefined while they are being read: nothing is called gone that may only not be listed yet. */
export function isBranchThere(
  branch: BranchId | string,
  branches: readonly { readonly id: BranchId }[] | undefined,
): boolean {
  return branch === mainBranch || branches === undefined || branches.some(({ id }) => id === branch);
}
