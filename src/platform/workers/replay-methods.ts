/**
 * What the replay worker offers: the preview of an edit, and the replay of the control program in the sandbox.
 */
import type { Result } from '../../core/base/result.ts';
import type { BranchId, CauseKind, CommandPath, EventId } from '../../core/model/index.ts';
import type { Edit, Supply } from '../../core/replay/edit-file.ts';
import type { StorageFailure, TraceId } from '../storage/index.ts';

export interface ReplayRequest {
  readonly trace: TraceId;
  /** The branch it starts from. */
  readonly base: BranchId;
  readonly edits: readonly Edit[];
  readonly supply: readonly Supply[];
  /** The control program's new text, where that is what was edited. */
  readonly program?: string | undefined;
  readonly reason?: string | undefined;
}

export type ReplayResult =
  'identical' | 'identical-where-recorded' | 'complete' | 'blocked' | 'diverged' | 'limit' | 'error' | 'not-replayable';

export interface ReasonLink {
  readonly event: EventId;
  readonly as: CauseKind;
}

export interface ReplayCommand {
  readonly path: CommandPath;
  readonly kind: string;
  readonly name: string;
  readonly event?: EventId | undefined;
  readonly rule?: string | undefined;
  readonly reasons: readonly ReasonLink[];
}

export interface ReplayProgress {
  readonly commands: number;
  readonly total?: number | undefined;
}

export type ReplayFailure =
  StorageFailure | { readonly code: 'not-replayable' | 'cancelled' | 'died'; readonly message: string };

/** What would fall, from the declared edges alone, without running code. */
export interface Preview {
  readonly entries: readonly PreviewEntry[];
  readonly counts: {
    readonly falls: number;
    readonly mayFall: number;
    readonly unknown: number;
    readonly kept: number;
  };
}

export interface PreviewEntry {
  readonly event: EventId;
  readonly status: 'superseded' | 'falls' | 'may fall' | 'unknown';
  /** From the event to the edited one. */
  readonly reasons: readonly ReasonLink[];
}

export interface ReplayReport {
  readonly result: ReplayResult;
  /** Sentences; the first is the headline. */
  readonly divergences: readonly ReplayDivergence[];
  /** Commands and base records by status word (replay.md 3.6). */
  readonly commands: Readonly<Record<string, readonly ReplayCommand[]>>;
  /** The branch it made; absent where nothing was made (an unedited replay, a program that cannot run). */
  readonly branch?: BranchId | undefined;
}

export interface ReplayDivergence {
  readonly kind: string;
  readonly message: string;
  readonly path?: CommandPath | undefined;
  readonly event?: EventId | undefined;
}

export interface ReplayMethods {
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
}
