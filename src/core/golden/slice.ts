/**
 * The slice of a stream that a golden case keeps: one run, the line of one branch, and what they refer to.
 *
 * Invariant: events are kept as written and in their order; what the replayer needs is among them.
 */
import { type HindcastEvent, eventToLine } from '../model/index.ts';
import { branchToLineage } from '../replay/index.ts';

/** Positions of the events to keep; undefined where a parent of the branch is missing. */
export function sliceTrace(
  events: readonly HindcastEvent[],
  run: string,
  branch: string,
): readonly number[] | undefined {
  const lineage = branchToLineage(events, branch);
  if (lineage === undefined) return undefined;
  const line = new Set<string>(lineage);
  const kept = new Set<number>();
  const wanted = new Set<string>();
  const contents = new Map<string, number>();
  const keep = (position: number, event: HindcastEvent): void => {
    kept.add(position);
    for (const digest of eventToLine(event).match(/sha256:[0-9a-f]{64}/g) ?? []) wanted.add(digest);
  };
  for (const [position, event] of events.entries()) {
    if (event.type === 'content.stored') contents.set(event.data.digest, position);
    else if (event.type === 'stream.declared' || (event.run === run && line.has(event.branch))) keep(position, event);
  }
  // Stored values may refer to others; the set grows while it is walked.
  for (const digest of wanted) {
    const position = contents.get(digest);
    const event = position === undefined ? undefined : events[position];
    if (position !== undefined && event !== undefined && !kept.has(position)) keep(position, event);
  }
  return [...kept].sort((a, b) => a - b);
}
