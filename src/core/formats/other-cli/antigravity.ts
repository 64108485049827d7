/**
 * Antigravity: numbered steps without ids of calls. An answer of the model names its calls; each step of another kind behind it is what came
 * back, in words of the kind's own (`VIEW_FILE`), not of the tool's.
 */
import { createTable } from '../../base/table.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { memberAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { jsonOrText, objectsAt, timeAt } from '../session/fields.ts';
import { answerToParts, toolError } from '../session/messages.ts';
import type { Part } from '../session/part.ts';
import type { Dialect } from './dialect.ts';

export const antigravity: Dialect = {
  id: 'antigravity',
  confidence: (record) =>
    typeof record['step_index'] === 'number' && textAt(record, 'type') !== undefined && 'source' in record ? 0.9 : 0,
  read: (record) => {
    const type = textAt(record, 'type') ?? 'untyped';
    return {
      kind: type.toLowerCase(),
      time: timeAt(record, 'created_at'),
      parts: stepToParts(record, type),
      extra: restOf(record, members),
    };
  },
};

const members: ReadonlySet<string> = new Set(['type', 'created_at', 'thinking', 'tool_calls']);

/** Kinds of what came back, where the tool is called by another name or by the same; of other kinds the name is not known. */
const tools: Readonly<Record<string, string>> = createTable({
  LIST_DIRECTORY: 'list_dir',
  VIEW_FILE: 'view_file',
  RUN_COMMAND: 'run_command',
  GREP_SEARCH: 'grep_search',
  SEARCH_WEB: 'search_web',
});

function stepToParts(record: JsonObject, type: string): readonly Part[] {
  const content: JsonValue = memberAt(record, 'content') ?? '';
  if (type === 'USER_INPUT') return [{ kind: 'input', role: 'user', content: requestIn(content), from: 'person' }];
  if (type === 'PLANNER_RESPONSE') return answerParts(record, content);
  if (type === 'CHECKPOINT') return [{ kind: 'event', type: 'history.compacted', data: { summary: content } }];
  if (textAt(record, 'source') === 'MODEL') {
    const status = textAt(record, 'status') ?? '';
    const failed = /ERROR|FAIL|CANCEL/.test(status);
    const error = failed ? toolError(content, status) : undefined;
    return [{ kind: 'result', name: tools[type], value: content, error, data: { step: type.toLowerCase() } }];
  }
  if (type === 'SYSTEM_MESSAGE') return [{ kind: 'input', role: 'system', content, from: 'program' }];
  return [];
}

/** What the person wrote, without what the program put around it. */
function requestIn(content: JsonValue): JsonValue {
  const found = typeof content === 'string' ? /<USER_REQUEST>\s*([\s\S]*?)\s*<\/USER_REQUEST>/.exec(content) : null;
  return found?.[1] ?? content;
}

function answerParts(record: JsonObject, content: JsonValue): readonly Part[] {
  const thinking = textAt(record, 'thinking');
  const parts = [
    ...(thinking === undefined ? [] : [{ type: 'reasoning', content: thinking }]),
    ...(content === '' ? [] : [{ type: 'text', content }]),
    ...objectsAt(record, 'tool_calls').map((call) =>
      withoutUndefined({ type: 'tool_call', name: textAt(call, 'name'), arguments: argsOf(call) }),
    ),
  ];
  return answerToParts([restOf(record, new Set(['step_index', 'created_at', 'status']))], parts);
}

/** Each argument is written as a JSON text. */
function argsOf(call: JsonObject): JsonObject {
  const args = memberAt(call, 'args');
  const entries = typeof args === 'object' && args !== null && !Array.isArray(args) ? Object.entries(args) : [];
  return Object.fromEntries(entries.map(([key, value]) => [key, jsonOrText(value) ?? null]));
}
