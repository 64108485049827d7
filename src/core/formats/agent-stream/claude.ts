/**
 * One record of a stream of Claude Code, or of an agent that prints the same: `system`, `assistant`, `user`, `result`, and Cursor's `tool_call`.
 *
 * An answer of the model stands on several lines, a block each, with its usage repeated: pieces of one id are one answer, and the last count
 * stands. The totals of `result` are never added to it.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { contentToParts } from '../chat/parts.ts';
import { valueToUsage } from '../chat/usage.ts';
import { listAt, memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { contentToText, looseTimeAt } from '../session/fields.ts';
import { messageToParts, partsToCalls, toolError } from '../session/messages.ts';
import type { Part, Reading } from '../session/part.ts';

export function claudeToReading(record: JsonObject): Reading {
  const type = textAt(record, 'type') ?? 'untyped';
  const subtype = textAt(record, 'subtype');
  const caller = textAt(record, 'parent_tool_use_id');
  const shared: Pick<
    Reading,
    'kind' | 'session' | 'id' | 'agent' | 'agentCall' | 'extra' | 'time' | 'zoneless' | 'retold'
  > = {
    kind: subtype === undefined || type === 'result' ? type : `${type}.${subtype}`,
    session: textAt(record, 'session_id'),
    id: textAt(record, 'uuid'),
    agent: caller === undefined ? undefined : `agent:${caller}`,
    agentCall: caller,
    ...looseTimeAt(record, 'timestamp'),
  };
  const extra = restOf(record, told);
  switch (type) {
    case 'system':
      return { ...shared, version: textAt(record, 'claude_code_version'), parts: systemParts(record, subtype) };
    case 'assistant':
      return { ...shared, parts: answerParts(objectAt(record, 'message') ?? {}, record), extra };
    case 'user':
      return { ...shared, parts: userParts(record, caller), extra };
    case 'tool_call':
      return {
        ...shared,
        parts: cursorParts(record, subtype),
        extra: restOf(record, new Set([...told, 'tool_call', 'call_id'])),
      };
    case 'result':
      return { ...shared, parts: [ending(record, subtype)], extra: restOf(record, new Set([...told, 'result'])) };
    default:
      return { ...shared, parts: [] };
  }
}

const told: ReadonlySet<string> = new Set([
  'type',
  'subtype',
  'session_id',
  'uuid',
  'message',
  'parent_tool_use_id',
  'timestamp',
]);

function systemParts(record: JsonObject, subtype: string | undefined): readonly Part[] {
  if (subtype === 'compact_boundary') {
    const data = withoutUndefined({ summary: objectAt(record, 'compact_metadata') });
    return [{ kind: 'event', type: 'history.compacted', data }];
  }
  if (subtype !== 'init') return [];
  const model = textAt(record, 'model');
  const start: Part = { kind: 'start', data: { program: { name: 'coding agent' }, envelope: record } };
  return model === undefined ? [start] : [start, { kind: 'setting', data: { request_model: model } }];
}

function answerParts(message: JsonObject, record: JsonObject): readonly Part[] {
  const key = textAt(message, 'id');
  const content = memberAt(message, 'content') ?? [];
  const parts = contentToParts(content);
  const stop = textAt(message, 'stop_reason');
  const usage = valueToUsage(memberAt(message, 'usage'));
  const isCached =
    usage !== undefined && ('cache_read_input_tokens' in usage || 'cache_creation_input_tokens' in usage);
  const data = withoutUndefined({
    response_id: key,
    response_model: textAt(message, 'model'),
    usage: usage === undefined || !isCached ? usage : { ...usage, input_excludes_cache: true },
    finish_reasons: stop === undefined ? undefined : [stop],
  });
  const error = textAt(record, 'error');
  const failed = error === undefined ? undefined : { name: error, message: contentToText(content) };
  const blocks = Array.isArray(content) ? content : [content];
  return [
    { kind: 'model', key, blocks, parts, data, error: failed, whole: key === undefined ? true : undefined },
    ...partsToCalls(parts, key),
  ];
}

/** What a sub-agent is told, and what the program puts in, is no word of a person. */
function userParts(record: JsonObject, caller: string | undefined): readonly Part[] {
  const content = memberAt(objectAt(record, 'message'), 'content') ?? '';
  const isPerson = caller === undefined && record['isSynthetic'] !== true && record['isMeta'] !== true;
  return messageToParts('user', content, isPerson ? 'person' : 'program');
}

/** The last record: what came of it, with totals of the whole that stay beside it. */
function ending(record: JsonObject, subtype: string | undefined): Part {
  const failed = record['is_error'] === true || (subtype ?? '').startsWith('error');
  if (!failed)
    return { kind: 'event', type: 'run.completed', ends: true, data: { result: memberAt(record, 'result') ?? null } };
  const message = textAt(record, 'result') ?? (listAt(record, 'errors') ?? []).map(valueToText).join('\n');
  const error = { name: subtype === undefined || subtype === 'success' ? 'error' : subtype, message };
  return { kind: 'event', type: 'run.failed', ends: true, data: { error } };
}

function valueToText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Cursor tells calls in records of their own: `{shellToolCall: {args, result}}`. */
function cursorParts(record: JsonObject, subtype: string | undefined): readonly Part[] {
  const id = textAt(record, 'call_id');
  const [named] = Object.entries(objectAt(record, 'tool_call') ?? {});
  const [kind, held] = named ?? ['tool', {}];
  const call = isJsonObject(held) ? held : {};
  const name = textAt(call, 'name') ?? kind.replace(/ToolCall$/, '');
  const args = memberAt(call, 'args') ?? memberAt(call, 'arguments') ?? {};
  const asked: Part = { kind: 'call', id, name, args };
  if (subtype !== 'completed') return [asked];
  const result = memberAt(call, 'result') ?? null;
  const refused = isJsonObject(result) ? (memberAt(result, 'error') ?? memberAt(result, 'rejected')) : undefined;
  const value = (isJsonObject(result) ? memberAt(result, 'success') : undefined) ?? result;
  const error = refused === undefined ? undefined : toolError(textAt(refused, 'message') ?? refused);
  const code = numberAt(value, 'exitCode');
  return [asked, { kind: 'result', call: id, name, value, error, data: withoutUndefined({ exit_code: code }) }];
}
