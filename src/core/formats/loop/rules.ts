/** The named rules by which the commands of a loop, and the two kinds of events beside them, are inferred. */
export const loopRules = {
  'report-of-agent':
    'What a session reports of a sub-agent is read by the loop around it once the sub-agent has said its last words.',
  'next-prompt':
    'A session goes on as long as somebody says something: behind its last record it waits for that, until its log tells that it ended.',
} as const;

export type LoopRule = keyof typeof loopRules;

/** `session`: it goes on as long as somebody says something; `task`: it says itself when it is done; `requests`: requests are recorded. */
export type LoopKind = 'session' | 'task' | 'requests';

/** The same for runs whose requests are recorded. */
export const requestRules = {
  'request-goes-on':
    'A request that begins with another request and its answer is the next turn of that conversation; what else it holds was said to it.',
  'opening-of-first-request': 'The first request of a conversation is what it began with.',
  'opening-quotes':
    'A conversation whose first request holds an answer of another one, word for word, was begun with that answer.',
  'result-of-request': 'The result of a call that no record tells is what the next request holds of it.',
  'told-of-result':
    'Where a request holds the result of a call in other words than its record, something between them read the result and told these.',
  'outcome-of-run': 'The outcome of a run was made of the last words of its conversations.',
} as const;

export type RequestRule = keyof typeof requestRules;
