/**
 * Grok CLI: a history of items without ids or times, reasoning in items of its own before the answer it belongs to.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { callToPart, contentToParts } from '../chat/parts.ts';
import { memberAt, restOf, textAt, withoutUndefined } from '../members.ts';
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

const members: ReadonlySet<string> = new Set(['type', 'content', 'tool_calls', 'tool_call_id', 'summary', 'model_id']);

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
    default:
      return [];
  }
}
