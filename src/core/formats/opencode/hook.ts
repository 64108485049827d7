/**
 * One hook call of OpenCode to what it says.
 */
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { writeLossless } from '../../base/lossless.ts';
import { memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { fingerprint } from '../seen.ts';
import { millisToTime } from '../times.ts';
import type { Part, Reading } from '../session/part.ts';
import { infoToData, infoToError, infoToTime, partMembers, partToParts, sessionToStart } from './message.ts';

export function hookToReading(tuple: readonly JsonValue[]): Reading {
  const [name, first, second] = tuple;
  const hook = typeof name === 'string' ? name : 'untyped';
  const payload = isJsonObject(first) ? first : {};
  const output = isJsonObject(second) ? second : {};
  const session = textAt(payload, 'sessionID');
  if (hook === 'event') return eventReading(objectAt(payload, 'event') ?? {});
  if (hook === 'chat.message') {
    const message = objectAt(output, 'message') ?? {};
    const key = textAt(message, 'id') ?? textAt(payload, 'messageID');
    const content = memberAt(output, 'parts') ?? [];
    const parts: readonly Part[] = [{ kind: 'input', role: 'user', content, from: 'person', key }];
    return { kind: hook, session, id: key, time: infoToTime(message), parts, extra: { input: payload, message } };
  }
  if (hook === 'experimental.chat.system.transform') {
    // It does not say which call it is for: titles are made by another model in the same session.
    return { kind: 'system', session, parts: [] };
  }
  if (hook === 'tool.definition') {
    // The same definition is told before every model call.
    const id = `definition:${textAt(payload, 'toolID') ?? ''}:${fingerprint(writeLossless(tuple))}`;
    return { kind: hook, id, parts: [] };
  }
  return { kind: hook, session, parts: [] };
}

function eventReading(event: JsonObject): Reading {
  const type = textAt(event, 'type') ?? 'untyped';
  const properties = objectAt(event, 'properties') ?? {};
  const part = objectAt(properties, 'part');
  const info = objectAt(properties, 'info');
  const session =
    textAt(properties, 'sessionID') ??
    textAt(part, 'sessionID') ??
    textAt(info, 'sessionID') ??
    (type.startsWith('session.') ? textAt(info, 'id') : undefined);
  const time = millisToTime(numberAt(properties, 'time')) ?? infoToTime(info ?? {}, type);
  const shared = { session, time, kind: type, retold: type.endsWith('.updated') && part === undefined };
  switch (type) {
    case 'session.created':
      return { ...shared, parts: [sessionToStart(info ?? {})], version: textAt(info, 'version') };
    case 'message.updated':
      return {
        ...shared,
        parts: info === undefined ? [] : messageParts(info),
        extra: info === undefined ? {} : { info },
      };
    case 'message.part.updated':
      return {
        ...shared,
        parts: part === undefined ? [] : partToParts(part, 'unknown'),
        extra: part === undefined ? {} : restOf(part, partMembers),
      };
    case 'message.part.delta':
      return { ...shared, parts: deltaParts(properties) };
    case 'permission.asked':
    case 'permission.updated': {
      const call = textAt(properties, 'callID') ?? textAt(objectAt(properties, 'tool'), 'callID');
      const data = withoutUndefined({
        name: textAt(properties, 'type') ?? textAt(properties, 'permission'),
        args: properties,
      });
      return { ...shared, parts: [{ kind: 'event', type: 'approval.requested', call, data }] };
    }
    case 'permission.replied': {
      const response = textAt(properties, 'response') ?? textAt(properties, 'reply') ?? '';
      const denied = response === 'reject';
      const data = { granted: !denied, reason: response };
      return { ...shared, parts: [{ kind: 'event', type: denied ? 'approval.denied' : 'approval.granted', data }] };
    }
    default:
      return { ...shared, parts: [] };
  }
}

function messageParts(info: JsonObject): readonly Part[] {
  const key = textAt(info, 'id');
  if (textAt(info, 'role') !== 'assistant') {
    return [
      { kind: 'echo', of: 'input', key, otherwise: { kind: 'input', role: 'user', content: '', from: 'person', key } },
    ];
  }
  return [{ kind: 'model', key, blocks: [], parts: [], data: infoToData(info), error: infoToError(info) }];
}

/** What grew since; the whole piece is told again at its end. */
function deltaParts(properties: JsonObject): readonly Part[] {
  const key = textAt(properties, 'messageID');
  const piece = textAt(properties, 'partID');
  const appends = memberAt(properties, 'delta');
  if (key === undefined || piece === undefined || typeof appends !== 'string') return [];
  return [{ kind: 'model', key, piece, appends, blocks: [], parts: [] }];
}
