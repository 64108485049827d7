/**
 * One Langfuse observation to an operation. Members are read in the spelling of the API and of the table exports (`startTime`,
 * `start_time`); input, output and metadata are JSON inside strings at times.
 */
import { createTable } from '../../base/table.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { valueToRequest, valueToResponse } from '../chat/api.ts';
import { messagesToAnswers } from '../chat/calls.ts';
import { valueToMessages } from '../chat/messages.ts';
import { valueToUsage } from '../chat/usage.ts';
import type { InputPlace } from '../format.ts';
import { memberAt, numberAt, objectAt, parseText, restOf, textAt, withoutUndefined } from '../members.ts';
import type { Failure, ModelDetails, Operation, OperationKind } from '../spans/operation.ts';
import { valueToTime } from '../times.ts';

export function fieldOf(record: JsonObject, name: string): JsonValue | undefined {
  return (
    memberAt(record, name) ??
    memberAt(
      record,
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    )
  );
}

export function textOf(record: JsonObject, name: string): string | undefined {
  const value = fieldOf(record, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Names as the API spells them; the other spelling is placed too. */
const placed = namesInBoth([
  'id',
  'traceId',
  'parentObservationId',
  'name',
  'type',
  'startTime',
  'endTime',
  'input',
  'output',
  'model',
  'modelParameters',
  'usageDetails',
  'costDetails',
  'statusMessage',
  'version',
  'latency',
]);

function namesInBoth(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => [name, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]));
}

const kinds: Readonly<Record<string, OperationKind>> = createTable({
  GENERATION: 'model',
  TOOL: 'tool',
  AGENT: 'agent',
  EVENT: 'point',
});

const spanKinds: Readonly<Record<string, OperationKind>> = createTable({ TOOL: 'tool', tool: 'tool' });

export function toOperation(record: JsonObject, id: string, place: InputPlace): Operation {
  const start = valueToTime(fieldOf(record, 'startTime'));
  const end = valueToTime(fieldOf(record, 'endTime'));
  const metadata = parseText(memberAt(record, 'metadata'));
  const attributes = objectAt(metadata, 'attributes');
  const input = parseText(memberAt(record, 'input')) ?? parseText(memberAt(attributes, 'tool.parameters'));
  const output = parseText(memberAt(record, 'output'));
  const [answer, ...others] = messagesToAnswers(valueToMessages(output, 'assistant'));
  const isAnswer = answer?.id !== undefined && others.length === 0;
  const name = textOf(record, 'name') ?? textOf(record, 'type') ?? 'observation';
  const kind = kindOf(record, attributes, isAnswer && textAt(objectAt(output, 'kwargs'), 'name') === name);
  return {
    id,
    parent: textOf(record, 'parentObservationId'),
    kind,
    name: nameOf(attributes, kind) ?? name,
    start: start?.time,
    end: end?.time,
    ended: end !== undefined,
    input: kind === 'tool' ? onlyMember(input, 'input') : input,
    output,
    error: failureOf(record),
    model: kind === 'model' ? modelOf(record, metadata, input, output) : undefined,
    callId:
      kind === 'tool'
        ? (textAt(attributes, 'gen_ai.tool.call.id') ?? textAt(attributes, 'ai.toolCall.id') ?? answer?.id)
        : undefined,
    version: textOf(record, 'version'),
    place,
    extra: extraOf(record, metadata, kind),
    zoneAssumed: start?.assumed !== undefined || end?.assumed !== undefined,
  };
}

function nameOf(attributes: JsonObject | undefined, kind: OperationKind): string | undefined {
  if (kind === 'tool') return textAt(attributes, 'gen_ai.tool.name');
  return kind === 'agent' ? textAt(attributes, 'gen_ai.agent.name') : undefined;
}

/** Instrumentations wrap the arguments in an object of one member. */
function onlyMember(value: JsonValue | undefined, name: string): JsonValue | undefined {
  const inner = objectAt(value, name);
  return inner !== undefined && typeof value === 'object' && value !== null && Object.keys(value).length === 1
    ? inner
    : value;
}

/** The type of the record; a plain span is a tool or an agent where its attributes or its output say so. */
function kindOf(record: JsonObject, attributes: JsonObject | undefined, answersAsTool: boolean): OperationKind {
  const type = textOf(record, 'type') ?? 'SPAN';
  const known = kinds[type];
  if (known !== undefined) return known;
  if (type !== 'SPAN') return 'step';
  const said = textAt(attributes, 'openinference.span.kind') ?? textAt(attributes, 'langsmith.span.kind') ?? '';
  if (textAt(attributes, 'gen_ai.tool.name') !== undefined || answersAsTool) return 'tool';
  const agent = textAt(attributes, 'gen_ai.agent.name');
  if (agent !== undefined && textOf(record, 'name')?.includes(agent) === true) return 'agent';
  return spanKinds[said] ?? 'step';
}

function failureOf(record: JsonObject): Failure | undefined {
  if (textOf(record, 'level') !== 'ERROR') return undefined;
  return {
    name: 'Error',
    message: textOf(record, 'statusMessage') ?? 'The observation has level ERROR and no message.',
  };
}

function modelOf(
  record: JsonObject,
  metadata: JsonValue | undefined,
  input: JsonValue | undefined,
  output: JsonValue | undefined,
): ModelDetails {
  const request = objectAt({ input: input ?? null }, 'input');
  const body = request !== undefined && memberAt(request, 'role') === undefined ? valueToRequest(request) : undefined;
  const response = valueToResponse(output);
  const cost = numberAt(fieldOf(record, 'costDetails'), 'total');
  const parameters = objectAt({ value: fieldOf(record, 'modelParameters') ?? null }, 'value');
  const attributes = objectAt(metadata, 'attributes');
  return {
    provider:
      textAt(attributes, 'gen_ai.system') ??
      textAt(attributes, 'gen_ai.provider.name') ??
      textAt(metadata, 'ls_provider'),
    requestModel: body?.model ?? textAt(attributes, 'gen_ai.request.model') ?? textAt(metadata, 'ls_model_name'),
    responseModel: textOf(record, 'model') ?? response?.model,
    responseId: response?.id,
    parameters,
    system: body?.system,
    tools: body?.tools ?? memberAt(metadata, 'tools'),
    asked: body === undefined ? valueToMessages(input, 'user') : body.messages,
    answered: response?.messages ?? valueToMessages(output, 'assistant'),
    usage: usageOf(record),
    cost: cost === undefined ? undefined : { amount: cost, currency: 'USD' },
    finishReasons: response?.finishReasons,
  };
}

function usageOf(record: JsonObject): JsonObject | undefined {
  return valueToUsage(fieldOf(record, 'usageDetails')) ?? valueToUsage(memberAt(record, 'usage'));
}

/** What has no place; counts of an agent or a step are those of the calls inside, under a name nobody sums. */
function extraOf(record: JsonObject, metadata: JsonValue | undefined, kind: OperationKind): JsonObject {
  const rest = restOf(record, placed);
  const filled = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => typeof value !== 'object' || !isEmptyValue(value)),
  );
  const usage = kind === 'model' ? undefined : usageOf(record);
  const model = kind === 'model' ? undefined : textOf(record, 'model');
  return { ...filled, ...withoutUndefined({ metadata, model, usage_of_inner_calls: usage }) };
}

function isEmptyValue(value: JsonValue): boolean {
  return Array.isArray(value)
    ? value.length === 0
    : typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
