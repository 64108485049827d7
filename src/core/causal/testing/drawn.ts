/**
 * An index over a drawing, for tests only: names of the drawing instead of positions.
 */
import type { HindcastEvent } from '../../model/index.ts';
import { type DrawnTrace, drawTrace } from '../../model/testing/trace.ts';
import {
  type Bitset,
  type Branches,
  type CausalIndex,
  type CausalOrder,
  type CausalProblem,
  type EventSource,
  bitsToPositions,
  computeProblems,
  createBranches,
  createIndexBuilder,
  createOrder,
  eventsToSource,
} from '../index.ts';

export interface DrawnIndex {
  readonly trace: DrawnTrace;
  readonly index: CausalIndex;
  readonly source: EventSource;
  readonly order: CausalOrder;
  readonly branches: Branches;
  /** Position of a name. */
  readonly at: (name: string) => number;
  /** Ids of a set, in the order of the text. */
  readonly names: (set: Bitset | Iterable<number>) => string[];
  readonly problems: () => readonly CausalProblem[];
  readonly codes: () => string[];
}

export function drawIndex(
  drawing: string,
  arrange: (events: readonly HindcastEvent[]) => readonly HindcastEvent[] = (all) => all,
): DrawnIndex {
  const trace = drawTrace(drawing);
  const events = arrange(trace.events);
  const index = eventsToIndex(events);
  const source = eventsToSource(events);
  const order = createOrder(index);
  const branches = createBranches(index, source);
  const problems = (): readonly CausalProblem[] => computeProblems({ index, source, order, branches });
  return {
    trace,
    index,
    source,
    order,
    branches,
    at: (name) => index.find(name),
    names: (set) => [...('words' in set ? bitsToPositions(set) : set)].map((position) => index.id(position)).sort(),
    problems,
    codes: () => problems().map(({ code }) => code),
  };
}

export function eventsToIndex(events: readonly HindcastEvent[]): CausalIndex {
  const builder = createIndexBuilder();
  for (const event of events) builder.add(event);
  return builder.build();
}
