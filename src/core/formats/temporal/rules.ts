/**
 * The named rules by which the importer of Temporal histories infers what no record says. Everything else is recorded.
 */
export const rules = {
  'delivered-to-task':
    'A workflow task is given every event since the task before it started, and is done again after it failed; so it consumed what came between, a failure of the task before included.',
  'call-by-arguments':
    'An activity that bears the name of a tool which an earlier model answer called, with the arguments of that call (as an object, as JSON text, or by position), ran that call. Each call is used once, the latest answer first.',
  'activity-may-act':
    'A history does not say whether an activity acts outside. It may, so it is a write: one without an ending is uncertain, not merely open.',
  'configuration-of-request':
    'What the first request of an agent holds beside the conversation (model, instructions, tools, settings) is what control code was set up with.',
  'opening-of-first-request': 'The conversation of the first request of a run is what its loop began with.',
  'run-of-history': 'What no workflow task decided and nobody else is named for happened to the execution.',
  'reset-of-base':
    'A reset leaves the line of its base run at the workflow task that failed with the cause ResetWorkflow.',
} as const;

export type RuleName = keyof typeof rules;
