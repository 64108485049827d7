/**
 * One record of `gemini --output-format stream-json`: `init`, `message` (the model's in deltas), `tool_use`, `tool_result`, `error`, `result`.
 */
import type { JsonObject } from '../../base/json.ts';
import { memberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { timeAt } from '../session/fields.ts';
import { toolError } from '../session/messages.ts';
import type { Part, Reading } from '../session/part.ts';

const members: ReadonlySet<string> = new Set([
  'type',
  'timestamp',
  'session_id',
  'role',
  'content',
  'delta',
  'tool_name',
  'tool_id',
  'parameters',
  'output',
  'status',
  'error',
]);

export function isGemini(record: JsonObject): boolean {
  const type = textAt(record, 'type');
  if (type === 'result') return textAt(record, 'status') !== undefined && !('is_error' in record);
  if (type === 'tool_use' || type === 'tool_result') return 'tool_id' in record;
  return type === 'init' || type === 'error' || (type === 'message' && 'role' in record && 'content' in record);
}

export function geminiToReading(record: JsonObject): Reading {
  const kind = textAt(record, 'type') ?? 'untyped';
  return {
    kind,
    session: textAt(record, 'session_id'),
    time: timeAt(record, 'timestamp'),
    parts: recordToParts(record, kind),
    extra: kind === 'init' ? {} : restOf(record, members),
  };
}

function recordToParts(record: JsonObject, kind: string): readonly Part[] {
  const id = textAt(record, 'tool_id');
  const content = memberAt(record, 'content') ?? '';
  switch (kind) {
    case 'init': {
      const data = withoutUndefined({ request_model: textAt(record, 'model') });
      return [
        { kind: 'start', data: { program: { name: 'Gemini CLI' }, envelope: record } },
        { kind: 'setting', data },
      ];
    }
    case 'message':
      if (textAt(record, 'role') === 'user') return [{ kind: 'input', role: 'user', content, from: 'person' }];
      return [{ kind: 'model', blocks: [{ text: content }], parts: [{ type: 'text', content }] }];
    case 'tool_use': {
      const name = textAt(record, 'tool_name') ?? 'tool not named';
      return [{ kind: 'call', id, name, args: memberAt(record, 'parameters') ?? {} }];
    }
    case 'tool_result': {
      const error = objectAt(record, 'error');
      const failed = textAt(record, 'status') === 'error' || error !== undefined;
      const value = memberAt(record, 'output') ?? null;
      const message = textAt(error, 'message') ?? value;
      return [
        { kind: 'result', call: id, value, error: failed ? toolError(message, textAt(error, 'type')) : undefined },
      ];
    }
    case 'error':
      return [
        { kind: 'event', type: 'marker.recorded', data: { id: 'error', value: memberAt(record, 'message') ?? null } },
      ];
    case 'result':
      return [ending(record)];
    default:
      return [];
  }
}

/** The counts of `stats` are those of the whole run: they stay beside it. */
function ending(record: JsonObject): Part {
  const error = objectAt(record, 'error');
  if (textAt(record, 'status') === 'success') return { kind: 'event', type: 'run.completed', ends: true, data: {} };
  const told = { name: textAt(error, 'type') ?? 'error', message: textAt(error, 'message') ?? '' };
  return { kind: 'event', type: 'run.failed', ends: true, data: { error: told } };
}
