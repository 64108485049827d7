/**
 * A span and its log records to the fields of model calls, tool calls and agents.
 *
 * Every field comes from the table; what no field took is given back as `rest` and kept. Nothing is filled in.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, setOwn } from '../../base/json.ts';
import { type AttributeReader, createAttributeReader, valueToNumber, valueToText, valueToTexts } from './attributes.ts';
import { indexedToList, type Message, valueToMessages } from './messages.ts';
import type { Log, Span } from './record.ts';
import { logsToMessages, withSpokenAttributes } from './spoken.ts';
import { notParameters, parameterPrefixes } from './table.ts';
import { isEmpty, objectAt, parseText, textAt, valueAt, withoutUndefined } from './values.ts';

export interface ModelFields {
  readonly request: JsonObject;
  readonly response: JsonObject;
  readonly input: readonly Message[];
  readonly output: readonly Message[];
  readonly model: string | undefined;
  readonly rest: JsonObject;
}

export function spanToModel(span: Pick<Span, 'attributes' | 'events'>, logs: readonly Log[]): ModelFields {
  const read = createAttributeReader(withSpokenAttributes(span.attributes, logs, span.events));
  const spoken = logsToMessages(logs, span.events);
  const adk = adkRequest(span.attributes);
  const input = firstMessages(
    () => attributeMessages(read, 'inputMessages', 'gen_ai.input.messages', 'user'),
    () => indexedMessages(read, ['gen_ai.prompt', 'llm.prompts', 'llm.input_messages'], 'user'),
    () => spoken.input,
    () => attributeMessages(read, 'inputMessages', undefined, 'user'),
  );
  const output = firstMessages(
    () => attributeMessages(read, 'outputMessages', 'gen_ai.output.messages', 'assistant'),
    () => indexedMessages(read, ['gen_ai.completion', 'llm.completions', 'llm.output_messages'], 'assistant'),
    () => vercelAnswer(read),
    () => spoken.output,
    () => attributeMessages(read, 'outputMessages', undefined, 'assistant'),
  );
  const model = read.text('requestModel');
  const responseModel = read.text('responseModel');
  const shared = { operation: read.text('operation'), provider: read.text('provider') };
  const system = read.value('systemInstructions') ?? adk.system;
  const request = withoutUndefined({
    ...shared,
    request_model: model,
    parameters: parametersOf(read),
    system_instructions: system === undefined ? undefined : parseText(system),
    input_messages: input.length === 0 ? undefined : input,
    tool_definitions: toolDefinitionsOf(read) ?? adk.tools,
  });
  const reasons = valueToTexts(parsedList(read.value('finishReasons'))) ?? finishOf(output);
  const response = withoutUndefined({
    ...shared,
    request_model: model,
    response_model: responseModel,
    response_id: read.text('responseId'),
    usage: usageOf(read),
    cost: costOf(read),
    finish_reasons: reasons === undefined ? undefined : [...reasons],
    output_messages: output.length === 0 ? undefined : output,
    http_status: read.number('httpStatus'),
  });
  return { request, response, input, output, model: model ?? responseModel, rest: restOfReader(read, spoken.rest) };
}

function restOfReader(read: AttributeReader, more: JsonObject): JsonObject {
  const rest = read.rest();
  return isEmpty(more) ? rest : { ...rest, ...more };
}

function firstMessages(...ways: readonly (() => readonly Message[])[]): readonly Message[] {
  for (const way of ways) {
    const found = way();
    if (found.length > 0) return found;
  }
  return [];
}

/** Only the attribute `name`, or with no name the first of the field. */
function attributeMessages(
  read: AttributeReader,
  field: 'inputMessages' | 'outputMessages',
  name: string | undefined,
  role: string,
): readonly Message[] {
  const value = name === undefined ? read.value(field) : read.take(name);
  if (value === undefined) return [];
  const parsed = parseText(value);
  if ((isJsonObject(parsed) && isEmpty(parsed)) || parsed === '') return [];
  return valueToMessages(parsed, role);
}

function indexedMessages(read: AttributeReader, prefixes: readonly string[], role: string): readonly Message[] {
  for (const prefix of prefixes) {
    const list = indexedToList(read.takeBelow(prefix));
    if (list.length > 0) return valueToMessages(list, role).map(withoutEmpty);
  }
  return [];
}

/** A message of indexed attributes has no list of parts to tell an empty one from an absent one. */
function withoutEmpty(message: Message): Message {
  const { tool_calls, ...rest } = message;
  return Array.isArray(tool_calls) && tool_calls.length === 0 ? rest : message;
}

/** The AI SDK writes the answer in pieces. */
function vercelAnswer(read: AttributeReader): readonly Message[] {
  const parts: JsonValue[] = [];
  const reasoning = read.take('ai.response.reasoning') ?? read.take('ai.result.reasoning');
  if (typeof reasoning === 'string' && reasoning !== '') parts.push({ type: 'reasoning', content: reasoning });
  const text = read.take('ai.response.text') ?? read.take('ai.result.text');
  if (typeof text === 'string' && text !== '') parts.push({ type: 'text', content: text });
  const object = read.take('ai.response.object') ?? read.take('ai.result.object');
  if (object !== undefined) parts.push({ type: 'json', content: parseText(object) });
  const calls = parseText(read.take('ai.response.toolCalls') ?? read.take('ai.result.toolCalls') ?? '');
  const called = isJsonArray(calls) ? valueToMessages({ role: 'assistant', toolCalls: calls }, 'assistant') : [];
  const made = called.flatMap((message) => (isJsonArray(message['parts']) ? message['parts'] : []));
  const all = [...parts, ...made];
  return all.length === 0 ? [] : [{ role: 'assistant', parts: all }];
}

/** The request of the Agent Development Kit holds the system prompt and the tools beside the messages. */
function adkRequest(attributes: JsonObject): { readonly system?: JsonValue; readonly tools?: JsonValue } {
  const request = parseText(valueAt(attributes, 'gcp.vertex.agent.llm_request') ?? '');
  const config = isJsonObject(request) ? objectAt(request, 'config') : undefined;
  if (config === undefined) return {};
  const system = valueAt(config, 'system_instruction');
  const tools = valueAt(config, 'tools');
  return { ...(system === undefined ? {} : { system }), ...(tools === undefined ? {} : { tools }) };
}

function toolDefinitionsOf(read: AttributeReader): JsonValue | undefined {
  const value = read.value('toolDefinitions');
  if (value !== undefined) {
    const list = parseText(value);
    return isJsonArray(list) ? list.map(parseText) : list;
  }
  const indexed = ['llm.request.functions', 'llm.tools'].map((prefix) => indexedToList(read.takeBelow(prefix)));
  const found = indexed.find((list) => list.length > 0);
  return found?.map((tool) => {
    const parameters = valueAt(tool, 'parameters');
    const schema = objectAt(tool, 'tool');
    const written = schema === undefined ? undefined : valueAt(schema, 'json_schema');
    if (written !== undefined) return parseText(written);
    return parameters === undefined ? tool : { ...tool, parameters: parseText(parameters) };
  });
}

function parametersOf(read: AttributeReader): JsonValue | undefined {
  const whole = read.value('parameters');
  const out: Record<string, JsonValue> = {};
  for (const prefix of parameterPrefixes) {
    for (const [name, value] of read.takeBelow(prefix.slice(0, -1))) {
      if (!notParameters.has(name)) setOwn(out, name, value);
    }
  }
  if (whole !== undefined) {
    const parsed = parseText(whole);
    if (!isJsonObject(parsed)) return parsed;
    for (const key of Object.keys(parsed)) setOwn(out, key, parsed[key] ?? null);
  }
  return isEmpty(out) ? undefined : out;
}

function parsedList(value: JsonValue | undefined): JsonValue | undefined {
  return value === undefined ? undefined : parseText(value);
}

function finishOf(messages: readonly Message[]): readonly string[] | undefined {
  const reasons = messages.map((message) => textAt(message, 'finish_reason')).filter((reason) => reason !== undefined);
  return reasons.length === 0 ? undefined : reasons;
}

function usageOf(read: AttributeReader): JsonObject | undefined {
  const whole = parseText(read.value('usage') ?? '');
  const counted = isJsonObject(whole) ? whole : {};
  const usage = withoutUndefined({
    input_tokens:
      read.number('inputTokens') ?? valueToNumber(valueAt(counted, 'input', 'input_tokens', 'prompt_tokens')),
    output_tokens:
      read.number('outputTokens') ?? valueToNumber(valueAt(counted, 'output', 'output_tokens', 'completion_tokens')),
    total_tokens: read.number('totalTokens') ?? valueToNumber(valueAt(counted, 'total', 'total_tokens')),
    cache_read_input_tokens: read.number('cacheReadTokens'),
    cache_creation_input_tokens: read.number('cacheCreationTokens'),
    reasoning_output_tokens: read.number('reasoningTokens'),
    details: isEmpty(counted) ? undefined : counted,
  });
  return isEmpty(usage) ? undefined : usage;
}

function costOf(read: AttributeReader): JsonObject | undefined {
  const details = parseText(read.value('costDetails') ?? '');
  const held = isJsonObject(details) ? details : {};
  const amount = read.number('cost') ?? valueToNumber(valueAt(held, 'total'));
  return amount === undefined ? undefined : withoutUndefined({ amount, details: isEmpty(held) ? undefined : held });
}

interface ToolFields {
  readonly name: string;
  readonly callId: string | undefined;
  readonly args: JsonValue | undefined;
  readonly result: JsonValue | undefined;
  readonly httpStatus: number | undefined;
  readonly rest: JsonObject;
}

export function spanToTool(span: Span): ToolFields {
  const read = createAttributeReader(span.attributes);
  const args = read.value('toolArguments');
  const result = read.value('toolResult');
  const named = /^(?:execute_tool|tools\/call)\s+(.+)$/.exec(span.name)?.[1];
  const entity = read.take('traceloop.entity.name');
  const name = read.text('toolName') ?? named ?? valueToText(entity) ?? span.name;
  return {
    name: name === '' ? 'tool not named' : name,
    callId: read.text('toolCallId'),
    args: args === undefined ? undefined : parseText(args),
    result: result === undefined ? documentsOf(read) : parseText(result),
    httpStatus: read.number('httpStatus'),
    rest: read.rest(),
  };
}

/** What a retrieval gave back, with an index for each document. */
function documentsOf(read: AttributeReader): JsonValue | undefined {
  for (const prefix of ['retrieval.documents', 'reranker.output_documents']) {
    const list = indexedToList(read.takeBelow(prefix));
    if (list.length > 0) return list;
  }
  const written = read.take('gen_ai.retrieval.documents');
  return written === undefined ? undefined : parseText(written);
}

export interface AgentFields {
  readonly name: string;
  readonly input: JsonValue | undefined;
  readonly output: JsonValue | undefined;
  readonly rest: JsonObject;
}

export function spanToAgent(span: Span): AgentFields {
  const read = createAttributeReader(span.attributes);
  const input = read.value('agentInput');
  const output = read.value('agentOutput');
  const named = /^(?:invoke_agent|agent_run|agent)\s+\[?([^\]]+)\]?$/i.exec(span.name)?.[1];
  const entity = read.take('traceloop.entity.name');
  return {
    name: read.text('agentName') ?? named ?? valueToText(entity) ?? (span.name === '' ? 'agent not named' : span.name),
    input: input === undefined ? undefined : parseText(input),
    output: output === undefined ? undefined : parseText(output),
    rest: read.rest(),
  };
}

/** A step keeps all attributes as they are, but for what it was given and what it made. */
export function spanToStep(span: Span): Pick<AgentFields, 'input' | 'output' | 'rest'> {
  const read = createAttributeReader(span.attributes);
  const input = read.value('agentInput');
  const output = read.value('agentOutput');
  return {
    input: input === undefined ? undefined : parseText(input),
    output: output === undefined ? undefined : parseText(output),
    rest: read.rest(),
  };
}

export function sessionOf(attributes: JsonObject): string | undefined {
  return createAttributeReader(attributes).text('session');
}

export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly data?: JsonValue;
}

/** How a span failed: its exception, else its error type and the text of its status. */
export function spanToFailure(span: Span): Failure | undefined {
  const exception = span.events.find(({ name }) => name === 'exception');
  if (!span.failed && textAt(span.attributes, 'error.type') === undefined) return undefined;
  const read = createAttributeReader(exception?.attributes ?? {});
  const own = createAttributeReader(span.attributes);
  const name = read.text('errorType') ?? own.text('errorType') ?? 'Error';
  const message = read.text('errorMessage') ?? span.statusText ?? own.text('errorMessage') ?? '';
  return exception === undefined ? { name, message } : { name, message, data: exception.attributes };
}
