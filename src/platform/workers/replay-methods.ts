/**
 * What the replay worker offers: the preview of an edit, and the replay of the control program in the sandbox. The reports are the
 * engine's own; only the branch's lines stay behind, because they are stored and read from there.
 */
import type { Result } from '../../core/base/result.ts';
import type { BranchId } from '../../core/model/index.ts';
import type { Edit, Supply } from '../../core/replay/edit-file.ts';
import type { PreviewReport } from '../../core/replay/preview.ts';
import type { ReplayReport as EngineReport } from '../../core/replay/report-types.ts';
import type { StorageFailure, TraceId } from '../storage/index.ts';

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
