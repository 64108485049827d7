/**
 * The named rules by which the engine infers what session files do not say. Every inferred edge or value carries one.
 */

export const sessionRules = {
  'run-of-session':
    'One session id is one run; its id is the first 32 hex digits of SHA-256 of the session id. What nothing is recorded before follows the beginning of the run.',
  'session-of-file': 'A record without a session id belongs to the session its file names first.',
  'no-session':
    'Where no record of a file names a session, the run id is made from the smallest fingerprint of its records.',
  'items-of-answer':
    'Items of the model that follow one another in one session, with no answer of a tool and no message between them, are one answer of the model.',
  'model-from-call': 'A tool call with no other item of the model before it stands for the answer that asked for it.',
  'context-since-call':
    'A model call had the messages and tool results in its context that stand between it and the model call before, by recorded parents or else by the order of the log.',
  'reply-order': 'A message of a person was written after the answer of the model that stands before it in the log.',
  'decision-from-tool-use': 'An answer of the model with tool calls is the decision to make these calls.',
  'next-answer': 'A result without a call id answers the one open call of its agent with that name.',
  'reused-call-id': 'Where several calls have one id, a result answers the first of them that is open.',
  'first-telling': 'A call that several records tell belongs to the answer of the model that tells it first.',
  'command-of-call':
    'A process whose command line holds the command of exactly one tool call was started by that call.',
  'usage-of-call':
    'A token count in a record of its own belongs to the last model call without one, else to the next; equal totals are one count told again.',
  'same-words':
    'A record for the screen with the same words as a record of the conversation of its session says the same.',
  'retry-chain': 'Failed model calls with nothing between them and an answer are earlier attempts of that model call.',
  'last-message-of-agent': 'A finished sub-agent gave its last answer to who started it.',
  'end-of-session': 'What stands last in the log before the record that ends the session led to its end.',
  'sole-spawn':
    'A session that names who started it was started by the one call there whose sub-agent is not recorded.',
  'tool-effects': 'Whether a built-in tool acts outside is known from its name; for other tools it is not recorded.',
  'same-record': 'Records with equal text and an id or a time of their own are one record, written twice.',
} as const;

export type SessionRule = keyof typeof sessionRules;
