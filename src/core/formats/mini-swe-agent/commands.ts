/**
 * The commands that the agent ran of an answer of the model: as it read them itself, else by its rules.
 *
 * Invariant: an answer that the agent refused has no command. One call that is none makes the whole answer one without, and so does more
 * than one block of code: the agent then says what is wrong and asks again. `public/programs/mini-swe-agent.js` has the same rules.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { listAt, memberAt, restOf, textAt } from '../members.ts';
import { contentToText } from '../session/fields.ts';
import { partsToCalls } from '../session/messages.ts';
import type { CallPart } from '../session/part.ts';

/** `asked` are the tool calls of the answer; `extra` is what the agent noted beside it. */
export function answerToCommands(
  content: JsonValue | undefined,
  asked: readonly JsonObject[],
  extra: JsonObject | undefined,
): readonly CallPart[] {
  const actions = listAt(extra, 'actions');
  if (actions === undefined) return asked.length > 0 ? validCalls(asked) : textToCommands(content);
  if (asked.length === 0) return actions.map(actionToCall);
  const ran = new Set(actions.map((action) => textAt(action, 'tool_call_id')));
  return partsToCalls(asked).filter(({ id }) => ran.has(id));
}

function validCalls(asked: readonly JsonObject[]): readonly CallPart[] {
  const isCommand = (call: JsonObject): boolean =>
    textAt(call, 'name') === 'bash' && memberAt(call['arguments'], 'command') !== undefined;
  return asked.every(isCommand) ? partsToCalls(asked) : [];
}

export function actionToCall(action: JsonValue): CallPart {
  const id = textAt(action, 'tool_call_id');
  const args = isJsonObject(action) ? restOf(action, new Set(['tool_call_id'])) : { command: action };
  return { kind: 'call', id, name: 'bash', args };
}

/** Version 2 marks its block with a word of its own, so that other blocks are only words. */
const blocks = [/```mswea_bash_command\s*\n([\s\S]*?)\n?```/g, /```bash\s*\n([\s\S]*?)\n?```/g];

function textToCommands(content: JsonValue | undefined): readonly CallPart[] {
  const text = contentToText(content);
  for (const block of blocks) {
    const found = [...text.matchAll(block)];
    if (found.length === 0) continue;
    const [only, another] = found;
    return only === undefined || another !== undefined
      ? []
      : [{ kind: 'call', name: 'bash', args: { command: only[1] ?? '' } }];
  }
  return [];
}
