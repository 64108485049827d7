/**
 * Qwen Code: a tree of records by `uuid` and `parentUuid`, contents as Gemini has them; a rewind starts a branch.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { contentToParts } from '../chat/parts.ts';
import { valueToUsage } from '../chat/usage.ts';
import { listAt, memberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { timeAt } from '../session/fields.ts';
import { messageToParts, partsToCalls, toolError } from '../session/messages.ts';
import type { Part, Reading } from '../session/part.ts';
import type { Dialect } from './dialect.ts';

export const qwen: Dialect = {
  id: 'qwen',
  confidence: (record) => {
    if (textAt(record, 'uuid') === undefined || !('parentUuid' in record) || 'isSidechain' in record) return 0;
    if (listAt(objectAt(record, 'message'), 'parts') !== undefined) return 0.97;
    return textAt(record, 'type') === 'system' && 'systemPayload' in record ? 0.97 : 0;
  },
  read: (record) => {
    const type = textAt(record, 'type') ?? 'untyped';
    const subtype = textAt(record, 'subtype');
    const parent = memberAt(record, 'parentUuid');
    return {
      kind: subtype === undefined ? type : `${type}.${subtype}`,
      session: textAt(record, 'sessionId'),
      id: textAt(record, 'uuid'),
      parent: typeof parent === 'string' ? parent : null,
      time: timeAt(record, 'timestamp'),
      version: textAt(record, 'version'),
      ...recordToParts(record, type),
    };
  },
};

const members: ReadonlySet<string> = new Set([
  'uuid',
  'parentUuid',
  'sessionId',
  'timestamp',
  'type',
  'version',
  'message',
  'model',
  'usageMetadata',
  'toolCallResult',
]);

function recordToParts(record: JsonObject, type: string): Pick<Reading, 'parts' | 'extra'> {
  const message = objectAt(record, 'message');
  const extra = restOf(record, members);
  if (message === undefined) return { parts: [] };
  const recorded = listAt(message, 'parts') ?? [];
  if (type === 'system' && recorded.length === 0) return { parts: [] };
  if (type === 'assistant') {
    const parts = contentToParts(recorded);
    const key = textAt(record, 'uuid');
    const data = withoutUndefined({
      response_model: textAt(record, 'model'),
      usage: valueToUsage(memberAt(record, 'usageMetadata')),
    });
    return { parts: [{ kind: 'model', key, blocks: recorded, parts, data }, ...partsToCalls(parts, key)], extra };
  }
  if (type === 'tool_result')
    return { parts: messageToParts('user', recorded, 'program').map((part) => withOutcome(part, record)), extra };
  return { parts: messageToParts('user', contentToParts(recorded), type === 'user' ? 'person' : 'program'), extra };
}

function withOutcome(part: Part, record: JsonObject): Part {
  const result = objectAt(record, 'toolCallResult');
  if (part.kind !== 'result' || result === undefined) return part;
  const status = textAt(result, 'status');
  const failed = status === 'error' || (isJsonObject(part.value) && 'error' in part.value && !('output' in part.value));
  const error = failed ? toolError(memberAt(result, 'error') ?? part.value ?? null) : undefined;
  return { ...part, error, data: withoutUndefined({ status, response: result }) };
}
