/**
 * Grok CLI: a history of items without ids or times, reasoning in items of its own before the answer it belongs to.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { callToPart, contentToParts } from '../chat/parts.ts';
import { memberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { objectsAt } from '../session/fields.ts';
import { answerToParts } from '../session/messages.ts';
import type { Part } from '../session/part.ts';
import type { Dialect } from './dialect.ts';

export const grok: Dialect = {
  id: 'grok',
  confidence: (record) => {
    const type = textAt(record, 'type');
    if (type === 'backend_tool_call' && 'kind' in record) return 0.85;
    if (
      type === 'assistant' &&
      'content' in record &&
      !('message' in record) &&
      ('tool_calls' in record || 'model_id' in record)
    )
      return 0.85;
    if (type === 'user' && ('synthetic_reason' in record || 'prompt_index' in record)) return 0.85;
    return type === 'tool_result' && textAt(record, 'tool_call_id') !== undefined && 'content' in record ? 0.7 : 0;
  },
  read: (record) => {
    const type = textAt(record, 'type') ?? 'untyped';
    return { kind: type, parts: recordToParts(record, type), extra: restOf(record, members) };
  },
};

const members: ReadonlySet<string> = new Set([
  'type',
  'content',
  'tool_calls',
  'tool_call_id',
  'summary',
  'model_id',
  'kind',
]);

function recordToParts(record: JsonObject, type: string): readonly Part[] {
  const content: JsonValue = memberAt(record, 'content') ?? '';
  switch (type) {
    case 'system':
      return [{ kind: 'input', role: 'system', content, from: 'program' }];
    case 'user':
      return [{ kind: 'input', role: 'user', content, from: 'synthetic_reason' in record ? 'program' : 'person' }];
    case 'reasoning': {
      const parts = objectsAt(record, 'summary').map((one) => ({
        type: 'reasoning',
        content: textAt(one, 'text') ?? '',
      }));
      return [{ kind: 'model', blocks: [record], parts }];
    }
    case 'assistant': {
      const parts = [...contentToParts(content), ...objectsAt(record, 'tool_calls').map(callToPart)];
      const data = withoutUndefined({ response_model: textAt(record, 'model_id') });
      return answerToParts([record], parts, { data });
    }
    case 'tool_result':
      return [{ kind: 'result', call: textAt(record, 'tool_call_id'), value: content }];
    case 'backend_tool_call':
      return [backendPart(objectAt(record, 'kind') ?? {})];
    default:
      return [];
  }
}

/** A tool that the provider ran itself: one record says what was asked and how it went. */
function backendPart(kind: JsonObject): Part {
  const status = textAt(kind, 'status');
  const failed = status !== undefined && /fail|error|cancel/.test(status);
  const data = withoutUndefined({
    tool: textAt(kind, 'tool_type'),
    call_id: textAt(kind, 'id'),
    args: memberAt(kind, 'action'),
    effect: 'none',
    status,
    result: failed ? undefined : (memberAt(kind, 'result') ?? null),
    error: failed ? { name: 'ToolError', message: status } : undefined,
  });
  return { kind: 'event', type: failed ? 'tool_call.failed' : 'tool_call.completed', data };
}
