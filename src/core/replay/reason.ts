/** The path of reasons from a fallen record back to what was changed. Types only. */
import type { EventId } from '../model/index.ts';

/** One step of the path of reasons: the event, and how it leads to the one before. */
export interface ReplayReason {
  readonly event: EventId;
  readonly as: string;
}
