/**
 * What the replay worker offers about stored branches: two of them, or two runs, beside each other; and one with its parents as a file.
 */
import type { Result } from '../../core/base/result.ts';
import type { ComparedSides } from '../../core/compare/index.ts';
import type { BranchId } from '../../core/model/index.ts';
import type { TraceId } from '../storage/index.ts';
import type { ReplayFailure } from './replay-methods.ts';

/** One side: a branch of a run, in a trace of the library. */
export interface BranchPlace {
  readonly trace: TraceId;
  readonly branch: BranchId;
  /** By default the first run of the trace. */
  readonly run?: string | undefined;
}

export interface ReplayCompareMethods {
  readonly compare: {
    readonly args: readonly [here: BranchPlace, there: BranchPlace];
    readonly value: Result<ComparedSides, ReplayFailure>;
    readonly progress: undefined;
  };
  /** The events of a run on a branch, those of its parents and what they refer to: a file that opens by itself. */
  readonly branchFile: {
    readonly args: readonly [place: BranchPlace];
    readonly value: Result<Blob, ReplayFailure>;
    readonly progress: undefined;
  };
}
