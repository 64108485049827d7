/**
 * Droid: its stream of JSON, `{type: system | message | tool_call | tool_result | completion, session_id}`.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { firstText, memberAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { timeAt } from '../session/fields.ts';
import { toolError } from '../session/messages.ts';
import type { Part, Reading } from '../session/part.ts';
import { isSpawnTool } from '../session/tools.ts';
import type { Dialect } from './dialect.ts';

const types: ReadonlySet<string> = new Set(['system', 'message', 'tool_call', 'tool_result', 'completion', 'error']);

export const droid: Dialect = {
  id: 'droid',
  confidence: (record) => {
    const isEvent = types.has(textAt(record, 'type') ?? '') && textAt(record, 'session_id') !== undefined;
    return isEvent && !('message' in record && typeof record['message'] === 'object') && !('uuid' in record) ? 0.85 : 0;
  },
  read: (record) => {
    const type = textAt(record, 'type') ?? 'untyped';
    const shared: Reading = {
      kind: type,
      session: textAt(record, 'session_id'),
      id: textAt(record, 'id'),
      time: timeAt(record, 'timestamp'),
      parts: recordToParts(record, type),
    };
    return shared;
  },
};

function recordToParts(record: JsonObject, type: string): readonly Part[] {
  switch (type) {
    case 'system': {
      const envelope = restOf(record, new Set(['type', 'id', 'timestamp', 'session_id']));
      return [{ kind: 'start', data: { program: { name: 'Droid' }, envelope } }];
    }
    case 'message': {
      const role = textAt(record, 'role') ?? 'user';
      const content: JsonValue = memberAt(record, 'text') ?? memberAt(record, 'content') ?? '';
      if (role !== 'assistant') return [{ kind: 'input', role, content, from: role === 'user' ? 'person' : 'program' }];
      return [
        { kind: 'model', blocks: [content], parts: typeof content === 'string' ? [{ type: 'text', content }] : [] },
      ];
    }
    case 'tool_call': {
      const name = firstText(record, 'toolName', 'name') ?? 'tool not named';
      const args = memberAt(record, 'parameters') ?? memberAt(record, 'input') ?? {};
      return [
        { kind: 'call', id: firstText(record, 'toolCallId', 'toolId', 'id'), name, args, spawns: isSpawnTool(name) },
      ];
    }
    case 'tool_result': {
      const value = memberAt(record, 'value') ?? memberAt(record, 'result') ?? memberAt(record, 'content') ?? null;
      const failed = record['isError'] === true || memberAt(record, 'error') !== undefined;
      const error = failed ? toolError(memberAt(record, 'error') ?? value) : undefined;
      return [{ kind: 'result', call: firstText(record, 'toolCallId', 'toolId'), value, error }];
    }
    case 'completion': {
      const data = withoutUndefined({
        result: memberAt(record, 'finalText'),
        ...restOf(record, new Set(['type', 'id', 'timestamp', 'session_id', 'finalText'])),
      });
      return [{ kind: 'event', type: 'run.completed', ends: true, data }];
    }
    default:
      return [];
  }
}
