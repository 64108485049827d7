/**
 * Against which program golden cases are run from the replay view. Called by `Goldens.tsx` when it runs them, and when it says whether
 * the result is still that of the program on the left: both ask the same function.
 */
import { type BranchId, mainBranch } from '../../core/model/index.ts';

export interface GoldenPlace {
  readonly branch: BranchId;
  readonly run: string | undefined;
  /** As a person changed it. */
  readonly changed: string | undefined;
  /** That of the branch that is shown. */
  readonly own: string | undefined;
}

/** The one on the left where it is no recorded one; undefined: each case against the program that made its own record. */
export function placeToTried({ branch, changed, own }: GoldenPlace): string | undefined {
  return changed ?? (branch === mainBranch ? undefined : own);
}

/** Cases of this run are run against the program that is on the left, also where it is the recorded one. */
export function casesToProgram(
  cases: readonly { readonly golden: { readonly run: string } }[],
  place: GoldenPlace,
): string | undefined {
  return cases.every(({ golden }) => golden.run === place.run) ? (place.changed ?? place.own) : placeToTried(place);
}
