/**
 * iFlow: lines like Claude Code's, but an answer is written again and again as its calls come, each line with the last calls of the
 * line before. Lines that follow one another are one answer, and a call told twice is one call. `parentUuid` names the prompt and
 * not the record before, so it is kept and not used.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { contentToParts } from '../chat/parts.ts';
import { valueToUsage } from '../chat/usage.ts';
import { memberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { objectsAt, timeAt } from '../session/fields.ts';
import { partsToCalls } from '../session/messages.ts';
import type { Part } from '../session/part.ts';
import type { Dialect } from './dialect.ts';

export const iflow: Dialect = {
  id: 'iflow',
  confidence: (record) => {
    const isNamed = /^session-[0-9a-f-]{36}$/.test(textAt(record, 'sessionId') ?? '') && 'parentUuid' in record;
    return isNamed ? 0.97 : 0;
  },
  read: (record) => {
    const message = objectAt(record, 'message') ?? {};
    const type = textAt(record, 'type') ?? 'untyped';
    return {
      kind: type,
      session: textAt(record, 'sessionId'),
      id: textAt(record, 'uuid'),
      time: timeAt(record, 'timestamp'),
      version: textAt(record, 'version'),
      parts: type === 'assistant' ? answerParts(message) : type === 'user' ? userParts(message) : [],
      extra: { ...restOf(record, members), ...withoutUndefined({ message: textAt(message, 'id') }) },
    };
  },
};

const members: ReadonlySet<string> = new Set(['uuid', 'sessionId', 'timestamp', 'type', 'version', 'message']);

function answerParts(message: JsonObject): readonly Part[] {
  const usage = valueToUsage(memberAt(message, 'usage'));
  const isCounted = usage !== undefined && (usage['input_tokens'] !== 0 || usage['output_tokens'] !== 0);
  const data = withoutUndefined({ response_model: textAt(message, 'model'), usage: isCounted ? usage : undefined });
  const parts: Part[] = [];
  for (const block of objectsAt(message, 'content')) {
    const shown = contentToParts(block);
    parts.push(
      { kind: 'model', piece: textAt(block, 'id'), blocks: [block], parts: shown, data },
      ...partsToCalls(shown),
    );
  }
  return parts;
}

function userParts(message: JsonObject): readonly Part[] {
  const content: JsonValue = memberAt(message, 'content') ?? '';
  const results = objectsAt(message, 'content').filter((block) => block['type'] === 'tool_result');
  if (results.length === 0) return [{ kind: 'input', role: 'user', content, from: 'person' }];
  return results.map((block) => {
    const held = memberAt(block, 'content') ?? null;
    const answered = objectAt(objectAt(objectAt(held, 'responseParts'), 'functionResponse'), 'response');
    const response = isJsonObject(held) ? held : undefined;
    return {
      kind: 'result',
      call: textAt(block, 'tool_use_id'),
      value: answered ?? held,
      data: withoutUndefined({ response }),
    };
  });
}
