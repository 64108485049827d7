/**
 * What the replay worker offers: the preview of an edit, and the replay of the control program in the sandbox. The reports are the
 * engine's own; only the branch's lines stay behind, because they are stored and read from there.
 */
import type { Result } from '../../core/base/result.ts';
import type { BranchId } from '../../core/model/index.ts';
import type { Edit, Supply } from '../../core/replay/edit-file.ts';
import type { DebugMark, DebugState, DebugTarget } from '../../core/replay/debug/debugger.ts';
import type { DebugStep } from '../../core/replay/debug/steps.ts';
import type { PreviewReport } from '../../core/replay/preview.ts';
import type { ReplayReport as EngineReport, ReplayResultWord } from '../../core/replay/report-types.ts';
import type { StorageFailure, TraceId } from '../storage/index.ts';
import type { ReplayCompareMethods } from './replay-compare-methods.ts';
import type { ReplayGoldenMethods } from './replay-golden-methods.ts';
import type { ReplayKillMethods } from './replay-kill-methods.ts';
import type { ReplayReuseMethods } from './replay-reuse-methods.ts';
import type { ReplaySetMethods } from './replay-set-methods.ts';

export interface ReplayRequest {
  readonly trace: TraceId;
  /** By default the first run of the trace. */
  readonly run?: string | undefined;
  /** The branch it starts from. */
  readonly base: BranchId;
  readonly edits: readonly Edit[];
  readonly supply: readonly Supply[];
  /** The control program's new text, where that is what was edited. */
  readonly program?: string | undefined;
  readonly reason?: string | undefined;
  /** Who asks, where a name was typed that may not be kept yet; else the one that is kept. */
  readonly person?: string | undefined;
  /** Reads that may meet changed resources: not delivered (strict, the default), or delivered and flagged. */
  readonly world?: 'strict' | 'lenient' | undefined;
  /** Milliseconds after which the host stops the program; the report then says `aborted-by-host`. */
  readonly patience?: number | undefined;
}

export interface ReplayProgress {
  /** Issued so far, over all passes. */
  readonly commands: number;
}

export type ReplayReport = Omit<EngineReport, 'lines'> & {
  /** Whether the branch is in the library: an unedited replay makes none. */
  readonly stored: boolean;
};

export type Preview = PreviewReport;

export type ReplayFailure = StorageFailure | { readonly code: 'refused' | 'died'; readonly message: string };

/** A replay that can be walked. */
export interface DebugOverview {
  /** Positions are 0 to `length - 1`. */
  readonly length: number;
  readonly marks: readonly DebugMark[];
  /** The control program as it was written; its lines are those of call sites. */
  readonly program: string;
  readonly sentence: string;
  readonly result: ReplayResultWord;
}

export interface DebugDelivery {
  readonly position: number;
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  readonly vt: number;
  readonly outcome: 'ok' | 'err' | 'cancelled';
}

export interface DebugView {
  readonly step: DebugStep;
  readonly state: DebugState;
  /** Lines of the console before those of `state`. */
  readonly printedBefore: number;
  /** The latest ones, in order; how many there were in all is in `state`. */
  readonly deliveries: readonly DebugDelivery[];
}

export interface DebugSearch {
  readonly target:
    | Exclude<DebugTarget, { readonly kind: 'breakpoint' }>
    /** Texts of conditions. */
    | { readonly kind: 'breakpoint'; readonly conditions: readonly string[] };
  readonly from: number;
  readonly direction: 1 | -1;
}

export interface ReplayMethods
  extends ReplayReuseMethods, ReplaySetMethods, ReplayGoldenMethods, ReplayKillMethods, ReplayCompareMethods {
  readonly preview: {
    readonly args: readonly [request: ReplayRequest];
    readonly value: Result<Preview, ReplayFailure>;
    readonly progress: undefined;
  };
  readonly replay: {
    readonly args: readonly [request: ReplayRequest];
    readonly value: Result<ReplayReport, ReplayFailure>;
    readonly progress: ReplayProgress;
  };
  readonly debugOpen: {
    readonly args: readonly [request: ReplayRequest];
    readonly value: Result<DebugOverview, ReplayFailure>;
    readonly progress: ReplayProgress;
  };
  readonly debugAt: {
    readonly args: readonly [request: ReplayRequest, position: number];
    readonly value: Result<DebugView, ReplayFailure>;
    readonly progress: ReplayProgress;
  };
  readonly debugFind: {
    readonly args: readonly [request: ReplayRequest, search: DebugSearch];
    readonly value: Result<number | undefined, ReplayFailure>;
    readonly progress: ReplayProgress;
  };
}
