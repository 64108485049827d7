/**
 * Pi and what is written like it (OpenClaw, the session store of Droid): a tree of entries by `id` and `parentId`, messages with parts, results as messages.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { callToPart, contentToParts } from '../chat/parts.ts';
import { valueToUsage } from '../chat/usage.ts';
import { firstText, memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { objectsAt, timeAt } from '../session/fields.ts';
import { answerToParts, messageToParts, toolError } from '../session/messages.ts';
import type { Part, Reading } from '../session/part.ts';
import type { Dialect } from './dialect.ts';

export const pi: Dialect = {
  id: 'pi',
  confidence: (record) => {
    const type = textAt(record, 'type');
    const message = objectAt(record, 'message');
    if (
      type === 'session' &&
      textAt(record, 'id') !== undefined &&
      textAt(record, 'timestamp') !== undefined &&
      'cwd' in record
    )
      return 0.9;
    if (type === 'session_start' && textAt(record, 'id') !== undefined) return 0.8;
    const isMessage = type === 'message' && textAt(message, 'role') !== undefined && 'content' in (message ?? {});
    return isMessage && ('parentId' in record || 'timestamp' in record) ? 0.85 : 0;
  },
  read: (record) => {
    const type = textAt(record, 'type') ?? 'untyped';
    const isHeader = type === 'session' || type === 'session_start';
    const parent = memberAt(record, 'parentId');
    return {
      kind: type,
      session: isHeader ? textAt(record, 'id') : undefined,
      id: textAt(record, 'id'),
      parent: typeof parent === 'string' ? parent : 'parentId' in record ? null : undefined,
      time: timeAt(record, 'timestamp'),
      ...recordToParts(record, type),
    };
  },
};

const members: ReadonlySet<string> = new Set(['type', 'id', 'parentId', 'timestamp', 'message']);

function recordToParts(record: JsonObject, type: string): Pick<Reading, 'parts' | 'extra'> {
  const message = objectAt(record, 'message');
  switch (type) {
    case 'session':
    case 'session_start':
      return {
        parts: [
          {
            kind: 'start',
            parentSession: textAt(record, 'parentSession'),
            data: {
              program: { name: type === 'session' ? 'Pi' : 'Droid' },
              envelope: restOf(record, new Set(['type'])),
            },
          },
        ],
      };
    case 'model_change':
      return {
        parts: [
          {
            kind: 'setting',
            data: withoutUndefined({ provider: textAt(record, 'provider'), request_model: textAt(record, 'modelId') }),
          },
        ],
      };
    case 'compaction':
      return { parts: [{ kind: 'event', type: 'history.compacted', data: { summary: restOf(record, members) } }] };
    case 'message':
      return message === undefined
        ? { parts: [] }
        : { parts: messageParts(message), extra: { ...restOf(record, members), ...restOf(message, messageMembers) } };
    default:
      return { parts: [] };
  }
}

const messageMembers: ReadonlySet<string> = new Set([
  'role',
  'content',
  'usage',
  'model',
  'provider',
  'stopReason',
  'toolCallId',
  'toolName',
  'isError',
  'errorMessage',
]);

function messageParts(message: JsonObject): readonly Part[] {
  const role = textAt(message, 'role') ?? 'user';
  const content: JsonValue = memberAt(message, 'content') ?? '';
  if (role === 'assistant') return assistantParts(message, content);
  if (role === 'toolResult') {
    const failed = message['isError'] === true;
    const error = failed ? toolError(content) : undefined;
    return [
      { kind: 'result', call: textAt(message, 'toolCallId'), name: textAt(message, 'toolName'), value: content, error },
    ];
  }
  return messageToParts(role, content, role === 'user' ? 'person' : 'program');
}

function assistantParts(message: JsonObject, content: JsonValue): readonly Part[] {
  const blocks = typeof content === 'string' ? [content] : objectsAt(message, 'content');
  const parts = blocks.flatMap((block) =>
    typeof block !== 'string' && block['type'] === 'toolCall'
      ? [callToPart({ ...block, type: 'tool_call' })]
      : contentToParts(block),
  );
  const usage = objectAt(message, 'usage');
  const cost = numberAt(objectAt(usage, 'cost'), 'total');
  const stop = textAt(message, 'stopReason');
  const data = withoutUndefined({
    provider: textAt(message, 'provider'),
    response_model: textAt(message, 'model'),
    usage: valueToUsage(usage),
    cost: cost === undefined ? undefined : { amount: cost, currency: 'USD' },
    finish_reasons: stop === undefined ? undefined : [stop],
  });
  const failure = firstText(message, 'errorMessage');
  const error = stop === 'error' && failure !== undefined ? { name: 'error', message: failure } : undefined;
  return answerToParts(blocks, parts, { data, error });
}
