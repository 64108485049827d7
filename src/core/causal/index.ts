/**
 * The causal index.
 *
 * Glossary
 * - position: number of a record in the order it was read; internal to one index (avoid: offset, row)
 * - cause, effect: the two ends of an edge (avoid: parent and child, predecessor)
 * - log: what one process wrote in one life; `seq` counts within it
 * - order: what edges and `seq` within a log establish; nothing else does
 * - concurrent: neither of two events is ordered before the other
 * - slice: an event with all its causes, directly and through others
 * - closure: events with all their effects
 * - frontier: the records a branch inherits from its parent
 * - visible: the frontier of a branch and the branch's own events
 */
export { type Adjacency, degree } from './adjacency.ts';
export {
  type Bitset,
  addBit,
  bitsToPositions,
  copyBitset,
  countBits,
  createBitset,
  createFullBitset,
  hasBit,
  intersectWith,
  positionsToBitset,
  removeBit,
} from './bitset.ts';
export { type IndexBuilder, createIndexBuilder } from './builder.ts';
export { type CausalEdge, type CausalIndex, type DanglingCause, type EdgeCounts, createIndex } from './causal-index.ts';
export { type EventFlag, type IndexColumns, type LogInfo, columnsVersion } from './columns.ts';
export { type BesideTheId, digestBase, digestEvent, digestOperation } from './operation-digest.ts';
export { isRefusal, memberOf, numberOf, payloadOf, textAt, textOf } from './payload.ts';
export { type EventSource, eventsToSource } from './source.ts';
export { payloadToTokens } from './usage.ts';
export { type BranchInfo, type Branches, createBranches } from './branches.ts';
export { type ClosureOptions, computeClosure, computeSlice } from './closure.ts';
export { type Components, computeComponents } from './cycles.ts';
export { type LogOrder, computeLogOrder, numberInLog } from './logs.ts';
export { type CausalOrder, type KnownOrder, createOrder } from './order.ts';
export type { InferredEdges } from './infer.ts';
export { type ReferenceCount, computeReferences } from './identity-problems.ts';
export { type CausalProblem, type ProblemInput, type RecordPlace, logName } from './problem.ts';
export { computeProblems } from './problems.ts';
export { isFrame, listFrames, saysWhatItUsed } from './references.ts';
