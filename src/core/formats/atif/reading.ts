/**
 * One step of a trajectory, or what stands around the steps, to what it says.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { contentToParts } from '../chat/parts.ts';
import { memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { objectsAt, timeAt, zonelessAt } from '../session/fields.ts';
import type { Part, Reading } from '../session/part.ts';
import { isSpawnTool } from '../session/tools.ts';

export function recordToReading(record: JsonObject, where: string, session: string | undefined): Reading {
  if (where === 'document') return documentReading(record);
  const source = textAt(record, 'source') ?? 'untyped';
  const number = memberAt(record, 'step_id');
  const id = typeof number === 'number' || typeof number === 'string' ? `step:${String(number)}` : undefined;
  const zoned = timeAt(record, 'timestamp');
  const shared = {
    kind: source,
    session,
    id,
    time: zoned ?? zonelessAt(record, 'timestamp'),
    zoneless: zoned === undefined,
    extra: restOf(record, stepMembers),
  };
  // A sub-trajectory begins with what its parent already holds.
  if (record['is_copied_context'] === true) {
    const data = { name: 'copied context', value: record };
    return { ...shared, kind: 'copied-context', parts: [{ kind: 'event', type: 'artifact.used', data }], extra: {} };
  }
  const content: JsonValue = memberAt(record, 'message') ?? '';
  if (source === 'agent') return { ...shared, parts: agentParts(record, id, content) };
  const from = source === 'user' ? 'person' : 'program';
  const message: Part = { kind: 'input', role: source, content, from };
  return { ...shared, parts: [message, ...resultParts(record)] };
}

const stepMembers: ReadonlySet<string> = new Set([
  'step_id',
  'timestamp',
  'source',
  'message',
  'model_name',
  'reasoning_content',
  'tool_calls',
  'observation',
  'metrics',
]);

function documentReading(record: JsonObject): Reading {
  const agent = objectAt(record, 'agent');
  const version = textAt(agent, 'version');
  const start: Part = {
    kind: 'start',
    data: withoutUndefined({
      program: withoutUndefined({ name: textAt(agent, 'name') ?? 'agent', version }),
      tool_definitions: memberAt(agent, 'tool_definitions'),
      envelope: restOf(record, new Set(['steps'])),
    }),
  };
  const setting: Part = { kind: 'setting', data: withoutUndefined({ request_model: textAt(agent, 'model_name') }) };
  const parts = textAt(agent, 'model_name') === undefined ? [start] : [start, setting];
  return { kind: 'trajectory', session: textAt(record, 'session_id'), version, parts };
}

function agentParts(step: JsonObject, key: string | undefined, content: JsonValue): readonly Part[] {
  const reasoning = textAt(step, 'reasoning_content');
  const calls = objectsAt(step, 'tool_calls');
  const parts = [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', content: reasoning }]),
    ...contentToParts(content),
    ...calls.map((call) =>
      withoutUndefined({
        type: 'tool_call',
        id: textAt(call, 'tool_call_id'),
        name: textAt(call, 'function_name'),
        arguments: memberAt(call, 'arguments'),
      }),
    ),
  ];
  const metrics = objectAt(step, 'metrics');
  const cost = numberAt(metrics, 'cost_usd');
  const data = withoutUndefined({
    response_model: textAt(step, 'model_name'),
    usage: metricsToUsage(metrics),
    cost: cost === undefined ? undefined : { amount: cost, currency: 'USD' },
  });
  return [
    { kind: 'model', key, whole: true, blocks: parts, parts, data },
    ...calls.map((call): Part => {
      const name = textAt(call, 'function_name') ?? 'tool not named';
      return {
        kind: 'call',
        id: textAt(call, 'tool_call_id'),
        key,
        name,
        args: memberAt(call, 'arguments') ?? {},
        spawns: isSpawnTool(name),
      };
    }),
    ...resultParts(step),
  ];
}

/** Counts of one call; totals of the trajectory stand apart and are never added. */
function metricsToUsage(metrics: JsonObject | undefined): JsonObject | undefined {
  if (metrics === undefined) return undefined;
  return withoutUndefined({
    ...metrics,
    input_tokens: numberAt(metrics, 'prompt_tokens'),
    output_tokens: numberAt(metrics, 'completion_tokens'),
    cache_read_input_tokens: numberAt(metrics, 'cached_tokens'),
  });
}

function resultParts(step: JsonObject): readonly Part[] {
  return objectsAt(objectAt(step, 'observation'), 'results').map((result) => {
    const [child] = objectsAt(result, 'subagent_trajectory_ref');
    const value = memberAt(result, 'content') ?? null;
    const failed = result['is_error'] === true;
    return {
      kind: 'result',
      call: textAt(result, 'source_call_id'),
      value,
      error: failed ? { name: 'ToolError', message: typeof value === 'string' ? value : '' } : undefined,
      child: textAt(child, 'session_id'),
      data: restOf(result, new Set(['source_call_id', 'content'])),
    };
  });
}
