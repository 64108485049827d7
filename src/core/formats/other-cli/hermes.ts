/**
 * Hermes: one document a session, `{session_id, model, platform, session_start, messages}`, with the messages of a chat API.
 */
import type { JsonObject } from '../../base/json.ts';
import { memberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { looseTimeAt } from '../session/fields.ts';
import type { Part, Reading } from '../session/part.ts';
import { chatLines } from './chat-lines.ts';
import type { Dialect } from './dialect.ts';

/** Known by what stands around its messages, in `other-cli.ts`. */
export const hermes: Dialect = {
  id: 'hermes',
  confidence: () => 0,
  read: (record) => ('session_id' in record && !('role' in record) ? documentReading(record) : chatLines.read(record)),
};

export function isHermes(keys: ReadonlySet<string>): boolean {
  return keys.has('session_id') && keys.has('messages') && (keys.has('platform') || keys.has('session_start'));
}

function documentReading(record: JsonObject): Reading {
  const model = textAt(record, 'model');
  const system = textAt(record, 'system_prompt');
  const start: Part = {
    kind: 'start',
    data: withoutUndefined({
      program: { name: 'Hermes' },
      tool_definitions: memberAt(record, 'tools'),
      envelope: restOf(record, new Set(['messages', 'tools', 'system_prompt'])),
    }),
  };
  const rules: readonly Part[] =
    system === undefined ? [] : [{ kind: 'input', role: 'system', content: system, from: 'program' }];
  const setting: readonly Part[] =
    model === undefined
      ? []
      : [
          {
            kind: 'setting',
            data: withoutUndefined({ request_model: model, parameters: objectAt(record, 'model_config') }),
          },
        ];
  return {
    kind: 'session',
    session: textAt(record, 'session_id'),
    ...looseTimeAt(record, 'session_start'),
    parts: [start, ...rules, ...setting],
  };
}
