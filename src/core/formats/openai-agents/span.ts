/**
 * One span of the OpenAI Agents SDK to an operation. `response` spans hold only the id of the answer; `turn` and `task` spans repeat
 * the counts of the calls inside.
 */
import { createTable } from '../../base/table.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../base/json.ts';
import { valueToResponse } from '../chat/api.ts';
import { type ChatMessage, valueToMessages } from '../chat/messages.ts';
import { valueToUsage } from '../chat/usage.ts';
import type { InputPlace } from '../format.ts';
import { memberAt, objectAt, parseText, restOf, textAt, withoutUndefined } from '../members.ts';
import type { Failure, ModelDetails, Operation, OperationKind } from '../spans/operation.ts';
import { valueToTime } from '../times.ts';

const kinds: Readonly<Record<string, OperationKind>> = createTable({
  agent: 'agent',
  generation: 'model',
  response: 'model',
  function: 'tool',
  handoff: 'handoff',
  guardrail: 'policy',
});

const spanPlaced: ReadonlySet<string> = new Set([
  'object',
  'id',
  'trace_id',
  'parent_id',
  'started_at',
  'ended_at',
  'error',
  'span_data',
]);
const dataPlaced: ReadonlySet<string> = new Set([
  'type',
  'name',
  'input',
  'output',
  'model',
  'model_config',
  'usage',
  'response_id',
  'from_agent',
  'to_agent',
]);

export function spanToOperation(span: JsonObject, id: string, place: InputPlace): Operation {
  const data = objectAt(span, 'span_data') ?? {};
  const type = textAt(data, 'type') ?? 'custom';
  const kind = kinds[type] ?? 'step';
  const start = valueToTime(memberAt(span, 'started_at'));
  const end = valueToTime(memberAt(span, 'ended_at'));
  const custom = objectAt(data, 'data');
  return {
    id,
    parent: textAt(span, 'parent_id'),
    kind,
    name: textAt(data, 'name') ?? type,
    start: start?.time,
    end: end?.time,
    ended: end !== undefined,
    input: kind === 'tool' ? parseText(memberAt(data, 'input')) : memberAt(data, 'input'),
    output: kind === 'policy' ? memberAt(data, 'triggered') : memberAt(data, 'output'),
    error: failureOf(span),
    model: kind === 'model' ? modelOf(span, data) : undefined,
    from: textAt(data, 'from_agent'),
    to: textAt(data, 'to_agent'),
    place,
    extra: extraOf(span, data, custom),
    zoneAssumed: start?.assumed !== undefined || end?.assumed !== undefined,
  };
}

function failureOf(span: JsonObject): Failure | undefined {
  const error = objectAt(span, 'error');
  if (error === undefined) return undefined;
  const data = memberAt(error, 'data');
  return { name: 'Error', message: textAt(error, 'message') ?? 'The span has an error without a message.', data };
}

function modelOf(span: JsonObject, data: JsonObject): ModelDetails {
  const output = memberAt(data, 'output');
  // A patched exporter writes the input of a response span beside its data.
  const input = memberAt(data, 'input') ?? memberAt(span, 'span_data_input');
  const answers = isJsonArray(output) ? output.map(valueToResponse) : [valueToResponse(output)];
  const first = answers.find((answer) => answer !== undefined);
  const answered: ChatMessage[] = [];
  for (const answer of answers) for (const message of answer?.messages ?? []) answered.push(message);
  return {
    requestModel: textAt(data, 'model'),
    responseModel: first?.model,
    responseId: textAt(data, 'response_id') ?? first?.id,
    parameters: objectAt(data, 'model_config'),
    asked: valueToMessages(input, 'user'),
    answered: answered.length > 0 || first !== undefined ? answered : valueToMessages(output, 'assistant'),
    usage: valueToUsage(memberAt(data, 'usage')) ?? first?.usage,
    finishReasons: first?.finishReasons,
  };
}

function extraOf(span: JsonObject, data: JsonObject, custom: JsonObject | undefined): JsonObject {
  const rest = restOf(data, dataPlaced);
  const usage = memberAt(custom, 'usage');
  const told: JsonObject = custom === undefined ? rest : { ...rest, data: restOf(custom, new Set(['usage'])) };
  const kept: Record<string, JsonValue> = { ...restOf(span, spanPlaced), ...told };
  return { ...kept, ...withoutUndefined({ usage_of_inner_calls: usage }) };
}
