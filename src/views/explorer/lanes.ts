/** The lanes of the timeline, and which one a row stands in. */
import { componentToText } from '../../core/projections/title-words.ts';
import type { EventRow, TraceSummary } from '../../core/projections/trace-reader.ts';

const mostLanes = 8;

/** Agents first, then producers; what has no lane of its own stands in the last. */
export function summaryToLanes(summary: Pick<TraceSummary, 'agents' | 'producers'> | undefined): readonly string[] {
  const names = [
    ...(summary?.agents ?? []).map(({ name }) => name),
    ...(summary?.producers ?? []).map(({ component }) => componentToText(component)),
  ];
  return [...new Set(names)].slice(0, mostLanes);
}

/** The lane of the agent, else of the process, whichever of its lives wrote the row. */
export function findLane(lanes: readonly string[], { agent, source }: Pick<EventRow, 'agent' | 'source'>): number {
  return lanes.indexOf(agent ?? (lanes.includes(source) ? source : source.replace(/ \d+$/, '')));
}
