/**
 * One effect of a stream, numbered by `_sequence`, to what it says. Kinds that are none of these (those of a project's own contexts among
 * them) stay as they are.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { firstText, memberAt, numberAt, objectAt, parseText, restOf, textAt, withoutUndefined } from '../members.ts';
import { millisToTime } from '../times.ts';
import type { Part, Reading } from '../session/part.ts';

export function effectReading(effect: JsonObject): Reading {
  const kind = textAt(effect, 'effect_type') ?? 'untyped';
  const seconds = numberAt(effect, 'timestamp');
  const sequence = numberAt(effect, '_sequence');
  return {
    kind,
    id: sequence === undefined ? undefined : String(sequence),
    number: sequence,
    agent: textAt(effect, '_scope_id'),
    time: millisToTime(seconds === undefined ? undefined : seconds * 1000),
    parts: effectParts(effect, kind),
    extra: restOf(effect, new Set(['_sequence', 'effect_type', 'timestamp', '_scope_id', '_scope_depth'])),
  };
}

function effectParts(effect: JsonObject, kind: string): readonly Part[] {
  const call = textAt(effect, 'tool_call_id');
  const name = textAt(effect, 'tool_name') ?? 'tool not named';
  switch (kind) {
    case 'task_started':
    case 'task_completed':
    case 'task_failed':
      return [taskPart(effect, kind)];
    case 'agent_thinking':
    case 'agent_message':
      return [spokenPart(effect, kind)];
    case 'prompt_sent':
      return promptParts(effect);
    case 'llm_response_received':
      return [usagePart(effect)];
    case 'tool_call_started':
      return [{ kind: 'call', id: call, name, args: memberAt(effect, 'params') ?? {} }];
    case 'tool_call_completed':
      return [outcomeOf(effect, call, name)];
    case 'tool_call_rejected': {
      const error = { name: 'Rejected', message: textAt(effect, 'reason') ?? '' };
      return [{ kind: 'result', call, name, error, data: { executed: false, ...restOf(effect, rejectedMembers) } }];
    }
    case 'file_read':
      return [fileEvent(effect, 'artifact.used')];
    case 'file_patch':
    case 'file_create':
    case 'file_write':
    case 'artifact_written':
      return [fileEvent(effect, 'artifact.produced')];
    case 'file_delete':
      return [fileEvent(effect, 'shepherd.file_delete')];
    case 'external_api_call':
      return [requestPart(effect)];
    case 'input_provided': {
      const data = { name: textAt(effect, 'field_name') ?? 'input', value: memberAt(effect, 'value') ?? null };
      return [{ kind: 'event', type: 'input.received', data }];
    }
    default:
      return stageParts(effect, kind);
  }
}

const rejectedMembers: ReadonlySet<string> = new Set([
  '_sequence',
  '_scope_id',
  '_scope_depth',
  'effect_type',
  'timestamp',
  'tool_call_id',
  'tool_name',
  'reason',
]);

/** A task below another one is a step of its run. */
function taskPart(effect: JsonObject, kind: string): Part {
  const task = textAt(effect, 'task_name');
  const inner = textAt(effect, 'parent_scope_id') !== undefined || (numberAt(effect, '_scope_depth') ?? 0) > 0;
  if (kind === 'task_started') {
    const input = memberAt(effect, 'inputs');
    if (inner) return { kind: 'event', type: 'step.started', data: withoutUndefined({ name: task, input }) };
    const data = { program: { name: 'Shepherd' }, input, task: task === undefined ? undefined : { id: task } };
    return { kind: 'start', data: withoutUndefined(data) };
  }
  const failed = kind === 'task_failed';
  const data = withoutUndefined({
    name: inner ? task : undefined,
    result: failed ? undefined : memberAt(effect, 'outputs'),
    error: failed ? errorOf(effect) : undefined,
  });
  if (inner) return { kind: 'event', type: 'step.completed', data };
  return { kind: 'event', type: failed ? 'run.failed' : 'run.completed', ends: true, data };
}

/** Pieces of a stream go on where the one before ended. */
function spokenPart(effect: JsonObject, kind: string): Part {
  const content = textAt(effect, 'content') ?? '';
  const type = kind === 'agent_thinking' ? 'reasoning' : 'text';
  if (effect['is_partial'] === true && type === 'text')
    return { kind: 'model', piece: kind, appends: content, blocks: [], parts: [] };
  return { kind: 'model', blocks: [content], parts: [{ type, content }] };
}

function promptParts(effect: JsonObject): readonly Part[] {
  const model = firstText(effect, 'model_id');
  const message = (role: string, key: string): readonly Part[] => {
    const content = textAt(effect, key) ?? '';
    return content === '' ? [] : [{ kind: 'input', role, content, from: 'program' }];
  };
  return [
    ...message('system', 'system_prompt'),
    ...message('user', 'user_prompt'),
    { kind: 'setting', data: withoutUndefined({ request_model: model === '' ? undefined : model }) },
  ];
}

/** Counts of all turns of one invocation. They stand with the last call, so that their sum is right. */
function usagePart(effect: JsonObject): Part {
  const cost = numberAt(effect, 'cost_usd');
  const model = textAt(effect, 'model_id') ?? '';
  const usage = withoutUndefined({
    input_tokens: numberAt(effect, 'input_tokens'),
    output_tokens: numberAt(effect, 'output_tokens'),
    total_tokens: numberAt(effect, 'total_tokens'),
    cache_creation_input_tokens: numberAt(effect, 'cache_creation_input_tokens'),
    cache_read_input_tokens: numberAt(effect, 'cache_read_input_tokens'),
  });
  const data = withoutUndefined({
    response_model: model === '' ? undefined : model,
    cost: cost === undefined ? undefined : { amount: cost, currency: 'USD' },
    turns: numberAt(effect, 'num_turns'),
  });
  return {
    kind: 'usage',
    usage,
    data,
    total: `${JSON.stringify(usage)} ${String(numberAt(effect, '_sequence') ?? '')}`,
  };
}

/** Older streams hold only a preview of an output. */
function outcomeOf(effect: JsonObject, call: string | undefined, name: string): Part {
  const value: JsonValue = memberAt(effect, 'output') ?? memberAt(effect, 'output_preview') ?? null;
  const failed = effect['success'] === false;
  const error = failed ? { name: 'ToolError', message: typeof value === 'string' ? value : '' } : undefined;
  return { kind: 'result', call, name, value, error, data: { preview: memberAt(effect, 'output') === undefined } };
}

function fileEvent(effect: JsonObject, type: string): Part {
  const data = withoutUndefined({
    name: firstText(effect, 'path', 'filename'),
    value: restOf(effect, new Set(['_sequence', 'effect_type', 'timestamp'])),
  });
  return { kind: 'event', type, call: textAt(effect, 'caused_by'), data };
}

/** A request to a service outside, with its answer. */
function requestPart(effect: JsonObject): Part {
  const status = numberAt(effect, 'status_code') ?? 0;
  const body = memberAt(effect, 'response_body') ?? null;
  const failed = status >= 400;
  const data = withoutUndefined({
    tool: `${textAt(effect, 'method') ?? 'GET'} ${textAt(effect, 'endpoint') ?? textAt(effect, 'service') ?? ''}`.trim(),
    args: parseText(memberAt(effect, 'request_body')),
    effect: 'external',
    status,
    result: failed ? undefined : (parseText(body) ?? null),
    error: failed ? { name: `HTTP ${String(status)}`, message: typeof body === 'string' ? body : '' } : undefined,
  });
  return { kind: 'event', type: failed ? 'tool_call.failed' : 'tool_call.completed', data };
}

const stages = /^(?:step|stage|lifecycle_phase|execution)_(started|completed|failed)$/;

/** Steps, stages and phases of the engine, and what failed of them. */
function stageParts(effect: JsonObject, kind: string): readonly Part[] {
  if (kind === 'recovery_attempted') {
    const data = withoutUndefined({ name: textAt(effect, 'recovery_strategy'), error: errorOf(effect) });
    return [{ kind: 'event', type: 'recovery.started', data }];
  }
  const became = stages.exec(kind)?.[1];
  if (became === undefined) return [];
  // Of the few kinds that `stages` names: on any text the pattern would begin anew at every mark.
  const name = firstText(effect, 'step_name', 'stage_name', 'phase') ?? kind.replace(/_\w+$/, '');
  const input = objectAt(effect, 'inputs');
  if (became === 'started') return [{ kind: 'event', type: 'step.started', data: withoutUndefined({ name, input }) }];
  const failed = became === 'failed';
  const result = failed ? undefined : memberAt(effect, 'outputs');
  const data = withoutUndefined({ name, result, error: failed ? errorOf(effect) : undefined });
  return [{ kind: 'event', type: 'step.completed', data }];
}

function errorOf(effect: JsonObject): JsonObject {
  return { name: textAt(effect, 'error_type') ?? 'error', message: firstText(effect, 'error', 'error_message') ?? '' };
}
