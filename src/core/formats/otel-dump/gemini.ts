/**
 * Telemetry of Gemini CLI: log records that say how long a call took become the span of that call.
 *
 * No record names a span. Rules: a call of a model is known by its session and the moment it began (`gemini-call-moment`), which is
 * that of the record of its end less its duration; the request is the record of that moment, and the details are the record of the
 * moment of the end. A tool call is known by its record. All follow the prompt whose id they name, as recorded.
 */
import type { JsonObject } from '../../base/json.ts';
import { textToSpanId } from '../genai/ids.ts';
import type { Log, Span } from '../genai/record.ts';
import { addNanos, valueToTime } from '../genai/times.ts';
import { textAt, valueAt } from '../genai/values.ts';

const calls: ReadonlySet<string> = new Set(['gemini_cli.api_response', 'gemini_cli.api_error']);

export function geminiLogToEntry(log: Log): Span | Log {
  const { name, attributes } = log;
  const session = textAt(attributes, 'session.id') ?? '';
  // The moment of the call; the time of the record is that of writing it, some milliseconds later.
  const moment = valueToTime(valueAt(attributes, 'event.timestamp') ?? log.time)?.time;
  if (name === undefined || moment === undefined) return log;
  if (calls.has(name)) {
    const start = startOf(moment, attributes);
    const span = toSpan(
      log,
      spanOfMoment(session, start ?? moment),
      start ?? moment,
      moment,
      modelAttributes(attributes),
    );
    return { ...span, alias: endOfMoment(session, moment) };
  }
  switch (name) {
    case 'gemini_cli.api_request':
      return { ...log, time: moment, span: spanOfMoment(session, moment), parent: promptId(attributes) };
    case 'gen_ai.client.inference.operation.details':
      return { ...log, time: moment, span: endOfMoment(session, moment), parent: promptId(attributes) };
    case 'gemini_cli.tool_call':
      return toSpan(log, textToSpanId(log.print), startOf(moment, attributes), moment, toolAttributes(attributes));
    case 'gemini_cli.user_prompt': {
      const id = promptId(attributes) ?? textToSpanId(log.print);
      return { ...toSpan(log, id, moment, undefined, { ...attributes, 'hindcast.input': true }), parent: undefined };
    }
    default:
      return log;
  }
}

function spanOfMoment(session: string, moment: string): string {
  return textToSpanId(`gemini call ${session} ${moment}`);
}

function endOfMoment(session: string, moment: string): string {
  return textToSpanId(`gemini end ${session} ${moment}`);
}

/** The prompt of the person; ids of the rounds after it add a count. */
function promptId(attributes: JsonObject): string | undefined {
  const id = textAt(attributes, 'prompt_id');
  if (id === undefined) return undefined;
  return textToSpanId(`gemini prompt ${textAt(attributes, 'session.id') ?? ''} ${id}`);
}

function startOf(moment: string, attributes: JsonObject): string | undefined {
  const lasted = valueAt(attributes, 'duration_ms');
  const millis = typeof lasted === 'number' ? lasted : typeof lasted === 'string' ? Number(lasted) : Number.NaN;
  return Number.isFinite(millis) ? addNanos(moment, -BigInt(Math.round(millis * 1e6))) : undefined;
}

function modelAttributes(attributes: JsonObject): JsonObject {
  return { 'gen_ai.operation.name': 'generate_content', ...attributes };
}

function toolAttributes(attributes: JsonObject): JsonObject {
  return { 'gen_ai.operation.name': 'execute_tool', ...attributes };
}

function toSpan(
  log: Log,
  id: string,
  start: string | undefined,
  end: string | undefined,
  attributes: JsonObject,
): Span {
  const failed =
    log.name === 'gemini_cli.api_error' || attributes['success'] === false || textAt(attributes, 'error') !== undefined;
  return {
    kind: 'span',
    trace: log.trace,
    id,
    key: id,
    parent: promptId(attributes),
    side: undefined,
    name: log.name ?? '',
    start,
    end,
    failed,
    statusText: undefined,
    attributes,
    events: [],
    links: [],
    extra: typeof log.body === 'string' ? { ...log.extra, body: log.body } : log.extra,
    place: log.place,
    print: log.print,
    assumed: log.assumed,
    resource: log.resource,
    scope: log.scope,
  };
}
