/**
 * The named rules by which this importer infers what a session file does not say. Every inferred edge or value carries one.
 */

export const rules = {
  'run-of-session': 'One session id is one run; its id is the first 32 hex digits of SHA-256 of the session id.',
  'session-of-most-records':
    'A record without a session belongs to its parent’s session, else to the session with most records.',
  'no-session': 'Where no record names a session, the run id is made from the smallest fingerprint of all records.',
  'sidechain-root': 'Side-chain records without an agent id belong to one sub-agent per root of their chain.',
  'task-prompt': 'A side chain was started by the one Task call of its session whose prompt is its first message.',
  'sole-task':
    'The one side chain that no call is known for was started by the one Task call that no sub-agent is known for, where the call does not record its prompt.',
  'last-message-of-agent': 'A finished Task consumed the sub-agent’s last model message, by timestamp.',
  'answers-in-context':
    'A model call that follows tool results had all answers to the calls of the message before in its context.',
  'decision-from-tool-use': 'A model message with tool_use blocks is the decision to make these calls.',
  'sole-tool-of-parent': 'A result without tool id answers the only tool call of its parent record.',
  'retry-chain': 'API errors on the way from a prompt to a model message are failed attempts of that model call.',
  'tool-effects': 'Whether a built-in tool acts outside is known from its name; for other tools it is not recorded.',
  'error-answer': 'Bash that answered with an error ran; a refused or invalid call did not, and `refused` says which.',
} as const;

export type RuleName = keyof typeof rules;
