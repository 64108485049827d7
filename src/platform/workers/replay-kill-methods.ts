/**
 * What the replay worker offers for simulated kills: the sweep over effects, boundaries and designs (core/simulate).
 */
import type { Result } from '../../core/base/result.ts';
import type { BranchId } from '../../core/model/index.ts';
import type { SimulatedSweep } from '../../core/simulate/index.ts';
import type { TraceId } from '../storage/index.ts';
import type { ReplayFailure, ReplayRequest } from './replay-methods.ts';

export interface KillAsk {
  readonly trace: TraceId;
  /** By default the first run of the trace. */
  readonly run?: string | undefined;
  /** What a person sees: the branch, and what they changed on it and did not replay yet. */
  readonly branch?: BranchId | undefined;
  readonly change?: ReplayRequest | undefined;
  /** Paths of the writes to strike, as on the branch; absent: every write that can be struck. */
  readonly paths?: readonly string[] | undefined;
  /** A model that is asked again gives other prose. */
  readonly modelVaries: boolean;
}

export interface KillProgress {
  readonly done: number;
  readonly of: number;
}

export interface ReplayKillMethods {
  readonly killSweep: {
    readonly args: readonly [ask: KillAsk];
    readonly value: Result<SimulatedSweep, ReplayFailure>;
    readonly progress: KillProgress;
  };
}
