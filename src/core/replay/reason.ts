/** The path of reasons from a fallen record back to what was changed, and how a long one is cut. */
import type { EventId } from '../model/index.ts';

/** One step of the path of reasons: the event, and how it leads to the one before. */
export interface ReplayReason {
  readonly event: EventId;
  readonly as: string;
}

/** Steps of a path before the rest is a count; the last one is always told. */
export const mostSteps = 24;

/** The last step of a path that was cut says how many steps before it are not told. */
export function cutStep(as: string, left: number): string {
  return `${as} (${left === 1 ? '1 step before it is' : `${String(left)} steps before it are`} left out)`;
}
