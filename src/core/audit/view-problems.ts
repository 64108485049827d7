/**
 * Problems of the graph that concern one branch, for the rule that turns them into findings (R35).
 *
 * Invariant: nothing is detected here; the index found it. A problem whose events this branch does not show is left out.
 */
import type { CausalProblem } from '../causal/index.ts';
import type { TraceView } from '../projections/trace-view.ts';

export function problemsOnBranch(view: TraceView, problems: readonly CausalProblem[]): CausalProblem[] {
  return problems.filter(({ events }) => events.some((id) => view.holds(view.index.find(id))));
}
