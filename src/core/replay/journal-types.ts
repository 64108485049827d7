/**
 * The journal: what control code asked and what it observed, by path (mapping G). Types only.
 */
import type { JsonValue } from '../base/json.ts';
import type { Cause, Digest, DigestMismatch, EventId } from '../model/index.ts';
import type { RecordedError } from './event-roles.ts';
import type { Position } from './position.ts';
import type { CallSite } from './sandbox-port.ts';
import type { StateVersion } from './state-versions.ts';

export type Observation =
  | { readonly kind: 'ok'; readonly value: JsonValue }
  | { readonly kind: 'err'; readonly error: RecordedError }
  | { readonly kind: 'cancelled'; readonly sent: boolean }
  /** A final event without result and error. */
  | { readonly kind: 'value-not-recorded' }
  /** No final event. */
  | { readonly kind: 'open' }
  /** Dispatched, not known unexecuted, nothing delivered. */
  | { readonly kind: 'uncertain' };

export interface Attempt {
  readonly event: EventId;
  readonly incarnation: string;
  readonly attempt: number;
  readonly idempotencyKey: string | undefined;
  /** Ending of this attempt that was not the command's final one. */
  failedBy?: EventId;
  failure?: RecordedError;
  notExecuted?: boolean;
}

export interface RecordedEffect {
  readonly event: EventId;
  readonly kind: string | undefined;
  readonly id: string | undefined;
  readonly deduplicated: boolean;
  /** The attempt it is a result of, where that is recorded. */
  readonly attempt: EventId | undefined;
}

export interface Transition {
  readonly name: string;
  readonly from: StateVersion;
  readonly to: StateVersion;
  readonly digest: Digest | undefined;
}

export interface JournalEntry {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  readonly scope: string;
  readonly label: string;
  readonly index: number | undefined;
  readonly argsDigest: Digest | undefined;
  readonly args: JsonValue | undefined;
  readonly attempts: readonly Attempt[];
  /** On a branch: the idempotency key its program gave, null for none; absent where the attempts say it. */
  readonly programKey?: string | null;
  /** On a branch: a person gave the value of what is computed otherwise, a decision or a child (M6, M7). */
  readonly given?: boolean;
  readonly observation: Observation;
  readonly issued: Position | undefined;
  readonly delivered: Position | undefined;
  readonly vt: number | undefined;
  /** Issue and delivery are one event. */
  readonly oneEvent: boolean;
  readonly issueEvent: EventId;
  readonly issueType: string;
  readonly finalEvent: EventId | undefined;
  readonly finalType: string | undefined;
  readonly reads: readonly string[] | undefined;
  readonly writes: readonly string[] | undefined;
  readonly url: string | undefined;
  readonly causes: readonly Cause[];
  readonly effects: readonly RecordedEffect[];
  /** For uncertain commands: what the outside world says about its attempts. */
  readonly evidence: readonly EventId[];
  /** Every event that carries the path. */
  readonly events: readonly EventId[];
  readonly site: CallSite | undefined;
  readonly agent: string | undefined;
  readonly alias: string | undefined;
  readonly due: number | undefined;
  readonly transition: Transition | undefined;
  /** The child is a run with a trace of its own. */
  readonly childRun: boolean;
  /** What the issuing event says twice in two ways, as far as that is seen without digesting; absent: nothing. */
  readonly doubts?: readonly DigestMismatch[];
  /** A read whose event carries no arguments: `args` is what its type stands for, and a digest of others may stand beside it. */
  readonly saysNoArgs?: boolean;
}

export type JournalProblemCode =
  'path-reused' | 'redelivered-differently' | 'second-outcome' | 'lives-unordered' | 'orphan-ending';

export interface JournalProblem {
  readonly code: JournalProblemCode;
  readonly message: string;
  readonly events: readonly EventId[];
  readonly path?: string;
}

export interface Journal {
  /** In order of issue. */
  readonly entries: readonly JournalEntry[];
  readonly entriesByPath: ReadonlyMap<string, JournalEntry>;
  readonly entriesByEvent: ReadonlyMap<EventId, JournalEntry>;
  readonly problems: readonly JournalProblem[];
  /** The stream has no positions; order is by log, else by lines. */
  readonly orderAssumed: boolean;
  readonly rules: readonly string[];
  /** False: the record cannot be replayed, the problems say why. */
  readonly replayable: boolean;
}

export interface JournalScope {
  readonly run: string;
  readonly segment: number;
}

/** Mutable form while the lives are folded. */
export type DraftEntry = { -readonly [K in keyof JournalEntry]: JournalEntry[K] } & {
  attempts: Attempt[];
  effects: RecordedEffect[];
  evidence: EventId[];
  events: EventId[];
};
