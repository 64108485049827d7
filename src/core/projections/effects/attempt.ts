/**
 * One attempt of one external-effect command, with every record joined to it and what they establish.
 *
 * Invariant: identity is (run, path, process life, attempt number), so attempt 1 of two lives are two attempts (R19); a record
 * stands in exactly one attempt, with the basis on which it was joined. Built by ledger.ts, judged by verdict.ts.
 */
import type { CommandPath, EventId, EventOf, HindcastEvent } from '../../model/index.ts';
import type { Life } from './lives.ts';

/** recorded cause: the record names the request; the others are joins by what both carry, weaker in this order. */
export type JoinBasis =
  'recorded cause' | 'inferred cause' | 'command and attempt' | 'call id' | 'idempotency key' | 'command' | 'effect id';

export interface AttemptRecords {
  readonly dispatched: EventOf<'tool_call.dispatched'>[];
  /** A person or policy that said no to this very call. */
  readonly denied: EventOf<'approval.denied'>[];
  readonly requested: EventOf<'effect.requested'>[];
  readonly dropped: EventOf<'effect.dropped'>[];
  readonly committed: EventOf<'effect.committed'>[];
  readonly deduplicated: EventOf<'effect.deduplicated'>[];
  readonly refused: EventOf<'effect.refused'>[];
  readonly reconciled: EventOf<'effect.reconciled'>[];
  readonly compensated: EventOf<'effect.compensated'>[];
  readonly acknowledged: EventOf<'tool_call.acknowledged'>[];
  readonly completed: EventOf<'tool_call.completed'>[];
  readonly failed: EventOf<'tool_call.failed'>[];
  readonly timedOut: EventOf<'tool_call.timed_out'>[];
  readonly cancelled: EventOf<'tool_call.cancelled'>[];
  readonly persisted: EventOf<'tool_call.result_persisted'>[];
}

export type AttemptStatus = 'executed' | 'not executed' | 'uncertain';

export interface Attempt {
  readonly run: string;
  readonly path: CommandPath;
  readonly life: Life | undefined;
  readonly lifeKey: string;
  readonly number: number | undefined;
  readonly key: string | undefined;
  readonly records: AttemptRecords;
  readonly basis: ReadonlyMap<EventId, JoinBasis>;
  /** No request of its own: records of the command that do not say which of its attempts they belong to. */
  readonly isUnassigned?: true;
  /** Records of a recovering runtime that emits again what already happened (`replayed: true`). */
  readonly reemitted: readonly HindcastEvent[];
}

/** An attempt while its records are being collected. */
export interface AttemptDraft extends Attempt {
  number: number | undefined;
  key: string | undefined;
  readonly basis: Map<EventId, JoinBasis>;
  readonly reemitted: HindcastEvent[];
}

export function createRecords(): AttemptRecords {
  return {
    dispatched: [],
    denied: [],
    requested: [],
    dropped: [],
    committed: [],
    deduplicated: [],
    refused: [],
    reconciled: [],
    compensated: [],
    acknowledged: [],
    completed: [],
    failed: [],
    timedOut: [],
    cancelled: [],
    persisted: [],
  };
}

/** Puts a record in its place; false when its type has none. */
export function addRecord(records: AttemptRecords, event: HindcastEvent): boolean {
  switch (event.type) {
    case 'tool_call.dispatched':
      return records.dispatched.push(event) > 0;
    case 'approval.denied':
      return records.denied.push(event) > 0;
    case 'effect.requested':
      return records.requested.push(event) > 0;
    case 'effect.dropped':
      return records.dropped.push(event) > 0;
    case 'effect.committed':
      return records.committed.push(event) > 0;
    case 'effect.deduplicated':
      return records.deduplicated.push(event) > 0;
    case 'effect.refused':
      return records.refused.push(event) > 0;
    case 'effect.reconciled':
      return records.reconciled.push(event) > 0;
    case 'effect.compensated':
      return records.compensated.push(event) > 0;
    case 'tool_call.acknowledged':
      return records.acknowledged.push(event) > 0;
    case 'tool_call.completed':
      return records.completed.push(event) > 0;
    case 'tool_call.failed':
      return records.failed.push(event) > 0;
    case 'tool_call.timed_out':
      return records.timedOut.push(event) > 0;
    case 'tool_call.cancelled':
      return records.cancelled.push(event) > 0;
    case 'tool_call.result_persisted':
      return records.persisted.push(event) > 0;
    default:
      return false;
  }
}

/** A request of it is recorded, once or again: other records alone are no attempt that anybody is known to have made. */
export function isRequested({ records, reemitted }: Attempt): boolean {
  return records.dispatched.length + reemitted.length > 0;
}

/** All records of an attempt, request first. */
export function attemptEvents(attempt: Attempt): EventId[] {
  const { records } = attempt;
  const all: HindcastEvent[] = [
    ...records.dispatched,
    ...records.denied,
    ...records.requested,
    ...records.dropped,
    ...records.committed,
    ...records.deduplicated,
    ...records.refused,
    ...records.acknowledged,
    ...records.completed,
    ...records.failed,
    ...records.timedOut,
    ...records.cancelled,
    ...records.persisted,
    ...records.reconciled,
    ...records.compensated,
  ];
  return all.map((event) => event.id);
}
