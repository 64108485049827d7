/**
 * What the replay worker offers for golden cases: what of a run or branch could be pinned, pinning it, running cases against a program, and
 * cases as files. The file format is the one of the command line (core/golden).
 */
import type { Result } from '../../core/base/result.ts';
import type { Golden, GoldenProperty, GoldenResult, Selector } from '../../core/golden/index.ts';
import type { BranchId } from '../../core/model/index.ts';
import type { TraceId } from '../storage/index.ts';
import type { ReplayFailure } from './replay-methods.ts';

export interface GoldenPlace {
  readonly trace: TraceId;
  readonly run?: string | undefined;
  readonly branch: BranchId;
}

export interface GoldenProposal {
  /** What holds in an unedited replay of it. */
  readonly properties: readonly GoldenProperty[];
  /** Rules of the audit that find nothing on it. */
  readonly invariants: readonly { readonly rule: string; readonly title: string }[];
}

export interface GoldenPinAsk extends GoldenPlace {
  readonly name: string;
  readonly reason?: string | undefined;
  readonly properties: readonly Selector[];
  readonly exempt: readonly string[];
}

export interface GoldenCase {
  readonly id: string;
  readonly trace: TraceId;
  readonly golden: Golden;
  readonly created: string;
}

export interface GoldenRunAsk {
  readonly cases: readonly GoldenCase[];
  /** JavaScript or TypeScript; absent: each case against the program that made its record. */
  readonly program?: string | undefined;
}

export interface GoldenRunProgress {
  readonly done: number;
  readonly commands: number;
}

export type GoldenVerdict = Omit<GoldenResult, 'lines'> & {
  /** Whether the branch that produced it is in the library, to be opened. */
  readonly stored: boolean;
  /** Why a branch that would be kept is not. */
  readonly notStored?: string | undefined;
};

export interface GoldenRunAnswer {
  /** By the id of the case: its result, or why there is none. */
  readonly results: Readonly<Record<string, GoldenVerdict | { readonly problem: string }>>;
}

export interface GoldenFile {
  readonly golden: Golden;
  readonly stream: Blob;
}

export interface ReplayGoldenMethods {
  readonly goldens: {
    readonly args: readonly [];
    readonly value: readonly GoldenCase[];
    readonly progress: undefined;
  };
  readonly goldenPropose: {
    readonly args: readonly [place: GoldenPlace];
    readonly value: Result<GoldenProposal, ReplayFailure>;
    readonly progress: undefined;
  };
  readonly goldenPin: {
    readonly args: readonly [ask: GoldenPinAsk];
    readonly value: Result<GoldenCase, ReplayFailure>;
    readonly progress: undefined;
  };
  readonly goldenRun: {
    readonly args: readonly [ask: GoldenRunAsk];
    readonly value: Result<GoldenRunAnswer, ReplayFailure>;
    readonly progress: GoldenRunProgress;
  };
  /** Folders with `golden.json` and the slice of the stream, in one archive. */
  readonly goldenExport: {
    readonly args: readonly [cases: readonly GoldenCase[]];
    readonly value: Result<Blob, ReplayFailure>;
    readonly progress: undefined;
  };
  /** Cases in files a person chose: archives, or each `golden.json` with its stream beside it. */
  readonly goldenRead: {
    readonly args: readonly [files: readonly { readonly path: string; readonly blob: Blob }[]];
    readonly value: Result<readonly GoldenFile[], ReplayFailure>;
    readonly progress: undefined;
  };
  /** Keeps a case that was read, after its stream was imported as `trace`. */
  readonly goldenAdd: {
    readonly args: readonly [golden: Golden, trace: TraceId];
    readonly value: GoldenCase;
    readonly progress: undefined;
  };
  readonly goldenRemove: {
    readonly args: readonly [golden: Pick<GoldenCase, 'id' | 'golden'>];
    readonly value: undefined;
    readonly progress: undefined;
  };
}
