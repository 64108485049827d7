/**
 * What the library worker offers: the list of traces and everything the database holds about them, and each opened trace as a
 * `TraceReader`. The names and types of the questions are those of `TraceReader`; this file only adds the trace they are asked of.
 */
import type { Result } from '../../core/base/result.ts';
import type { EventRow, TraceReader } from '../../core/projections/trace-reader.ts';
import type {
  AccessLog,
  BranchRecord,
  KeptAudit,
  LogAction,
  Retention,
  RunRecord,
  Settings,
  StorageFailure,
  StorageState,
  TraceId,
  TraceRecord,
} from '../storage/index.ts';
import type { RecoveryMethods } from './recovery-methods.ts';
import type { ShareMethods } from './share-methods.ts';

export type ReaderMethod = keyof TraceReader;

/** An act that belongs in the access log and happens outside the library itself. */
export interface LoggedAct {
  readonly what: LogAction;
  readonly trace?: TraceId | undefined;
  readonly detail: string;
}

interface Call<Args extends readonly unknown[], Value> {
  readonly args: Args;
  readonly value: Value;
  readonly progress: undefined;
}

export interface LibraryMethods extends ShareMethods, RecoveryMethods {
  readonly traces: Call<readonly [], readonly TraceRecord[]>;
  readonly trace: Call<readonly [trace: TraceId], TraceRecord | undefined>;
  readonly runs: Call<readonly [trace: TraceId], readonly RunRecord[]>;
  readonly rename: Call<readonly [trace: TraceId, name: string], Result<undefined, StorageFailure>>;
  /** `override` is the reason for deleting before the floor or in spite of a hold. */
  readonly remove: Call<readonly [trace: TraceId, override: string | undefined], Result<undefined, StorageFailure>>;
  readonly setRetention: Call<readonly [trace: TraceId, retention: Retention], Result<undefined, StorageFailure>>;
  /** Deletes what is past its date; returns what was deleted. */
  readonly purge: Call<readonly [traces: readonly TraceId[]], readonly TraceId[]>;
  readonly branches: Call<readonly [trace: TraceId], readonly BranchRecord[]>;
  /** What a person called branches of a trace, by id. */
  readonly branchNames: Call<readonly [trace: TraceId], Readonly<Record<string, string>>>;
  readonly renameBranch: Call<
    readonly [trace: TraceId, branch: string, name: string],
    Result<undefined, StorageFailure>
  >;
  /** Refused, with a sentence, while another branch starts from it or the trace is on hold. */
  readonly removeBranch: Call<readonly [trace: TraceId, branch: string], Result<undefined, StorageFailure>>;
  readonly log: Call<readonly [], AccessLog>;
  readonly record: Call<readonly [act: LoggedAct], undefined>;
  readonly settings: Call<readonly [], Settings>;
  readonly saveSettings: Call<readonly [settings: Settings], undefined>;
  readonly storage: Call<readonly [], StorageState>;
  /** The stream as text: every event line as stored, then the lines of the branches. */
  readonly stream: Call<readonly [trace: TraceId], Result<Blob, StorageFailure>>;
  /** One question to an opened trace; opens it when it is not. The answer's type follows from the method: see `ReaderClient`. */
  readonly ask: {
    readonly args: readonly [trace: TraceId, method: ReaderMethod, args: readonly unknown[]];
    readonly value: Result<unknown, StorageFailure>;
    readonly progress: SearchTold;
  };
  readonly isAudited: Call<readonly [trace: TraceId, branch: string, build: string], AuditState>;
  readonly keepAudit: Call<readonly [trace: TraceId, branch: string, build: string, audit: KeptAudit], undefined>;
}

/**
 * Where the findings of a branch are: at hand, or found within the next question about them (`ready`); read from the library after
 * other questions had been answered without them (`late`); or to be found by the audit worker (`missing`).
 */
export type AuditState = 'ready' | 'late' | 'missing';

export interface AuditMethods {
  /** Runs the rules over a branch of a stored trace: a pass over all bodies. */
  readonly audit: Call<readonly [trace: TraceId, branch: string], Result<KeptAudit, StorageFailure>>;
}

/** How far a search for text is. */
export interface SearchTold {
  /** As the filter has it. */
  readonly text: string;
  readonly bytes: number;
  readonly bytesTotal: number;
  /** Records whose text holds it so far, whatever else the filter asks. */
  readonly found: number;
  /** The first few rows of the answer, in the order they were found. */
  readonly first: readonly EventRow[];
}

/** Asks one opened trace, typed by the reader's own methods. Rejects with a sentence when the trace cannot be opened. */
export interface ReaderClient {
  ask<K extends ReaderMethod>(
    trace: TraceId,
    method: K,
    args: Parameters<TraceReader[K]>,
    signal?: AbortSignal,
  ): Promise<ReturnType<TraceReader[K]>>;
  /**
   * Tells when findings of a trace came after questions about its structure had been answered without them. Returns the function that
   * stops listening.
   */
  readonly onAudited?: ((listener: (trace: TraceId) => void) => () => void) | undefined;
  /** The search for text that an answer about the trace waits for, if there is one. */
  readonly searchOf?: ((trace: TraceId) => SearchTold | undefined) | undefined;
  /** Tells when `searchOf` changed. Returns the function that stops listening. */
  readonly onSearch?: ((listener: () => void) => () => void) | undefined;
}
