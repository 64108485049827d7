/**
 * One message of a trajectory, or what stands around the messages, to what it says.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { valueToResponse } from '../chat/api.ts';
import { callToPart, contentToParts } from '../chat/parts.ts';
import { listAt, memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { contentToText, objectsAt } from '../session/fields.ts';
import { millisToTime } from '../times.ts';
import { partsToCalls } from '../session/messages.ts';
import type { CallPart, InputPart, Part, Reading } from '../session/part.ts';

export function recordToReading(record: JsonObject, where: string): Reading {
  if (where === 'document') return documentReading(record);
  const role = textAt(record, 'role') ?? 'untyped';
  const extra = objectAt(record, 'extra');
  const shared = { time: secondsToTime(numberAt(extra, 'timestamp')), extra: withoutExtra(extra) };
  if (role === 'assistant') return { ...shared, kind: role, parts: answerParts(record, extra) };
  if (role === 'exit') return { ...shared, kind: role, parts: exitParts(record, extra ?? {}) };
  if (role === 'system') return { ...shared, kind: role, parts: [inputPart(record, role, 'program')] };
  return { ...shared, kind: role, parts: [observationPart(record, role, extra)] };
}

function secondsToTime(seconds: number | undefined): string | undefined {
  return millisToTime(seconds === undefined ? undefined : seconds * 1000);
}

/** The raw answer is kept whole: what the message repeats of it is only there once. */
function withoutExtra(extra: JsonObject | undefined): JsonObject {
  return extra === undefined ? {} : restOf(extra, new Set(['timestamp', 'raw_output', 'returncode', 'exception_info']));
}

function documentReading(record: JsonObject): Reading {
  const info = objectAt(record, 'info') ?? {};
  const config = objectAt(info, 'config');
  const version = textAt(info, 'mini_version');
  const agent = objectAt(config, 'agent');
  const start: Part = {
    kind: 'start',
    data: withoutUndefined({
      program: withoutUndefined({ name: 'mini-swe-agent', version, original: textAt(config, 'agent_type') }),
      task: textAt(record, 'instance_id') === undefined ? undefined : { id: textAt(record, 'instance_id') ?? '' },
      limits: limitsOf(agent),
      envelope: info,
    }),
  };
  return { kind: 'trajectory', version, parts: [start], extra: restOf(record, new Set(['info', 'messages'])) };
}

function limitsOf(agent: JsonObject | undefined): JsonObject | undefined {
  if (agent === undefined) return undefined;
  return withoutUndefined({
    step_limit: memberAt(agent, 'step_limit'),
    cost_limit: memberAt(agent, 'cost_limit'),
    wall_time_limit_seconds: memberAt(agent, 'wall_time_limit_seconds'),
  });
}

const textCommand = /```(?:mswea_bash_command|bash)\s*\n([\s\S]*?)\n?```/;

function answerParts(record: JsonObject, extra: JsonObject | undefined): readonly Part[] {
  const response = valueToResponse(memberAt(extra, 'response'));
  const message = restOf(record, new Set(['extra']));
  const reasoning = textAt(record, 'reasoning_content');
  const asked = objectsAt(record, 'tool_calls').map(callToPart);
  const parts = [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', content: reasoning }]),
    ...contentToParts(memberAt(record, 'content')),
    ...asked,
  ];
  const cost = numberAt(extra, 'cost');
  const data = withoutUndefined({
    response_id: response?.id,
    response_model: response?.model,
    usage: response?.usage,
    finish_reasons: response?.finishReasons === undefined ? undefined : [...response.finishReasons],
    cost: cost === undefined ? undefined : { amount: cost, currency: 'USD' },
  });
  const calls = asked.length > 0 ? partsToCalls(asked) : textToCalls(record, extra);
  return [{ kind: 'model', key: response?.id, whole: true, blocks: [message], parts, data }, ...calls];
}

/** Commands in the text: as version 2 read them, else the one block that version 1 runs. */
function textToCalls(record: JsonObject, extra: JsonObject | undefined): readonly CallPart[] {
  const actions = listAt(extra, 'actions');
  if (actions !== undefined) {
    return actions.map((action) => {
      const id = textAt(action, 'tool_call_id');
      const args = isJsonObject(action) ? restOf(action, new Set(['tool_call_id'])) : { command: action };
      return { kind: 'call', id, name: 'bash', args };
    });
  }
  const command = textCommand.exec(contentToText(memberAt(record, 'content')))?.[1];
  return command === undefined ? [] : [{ kind: 'call', name: 'bash', args: { command } }];
}

function inputPart(record: JsonObject, role: string, from: InputPart['from']): InputPart {
  return { kind: 'input', role, content: memberAt(record, 'content') ?? '', from };
}

/** An output of a command, in version 1 in the words of a user; where no command is open it is the task. */
function observationPart(record: JsonObject, role: string, extra: JsonObject | undefined): Part {
  const value: JsonValue = memberAt(record, 'content') ?? '';
  const call = textAt(record, 'tool_call_id');
  const failure = textAt(extra, 'exception_info');
  const isOutput = call !== undefined || memberAt(extra, 'raw_output') !== undefined;
  return {
    kind: 'result',
    call,
    value,
    error: failure === undefined ? undefined : { name: 'ExecutionError', message: failure, data: value },
    data: withoutUndefined({
      exit_code: numberAt(extra, 'returncode') ?? returnCode(value),
      raw_output: memberAt(extra, 'raw_output'),
    }),
    otherwise: isOutput ? undefined : inputPart(record, role, role === 'user' ? 'person' : 'program'),
  };
}

function returnCode(value: JsonValue): number | undefined {
  const code = typeof value === 'string' ? /^\s*<returncode>(-?\d+)<\/returncode>/.exec(value)?.[1] : undefined;
  return code === undefined ? undefined : Number(code);
}

/** How the run ended. An exception of the model's API is the failure of the call that was made last. */
function exitParts(record: JsonObject, extra: JsonObject): readonly Part[] {
  const status = textAt(extra, 'exit_status') ?? 'exit';
  if (status === 'Submitted') {
    const submission = memberAt(extra, 'submission') ?? memberAt(record, 'content') ?? null;
    return [
      // The command that submits has no message of its own: what it printed is the submission.
      { kind: 'result', value: { submission }, otherwise: inputPart(record, 'exit', 'program') },
      { kind: 'event', type: 'run.completed', ends: true, data: { result: submission } },
    ];
  }
  const message = textAt(extra, 'exception_str') ?? contentToText(memberAt(record, 'content'));
  const error = withoutUndefined({
    name: status,
    message,
    data: restOf(extra, new Set(['exit_status', 'exception_str'])),
  });
  const ended: Part = { kind: 'event', type: 'run.failed', ends: true, data: { error } };
  if (!message.startsWith('litellm.')) return [ended];
  return [{ kind: 'model', blocks: [], parts: [], error }, ended];
}
