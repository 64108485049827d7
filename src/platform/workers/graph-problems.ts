/**
 * What is wrong with a trace as a graph: computed where columns and bodies are both at hand, kept beside the columns.
 *
 * A function of the body and the version of the index, so it is rebuilt with it. Called at the end of an import, when an index is
 * rebuilt, and when a trace with branches is opened.
 */
import {
  type Branches,
  type CausalIndex,
  type CausalProblem,
  computeProblems,
  countBits,
  createBranches,
  createOrder,
  type EventSource,
} from '../../core/causal/index.ts';
import type { InputPlace } from '../../core/formats/format.ts';
import type { DerivedColumns } from '../storage/index.ts';

/**
 * Holding a branch against its base reads every event of the base again and makes one digest of them all, for each branch that others
 * were made from: of 20,000 events 85 ms. A base beyond either bound is left to the command line, and told.
 */
export interface DigestLimits {
  readonly ofOne: number;
  /** A second or two. */
  readonly inAll: number;
}

const digestLimits: DigestLimits = { ofOne: 20_000, inAll: 400_000 };

export interface CheckedGraph {
  readonly problems: readonly CausalProblem[];
  /** What was computed on the way and is needed whenever the trace is opened. */
  readonly derived: DerivedColumns;
}

export function computeGraphProblems(
  index: CausalIndex,
  source: EventSource,
  placeOf: (position: number) => InputPlace | undefined,
  limits = digestLimits,
): CheckedGraph {
  const order = createOrder(index);
  const branches = createBranches(index, source);
  const mostDigested = computeMostDigested(branches, limits);
  const problems = computeProblems({ index, source, order, branches, placeOf, mostDigested });
  return { problems, derived: { inferred: index.inferred, display: order.display, cycles: order.cycles } };
}

/** Up to which length bases are digested: the shortest first, and of one length all or none. */
function computeMostDigested(branches: Branches, { ofOne, inAll }: DigestLimits): number {
  const parents = new Set(branches.list.flatMap(({ parent }) => parent ?? []));
  const lengths = [...parents].map((parent) => countBits(branches.visible(parent))).filter((length) => length <= ofOne);
  let sum = 0;
  for (const length of lengths.sort((one, other) => one - other)) {
    sum += length;
    if (sum > inAll) return length - 1;
  }
  return ofOne;
}
