/**
 * One message, patch or response of Gemini CLI to what it says.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { valueToResponse } from '../chat/api.ts';
import { contentToParts } from '../chat/parts.ts';
import { valueToUsage } from '../chat/usage.ts';
import { firstText, listAt, memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { contentToText, objectsAt, timeAt } from '../session/fields.ts';
import { millisToTime } from '../times.ts';
import { answerToParts, messageToParts, toolError } from '../session/messages.ts';
import type { Part, Reading } from '../session/part.ts';
import { isSpawnTool } from '../session/tools.ts';

export function recordToReading(record: JsonObject, where: string): Reading {
  if (where === 'document' && 'response' in record) return outputReading(record);
  if (where === 'document' || isHeader(record)) return headerReading(record);
  if (textAt(record, 'method') !== undefined && 'response' in record) return responseReading(record);
  if (objectAt(record, '$set') !== undefined) return { kind: 'patch', parts: [] };
  const shared = { id: textAt(record, 'id'), time: timeOf(record) };
  const type = textAt(record, 'type') ?? 'untyped';
  const role = textAt(record, 'role') ?? (type === 'model' ? type : undefined);
  if (role !== undefined && 'parts' in record) return { ...shared, ...contentReading(record, role) };
  const extra = restOf(record, messageMembers);
  const content = memberAt(record, 'content') ?? '';
  const logged = textAt(record, 'message');
  if (logged !== undefined && 'messageId' in record) return { ...shared, ...logReading(record, type, logged) };
  if (type === 'user')
    return { ...shared, kind: 'user', extra, parts: messageToParts('user', content, fromOf(content)) };
  if (type === 'error') return { ...shared, kind: 'error', extra, parts: errorParts(content) };
  if (type === 'gemini') return { ...shared, kind: 'gemini', extra, parts: geminiParts(record, content) };
  return { ...shared, kind: type, parts: [] };
}

/** The file of all that a person wrote names the session in each line. */
function logReading(record: JsonObject, type: string, message: string): Pick<Reading, 'kind' | 'session' | 'parts'> {
  const session = textAt(record, 'sessionId');
  const parts: readonly Part[] = [{ kind: 'input', role: 'user', content: message, from: 'person' }];
  return { kind: `log.${type}`, session, parts: type === 'user' ? parts : [] };
}

/** `gemini --output-format json`: what came of a run, with counts of the whole, which stay beside it. */
function outputReading(record: JsonObject): Reading {
  const error = objectAt(record, 'error');
  const told = { name: textAt(error, 'type') ?? 'error', message: textAt(error, 'message') ?? '' };
  const failed = { kind: 'event', type: 'run.failed', ends: true, data: { error: told } } as const;
  const result = memberAt(record, 'response') ?? null;
  const done = { kind: 'event', type: 'run.completed', ends: true, data: { result } } as const;
  const parts = [error === undefined ? done : failed];
  return { kind: 'output', session: textAt(record, 'session_id'), parts, extra: restOf(record, new Set(['response'])) };
}

/** The model could not be reached or refused; other errors are told as what the screen showed. */
function errorParts(content: JsonValue): readonly Part[] {
  const message = contentToText(content);
  if (!/^\s*\[API Error/.test(message))
    return [{ kind: 'event', type: 'marker.recorded', data: { id: 'error', value: content } }];
  return [{ kind: 'model', blocks: [], parts: [], error: { name: 'ApiError', message } }];
}

const messageMembers: ReadonlySet<string> = new Set([
  'id',
  'timestamp',
  'type',
  'content',
  'model',
  'tokens',
  'thoughts',
  'toolCalls',
]);

function isHeader(record: JsonObject): boolean {
  return textAt(record, 'sessionId') !== undefined && textAt(record, 'type') === undefined;
}

function headerReading(record: JsonObject): Reading {
  const rest = restOf(record, new Set(['messages', 'history']));
  return {
    kind: 'session',
    session: textAt(record, 'sessionId'),
    time: timeAt(record, 'startTime') ?? timeAt(record, 'start_time'),
    parts: [
      {
        kind: 'start',
        parentSession: textAt(record, 'parentSessionId'),
        data: { program: { name: 'Gemini CLI' }, envelope: rest },
      },
    ],
  };
}

function timeOf(record: JsonObject): string | undefined {
  const seconds = numberAt(record, 'ts');
  return timeAt(record, 'timestamp') ?? millisToTime(seconds === undefined ? undefined : seconds * 1000);
}

/** Context that the program puts before the conversation as if a person said it. */
function fromOf(content: JsonValue): 'person' | 'program' {
  return /^\s*<(session_context|state_snapshot)>/.test(contentToText(content)) ? 'program' : 'person';
}

function geminiParts(record: JsonObject, content: JsonValue): readonly Part[] {
  const thoughts = objectsAt(record, 'thoughts').map((thought) => ({
    type: 'reasoning',
    content: [textAt(thought, 'subject'), textAt(thought, 'description')]
      .filter((text) => text !== undefined)
      .join('\n'),
  }));
  const calls = objectsAt(record, 'toolCalls');
  const shown = calls.map((call) =>
    withoutUndefined({
      type: 'tool_call',
      id: textAt(call, 'id'),
      name: textAt(call, 'name'),
      arguments: memberAt(call, 'args'),
    }),
  );
  const key = textAt(record, 'id');
  const data = withoutUndefined({
    response_model: textAt(record, 'model'),
    usage: valueToUsage(memberAt(record, 'tokens')),
  });
  const texts = contentToParts(content);
  const blocks = [...thoughts, ...texts, ...shown];
  // The same message is written again when its calls have ended.
  const model: Part = { kind: 'model', key, again: true, whole: true, blocks, parts: blocks, data };
  return [model, ...calls.flatMap((call) => callParts(call, key))];
}

const callMembers: ReadonlySet<string> = new Set(['id', 'name', 'args', 'result', 'status']);

function callParts(call: JsonObject, key: string | undefined): readonly Part[] {
  const id = textAt(call, 'id');
  const name = textAt(call, 'name') ?? 'tool not named';
  const args = memberAt(call, 'args') ?? {};
  const asked: Part = { kind: 'call', id, name, args, key, spawns: isSpawnTool(name) };
  const status = textAt(call, 'status');
  const recorded = memberAt(call, 'result');
  if (recorded === undefined && !['error', 'cancelled', 'success'].includes(status ?? '')) return [asked];
  const answers = isJsonArray(recorded) ? recorded.filter(isJsonObject) : [];
  const response = answers.length === 1 ? objectAt(objectAt(answers[0], 'functionResponse'), 'response') : undefined;
  const value = response ?? recorded ?? null;
  const failed = status === 'error' || (response !== undefined && 'error' in response && !('output' in response));
  const data = { ...restOf(call, callMembers), ...withoutUndefined({ status }) };
  if (status === 'cancelled')
    return [
      asked,
      {
        kind: 'event',
        type: 'tool_call.cancelled',
        call: id,
        as: 'result_of',
        data: withoutUndefined({ tool: name, call_id: id, response: value, ...data }),
      },
    ];
  const message = firstText(response, 'error') ?? value;
  const error = failed ? toolError(message, 'ToolError') : undefined;
  // `timestamp` of a call is when it ended.
  return [asked, { kind: 'result', call: id, name, value, error, data, time: timeAt(call, 'timestamp') }];
}

/** A content as the API has it: `{role, parts}`. */
function contentReading(record: JsonObject, role: string): Pick<Reading, 'kind' | 'parts' | 'extra'> {
  const recorded = listAt(record, 'parts') ?? [];
  const extra = restOf(record, new Set(['id', 'type', 'role', 'parts', 'ts', 'timestamp']));
  if (role === 'model' || role === 'gemini') {
    return { kind: 'model', extra, parts: answerToParts(recorded, contentToParts(recorded)) };
  }
  const parts = messageToParts(role, recorded, fromOf(recorded)).map((part): Part => {
    if (part.kind !== 'result' || !isJsonObject(part.value)) return part;
    const failed = 'error' in part.value && !('output' in part.value);
    return failed ? { ...part, error: toolError(textAt(part.value, 'error') ?? part.value) } : part;
  });
  return { kind: role, extra, parts };
}

/** A response, or the chunks of a streamed one: usage is told again with each chunk, the last one counts. */
function responseReading(record: JsonObject): Reading {
  const recorded = memberAt(record, 'response') ?? null;
  const chunks = isJsonArray(recorded) ? recorded : [recorded];
  const parts: JsonObject[] = [];
  let data: JsonObject = { operation: textAt(record, 'method') ?? 'generateContent' };
  for (const chunk of chunks) {
    const read = valueToResponse(chunk);
    for (const message of read?.messages ?? []) appendParts(parts, message.parts);
    data = {
      ...data,
      ...withoutUndefined({
        usage: read?.usage,
        response_model: read?.model,
        response_id: read?.id,
        finish_reasons: read?.finishReasons === undefined ? undefined : [...read.finishReasons],
      }),
    };
  }
  return {
    kind: 'response',
    extra: restOf(record, new Set(['method', 'response'])),
    parts: answerToParts(chunks, parts, { data }),
  };
}

/** Pieces of one text follow one another. */
function appendParts(parts: JsonObject[], more: readonly JsonObject[]): void {
  for (const part of more) {
    const last = parts.at(-1);
    const text = textAt(part, 'content');
    const isSame = last !== undefined && last['type'] === part['type'] && part['type'] === 'text';
    if (isSame && text !== undefined)
      parts[parts.length - 1] = { ...last, content: `${textAt(last, 'content') ?? ''}${text}` };
    else parts.push(part);
  }
}
