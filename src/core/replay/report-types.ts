/**
 * The report of a replay: what became of every base record and every command, and what the new branch consists of.
 *
 * Invariant: every base record has exactly one status, every command exactly one; retained records = reused commands.
 */
import type { JsonValue } from '../base/json.ts';
import type { BranchId, Digest, EventId, HindcastEvent } from '../model/index.ts';
import type { RecordedError } from './event-roles.ts';
import type { JournalProblem } from './journal-types.ts';
import type { JsonDifference } from './json-diff.ts';
import type { ReplayOperation } from './operation.ts';
import type { MatchRule, PendingReason, StateStep } from './pass-types.ts';
import type { Position } from './position.ts';
import type { PreviewReport } from './preview.ts';
import type { ChangedProtection } from './protection.ts';
import type { ReplayReason } from './reason.ts';
import type { CallSite, SandboxUsage } from './sandbox-port.ts';

export type ReplayResultWord =
  'identical' | 'identical-where-recorded' | 'complete' | 'blocked' | 'diverged' | 'limit' | 'error' | 'not-replayable';

export type CommandStatus =
  'reused' | 'superseded' | 'changed' | 'inserted' | 'pending' | 'uncertain' | 'cancelled' | 'ambiguous';

export type RecordStatus = 'retained' | 'superseded' | 'changed' | 'removed' | 'suspect' | 'unknown';

export interface ReplayItem {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  /** The base record's event, where there is one. */
  readonly event?: EventId;
  readonly rule?: MatchRule;
  readonly reasons: readonly ReplayReason[];
  /** For pending commands: what they wait for, and their arguments. */
  readonly waitsFor?: PendingReason;
  readonly args?: JsonValue;
  readonly status?: CommandStatus;
  readonly record?: RecordStatus;
}

export interface CommandReport extends ReplayItem {
  readonly status: CommandStatus;
  readonly issued: Position;
  readonly delivered?: Position;
  /** In what order it really happened in the segment's pass; positions keep recorded numbers. Absent where nothing was run again. */
  readonly acts?: { readonly issued: number; readonly delivered?: number };
  readonly vt?: number;
  readonly flags: readonly ('clamped' | 'derived-order' | 'order-dependent-identity')[];
  readonly site?: CallSite;
  readonly outcome?: ReplayOutcomeValue;
  readonly argsDigest?: Digest;
  /** Never answered while the run ended: told as open, whatever its status is (D9). */
  readonly isOpen?: true;
  /** Given by the program in the options of the command. */
  readonly idempotencyKey?: string;
}

export interface RecordReport {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  readonly event: EventId;
  readonly status: RecordStatus;
  readonly reasons: readonly ReplayReason[];
  /** Its command is open. */
  readonly isOpen?: true;
}

export type ReplayOutcomeValue =
  | { readonly kind: 'ok'; readonly value: JsonValue }
  | { readonly kind: 'err'; readonly error: RecordedError }
  | { readonly kind: 'cancelled' };

export interface OrphanEffect extends ReplayItem {
  readonly effects: readonly { readonly event: EventId; readonly kind?: string; readonly id?: string }[];
}

export type DivergenceKind =
  | 'extra'
  | 'missing'
  | 'args'
  | 'shifted'
  | 'moved'
  | 'ambiguous'
  | 'order'
  | 'state'
  | 'outcome'
  | 'blocked-early'
  | 'unconsumed'
  | 'limit'
  /** The record contradicts itself. */
  | 'record';

export interface DivergenceSide {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  readonly event?: EventId;
  readonly args?: JsonValue;
  readonly argsDigest?: Digest;
  readonly value?: JsonValue;
  readonly site?: CallSite;
  /** Its number in the engine that recorded it. */
  readonly alias?: string;
}

export interface Divergence {
  readonly kind: DivergenceKind;
  readonly path: string;
  /** A sentence. */
  readonly message: string;
  readonly segment: number;
  readonly position?: Position;
  readonly expected?: DivergenceSide;
  readonly actual?: DivergenceSide;
  readonly differences?: readonly JsonDifference[];
  readonly lastMatch?: EventId;
  /** Paths delivered since the last match, at most 20. */
  readonly deliveriesSince?: readonly string[];
}

export type DivergenceCause =
  | { readonly kind: 'nondeterministic'; readonly path: string; readonly message: string }
  | { readonly kind: 'code-change'; readonly message: string }
  | { readonly kind: 'no-program'; readonly message: string }
  | { readonly kind: 'record-gap'; readonly message: string };

export interface ReplayFlags {
  readonly orderAssumed: boolean;
  readonly derivedOrder: readonly string[];
  readonly clamped: readonly string[];
  readonly unchecked: readonly string[];
  readonly derivedDraws: readonly string[];
  readonly orderDependentIdentity: readonly string[];
  /** Rules by which the journal was inferred. */
  readonly rules: readonly string[];
}

export interface ReplayOutcome {
  readonly status: 'completed' | 'failed' | 'rolled-over' | 'open' | 'limit' | 'no-program';
  readonly value?: JsonValue;
  readonly error?: RecordedError;
  readonly digest?: Digest;
  readonly recordedDigest?: Digest;
  readonly equalsRecorded: boolean;
  readonly message?: string;
}

export interface ReplayReport {
  readonly result: ReplayResultWord;
  /** One sentence that says what happened. */
  readonly sentence: string;
  readonly run: string;
  readonly baseBranch: string;
  readonly branch: BranchId;
  readonly operation: ReplayOperation | undefined;
  /** Every edit equals what was recorded. */
  readonly noop: boolean;
  readonly divergences: readonly Divergence[];
  /** Idempotency keys that are new, gone or others; no difference of the replay, and told beside it. */
  readonly protections: readonly ChangedProtection[];
  readonly cause: DivergenceCause | undefined;
  readonly commands: readonly CommandReport[];
  readonly records: readonly RecordReport[];
  readonly reused: readonly ReplayItem[];
  readonly superseded: readonly ReplayItem[];
  readonly changed: readonly ReplayItem[];
  readonly inserted: readonly ReplayItem[];
  readonly removed: readonly ReplayItem[];
  readonly suspect: readonly ReplayItem[];
  readonly pending: readonly ReplayItem[];
  readonly uncertain: readonly ReplayItem[];
  readonly cancelled: readonly ReplayItem[];
  readonly ambiguous: readonly ReplayItem[];
  readonly unknown: readonly ReplayItem[];
  /** Paths issued and never answered while the run itself ended; they stand in no other list. */
  readonly open: readonly string[];
  readonly orphanEffects: readonly OrphanEffect[];
  readonly states: readonly StateStep[];
  readonly outcome: ReplayOutcome;
  readonly digests: {
    readonly commands: Digest;
    readonly states: Digest;
    readonly outcome?: Digest;
    readonly lines?: Digest;
  };
  readonly counts: Readonly<Record<string, number>>;
  readonly flags: ReplayFlags;
  readonly notes: { readonly same: number; readonly added: number; readonly missing: number };
  readonly preview: PreviewReport | undefined;
  /** Fell in the preview, stands in fact; and the reverse: an edge nobody declared. */
  readonly savedByCutoff: readonly ReplayItem[];
  readonly undeclaredEdges: readonly ReplayItem[];
  readonly cannotRepeat: readonly string[];
  readonly warnings: readonly string[];
  readonly problems: readonly JournalProblem[];
  readonly programs: { readonly before: string; readonly after: string };
  readonly usage: SandboxUsage;
  /** The branch, as events in the order they are to be appended. */
  readonly lines: readonly HindcastEvent[];
}
