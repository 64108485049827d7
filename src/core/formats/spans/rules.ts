/**
 * The named rules by which edges are inferred between operations that the records only nest. Each stands on every edge it makes.
 */

export const rules = {
  'run-of-trace': 'One trace is one run; what has no parent follows the beginning of the run.',
  'outcome-of-root': 'A trace whose only root operation ended has ended with its outcome.',
  'nested-outcome':
    'An operation had the outcomes of the operations recorded as nested in it that ended no later than it did.',
  'decision-from-tool-calls': 'A model answer with tool calls is the decision to make them.',
  'call-by-arguments':
    'A tool operation without a call id of its own was selected by an answer begun before it that asks for this tool with equal arguments; of several, by the latest not yet taken.',
  'result-in-context':
    'A request that carries the result of a call, by call id, had the outcome of the tool operation matched to that call.',
  'result-by-content':
    'A request that carries a result under no id of its own had the one earlier tool operation with this outcome.',
  'conversation-continues': 'A request that repeats all messages of an earlier request had the answer to it.',
  'open-step': 'In Inspect logs without spans, an event belongs to the innermost step that is open where it stands.',
  'inner-call': 'A model operation that holds model operations describes the same calls; only the inner ones count.',
} as const;

export type SpanRule = keyof typeof rules;
