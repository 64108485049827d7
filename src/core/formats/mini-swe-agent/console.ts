/**
 * What a person did at the console of `mini`: commands of their own, rejected commands, interruptions, new tasks.
 *
 * Invariant: what a person said is never told as the output of a command. Version 2 marks such messages; version 1 is known by the words that
 * its console writes (rule `words-of-console`).
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { listAt, textAt } from '../members.ts';
import { contentToText } from '../session/fields.ts';
import type { Part } from '../session/part.ts';
import { actionToCall } from './commands.ts';

type Turn = 'command' | 'rejection' | 'interruption' | 'new-task';

const marked: ReadonlyMap<string, Turn> = new Map([
  ['UserRejection', 'rejection'],
  ['UserInterruption', 'interruption'],
  ['UserNewTask', 'new-task'],
]);

const words: readonly (readonly [RegExp, Turn])[] = [
  [/^Commands? not executed\. (The user rejected|Switching to human mode)/, 'rejection'],
  [/^Interrupted by user: /, 'interruption'],
  [/^Switched to human mode\.$/, 'interruption'],
  [/^The user added a new task: /, 'new-task'],
];

/** A command of a person in version 1: an answer of nothing but the block that the console makes. */
const typed = /^\n```bash\n([\s\S]*)\n```$/;

export function messageToTurn(message: JsonObject, extra: JsonObject | undefined): Turn | undefined {
  const type = textAt(extra, 'interrupt_type');
  if (type !== undefined) return marked.get(type);
  if (textAt(message, 'role') !== 'user') return undefined;
  if (listAt(extra, 'actions') !== undefined) return 'command';
  if (extra !== undefined) return undefined;
  const text = contentToText(message['content']);
  return words.find(([form]) => form.test(text))?.[1];
}

/** The command that a person typed, in an answer of version 1 whose run was one of the console. */
export function typedCommand(message: JsonObject): string | undefined {
  return 'extra' in message ? undefined : typed.exec(contentToText(message['content']))?.[1];
}

export function typedParts(content: JsonValue, command: string): readonly Part[] {
  return [said(content), { ...actionToCall({ command }), by: 'person' }];
}

export function turnToParts(turn: Turn, content: JsonValue, extra: JsonObject | undefined): readonly Part[] {
  switch (turn) {
    case 'command':
      return [
        said(content),
        ...(listAt(extra, 'actions') ?? []).map((action): Part => ({ ...actionToCall(action), by: 'person' })),
      ];
    case 'rejection': {
      const reason = contentToText(content);
      return [
        { kind: 'result', error: { name: 'UserRejection', message: reason }, onlyOpen: true },
        { kind: 'event', type: 'approval.denied', byPerson: true, data: { name: 'commands', granted: false, reason } },
        said(content),
      ];
    }
    case 'interruption':
    case 'new-task':
      return [said(content)];
  }
}

/** The outcome of a command that is still open is not recorded. */
function said(content: JsonValue): Part {
  return { kind: 'input', role: 'user', content, from: 'person', closes: true };
}
