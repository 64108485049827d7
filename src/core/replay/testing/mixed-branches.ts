/** Mixed branches as the product finds them in any stream (`core/causal`): what a replay writes is held to that check in tests. */
import {
  type CausalProblem,
  computeProblems,
  createBranches,
  createIndexBuilder,
  createOrder,
  eventsToSource,
} from '../../causal/index.ts';
import type { HindcastEvent } from '../../model/index.ts';

/** Events of each problem: the one that cites, and what it must not cite. */
export function checkMixed(events: readonly HindcastEvent[]): readonly CausalProblem['events'][] {
  const builder = createIndexBuilder();
  for (const event of events) builder.add(event);
  const index = builder.build();
  const source = eventsToSource(events);
  const problems = computeProblems({
    index,
    source,
    order: createOrder(index),
    branches: createBranches(index, source),
  });
  return problems
    .filter(({ code }) => code === 'mixed-branch' || code === 'branch-reference')
    .map(({ events: ids }) => ids);
}
