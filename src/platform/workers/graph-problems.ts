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

export function computeGraphProblems(
  index: CausalIndex,
  source: EventSource,
  placeOf: (position: number) => InputPlace | undefined,
): readonly CausalProblem[] {
  return computeProblems({
    index,
    source,
    order: createOrder(index),
    branches: createBranches(index, source),
    placeOf,
  });
}
