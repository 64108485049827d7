/**
 * What the replay worker offers over several recorded runs at once: a changed control program over a set of them (replay 3.10).
 */
import type { Result } from '../../core/base/result.ts';
import type { RunSetResult, RunSetRow } from '../../core/replay/run-set.ts';
import type { TraceId } from '../storage/index.ts';
import type { ReplayFailure } from './replay-methods.ts';

export interface RunSetAsk {
  /** Each with the name a person knows it by; every run in it is one of the set. */
  readonly traces: readonly { readonly trace: TraceId; readonly name: string }[];
  /** JavaScript or TypeScript. */
  readonly program: string;
}

export interface RunSetProgressed {
  readonly done: number;
  /** Runs in the set; 0 until they are read. */
  readonly of: number;
  readonly commands: number;
  /** The run that was just done. */
  readonly row?: RunSetRow;
}

export interface RunSetAnswer extends RunSetResult {
  readonly notRead: readonly { readonly trace: TraceId; readonly name: string; readonly message: string }[];
  /** Where each run is, by its digest. */
  readonly places: Readonly<Record<string, TraceId>>;
}

/** The program that a run of a trace declares; a trace whose runs declare several has several. */
export interface RunProgram {
  readonly run: string;
  readonly name: string;
  readonly version?: string | undefined;
  readonly digest?: string | undefined;
}

export interface TracePrograms {
  readonly trace: TraceId;
  readonly programs: readonly RunProgram[];
}

export interface ReplaySetMethods {
  /** What could be put into a set: the programs of stored traces. What cannot be read has none. */
  readonly runPrograms: {
    readonly args: readonly [traces: readonly TraceId[]];
    readonly value: readonly TracePrograms[];
    readonly progress: undefined;
  };
  readonly replaySet: {
    readonly args: readonly [ask: RunSetAsk];
    readonly value: Result<RunSetAnswer, ReplayFailure>;
    readonly progress: RunSetProgressed;
  };
}
