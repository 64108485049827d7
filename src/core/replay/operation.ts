/**
 * The operation record: what a person asked the replayer to do, complete enough to do it again (replay 3.7).
 *
 * `op_id` is a hash of everything but actor, reason and time (`digestOperation` of core/causal, by which a stored branch is checked), and
 * the branch id is made of it: the same operation twice is the same branch. Invariant: nothing recorded is referred to by position in a file, only by id and digest.
 */
import type { JsonObject, JsonValue } from '../base/json.ts';
import { type BesideTheId, digestBase, digestEvent, digestOperation } from '../causal/index.ts';
import { type BranchId, type Digest, type EventId, type HindcastEvent, branchId } from '../model/index.ts';
import type { SupplyOrigin } from './edit-file.ts';

export type OperationKind = 'edit' | 'patch' | 'verify' | 'live';

export interface OperationTarget {
  readonly path: string;
  readonly record?: EventId;
  readonly replacement: {
    readonly digest: Digest;
    readonly origin: 'supplied' | 'reconciled' | SupplyOrigin['origin'];
    readonly outcome: JsonObject;
  };
  readonly evidence?: EventId;
  /** Where a supplied value was taken from. */
  readonly from?: SupplyOrigin;
  /** The replacement equals what is recorded. */
  readonly noop?: boolean;
}

export interface ReplayOperation {
  readonly op_id: string;
  readonly kind: OperationKind;
  readonly run: string;
  readonly base_branch: string;
  readonly base_digest: Digest;
  readonly targets: readonly OperationTarget[];
  readonly supplies: readonly OperationTarget[];
  readonly input?: { readonly digest: Digest; readonly value: JsonValue; readonly noop?: boolean };
  readonly program_before: { readonly name: string; readonly version?: string; readonly digest?: Digest };
  readonly program_after: {
    readonly name: string;
    readonly version?: string;
    readonly digest: Digest;
    readonly source?: string;
    readonly original?: string;
  };
  readonly sandbox: Digest | string;
  readonly policies: { readonly world: 'strict' | 'lenient'; readonly missing: 'pending' };
  readonly limits: JsonObject;
  readonly flags: readonly string[];
  readonly actor: JsonObject;
  readonly reason?: string;
  readonly at: string;
}

export type OperationBody = Omit<ReplayOperation, BesideTheId>;

export interface OperationAuthor {
  readonly actor: JsonObject;
  readonly reason?: string;
  /** RFC 3339; from the caller, who has a clock. */
  readonly at: string;
}

export function createOperation(body: OperationBody, author: OperationAuthor): ReplayOperation {
  return { op_id: digestOperation(operationToJson(body)), ...body, ...author };
}

export function operationToBranch(operation: Pick<ReplayOperation, 'op_id'>): BranchId {
  return branchId(`b-${operation.op_id.slice('sha256:'.length, 'sha256:'.length + 12)}`);
}

/** Absent members are left out, as in every recorded value. */
export function operationToJson(operation: OperationBody | ReplayOperation): JsonObject {
  // Cast: an operation is made of JSON; the text drops members that are undefined.
  return JSON.parse(JSON.stringify(operation)) as JsonObject;
}

/** Digest over the sorted list of (id, digest of the event as written) of what a branch shows. */
export function computeFrontierDigest(events: readonly HindcastEvent[]): Digest {
  return digestBase(events.map((event) => [event.id, eventDigest(event)] as const));
}

const digestsByEvent = new WeakMap<HindcastEvent, Digest>();

function eventDigest(event: HindcastEvent): Digest {
  const known = digestsByEvent.get(event);
  if (known !== undefined) return known;
  const made = digestEvent(event);
  digestsByEvent.set(event, made);
  return made;
}
