/**
 * Logs of chat messages, one a line: Cursor (`{role, message: {content}}`), and plain messages of a chat API, as Hermes writes them.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { callToPart, contentToParts } from '../chat/parts.ts';
import { valueToUsage } from '../chat/usage.ts';
import { memberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { looseTimeAt, objectsAt } from '../session/fields.ts';
import { answerToParts, messageToParts } from '../session/messages.ts';
import type { Part, Reading } from '../session/part.ts';
import type { Dialect } from './dialect.ts';

const roles: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'tool', 'developer']);

export const cursor: Dialect = {
  id: 'cursor',
  confidence: (record) => {
    const isMessage =
      roles.has(textAt(record, 'role') ?? '') && memberAt(objectAt(record, 'message'), 'content') !== undefined;
    return isMessage && !('type' in record) && !('uuid' in record) ? 0.8 : 0;
  },
  read: (record) => messageReading(record, objectAt(record, 'message') ?? {}),
};

export const chatLines: Dialect = {
  id: 'chat',
  confidence: (record) => {
    const isMessage = roles.has(textAt(record, 'role') ?? '') && ('content' in record || 'tool_calls' in record);
    return isMessage && !('type' in record) && !('created_at' in record) && !('message' in record) ? 0.55 : 0;
  },
  read: (record) => messageReading(record, record),
};

const members: ReadonlySet<string> = new Set([
  'role',
  'content',
  'message',
  'tool_calls',
  'tool_call_id',
  'timestamp',
  'usage',
  'model',
  'reasoning',
  'reasoning_content',
]);

/** A time that cannot be read is kept as it was written. */
const untimed: ReadonlySet<string> = new Set([...members].filter((name) => name !== 'timestamp'));

function messageReading(record: JsonObject, message: JsonObject): Reading {
  const role = textAt(record, 'role') ?? 'user';
  const when = looseTimeAt(record, 'timestamp');
  const content: JsonValue = memberAt(message, 'content') ?? '';
  return {
    kind: role,
    session: textAt(record, 'session_id') ?? textAt(record, 'sessionId'),
    id: textAt(record, 'id') ?? textAt(record, 'uuid'),
    ...when,
    parts: role === 'assistant' ? answerParts(message, content) : otherParts(message, role, content),
    extra: {
      ...restOf(record, when.time === undefined ? untimed : members),
      ...(message === record ? {} : restOf(message, members)),
    },
  };
}

function answerParts(message: JsonObject, content: JsonValue): readonly Part[] {
  const reasoning = textAt(message, 'reasoning_content') ?? textAt(message, 'reasoning');
  const parts = [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', content: reasoning }]),
    ...contentToParts(content),
    ...objectsAt(message, 'tool_calls').map(callToPart),
  ];
  const data = withoutUndefined({
    response_model: textAt(message, 'model'),
    usage: valueToUsage(memberAt(message, 'usage')),
  });
  return answerToParts([message], parts, { data });
}

function otherParts(message: JsonObject, role: string, content: JsonValue): readonly Part[] {
  const call = textAt(message, 'tool_call_id');
  if (role === 'tool') {
    const name = textAt(message, 'name') ?? textAt(message, 'tool_name');
    return [{ kind: 'result', call, name, value: content }];
  }
  // Notes of the program about the session, in a role of their own.
  if (!roles.has(role)) return [];
  return messageToParts(role, content, role === 'user' ? 'person' : 'program');
}
