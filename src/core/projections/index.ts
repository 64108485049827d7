/**
 * Read models over a trace.
 *
 * Glossary
 * - reader: every question one may ask of an opened trace, and its answers as plain data
 * - view: one branch with its visible events in display order; what all projections build on
 * - reading: findings and read models of one branch, made by the rules of `core/audit`
 * - row: one event in one line
 * - display order: extends the causal order; clocks only break ties
 * - lane: events of one agent (of one session, where several use its name), or of one producer where no agent is recorded
 * - cone: what an event rests on and what rests on it, some steps each way
 * - insertion point: an external dispatch without a commitment, where an overseer could have stepped in
 * - fact: a named value with its basis; without a value it is "not recorded"
 * - chain: from effect to tool call, decision, step, session, agent, principal, run
 */
export { computeChain } from './chain.ts';
export { countLeftOut, countRunEvents } from './copy-records.ts';
export { viewToLedger } from './effects/view-ledger.ts';
export { type FilterProblem, parseFilter } from './filter.ts';
export { effectToStory, isSimulated, simulatedToFact } from './headline/effect-story.ts';
export { computeMatches, emptyFilter, filterToTerms, isEmptyFilter } from './matching.ts';
export { type ImportProblem, computeProblemList } from './problem-rows.ts';
export { type TraceReaderInput, createTraceReader } from './reader.ts';
export type { BranchReading, CreateReading } from './reading.ts';
export { type ImportFacts } from './summary.ts';
export { actorToText, sourceToText, valueToText } from './title-words.ts';
export { type TraceNaming, createTraceNaming } from './trace-name.ts';
export { eventToTitle } from './titles.ts';
export type * from './trace-reader.ts';
export { type TraceParts, type TraceView, createContentLookup, createTraceView, resolvedMember } from './trace-view.ts';
