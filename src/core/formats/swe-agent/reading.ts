/**
 * One step or message of a trajectory to what it says. `group` is the step it belongs to.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { callToPart, contentToParts } from '../chat/parts.ts';
import { listAt, memberAt, numberAt, objectAt, parseText, restOf, textAt, withoutUndefined } from '../members.ts';
import { objectsAt } from '../session/fields.ts';
import { answerToParts, messageToParts } from '../session/messages.ts';
import type { Part, Reading } from '../session/part.ts';
import type { SessionRecord } from '../session/source.ts';

export function recordToReading(record: JsonObject, source: SessionRecord): Reading {
  const { where, session, name } = source;
  if (where === 'around attempts') return { kind: 'attempts', session, parts: [] };
  const reading = partsOfRecord(record, source);
  return session === undefined ? reading : { ...reading, session, id: reading.id ?? name };
}

function partsOfRecord(record: JsonObject, { where, group, beside }: SessionRecord): Reading {
  if (where === 'trajectory') return stepReading(record, group ?? 'step', beside);
  if (where === 'history') return historyReading(record, group);
  return documentReading(record);
}

const stepMembers: ReadonlySet<string> = new Set([
  'action',
  'observation',
  'response',
  'thought',
  'state',
  'execution_time',
  'messages',
  'query',
]);

function stepReading(step: JsonObject, key: string, beside: JsonObject | undefined): Reading {
  const response = memberAt(step, 'response') ?? memberAt(step, 'thought') ?? '';
  const shown = contentToParts(response);
  const asked = objectsAt(step, 'tool_calls').map(callToPart);
  const input = memberAt(step, 'query') ?? memberAt(step, 'messages');
  const parts: Part[] = [
    {
      kind: 'model',
      key,
      whole: true,
      blocks: [response],
      parts: [...shown, ...asked],
      data: withoutUndefined({ input_messages: input }),
    },
  ];
  const action = textAt(step, 'action')?.trim() ?? '';
  const observation = memberAt(step, 'observation');
  const seconds = numberAt(step, 'execution_time');
  if (action !== '') {
    parts.push({
      kind: 'call',
      id: key,
      key,
      name: /^[\w.-]+/.exec(action)?.[0] ?? 'command',
      args: { command: step['action'] ?? '' },
    });
    if (observation !== undefined) {
      const data = withoutUndefined({ execution_time_s: seconds });
      parts.push({ kind: 'result', call: key, value: observation, data });
    }
  } else if (observation !== undefined && observation !== '')
    parts.push({ kind: 'input', role: 'user', content: observation, from: 'program' });
  const state = stateOf(memberAt(step, 'state'));
  if (state !== undefined)
    parts.push({ kind: 'event', type: 'state.transitioned', call: key, data: { name: 'environment', value: state } });
  const extra = {
    ...restOf(step, stepMembers),
    ...withoutUndefined({ thought: memberAt(step, 'thought') }),
    ...beside,
  };
  return { kind: 'step', id: key, parts, extra };
}

function stateOf(state: JsonValue | undefined): JsonValue | undefined {
  const read = parseText(typeof state === 'string' ? state.trim() : state);
  return read === '' ? undefined : read;
}

function historyReading(message: JsonObject, step: string | undefined): Reading {
  const role = textAt(message, 'role') ?? 'user';
  const content = memberAt(message, 'content') ?? '';
  const extra = restOf(message, new Set(['role', 'content', 'tool_calls', 'tool_call_ids']));
  const kind = `history.${role}`;
  if (message['is_demo'] === true) {
    const data = withoutUndefined({ name: 'demonstration', value: content, role });
    return { kind: 'demonstration', parts: [{ kind: 'event', type: 'artifact.used', data }], extra };
  }
  if (step !== undefined) {
    const of = role === 'assistant' ? 'model' : 'result';
    return { kind, parts: [{ kind: 'echo', of, call: step, key: step }], extra };
  }
  if (role === 'assistant') {
    const asked = objectsAt(message, 'tool_calls').map(callToPart);
    return { kind, parts: answerToParts([message], [...contentToParts(content), ...asked]), extra };
  }
  const [answered] = listAt(message, 'tool_call_ids') ?? [];
  if (typeof answered === 'string') return { kind, parts: [{ kind: 'result', call: answered, value: content }], extra };
  return { kind, parts: messageToParts(role, content, role === 'user' ? 'person' : 'program'), extra };
}

function documentReading(record: JsonObject): Reading {
  const info = objectAt(record, 'info') ?? {};
  const status = textAt(info, 'exit_status') ?? '';
  const start: Part = {
    kind: 'start',
    data: withoutUndefined({
      program: withoutUndefined({ name: 'SWE-agent', version: textAt(info, 'swe_agent_version') }),
      envelope: withoutUndefined({
        environment: memberAt(record, 'environment'),
        replay_config: memberAt(record, 'replay_config'),
        info: restOf(info, new Set(['submission'])),
      }),
    }),
  };
  const extra = restOf(record, new Set(['trajectory', 'history', 'info', 'environment', 'replay_config']));
  if (status === '') return { kind: 'trajectory', parts: [start], extra };
  const submission = memberAt(info, 'submission');
  const isDone = status.startsWith('submitted');
  const data = isDone
    ? withoutUndefined({ result: submission, exit_status: status })
    : { error: withoutUndefined({ name: status, message: `The run ended with "${status}".`, data: submission }) };
  const end: Part = { kind: 'event', type: isDone ? 'run.completed' : 'run.failed', ends: true, data };
  return { kind: 'trajectory', parts: [start, end], extra };
}
