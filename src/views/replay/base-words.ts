/** What a replay is compared with, by name: the original where it was replayed from there, else the branch it was made from. */
import { type BranchId, mainBranch } from '../../core/model/index.ts';

export interface BaseWords {
  /** Of a column. */
  readonly name: string;
  /** In a sentence. */
  readonly phrase: string;
  /** As a heading. */
  readonly title: string;
}

export function baseToWords(base: BranchId): BaseWords {
  if (base === mainBranch) return { name: 'original', phrase: 'the original', title: 'Original' };
  return { name: `branch ${base}`, phrase: `branch ${base}`, title: `Branch ${base}` };
}
