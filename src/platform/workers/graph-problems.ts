/**
 * What is wrong with a trace as a graph: computed where columns and bodies are both at hand, kept beside the columns.
 *
 * A function of the body and the version of the index, so it is rebuilt with it. Called at the end of an import, when an index is
 * rebuilt, and when a trace with branches is opened.
 */
import {
  type CausalIndex,
  type CausalProblem,
  computeProblems,
  createBranches,
  createOrder,
  type EventSource,
} from '../../core/causal/index.ts';
import type { InputPlace } from '../../core/formats/format.ts';
import type { DerivedColumns } from '../storage/index.ts';

/** Holding a branch against its base reads every event of the base again: a second or two of work at most. */
const mostDigested = 20_000;

export interface CheckedGraph {
  readonly problems: readonly CausalProblem[];
  /** What was computed on the way and is needed whenever the trace is opened. */
  readonly derived: DerivedColumns;
}

export function computeGraphProblems(
  index: CausalIndex,
  source: EventSource,
  placeOf: (position: number) => InputPlace | undefined,
): CheckedGraph {
  const order = createOrder(index);
  const branches = createBranches(index, source);
  const problems = computeProblems({ index, source, order, branches, placeOf, mostDigested });
  return { problems, derived: { inferred: index.inferred, display: order.display, cycles: order.cycles } };
}
