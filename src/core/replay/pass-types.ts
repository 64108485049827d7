/**
 * What one pass of control code over a journal yields: its commands, in order, each with how it was matched and delivered.
 */
import type { JsonValue } from '../base/json.ts';
import type { Digest, EventId } from '../model/index.ts';
import type { SupplyOrigin } from './edit-file.ts';
import type { RecordedError } from './event-roles.ts';
import type { Journal, JournalEntry } from './journal-types.ts';
import type { Position } from './position.ts';
import type {
  CallSite,
  HostConditions,
  IssuedCommand,
  LimitHit,
  Note,
  SandboxLimits,
  Settled,
  SandboxUsage,
} from './sandbox-port.ts';
import type { RunInfo } from './run-info.ts';
import type { StateVersion } from './state-versions.ts';

/** Which rule matched a command to its record; `segment`: the whole segment stands without being run again. */
export type MatchRule = 'M1' | 'M2' | 'M5' | 'unchecked' | 'suspect' | 'segment';

export type PendingReason =
  | 'inserted'
  | 'changed'
  | 'suspect'
  | 'uncertain'
  | 'open-in-record'
  | 'value-not-recorded'
  | 'value-absent'
  /** The value has a hole: it is withheld in this copy. */
  | 'withheld'
  | 'double-claim'
  | 'waits-inside';

export type PassObservation =
  | { readonly kind: 'ok'; readonly value: JsonValue }
  | { readonly kind: 'err'; readonly error: RecordedError }
  | { readonly kind: 'cancelled' };

export type DeliverySource = 'record' | 'edit' | 'supply' | 'derived' | 'computed';

export interface CommandDelivery {
  readonly position: Position;
  readonly vt: number;
  readonly source: DeliverySource;
  /** Recorded form. */
  readonly observation: PassObservation;
  /** D5: its recorded position had passed when the command was issued. */
  readonly clamped: boolean;
  /** D4: virtual time decided between this and something else. */
  readonly derivedOrder: boolean;
  /** Number of the act in the pass, for display order. */
  readonly act: number;
}

export interface ReplayCommand {
  readonly order: number;
  /** Number in the sandbox session; absent for synchronous commands. */
  readonly id: number | undefined;
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  readonly scope: string;
  readonly label: string;
  readonly index: number | undefined;
  readonly args: JsonValue;
  readonly argsDigest: Digest;
  readonly uses: readonly string[];
  readonly selectedBy: string | undefined;
  readonly step: string | undefined;
  readonly site: CallSite | undefined;
  readonly reads: readonly string[] | undefined;
  readonly writes: readonly string[] | undefined;
  readonly idempotencyKey: string | undefined;
  readonly orderDependent: boolean;
  /** Latest base position at the time of issue. */
  readonly moment: Position;
  readonly vtAtIssue: number;
  readonly issuedAct: number;
  match: 'claimed' | 'changed' | 'inserted' | 'ambiguous';
  rule: MatchRule | undefined;
  /** Claimed, or paired when `match` is `changed`. */
  record: JournalEntry | undefined;
  issuedPosition: Position;
  pending: PendingReason | undefined;
  delivery: CommandDelivery | undefined;
  cancelRequested: boolean;
  /** Recomputed kinds (decide, state, child, draw, marker): the computed value is not the recorded one. */
  differs: boolean;
  /** A supplied value reconciles an uncertain effect with this evidence. */
  evidence: string | undefined;
  /** A supplied value that no person wrote. */
  from: SupplyOrigin | undefined;
}

export interface ResolvedReplacement {
  readonly observation: PassObservation;
  /** The event that is superseded: the final one, or a failed attempt. */
  readonly target: EventId | undefined;
  /** Adopted evidence. */
  readonly evidence?: string | undefined;
  readonly from?: SupplyOrigin | undefined;
}

export interface PassRequest {
  readonly journal: Journal;
  readonly info: RunInfo;
  readonly program: string;
  /** Recorded form. */
  readonly input: JsonValue;
  readonly edits: ReadonlyMap<string, ResolvedReplacement>;
  readonly supplies: ReadonlyMap<string, ResolvedReplacement>;
  /** Records that are not delivered because what they read was touched. */
  readonly suspects: ReadonlySet<string>;
  readonly lenient: boolean;
  /** Nothing is changed: what is open in the record stays open. */
  readonly verify: boolean;
  /** Count of versions of each state at the start of the segment. */
  readonly versions: ReadonlyMap<string, number>;
  readonly limits: SandboxLimits;
  readonly conditions?: HostConditions | undefined;
  readonly shouldStop?: (() => boolean) | undefined;
}

export interface StateStep {
  readonly path: string;
  readonly name: string;
  /** As the record names them, where it does. */
  readonly from: StateVersion;
  readonly to: StateVersion;
  /** Of `to`, as control code counts. */
  readonly count: number;
  readonly value: JsonValue;
  readonly digest: Digest;
}

/** First act whose recomputed position is not the recorded one. */
export interface PositionMismatch {
  readonly path: string;
  readonly act: 'issued' | 'delivered';
  readonly recorded: Position;
  readonly actual: Position;
}

export interface PassResult {
  readonly commands: readonly ReplayCommand[];
  readonly claimed: ReadonlyMap<string, ReplayCommand>;
  readonly settled: Settled | undefined;
  readonly limit: LimitHit | undefined;
  readonly states: readonly StateStep[];
  readonly notes: readonly NotedAt[];
  readonly derivedDraws: readonly string[];
  readonly positionMismatch: PositionMismatch | undefined;
  readonly vt: number;
  readonly usage: SandboxUsage;
}

/** A note and the number of the act that came next. */
export interface NotedAt {
  readonly note: Note;
  readonly act: number;
}

/** What the program asks for, before anything is known of it. */
export type Asked = Pick<
  IssuedCommand,
  | 'path'
  | 'scope'
  | 'name'
  | 'uses'
  | 'selectedBy'
  | 'step'
  | 'site'
  | 'reads'
  | 'writes'
  | 'idempotencyKey'
  | 'orderDependent'
> & { readonly kind: string; readonly args: JsonValue };

/** The same for what is answered at once. */
export type SyncAsked = Pick<Asked, 'path' | 'scope' | 'name' | 'uses' | 'step' | 'site' | 'kind' | 'args'>;
