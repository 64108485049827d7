/**
 * One LangSmith run to an operation. Messages of model runs are those of LangChain (serialised, in batches) or the raw request and
 * response of a wrapped client.
 */
import { createTable } from '../../base/table.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { valueToRequest, valueToResponse } from '../chat/api.ts';
import { messagesToAnswers } from '../chat/calls.ts';
import { type ChatMessage, valueToMessages } from '../chat/messages.ts';
import { valueToUsage } from '../chat/usage.ts';
import {
  firstText,
  listAt,
  memberAt,
  numberAt,
  objectAt,
  parseText,
  restOf,
  textAt,
  withoutUndefined,
} from '../members.ts';
import type { Failure, ModelDetails, Operation, OperationKind } from '../spans/operation.ts';
import { valueToTime, type ReadTime } from '../times.ts';
import { dottedToIds, type MergedRun } from './bodies.ts';

const kinds: Readonly<Record<string, OperationKind>> = createTable({ llm: 'model', chat_model: 'model', tool: 'tool' });

const placed: ReadonlySet<string> = new Set([
  'id',
  'name',
  'start_time',
  'end_time',
  'inputs',
  'outputs',
  'error',
  'run_type',
  'parent_run_id',
  'dotted_order',
  'trace_id',
  'events',
  'child_runs',
]);

export function toOperation(id: string, { body, place }: MergedRun): Operation {
  const start = timeOf(memberAt(body, 'start_time'));
  const end = timeOf(memberAt(body, 'end_time'));
  const ids = dottedToIds(textAt(body, 'dotted_order'));
  const named = textAt(body, 'parent_run_id');
  const kind = kinds[textAt(body, 'run_type') ?? ''] ?? 'step';
  const inputs = memberAt(body, 'inputs');
  const outputs = memberAt(body, 'outputs');
  const [answer] =
    kind === 'tool' ? messagesToAnswers(valueToMessages(memberAt(outputs, 'output') ?? outputs, 'assistant')) : [];
  return {
    id,
    parent: named ?? ids.at(-2),
    kind,
    name: textAt(body, 'name') ?? textAt(body, 'run_type') ?? 'run',
    start: start?.time,
    end: end?.time,
    ended: end !== undefined || outputs !== undefined || memberAt(body, 'error') !== undefined,
    input: kind === 'tool' ? toolInput(inputs) : inputs,
    output: kind === 'tool' ? (memberAt(outputs, 'output') ?? outputs) : outputs,
    error: failureOf(body),
    model: kind === 'model' ? modelOf(body, inputs, outputs) : undefined,
    callId:
      kind === 'tool'
        ? (firstText(objectAt(objectAt(body, 'extra'), 'metadata'), 'tool_call_id') ?? answer?.id)
        : undefined,
    place,
    extra: extraOf(body),
    zoneAssumed: start?.assumed !== undefined || end?.assumed !== undefined,
  };
}

/** LangSmith writes UTC without a zone: the dotted order of the same run holds the same digits with a Z. */
function timeOf(value: JsonValue | undefined): ReadTime | undefined {
  return valueToTime(value);
}

/** LangChain hands a tool its arguments as text under `input`. */
function toolInput(inputs: JsonValue | undefined): JsonValue | undefined {
  const only = isJsonObject(inputs) && Object.keys(inputs).length === 1 ? memberAt(inputs, 'input') : undefined;
  return only === undefined ? inputs : parseText(only);
}

function failureOf(body: JsonObject): Failure | undefined {
  const error = memberAt(body, 'error');
  if (error === undefined) return undefined;
  if (typeof error !== 'string') return { name: 'Error', message: JSON.stringify(error), data: error };
  const [first = error] = error.split('\n');
  const named = /^([A-Za-z_.]*(?:Error|Exception|Interrupt))\b/.exec(first)?.[1];
  return { name: named ?? 'Error', message: error };
}

function modelOf(body: JsonObject, inputs: JsonValue | undefined, outputs: JsonValue | undefined): ModelDetails {
  const extra = objectAt(body, 'extra');
  const metadata = objectAt(extra, 'metadata');
  const invocation = objectAt(extra, 'invocation_params');
  const request = isJsonObject(inputs) ? valueToRequest(inputs) : undefined;
  const response = valueToResponse(outputs) ?? generationsToResponse(outputs);
  const parameters = {
    ...request?.parameters,
    ...(invocation === undefined ? {} : restOf(invocation, new Set(['tools', 'model', 'model_name']))),
  };
  return {
    provider: textAt(metadata, 'ls_provider'),
    requestModel: firstText(invocation, 'model', 'model_name') ?? request?.model ?? textAt(metadata, 'ls_model_name'),
    responseModel: response?.model,
    responseId: response?.id,
    parameters,
    system: request?.system,
    tools: memberAt(invocation, 'tools') ?? request?.tools,
    asked: request === undefined ? [] : request.messages.length > 0 ? request.messages : promptsToMessages(inputs),
    answered: response?.messages ?? [],
    usage: response?.usage ?? valueToUsage(memberAt(outputs, 'usage_metadata')) ?? countsOf(body),
    finishReasons: response?.finishReasons,
  };
}

/** Runs as the service lists them have the counts of a model call beside its outputs. */
function countsOf(body: JsonObject): JsonObject | undefined {
  const counts = withoutUndefined({
    prompt_tokens: numberAt(body, 'prompt_tokens'),
    completion_tokens: numberAt(body, 'completion_tokens'),
    total_tokens: numberAt(body, 'total_tokens'),
  });
  return Object.values(counts).some((count) => count !== 0) ? valueToUsage(counts) : undefined;
}

function promptsToMessages(inputs: JsonValue | undefined): readonly ChatMessage[] {
  return valueToMessages(listAt(inputs, 'prompts') ?? memberAt(inputs, 'prompt'), 'user');
}

/** LangChain: `generations` is a list of lists, one list a prompt. */
function generationsToResponse(outputs: JsonValue | undefined) {
  const groups = listAt(outputs, 'generations');
  if (groups === undefined) return undefined;
  const flat = groups.flatMap((group) => (Array.isArray(group) ? (group as readonly JsonValue[]) : [group]));
  const messages = flat.flatMap((one) =>
    valueToMessages(memberAt(one, 'message') ?? memberAt(one, 'text'), 'assistant'),
  );
  const kwargs = flat
    .map((one) => objectAt(objectAt(one, 'message'), 'kwargs') ?? objectAt(one, 'message'))
    .find((one) => one !== undefined);
  const meta = objectAt(kwargs, 'response_metadata');
  const info = flat.map((one) => objectAt(one, 'generation_info')).find((one) => one !== undefined);
  const reason = firstText(meta, 'finish_reason', 'stop_reason') ?? firstText(info, 'finish_reason', 'stop_reason');
  const told = objectAt(outputs, 'llm_output');
  return {
    id: textAt(meta, 'id') ?? textAt(kwargs, 'id'),
    model:
      firstText(meta, 'model_name', 'model') ?? firstText(told, 'model_name', 'model') ?? textAt(info, 'model_name'),
    messages,
    usage: valueToUsage(
      memberAt(kwargs, 'usage_metadata') ??
        memberAt(told, 'token_usage') ??
        memberAt(told, 'usage') ??
        memberAt(meta, 'token_usage'),
    ),
    finishReasons: reason === undefined ? undefined : [reason],
  };
}

/** Streams leave an event a token: they are counted, and only others are kept. */
function extraOf(body: JsonObject): JsonObject {
  const events = listAt(body, 'events') ?? [];
  const kept = events.filter((event) => textAt(event, 'name') !== 'new_token');
  const tokens = events.length - kept.length;
  const rest = restOf(body, placed);
  const children = listAt(body, 'child_runs') ?? [];
  return {
    ...rest,
    ...(kept.length > 0 ? { events: kept } : {}),
    ...(tokens > 0 ? { new_token_events: tokens } : {}),
    ...(children.length > 0 ? { child_runs: children } : {}),
  };
}
