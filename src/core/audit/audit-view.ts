/**
 * What rules may ask of one branch: bodies by type, recorded order, neighbours, the effect ledger and the problems.
 *
 * Invariant: nothing outside the branch is visible here, so no rule can mix branches. Bodies are decoded by type and kept, so a
 * rule should ask only for the types it needs.
 */
import type { CausalProblem } from '../causal/index.ts';
import type {
  BranchId,
  CauseKind,
  EdgeGrade,
  EventId,
  EventOf,
  HindcastEvent,
  KnownEventType,
} from '../model/index.ts';
import type { EffectLedger } from '../projections/effects/ledger.ts';

/** A union of events that narrows on `type`. */
export type AnyOf<T extends KnownEventType> = { readonly [K in T]: EventOf<K> }[T];

export interface AuditNeighbour {
  readonly event: EventId;
  readonly type: string;
  readonly as: CauseKind;
  readonly grade: EdgeGrade;
}

export interface AuditView {
  readonly branch: BranchId;
  /** Of a redacted copy, which may lack any member of a record. */
  readonly isCopy: boolean;
  readonly ledger: EffectLedger;
  readonly problems: readonly CausalProblem[];
  /** Events of the branch, in display order. */
  readonly events: <T extends KnownEventType>(...types: readonly T[]) => readonly AnyOf<T>[];
  readonly event: (id: EventId) => HindcastEvent | undefined;
  /** A further record with the id of another: no further event. */
  readonly isRepeat: (id: EventId) => boolean;
  /** Who has a record of their own on the branch. */
  readonly agents: () => ReadonlySet<string>;
  /** Whether any event of the branch is of this run, and whether one is a command of the run inside this path. */
  readonly hasRun: (run: string) => boolean;
  readonly hasCommandIn: (run: string, path: string) => boolean;
  readonly has: (...types: readonly KnownEventType[]) => boolean;
  readonly precedes: (a: EventId, b: EventId) => boolean;
  /** Whether an event precedes any of these, and whether any of these precedes it; for many questions about one set. */
  readonly beforeAny: (ids: readonly EventId[]) => (id: EventId) => boolean;
  readonly afterAny: (ids: readonly EventId[]) => (id: EventId) => boolean;
  readonly causesOf: (id: EventId) => readonly AuditNeighbour[];
  readonly effectsOf: (id: EventId) => readonly AuditNeighbour[];
  /** Records that replace another or were supplied by hand. */
  readonly edits: () => readonly HindcastEvent[];
  /** Commitments of the line of parents whose request this branch does not contain; the world still has them. */
  readonly orphanEffects: () => readonly EventOf<'effect.committed'>[];
  /** True when the life that wrote this event wrote no later record of control code. */
  readonly isLastOfLife: (id: EventId) => boolean;
}

/** First event of a type reached by following effects; the walk stops after `limit` events. */
export function findDescendants(
  audit: AuditView,
  from: readonly EventId[],
  type: KnownEventType,
  limit = 4000,
): EventId[] {
  const seen = new Set<EventId>(from);
  const queue = [...from];
  const found: EventId[] = [];
  for (const id of queue) {
    if (seen.size > limit) break;
    for (const next of audit.effectsOf(id)) {
      if (next.grade === 'clock-only' || seen.has(next.event)) continue;
      seen.add(next.event);
      queue.push(next.event);
      if (next.type === type) found.push(next.event);
    }
  }
  return found;
}
