/**
 * Copilot CLI: events `{type, data, id, timestamp, parentId}` in a chain.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { callToPart } from '../chat/parts.ts';
import { memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { objectsAt, timeAt } from '../session/fields.ts';
import { answerToParts, toolError } from '../session/messages.ts';
import type { Part, Reading } from '../session/part.ts';
import type { Dialect } from './dialect.ts';

const families = /^(session|assistant|user|tool|system|hook|subagent|skill)\.[a-z_]+$/;

export const copilot: Dialect = {
  id: 'copilot',
  confidence: (record) => {
    const isEvent = families.test(textAt(record, 'type') ?? '') && objectAt(record, 'data') !== undefined;
    return isEvent && textAt(record, 'timestamp') !== undefined ? 0.9 : 0;
  },
  read: (record) => {
    const data = objectAt(record, 'data') ?? {};
    const type = textAt(record, 'type') ?? 'untyped';
    const spawned = textAt(data, 'parentToolCallId');
    const parent = memberAt(record, 'parentId');
    const shared: Reading = {
      kind: type,
      session: type === 'session.start' ? textAt(data, 'sessionId') : undefined,
      id: textAt(record, 'id'),
      parent: typeof parent === 'string' ? parent : undefined,
      time: timeAt(record, 'timestamp'),
      version: textAt(data, 'copilotVersion'),
      agent: spawned === undefined ? undefined : `sub-agent of ${spawned}`,
      agentCall: spawned,
      parts: [],
      extra: restOf(record, new Set(['type', 'data', 'id', 'timestamp', 'parentId'])),
    };
    return { ...shared, ...dataToParts(type, data) };
  },
};

function dataToParts(type: string, data: JsonObject): Pick<Reading, 'parts' | 'extra'> {
  switch (type) {
    case 'session.start':
      return { parts: [{ kind: 'start', data: { program: { name: 'Copilot CLI' }, envelope: data } }] };
    case 'session.model_change':
      return { parts: [{ kind: 'setting', data: withoutUndefined({ request_model: textAt(data, 'newModel') }) }] };
    case 'user.message':
      return { parts: [inputPart('user', data)], extra: restOf(data, new Set(['content'])) };
    case 'system.message':
      return { parts: [inputPart('system', data)], extra: restOf(data, new Set(['content'])) };
    case 'assistant.message':
      return { parts: answerParts(data), extra: restOf(data, answerMembers) };
    case 'tool.execution_start':
      return { parts: [{ kind: 'echo', of: 'call', call: textAt(data, 'toolCallId') }], extra: data };
    case 'tool.execution_complete':
      return { parts: [resultPart(data)], extra: restOf(data, new Set(['toolCallId', 'result', 'error'])) };
    case 'session.error': {
      const error = { name: textAt(data, 'errorType') ?? 'error', message: textAt(data, 'message') ?? '', data };
      const told = withoutUndefined({ http_status: numberAt(data, 'statusCode') });
      return { parts: [{ kind: 'model', blocks: [], parts: [], error, data: told }] };
    }
    case 'abort':
      return {
        parts: [
          { kind: 'event', type: 'input.received', data: { name: 'abort', value: memberAt(data, 'reason') ?? null } },
        ],
        extra: restOf(data, new Set(['reason'])),
      };
    case 'session.truncation':
    case 'session.compaction_complete':
      return { parts: [{ kind: 'event', type: 'history.compacted', data: { summary: data } }] };
    default:
      return { parts: [] };
  }
}

function inputPart(role: string, data: JsonObject): Part {
  return {
    kind: 'input',
    role,
    content: memberAt(data, 'content') ?? '',
    from: role === 'user' ? 'person' : 'program',
  };
}

const answerMembers: ReadonlySet<string> = new Set([
  'content',
  'toolRequests',
  'messageId',
  'model',
  'outputTokens',
  'reasoningText',
]);

function answerParts(data: JsonObject): readonly Part[] {
  const text = textAt(data, 'content');
  const reasoning = textAt(data, 'reasoningText');
  const parts = [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', content: reasoning }]),
    ...(text === undefined ? [] : [{ type: 'text', content: text }]),
    ...objectsAt(data, 'toolRequests').map(callToPart),
  ];
  const output = numberAt(data, 'outputTokens');
  const told = withoutUndefined({
    response_model: textAt(data, 'model'),
    response_id: textAt(data, 'apiCallId'),
    usage: output === undefined ? undefined : { output_tokens: output },
  });
  return answerToParts(parts, parts, { key: textAt(data, 'messageId'), data: told });
}

function resultPart(data: JsonObject): Part {
  const result = objectAt(data, 'result');
  const value: JsonValue = memberAt(result, 'content') ?? result ?? null;
  const failed = data['success'] === false;
  const told: JsonValue = textAt(objectAt(data, 'error'), 'message') ?? value;
  return {
    kind: 'result',
    call: textAt(data, 'toolCallId'),
    value,
    error: failed ? toolError(told, textAt(objectAt(data, 'error'), 'code') ?? 'ToolError') : undefined,
    data: withoutUndefined({ response: result }),
  };
}
