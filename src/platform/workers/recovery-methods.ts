/**
 * What the library worker offers for recovery trials: the analysis of src/core/recovery over traces of the library.
 */
import type { Result } from '../../core/base/result.ts';
import type { RecoveryReport } from '../../core/recovery/index.ts';
import type { TraceId } from '../storage/index.ts';

/** The type of record that makes a run a trial. */
export const trialType = 'trial.started';

export interface RecoveryRequest {
  /** Traces to look at; those that hold a trial, records of the run of one, or an engine's own tables are judged. */
  readonly traces: readonly TraceId[];
  /** Text of a claim (`CLAIM.json`). */
  readonly claim?: string | undefined;
  /** Text of the envelope of today: results under another are stale. */
  readonly present?: string | undefined;
  /** The ledger of a service, as a file: engines' own tables are held against it. */
  readonly ledger?: { readonly name: string; readonly text: string } | undefined;
}

export interface RecoveryAnswer {
  /** The traces named in it are ids of the library. */
  readonly report: RecoveryReport;
  readonly judged: readonly TraceId[];
  /** Traces without a trial and without tables, by number: they were looked at and left out. */
  readonly leftOut: number;
  readonly notRead: readonly { readonly id: TraceId; readonly message: string }[];
  /** For trials whose records stand in several traces, and for runs of engines (`restate RUN`): where each event is. */
  readonly places: Readonly<Record<string, Readonly<Record<string, TraceId>>>>;
}

export interface RecoveryFailure {
  readonly code: 'claim' | 'envelope' | 'ledger';
  readonly message: string;
}

export interface RecoveryMethods {
  readonly recovery: {
    readonly args: readonly [request: RecoveryRequest];
    readonly value: Result<RecoveryAnswer, RecoveryFailure>;
    readonly progress: undefined;
  };
}
