/**
 * Fields of calls and programs, for redaction: they stand in the events that record them, and again inside the operation of a replay.
 */
import {
  type Fields,
  count,
  environment,
  flag,
  governance,
  messages,
  name,
  object,
  program,
  usage,
  value,
  words,
} from './rules.ts';

/** Where a supplied answer was taken from: a record of another run. */
const takenFrom = object({ run: name('sessions', 'run'), event: name('sessions', 'event') });
export const modelCall: Fields = {
  from: takenFrom,
  args: messages,
  result: messages,
  response: messages,
  operation: words(
    'chat',
    'text_completion',
    'generate_content',
    'embeddings',
    'create_agent',
    'invoke_agent',
    'execute_tool',
  ),
  provider: name('names', 'provider'),
  request_model: name('names', 'model'),
  response_model: name('names', 'model'),
  response_id: name('effects', 'response'),
  parameters: usage,
  input_messages: messages,
  output_messages: messages,
  system_instructions: messages,
  tool_definitions: governance,
  usage,
  cost: object({ amount: usage, currency: value('usage') }),
  finish_reasons: value('usage'),
};
export const toolCall: Fields = {
  from: takenFrom,
  tool: name('names', 'tool'),
  call_id: name('effects', 'call'),
  effect: words('none', 'external'),
  effect_id: name('effects', 'effect'),
  refused: flag,
};

export const programText = object({
  name: name('names', 'program'),
  version: environment,
  api: count,
  language: words('js', 'ts'),
  source: program,
  original: program,
  // Of the text itself, so that the replay can check it: a text with a part masked would be confirmed by it.
  digest: { is: 'digest-as-recorded', of: 'source', class: 'program' },
});
