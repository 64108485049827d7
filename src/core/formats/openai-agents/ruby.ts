/**
 * Spans of the Ruby port (RAAF): start and end records with flat attributes, times to the second.
 */
import { createTable } from '../../base/table.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { valueToMessages } from '../chat/messages.ts';
import { valueToUsage } from '../chat/usage.ts';
import type { InputPlace } from '../format.ts';
import { memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import type { Failure, ModelDetails, Operation, OperationKind } from '../spans/operation.ts';
import { valueToTime } from '../times.ts';

const kinds: Readonly<Record<string, OperationKind>> = createTable({
  agent: 'agent',
  llm: 'model',
  response: 'model',
  tool: 'tool',
  handoff: 'handoff',
  guardrail: 'policy',
});

const placed: ReadonlySet<string> = new Set([
  'span_id',
  'trace_id',
  'parent_id',
  'name',
  'kind',
  'start_time',
  'end_time',
  'attributes',
  'status',
]);

export function rubyToOperation(record: JsonObject, span: JsonObject, id: string, place: InputPlace): Operation {
  const attributes = objectAt(span, 'attributes') ?? {};
  const kind = kinds[textAt(span, 'kind') ?? ''] ?? 'step';
  const start = valueToTime(memberAt(span, 'start_time'));
  const end = valueToTime(memberAt(span, 'end_time'));
  const known = ['agent.name', 'tool.name', 'function.name']
    .map((key) => textAt(attributes, key))
    .find((name) => name !== undefined);
  return {
    id,
    parent: textAt(span, 'parent_id'),
    kind,
    name: known ?? textAt(span, 'name') ?? 'span',
    start: start?.time,
    end: end?.time,
    ended: end !== undefined || memberAt(record, 'event') === 'end',
    input: memberAt(attributes, 'tool.arguments') ?? memberAt(attributes, 'function.input'),
    output:
      kind === 'model'
        ? memberAt(attributes, 'llm.response.content')
        : (memberAt(attributes, 'tool.result') ?? memberAt(attributes, 'function.output')),
    error: failureOf(span, attributes),
    model: kind === 'model' ? modelOf(attributes) : undefined,
    from: textAt(attributes, 'handoff.from'),
    to: textAt(attributes, 'handoff.to'),
    place,
    extra: { ...restOf(span, placed), attributes, recorded_at: memberAt(record, 'timestamp') ?? '' },
    zoneAssumed: start?.assumed !== undefined || end?.assumed !== undefined,
  };
}

function failureOf(span: JsonObject, attributes: JsonObject): Failure | undefined {
  if (textAt(span, 'status') !== 'error') return undefined;
  return {
    name: 'Error',
    message: textAt(attributes, 'status.description') ?? 'The span has status error and no message.',
  };
}

function modelOf(attributes: JsonObject): ModelDetails {
  const model = textAt(attributes, 'llm.request.model') ?? textAt(attributes, 'llm.model');
  const calls = memberAt(attributes, 'llm.response.tool_calls');
  const content: JsonValue | undefined = memberAt(attributes, 'llm.response.content');
  const answer = withoutUndefined({ role: 'assistant', content, tool_calls: calls });
  return {
    requestModel: model,
    tools: memberAt(attributes, 'llm.request.tools'),
    asked: valueToMessages(memberAt(attributes, 'llm.request.messages'), 'user'),
    answered: content === undefined && calls === undefined ? [] : valueToMessages(answer, 'assistant'),
    usage: valueToUsage(
      withoutUndefined({
        input_tokens: numberAt(attributes, 'llm.usage.prompt_tokens') ?? numberAt(attributes, 'llm.usage.input_tokens'),
        output_tokens:
          numberAt(attributes, 'llm.usage.completion_tokens') ?? numberAt(attributes, 'llm.usage.output_tokens'),
        total_tokens: numberAt(attributes, 'llm.usage.total_tokens'),
      }),
    ),
  };
}
