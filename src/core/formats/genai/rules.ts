/**
 * The named rules by which the telemetry importers infer what spans and log records do not say. Every inferred edge, event or value
 * carries one.
 */

export const rules = {
  'run-of-trace':
    'One trace id is one run; what has no parent, and records of spans that are not here, follow its beginning.',
  'end-of-root': 'Where a trace has one span without a parent and it ended, the run ended with it.',
  'ended-inside': 'A span that ended after its child had what the child made.',
  'one-call-two-spans':
    'A model span with a model span below it, and no tool or agent between, tells of the same call: the inner one is the call, unless only the outer one has messages and there is one inner. The other is a step and its usage is not counted.',
  'one-tool-two-spans':
    'A tool span with the same call id or name directly inside a tool span is the same call; it is a step.',
  'decision-from-tool-calls': 'An answer of a model that asks for tools is the decision to call them.',
  'tool-by-name-and-arguments':
    'A tool span without a call id was chosen by the one answer in its trace that asks for this tool with these arguments.',
  'answer-by-name':
    'A request with the answer of a tool that has no call id was given the answer of the call of that name which ended last before it.',
  'same-request-retried':
    'Model spans of one parent with the same request, of which the earlier failed, are attempts of one call, by time.',
  'same-call-id-retried': 'Tool spans with one call id are attempts of one call, by time.',
  'sibling-before':
    'By time alone: under one parent and in one process, a tool call follows the model call that ended last before it, and a model call follows what ended since the model call before.',
  'hand-off-by-name': 'A tool named transfer_to_…, or a span of a hand-off, passes the work to another agent.',
  'retrieval-reads': 'A retrieval has no effect outside.',
  'call-from-logs': 'Log records of messages whose span is not here make the model call they tell of.',
  'shared-span-half':
    'Where the two halves of a call share a span id, a child belongs to the half of its own service, else to the server half.',
} as const;

export type RuleName = keyof typeof rules;
