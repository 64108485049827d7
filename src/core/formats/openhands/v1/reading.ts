/**
 * One event of version 1, or one log of a model call, to what it says.
 */
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import { valueToRequest, valueToResponse } from '../../chat/api.ts';
import { contentToParts } from '../../chat/parts.ts';
import { memberAt, numberAt, objectAt, parseText, restOf, textAt, withoutUndefined } from '../../members.ts';
import { contentToText, timeAt, zonelessAt } from '../../session/fields.ts';
import { toolError } from '../../session/messages.ts';
import type { ModelPart, Part, Reading } from '../../session/part.ts';

/** A model call as the SDK logs it: request and response. */
export function isLog(value: JsonObject): boolean {
  return 'messages' in value && 'response' in value && ('kwargs' in value || 'latency_sec' in value);
}

/** What stands beside the events of a conversation: its id, agent and status. */
export function isState(value: JsonObject): boolean {
  const isFirst = textAt(value, 'conversation_id') !== undefined && !('source' in value);
  return (
    isFirst || (objectAt(value, 'agent') !== undefined && ('execution_status' in value || 'agent_status' in value))
  );
}

function stateReading(state: JsonObject): Reading {
  const model = textAt(objectAt(objectAt(state, 'agent'), 'llm'), 'model');
  const setting: readonly Part[] = model === undefined ? [] : [{ kind: 'setting', data: { request_model: model } }];
  const start: Part = { kind: 'start', data: { program: { name: 'OpenHands' }, envelope: state } };
  return {
    kind: 'state',
    session: textAt(state, 'conversation_id') ?? textAt(state, 'id'),
    parts: [start, ...setting],
  };
}

export function recordToReading(event: JsonObject): Reading {
  if (isLog(event)) return logReading(event);
  if (isState(event)) return stateReading(event);
  const kind = textAt(event, 'kind') ?? 'untyped';
  const zoned = timeAt(event, 'timestamp');
  return {
    kind,
    id: textAt(event, 'id'),
    session: kind === 'ConversationStateUpdateEvent' ? textAt(objectAt(event, 'value'), 'id') : undefined,
    time: zoned ?? zonelessAt(event, 'timestamp'),
    zoneless: zoned === undefined,
    parts: eventParts(event, kind),
    extra: restOf(event, eventMembers),
  };
}

const eventMembers: ReadonlySet<string> = new Set([
  'id',
  'kind',
  'timestamp',
  'source',
  'llm_message',
  'action',
  'observation',
  'tool_call',
  'thought',
  'reasoning_content',
  'system_prompt',
  'tools',
]);

function eventParts(event: JsonObject, kind: string): readonly Part[] {
  const call = textAt(event, 'action_id') ?? textAt(event, 'tool_call_id');
  switch (kind) {
    case 'SystemPromptEvent': {
      const content = withoutUndefined({ content: memberAt(event, 'system_prompt'), tools: memberAt(event, 'tools') });
      return [{ kind: 'input', role: 'system', content, from: 'program' }];
    }
    case 'MessageEvent':
      return messageParts(event);
    case 'ActionEvent':
      return actionParts(event);
    case 'ObservationEvent': {
      const observation = objectAt(event, 'observation') ?? {};
      const value = memberAt(observation, 'content') ?? memberAt(observation, 'output') ?? observation;
      const failed = observation['is_error'] === true || textAt(observation, 'error') !== undefined;
      const told: JsonValue = textAt(observation, 'error') ?? value;
      const data = withoutUndefined({
        exit_code: numberAt(observation, 'exit_code') ?? numberAt(objectAt(observation, 'metadata'), 'exit_code'),
        observation: restOf(observation, new Set(['content', 'output'])),
        call_id: textAt(event, 'tool_call_id'),
      });
      return [
        {
          kind: 'result',
          call,
          name: textAt(event, 'tool_name'),
          value,
          error: failed ? toolError(told) : undefined,
          data,
        },
      ];
    }
    case 'AgentErrorEvent': {
      const error = { name: 'AgentError', message: textAt(event, 'error') ?? '' };
      return [{ kind: 'result', call, name: textAt(event, 'tool_name'), error, data: { executed: false } }];
    }
    case 'UserRejectObservation':
      return [
        {
          kind: 'event',
          type: 'approval.denied',
          call,
          byPerson: true,
          data: withoutUndefined({ granted: false, reason: textAt(event, 'rejection_reason') }),
        },
      ];
    case 'ConversationErrorEvent': {
      const error = { name: textAt(event, 'code') ?? 'error', message: textAt(event, 'detail') ?? '' };
      return [{ kind: 'event', type: 'run.failed', ends: true, data: { error } }];
    }
    case 'Condensation':
    case 'CondensationEvent': {
      const summary = withoutUndefined({
        summary: memberAt(event, 'summary'),
        forgotten: memberAt(event, 'forgotten_event_ids'),
      });
      return [{ kind: 'event', type: 'history.compacted', data: { summary } }];
    }
    default:
      return [];
  }
}

function messageParts(event: JsonObject): readonly Part[] {
  const message = objectAt(event, 'llm_message') ?? {};
  const content = memberAt(message, 'content') ?? '';
  if (textAt(event, 'source') === 'agent') {
    const key = textAt(event, 'llm_response_id');
    return [{ kind: 'model', key, piece: 'answer', whole: true, blocks: [message], parts: contentToParts(content) }];
  }
  const from = textAt(event, 'source') === 'user' ? 'person' : 'program';
  return [{ kind: 'input', role: textAt(message, 'role') ?? 'user', content, from }];
}

/** Actions with one response id are one answer of the model: parallel calls. */
function actionParts(event: JsonObject): readonly Part[] {
  const key = textAt(event, 'llm_response_id');
  const tool = objectAt(event, 'tool_call') ?? {};
  const name =
    textAt(event, 'tool_name') ??
    textAt(tool, 'name') ??
    textAt(objectAt(tool, 'function'), 'name') ??
    'tool not named';
  const callId = textAt(event, 'tool_call_id') ?? textAt(tool, 'id');
  const action = objectAt(event, 'action');
  const asked = parseText(memberAt(tool, 'arguments') ?? memberAt(objectAt(tool, 'function'), 'arguments'));
  const args = asked ?? action ?? {};
  const thought = contentToText(memberAt(event, 'thought'));
  const reasoning = textAt(event, 'reasoning_content');
  const parts = [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', content: reasoning }]),
    ...(thought === '' ? [] : [{ type: 'text', content: thought }]),
    withoutUndefined({ type: 'tool_call', id: callId, name, arguments: args }),
  ];
  const model: ModelPart = { kind: 'model', key, piece: callId, whole: true, blocks: parts, parts };
  const data = withoutUndefined({ call_id: callId, action });
  return [
    model,
    {
      kind: 'call',
      id: textAt(event, 'id') ?? callId,
      asked: callId,
      // What went wrong before there was an observation names the call only so.
      alias: callId,
      key,
      name,
      args,
      data,
      spawns: name === 'delegate',
    },
  ];
}

function logReading(log: JsonObject): Reading {
  const request = valueToRequest({
    ...objectAt(log, 'kwargs'),
    ...restOf(log, new Set(['response', 'kwargs', 'cost', 'latency_sec'])),
  });
  const response = valueToResponse(memberAt(log, 'response'));
  const cost = numberAt(log, 'cost');
  const data = withoutUndefined({
    request_model: request.model,
    response_model: response?.model,
    response_id: response?.id,
    input_messages: [...request.messages],
    tool_definitions: request.tools,
    parameters: request.parameters,
    usage: response?.usage,
    finish_reasons: response?.finishReasons === undefined ? undefined : [...response.finishReasons],
    cost: cost === undefined ? undefined : { amount: cost, currency: 'USD' },
    response: memberAt(log, 'response'),
  });
  const parts = (response?.messages ?? []).flatMap((message) => message.parts);
  const blocks = (response?.messages ?? []).map((message): JsonValue => message);
  return {
    kind: 'llm.log',
    parts: [{ kind: 'model', key: response?.id, again: true, whole: true, blocks, parts, data }],
    extra: restOf(log, new Set(['messages', 'tools', 'kwargs', 'response', 'cost'])),
  };
}
