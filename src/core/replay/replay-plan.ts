/**
 * One operation: what was asked, and what it means once it is resolved against its base. Types only.
 */
import type { HindcastEvent } from '../model/index.ts';
import type { EditFile } from './edit-file.ts';
import type { OperationAuthor, OperationKind, ReplayOperation } from './operation.ts';
import type { ReplayBase } from './replay-base.ts';
import type { ResolvedEdits } from './resolve-edits.ts';
import type { Sandbox, SandboxLimits } from './sandbox-port.ts';

export interface ReplayRequest {
  readonly events: readonly HindcastEvent[];
  /** Default: the first run of the stream. */
  readonly run?: string;
  /** Branch that is replayed; default `main`. */
  readonly base?: string;
  readonly edit?: EditFile;
  /** Another control program. */
  readonly program?: {
    readonly source: string;
    readonly name?: string;
    readonly version?: string;
    /** What was written, where `source` was made of it. */
    readonly original?: string;
  };
  readonly policies?: { readonly world?: 'strict' | 'lenient' };
  readonly limits?: Partial<SandboxLimits> & { readonly passes?: number };
  readonly sandbox: Sandbox;
  readonly author: OperationAuthor;
  readonly shouldStop?: () => boolean;
}

/** One operation, ready to run. */
export interface ReplayPlan {
  readonly request: ReplayRequest;
  readonly base: ReplayBase;
  readonly edits: ResolvedEdits;
  readonly kind: OperationKind;
  readonly programAfter: string;
  readonly programChanged: boolean;
  readonly lenient: boolean;
  readonly limits: SandboxLimits;
  readonly maxPasses: number;
  readonly operation: ReplayOperation;
}
