/** The versions of one state, in the order in which they were made, each with what it changed. */
import type { JsonValue } from '../../base/json.ts';
import type { EventId } from '../../model/index.ts';

export interface StateLine {
  readonly name: string;
  readonly versions: readonly StateVersion[];
}

export interface StateVersion {
  readonly event: EventId;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly digest?: string | undefined;
  readonly value?: JsonValue | undefined;
  /** Paths that differ from the version consumed, where both values are recorded. */
  readonly changes: readonly ValueChange[];
}

export interface ValueChange {
  /** JSON Pointer. */
  readonly path: string;
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
}
