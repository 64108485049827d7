/**
 * One message of a trajectory, or what stands around the messages, to what it says.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { valueToResponse } from '../chat/api.ts';
import { callToPart, contentToParts } from '../chat/parts.ts';
import { listAt, memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { contentToText, objectsAt } from '../session/fields.ts';
import { millisToTime } from '../times.ts';
import type { InputPart, Part, Reading } from '../session/part.ts';
import { answerToCommands } from './commands.ts';
import { messageToTurn, turnToParts, typedCommand, typedParts } from './console.ts';

/** Version 1 tells around its messages what version 2 tells in them; `notedBeside` puts it beside the message it is about. */
export function recordToReading(record: JsonObject, where: string, beside?: JsonObject): Reading {
  if (where === 'document') return documentReading(record);
  const role = roleOf(record);
  const extra = objectAt(record, 'extra');
  const seconds = numberAt(extra, 'timestamp') ?? numberAt(record, 'timestamp');
  const shared = { time: secondsToTime(seconds), extra: withoutExtra(extra) };
  const content = memberAt(record, 'content') ?? '';
  const typed = beside?.['console'] === true && role === 'assistant' ? typedCommand(record) : undefined;
  if (typed !== undefined) return { ...shared, kind: 'console', parts: typedParts(content, typed) };
  const turn = messageToTurn(record, extra);
  if (turn !== undefined) return { ...shared, kind: 'console', parts: turnToParts(turn, content, extra) };
  const end = objectAt(beside, 'end');
  if (end !== undefined) return { ...shared, kind: role, parts: lastParts(record, role, extra, end) };
  if (role === 'assistant') return { ...shared, kind: role, parts: answerParts(record, extra) };
  if (role === 'exit') return { ...shared, kind: role, parts: exitParts(record, extra ?? {}) };
  if (role === 'system') return { ...shared, kind: role, parts: [inputPart(record, role, 'program')] };
  if (textAt(extra, 'interrupt_type') === 'FormatError')
    return { ...shared, kind: role, parts: [...refusedParts(extra), inputPart(record, role, 'person')] };
  return { ...shared, kind: role, parts: [observationPart(record, role, extra)] };
}

/** Answers and outputs of the Responses API stand in the list as that API writes them. */
function roleOf(record: JsonObject): string {
  const role = textAt(record, 'role');
  if (role !== undefined) return role;
  if (listAt(record, 'output') !== undefined) return 'assistant';
  return textAt(record, 'type') === 'function_call_output' ? 'tool' : 'untyped';
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

function answerParts(record: JsonObject, extra: JsonObject | undefined): readonly Part[] {
  const message = restOf(record, new Set(['extra', 'timestamp']));
  const isOutput = listAt(record, 'output') !== undefined;
  const response = valueToResponse(isOutput ? record : memberAt(extra, 'response'));
  const said = isOutput ? (response?.messages ?? []).flatMap(({ parts }) => parts) : messageToParts(record);
  const asked = said.filter(({ type }) => type === 'tool_call');
  const model = answerPart(message, said, response, extra);
  return [model, ...answerToCommands(memberAt(record, 'content'), asked, extra)];
}

function messageToParts(message: JsonObject): readonly JsonObject[] {
  const reasoning = textAt(message, 'reasoning_content');
  return [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', content: reasoning }]),
    ...contentToParts(memberAt(message, 'content')),
    ...objectsAt(message, 'tool_calls').map(callToPart),
  ];
}

function answerPart(
  message: JsonObject,
  parts: readonly JsonObject[],
  response: ReturnType<typeof valueToResponse>,
  extra: JsonObject | undefined,
): Part {
  const cost = numberAt(extra, 'cost');
  const data = withoutUndefined({
    response_id: response?.id,
    response_model: response?.model,
    usage: response?.usage,
    finish_reasons: response?.finishReasons === undefined ? undefined : [...response.finishReasons],
    cost: cost === undefined ? undefined : { amount: cost, currency: 'USD' },
  });
  return { kind: 'model', key: response?.id, whole: true, blocks: [message], parts, data };
}

/** An answer that the agent could not read is no message of its own: what is wrong with it is said in its place, and holds it. */
function refusedParts(extra: JsonObject | undefined): readonly Part[] {
  const raw = objectAt(extra, 'response');
  const response = valueToResponse(raw);
  const [choice] = listAt(raw, 'choices') ?? [];
  const text = textAt(extra, 'model_response');
  const message =
    objectAt(choice, 'message') ??
    (response === undefined ? undefined : raw) ??
    (text === undefined ? undefined : { role: 'assistant', content: text });
  if (message === undefined) return [{ kind: 'model', whole: true, pending: true, blocks: [], parts: [] }];
  const parts = response?.messages.flatMap((one) => one.parts) ?? messageToParts(message);
  return [answerPart(message, parts, response, extra)];
}

function inputPart(record: JsonObject, role: string, from: InputPart['from']): InputPart {
  return { kind: 'input', role, content: memberAt(record, 'content') ?? '', from };
}

/** An output of a command, in version 1 in the words of a user; where no command is open it is the task. */
function observationPart(record: JsonObject, role: string, extra: JsonObject | undefined): Part {
  const value: JsonValue = memberAt(record, 'content') ?? memberAt(record, 'output') ?? '';
  const call = textAt(record, 'tool_call_id') ?? textAt(record, 'call_id');
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

/** The last message of version 1 holds what the run ended with: the submission, or the words of the exception. */
function lastParts(record: JsonObject, role: string, extra: JsonObject | undefined, end: JsonObject): readonly Part[] {
  if (role === 'assistant') return [...answerParts(record, extra), ...exitParts(record, end)];
  if (textAt(end, 'exit_status') === 'Submitted') {
    const submission = memberAt(end, 'submission') ?? null;
    const ended: Part = { kind: 'event', type: 'run.completed', ends: true, data: { result: submission } };
    return [observationPart(record, role, extra), ended];
  }
  return exitParts(record, end);
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
    data: restOf(extra, new Set(['exit_status', 'exception_str', 'config', 'model_stats'])),
  });
  const ended: Part = { kind: 'event', type: 'run.failed', ends: true, data: { error } };
  if (!message.startsWith('litellm.')) return [ended];
  return [{ kind: 'model', blocks: [], parts: [], error }, ended];
}
