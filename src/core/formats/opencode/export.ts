/**
 * The document of `opencode export`: `{info, messages: [{info, parts}]}`. A message with all its parts is one record.
 */
import type { JsonObject } from '../../base/json.ts';
import { objectAt, restOf, textAt } from '../members.ts';
import type { Reading } from '../session/part.ts';
import { infoToData, infoToError, infoToTime, messageContent, partToParts, sessionToStart } from './message.ts';

export function exportToReading(record: JsonObject, where: string): Reading {
  const info = objectAt(record, 'info') ?? {};
  if (where === 'document') {
    const session = textAt(info, 'id');
    const extra = restOf(record, new Set(['info', 'messages']));
    return {
      kind: 'session',
      session,
      time: infoToTime(info),
      version: textAt(info, 'version'),
      parts: [sessionToStart(info)],
      extra,
    };
  }
  const key = textAt(info, 'id');
  const shared = { id: key, session: textAt(info, 'sessionID'), time: infoToTime(info), extra: { info } };
  const content = messageContent(record);
  if (textAt(info, 'role') !== 'assistant') {
    return { ...shared, kind: 'user', parts: [{ kind: 'input', role: 'user', content, from: 'person', key }] };
  }
  const pieces = content.flatMap((part) => partToParts({ messageID: key ?? '', ...part }, 'assistant'));
  const head = { kind: 'model', key, blocks: [], parts: [], data: infoToData(info), error: infoToError(info) } as const;
  return { ...shared, kind: 'assistant', parts: [head, ...pieces] };
}
