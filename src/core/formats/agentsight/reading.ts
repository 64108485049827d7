/**
 * A read, a write, a process event, or an entry of a processed recording, to what it says.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { valueToRequest, valueToResponse } from '../chat/api.ts';
import { messagesToAnswers } from '../chat/calls.ts';
import { memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { fingerprint } from '../seen.ts';
import { partsToCalls, toolError } from '../session/messages.ts';
import type { Part, Reading } from '../session/part.ts';
import type { SessionRecord } from '../session/source.ts';
import { bodyToJson, messageToResponse } from './message.ts';

/** A line has the time of its probe to the nanosecond: the same line again is the same record. */
export function recordToReading(record: JsonObject, source: SessionRecord): Reading {
  const reading = partsOfRecord(record, source);
  return source.where === 'line' ? { ...reading, id: fingerprint(source.text) } : reading;
}

function partsOfRecord(record: JsonObject, { where, group, beside }: SessionRecord): Reading {
  const data = objectAt(record, 'data') ?? record;
  const pid = numberAt(data, 'pid') ?? numberAt(record, 'pid');
  const shared = {
    extra: withoutUndefined({ monotonic_ns: memberAt(data, 'timestamp_ns') ?? memberAt(record, 'timestamp'), pid }),
  };
  if (where === 'document')
    return {
      kind: 'recording',
      parts: [{ kind: 'start', data: { envelope: restOf(record, new Set(['data_timeline', 'timeline'])) } }],
    };
  const role = textAt(beside, 'role');
  if (role === 'model piece')
    return { ...shared, kind: 'piece', parts: [{ kind: 'model', key: group, blocks: [], parts: [], pending: true }] };
  if (role === 'model') return { ...shared, kind: 'exchange', parts: exchangeParts(beside ?? {}, group) };
  if (role === 'other piece') return { ...shared, kind: 'piece', parts: [{ kind: 'echo', of: 'event', key: group }] };
  if (role === 'other') {
    const event: Part = {
      kind: 'event',
      type: 'agentsight.http',
      key: group,
      data: restOf(beside ?? {}, new Set(['role'])),
    };
    return { ...shared, kind: 'http', parts: [event] };
  }
  const source = textAt(record, 'source') ?? textAt(record, 'type') ?? 'untyped';
  const event = textAt(data, 'event');
  const kind = event === undefined ? source : `${source}.${event.toLowerCase()}`;
  const command = textAt(beside, 'command');
  if (command === undefined) return { ...shared, kind, parts: [], extra: {} };
  const started: Part = {
    kind: 'event',
    type: `agentsight.${kind}`,
    call: commandName(command),
    as: 'caused_by',
    rule: 'command-of-call',
    data: { record },
  };
  return { ...shared, kind, parts: [started], extra: {} };
}

/** Calls are also known by the command they run, which is how processes find them. */
function commandName(command: string): string {
  return `command ${command}`;
}

function exchangeParts(beside: JsonObject, key: string | undefined): readonly Part[] {
  const asked = objectAt(beside, 'request');
  const answered = objectAt(beside, 'response');
  const request = valueToRequest(bodyToJson(asked) ?? {});
  const response = messageToResponse(answered);
  const read = valueToResponse(response);
  const status = Number(/^HTTP\/[\d.]+ (\d{3})/.exec(textAt(answered, 'line') ?? '')?.[1] ?? 'NaN');
  const isFailed = read === undefined || status >= 400;
  const data = withoutUndefined({
    request_model: request.model,
    response_model: read?.model,
    response_id: read?.id,
    system_instructions: request.system,
    input_messages: [...request.messages],
    tool_definitions: request.tools,
    parameters: request.parameters,
    usage: read?.usage,
    finish_reasons: read?.finishReasons === undefined ? undefined : [...read.finishReasons],
    http_status: Number.isNaN(status) ? undefined : status,
    response,
    truncated: memberAt(beside, 'truncated'),
  });
  const parts = (read?.messages ?? []).flatMap((message) => message.parts);
  const told: JsonValue = objectAt(response, 'error') ?? textAt(answered, 'body') ?? '';
  const error = isFailed
    ? toolError(told, Number.isNaN(status) ? 'no answer seen' : `HTTP ${String(status)}`)
    : undefined;
  const results = messagesToAnswers(request.messages).map((answer): Part => ({
    kind: 'result',
    call: answer.id,
    value: answer.response,
    error: answer.isError ? toolError(answer.response) : undefined,
    again: true,
  }));
  return [...results, { kind: 'model', key, blocks: parts, parts, data, error, whole: true }, ...callsOf(parts, key)];
}

function callsOf(parts: readonly JsonObject[], key: string | undefined): readonly Part[] {
  return partsToCalls(parts, key).map((call) => {
    const command = textAt(call.args, 'command');
    return command === undefined ? call : { ...call, alias: commandName(command) };
  });
}
