/**
 * A view of a drawn trace, for tests only: drawing to events, index, order, branches and the view of one branch.
 */
import {
  type CausalProblem,
  computeProblems,
  createBranches,
  createIndexBuilder,
  createOrder,
  eventsToSource,
} from '../../causal/index.ts';
import { type HindcastEvent, branchId } from '../../model/index.ts';
import { drawTrace } from '../../model/testing/trace.ts';
import { type TraceView, createContentLookup, createTraceView } from '../trace-view.ts';

export function drawView(drawing: string, branch = 'main'): TraceView {
  return eventsToView(drawTrace(drawing).events, branch);
}

export function eventsToView(events: readonly HindcastEvent[], branch = 'main'): TraceView {
  const builder = createIndexBuilder();
  for (const event of events) builder.add(event);
  const index = builder.build();
  const source = eventsToSource(events);
  return createTraceView(
    {
      index,
      source,
      order: createOrder(index),
      branches: createBranches(index, source),
      content: createContentLookup(index, source),
    },
    branchId(branch),
  );
}

/** Problems of the graph behind a view, as the reader passes them on. */
export function viewToProblems({ index, source, order }: TraceView): readonly CausalProblem[] {
  return computeProblems({ index, source, order, branches: createBranches(index, source) });
}
