/**
 * One step of a trajectory, or what stands around the steps, to what it says.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { contentToParts } from '../chat/parts.ts';
import { memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { objectsAt, timeAt, zonelessAt } from '../session/fields.ts';
import type { CallPart, Part, Reading } from '../session/part.ts';
import type { SessionRecord } from '../session/source.ts';
import { toolError } from '../session/messages.ts';
import { isSpawnTool } from '../session/tools.ts';

/** Ids of trajectories inside another one are only told apart there. */
export function insideSession(parent: string, trajectory: string): string {
  return `${parent}/${trajectory}`;
}

export function recordToReading(record: JsonObject, { where, group: session, beside }: SessionRecord): Reading {
  if (where === 'document') return documentReading(record, session, textAt(beside, 'parent'));
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
  if (source === 'agent' && record['llm_call_count'] === 0)
    return { ...shared, kind: 'dispatch', parts: dispatchParts(record, content, session) };
  if (source === 'agent') return { ...shared, parts: agentParts(record, id, content, session) };
  const from = source === 'user' ? 'person' : 'program';
  const message: Part = { kind: 'input', role: source, content, from };
  const results = resultParts(record, session);
  // The environment reports what came back without words of its own.
  return { ...shared, parts: results.length > 0 && content === '' ? results : [message, ...results] };
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

function documentReading(record: JsonObject, session: string | undefined, parentSession: string | undefined): Reading {
  const agent = objectAt(record, 'agent');
  const version = textAt(agent, 'version');
  const start: Part = {
    kind: 'start',
    parentSession,
    agent: parentSession === undefined ? undefined : textAt(agent, 'name'),
    data: withoutUndefined({
      program: withoutUndefined({ name: textAt(agent, 'name') ?? 'agent', version }),
      tool_definitions: memberAt(agent, 'tool_definitions'),
      envelope: restOf(record, new Set(['steps'])),
    }),
  };
  const setting: Part = { kind: 'setting', data: withoutUndefined({ request_model: textAt(agent, 'model_name') }) };
  const parts = textAt(agent, 'model_name') === undefined ? [start] : [start, setting];
  return { kind: 'trajectory', session, version, parts };
}

function agentParts(
  step: JsonObject,
  key: string | undefined,
  content: JsonValue,
  session: string | undefined,
): readonly Part[] {
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
    metrics: metricsToRest(metrics),
  });
  return [
    { kind: 'model', key, whole: true, blocks: parts, parts, data },
    ...calls.map((call): Part => ({ ...stepCall(call), key })),
    ...resultParts(step, session),
  ];
}

/** A step for which no model was asked: the program of the agent spoke and called by itself. */
function dispatchParts(step: JsonObject, content: JsonValue, session: string | undefined): readonly Part[] {
  const said: readonly Part[] = content === '' ? [] : [{ kind: 'input', role: 'agent', content, from: 'program' }];
  const calls = objectsAt(step, 'tool_calls').map((call): Part => ({ ...stepCall(call), by: 'program' }));
  return [...said, ...calls, ...resultParts(step, session)];
}

function stepCall(call: JsonObject): CallPart {
  const name = textAt(call, 'function_name') ?? 'tool not named';
  const args = memberAt(call, 'arguments') ?? {};
  return { kind: 'call', id: textAt(call, 'tool_call_id'), name, args, spawns: isSpawnTool(name) };
}

/** Counts of one call; totals of the trajectory stand apart and are never added. */
function metricsToUsage(metrics: JsonObject | undefined): JsonObject | undefined {
  if (metrics === undefined) return undefined;
  const counts = Object.entries(metrics).filter(([, value]) => typeof value === 'number');
  return withoutUndefined({
    ...Object.fromEntries(counts),
    input_tokens: numberAt(metrics, 'prompt_tokens'),
    output_tokens: numberAt(metrics, 'completion_tokens'),
    cache_read_input_tokens: numberAt(metrics, 'cached_tokens'),
  });
}

/** Ids and probabilities of the tokens, and what is no count. */
function metricsToRest(metrics: JsonObject | undefined): JsonObject | undefined {
  const rest = Object.entries(metrics ?? {}).filter(([, value]) => value !== null && typeof value !== 'number');
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

function resultParts(step: JsonObject, session: string | undefined): readonly Part[] {
  const results = objectsAt(objectAt(step, 'observation'), 'results');
  // A converter that writes a step a call notes beside the step that the call failed.
  const noted = results.length === 1 && saysFailed(objectAt(step, 'extra'));
  return results.map((result) => {
    const [child] = objectsAt(result, 'subagent_trajectory_ref');
    const value = memberAt(result, 'content') ?? null;
    const failed = noted || saysFailed(result) || saysFailed(objectAt(result, 'extra'));
    return {
      kind: 'result',
      call: textAt(result, 'source_call_id'),
      value,
      error: failed ? toolError(value) : undefined,
      child: refToSession(child, session),
      data: restOf(result, new Set(['source_call_id', 'content'])),
    };
  });
}

function saysFailed(object: JsonObject | undefined): boolean {
  return object?.['is_error'] === true || object?.['tool_result_is_error'] === true;
}

/** A reference without a path means a trajectory inside this one, if it names one. */
function refToSession(ref: JsonObject | undefined, session: string | undefined): string | undefined {
  const trajectory = textAt(ref, 'trajectory_id');
  if (trajectory === undefined) return textAt(ref, 'session_id');
  return textAt(ref, 'trajectory_path') === undefined && session !== undefined
    ? insideSession(session, trajectory)
    : trajectory;
}
