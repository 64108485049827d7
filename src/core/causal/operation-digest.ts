/**
 * What the id of an operation and the digest of its base are made of (SPEC P16; replay B1, 3.7): the one place that says so.
 *
 * The engine writes both by this (`core/replay`), and a stored branch is held against them by this (`branch-base.ts`).
 */
import { assert } from '../base/assert.ts';
import { type JsonObject, isJsonObject } from '../base/json.ts';
import { type Digest, type EventId, type HindcastEvent, digest } from '../model/index.ts';

/** Members of an operation that are no part of what was asked, and so not of its id. */
export type BesideTheId = 'op_id' | 'actor' | 'reason' | 'at';

const besideTheId: ReadonlySet<string> = new Set<BesideTheId>(['op_id', 'actor', 'reason', 'at']);

export function digestOperation(operation: JsonObject): Digest {
  return digest(Object.fromEntries(Object.entries(operation).filter(([name]) => !besideTheId.has(name))));
}

/** Of an event as it was written. */
export function digestEvent(event: HindcastEvent): Digest {
  const value: unknown = event;
  assert(isJsonObject(value), 'an event is recorded JSON');
  return digest(value);
}

/** Of what a branch shows: over the pairs of id and digest of the event, sorted by id, so that the order of the file is no part of it. */
export function digestBase(shown: Iterable<readonly [EventId, Digest]>): Digest {
  return digest([...shown].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
