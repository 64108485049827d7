/** The named rules by which the commands of a loop, and the two kinds of events beside them, are inferred. */
export const loopRules = {
  'report-of-agent':
    'What a session reports of a sub-agent is read by the loop around it once the sub-agent has said its last words.',
  'next-prompt': 'A session goes on as long as somebody says something: behind its last record it waits for that.',
} as const;

export type LoopRule = keyof typeof loopRules;

/** `session`: it goes on as long as somebody says something; `task`: it says itself when it is done. */
export type LoopKind = 'session' | 'task';
