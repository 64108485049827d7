/**
 * One event of version 0, or what stands around the history of a run, to what it says.
 */
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import { valueToResponse } from '../../chat/api.ts';
import { listAt, memberAt, numberAt, objectAt, parseText, restOf, textAt, withoutUndefined } from '../../members.ts';
import { objectsAt, timeAt, zonelessAt } from '../../session/fields.ts';
import type { CallPart, ModelPart, Part, Reading } from '../../session/part.ts';

const eventMembers: ReadonlySet<string> = new Set([
  'id',
  'timestamp',
  'source',
  'message',
  'action',
  'observation',
  'args',
  'content',
  'extras',
  'cause',
  'tool_call_metadata',
]);

export function recordToReading(event: JsonObject, group: string | undefined): Reading {
  const action = textAt(event, 'action');
  const observation = textAt(event, 'observation');
  const zoned = timeAt(event, 'timestamp');
  const number = numberAt(event, 'id');
  const id = number === undefined ? undefined : String(number);
  const cause = numberAt(event, 'cause');
  const shared = {
    session: group,
    id,
    number,
    time: zoned ?? zonelessAt(event, 'timestamp'),
    zoneless: zoned === undefined,
    extra: id === undefined ? {} : restOf(event, eventMembers),
  };
  if (action !== undefined) return { ...shared, kind: `v0.${action}`, parts: actionParts(event, action, id) };
  const kind = `v0.${observation ?? 'untyped'}`;
  if (observation === undefined || kept.has(observation)) {
    return { ...shared, kind, parent: cause === undefined ? undefined : String(cause), parts: [] };
  }
  return { ...shared, kind, parts: observationParts(event, observation, cause) };
}

/** Observations and actions of the program itself, and not of the agent. */
const kept: ReadonlySet<string> = new Set([
  'recall',
  'agent_state_changed',
  'null',
  'success',
  'change_agent_state',
  'condensation_request',
]);

function actionParts(event: JsonObject, action: string, id: string | undefined): readonly Part[] {
  const args = objectAt(event, 'args') ?? restOf(event, new Set(['action', 'action_risk', 'thought', 'is_confirmed']));
  const source = textAt(event, 'source') ?? (action === 'message' && id === undefined ? 'user' : 'agent');
  if (action === 'system') {
    const content = withoutUndefined({ content: memberAt(args, 'content'), tools: memberAt(args, 'tools') });
    return [{ kind: 'input', role: 'system', content, from: 'program' }];
  }
  if (action === 'condensation') return [{ kind: 'event', type: 'history.compacted', data: { summary: args } }];
  if (kept.has(action)) return [];
  if (action === 'message' && source !== 'agent') {
    return [
      {
        kind: 'input',
        role: 'user',
        content: memberAt(args, 'content') ?? '',
        from: source === 'user' ? 'person' : 'program',
      },
    ];
  }
  const model = answerOf(event) ?? toldAnswer(event, args, action);
  if (action === 'message') return [model];
  if (action === 'finish') {
    const data = { name: 'finish', result: args };
    return [model, { kind: 'event', type: 'step.completed', data }];
  }
  return [model, callOf(event, action, id, args, model.key)];
}

function callOf(
  event: JsonObject,
  action: string,
  id: string | undefined,
  args: JsonObject,
  key: string | undefined,
): CallPart {
  const meta = objectAt(event, 'tool_call_metadata');
  const callId = textAt(meta, 'tool_call_id');
  return {
    kind: 'call',
    id,
    asked: callId,
    key,
    name: textAt(meta, 'function_name') ?? action,
    args: askedArgs(meta, callId) ?? args,
    spawns: action === 'delegate',
    data: withoutUndefined({ call_id: callId, action, action_args: meta === undefined ? undefined : args }),
  };
}

/** The arguments as the model wrote them. */
function askedArgs(meta: JsonObject | undefined, callId: string | undefined): JsonValue | undefined {
  const [choice] = objectsAt(objectAt(meta, 'model_response'), 'choices');
  const call = objectsAt(objectAt(choice, 'message'), 'tool_calls').find((one) => textAt(one, 'id') === callId);
  return parseText(memberAt(objectAt(call, 'function'), 'arguments'));
}

/** The whole answer of the model stands with every action and observation that came of it: one piece, told again. */
function answerOf(event: JsonObject): ModelPart | undefined {
  const response = memberAt(objectAt(event, 'tool_call_metadata'), 'model_response');
  const read = valueToResponse(response);
  if (read === undefined) return undefined;
  const [choice] = listAt(response, 'choices') ?? [];
  const data = withoutUndefined({
    response_id: read.id,
    response_model: read.model,
    usage: read.usage,
    finish_reasons: read.finishReasons === undefined ? undefined : [...read.finishReasons],
  });
  const blocks = [memberAt(choice, 'message') ?? response ?? null];
  return {
    kind: 'model',
    key: read.id,
    piece: 'answer',
    whole: true,
    blocks,
    parts: read.messages.flatMap(({ parts }) => parts),
    data,
  };
}

/** Where the answer of the model is not kept, the action that was made of it tells it: its thought, and what it calls. */
function toldAnswer(event: JsonObject, args: JsonObject, action: string): ModelPart {
  const text =
    textAt(event, 'thought') ?? textAt(args, 'thought') ?? textAt(args, 'content') ?? textAt(event, 'message') ?? '';
  const thought = text === '' ? [] : [{ type: 'text', content: text }];
  if (action === 'message') return { kind: 'model', whole: true, blocks: [text], parts: thought };
  const parts = [...thought, { type: 'tool_call', name: action, arguments: args }];
  return { kind: 'model', whole: true, blocks: parts, parts };
}

function observationParts(event: JsonObject, observation: string, cause: number | undefined): readonly Part[] {
  const extras = objectAt(event, 'extras');
  const exit =
    numberAt(objectAt(extras, 'metadata'), 'exit_code') ??
    numberAt(extras, 'exit_code') ??
    numberAt(event, 'exit_code');
  const content = memberAt(event, 'content') ?? '';
  const failed = observation === 'error' || memberAt(extras, 'error') === true;
  const error = failed
    ? { name: textAt(extras, 'error_id') ?? 'ToolError', message: typeof content === 'string' ? content : '' }
    : undefined;
  const call = cause === undefined ? undefined : String(cause);
  const answer = answerOf(event);
  const own = restOf(event, new Set([...eventMembers, 'exit_code']));
  const data = withoutUndefined({
    observation,
    exit_code: exit,
    extras: extras ?? (Object.keys(own).length === 0 ? undefined : own),
    call_id: textAt(objectAt(event, 'tool_call_metadata'), 'tool_call_id'),
  });
  if (observation === 'user_rejected') {
    return [
      {
        kind: 'event',
        type: 'approval.denied',
        call,
        data: { granted: false, reason: textAt(event, 'content') ?? '' },
      },
    ];
  }
  const result: Part = { kind: 'result', call, value: content, error, data };
  return answer === undefined ? [result] : [answer, result];
}

/** A line of an evaluation output, without its history: the task, the outcome, what it cost. */
export function outputToReading(record: JsonObject, group: string): Reading {
  const issue = objectAt(record, 'issue');
  const id = textAt(record, 'instance_id') ?? textAt(issue, 'title') ?? group;
  const failure = textAt(record, 'error');
  const start: Part = {
    kind: 'start',
    data: withoutUndefined({
      program: { name: 'OpenHands' },
      input: memberAt(record, 'instruction'),
      task: { id },
      envelope: restOf(record, new Set(['history', 'instruction', 'git_patch', 'test_result'])),
    }),
  };
  // What the evaluation found is no outcome of the agent's loop.
  const evaluation = memberAt(record, 'test_result') ?? memberAt(record, 'git_patch');
  const end: Part =
    failure === undefined
      ? { kind: 'event', type: 'run.completed', ends: true, data: withoutUndefined({ evaluation }) }
      : {
          kind: 'event',
          type: 'run.failed',
          ends: true,
          data: { error: withoutUndefined({ name: 'error', message: failure, data: evaluation }) },
        };
  return { kind: 'v0.output', session: group, number: Number.MAX_SAFE_INTEGER, parts: [start, end] };
}
