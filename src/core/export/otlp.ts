/**
 * Events as OTLP JSON: spans that any OpenTelemetry tool shows, and on them, as span events, every event of the stream whole.
 *
 * Invariant: what is written is the event and nothing but the event (`hindcast.event.exact`), so importing it gives the same events,
 * edges and branches. Spans only carry: one for each operation (its own span where it has one, else an attempt of a command), one for
 * each run around them. See README.md, which is the documentation for writers, and core/model/otlp-attributes.ts.
 */
import { sha256Hex } from '../base/hash.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { timeToMillis } from '../base/time.ts';
import type { HindcastEvent, RunId } from '../model/index.ts';
import { otlpAttributeNames, recordToOtlpAttributes } from '../model/otlp-attributes.ts';

interface CarrierSpan {
  readonly run: RunId;
  readonly id: string;
  readonly parent: string | undefined;
  name: string;
  start: bigint | undefined;
  end: bigint | undefined;
  isFailed: boolean;
  readonly attributes: Map<string, JsonValue>;
  /** Each event as written, to be joined by commas. */
  readonly events: string[];
}

/** The parts of one JSON text, in order; joined they are the file. Not one string: a long trace is larger than a string may be. */
export function* eventsToOtlp(events: Iterable<HindcastEvent>): Generator<string> {
  const components = new Map<string, CarrierSpan[]>();
  const spans = new Map<string, CarrierSpan>();
  let order = 0;
  for (const event of events) {
    const root = openSpan(event, rootKey(event), spans, components);
    const key = operationKey(event);
    const span = key === undefined ? root : openSpan(event, key, spans, components, root);
    addEvent(span, event, order++);
    widen(root, span);
  }
  yield '{"resourceSpans":[';
  let first = true;
  for (const [component, members] of components) {
    yield `${first ? '' : ','}{"resource":{"attributes":[${attribute('service.name', component)}]},"scopeSpans":[{"scope":{"name":"hindcast"},"spans":[`;
    first = false;
    for (const [n, span] of members.entries()) yield* spanToParts(span, n === 0);
    yield ']}]}';
  }
  yield ']}\n';
}

function rootKey({ run }: HindcastEvent): string {
  return `run\n${run}`;
}

/** The operation an event belongs to; undefined is the run itself. */
function operationKey({ run, span, branch, source, command }: HindcastEvent): string | undefined {
  if (span !== undefined) return `span\n${run}\n${span}`;
  if (command === undefined) return undefined;
  const life = [source.component, source.instance, source.incarnation].join('\n');
  return `command\n${run}\n${branch}\n${life}\n${command.path}\n${command.attempt ?? ''}`;
}

function openSpan(
  event: HindcastEvent,
  key: string,
  spans: Map<string, CarrierSpan>,
  components: Map<string, CarrierSpan[]>,
  root?: CarrierSpan,
): CarrierSpan {
  const known = spans.get(key);
  if (known !== undefined) return known;
  const span: CarrierSpan = {
    run: event.run,
    id: key.startsWith('span\n') && event.span !== undefined ? event.span : sha256Hex(key).slice(0, 16),
    parent: root?.id,
    name: root === undefined ? 'run' : (event.command?.path ?? event.type),
    start: undefined,
    end: undefined,
    isFailed: false,
    attributes: new Map<string, JsonValue>([[otlpAttributeNames.carrier, true]]),
    events: [],
  };
  spans.set(key, span);
  const { component } = event.source;
  const members = components.get(component);
  if (members === undefined) components.set(component, [span]);
  else members.push(span);
  return span;
}

function addEvent(span: CarrierSpan, event: HindcastEvent, order: number): void {
  const time = timeToNanos(event.time);
  if (time !== undefined) {
    if (span.start === undefined || time < span.start) span.start = time;
    if (span.end === undefined || time > span.end) span.end = time;
  }
  describe(span, event);
  const attributes = [
    ...[...recordToOtlpAttributes(toRecord(event))].map(([name, text]) => attribute(name, text)),
    attribute(otlpAttributeNames.exact, true),
    attribute(otlpAttributeNames.order, order),
  ];
  const name = JSON.stringify(event.type);
  span.events.push(`{"timeUnixNano":"${String(time ?? 0n)}","name":${name},"attributes":[${attributes.join(',')}]}`);
}

function toRecord(event: HindcastEvent): JsonObject {
  return isJsonObject(event) ? event : {};
}

/** A run lasts as long as what is in it. */
function widen(root: CarrierSpan, { start, end }: CarrierSpan): void {
  if (start !== undefined && (root.start === undefined || start < root.start)) root.start = start;
  if (end !== undefined && (root.end === undefined || end > root.end)) root.end = end;
}

/** What other tools show of a span: the GenAI conventions, as far as the event says it. */
function describe(span: CarrierSpan, event: HindcastEvent): void {
  const data = isJsonObject(event.data) ? event.data : {};
  const say = (name: string, value: JsonValue | undefined): void => {
    if (value !== undefined && typeof value !== 'object' && !span.attributes.has(name))
      span.attributes.set(name, value);
  };
  if (/\.(?:failed|timed_out)$/.test(event.type)) span.isFailed = true;
  if (event.agent !== undefined) say('gen_ai.agent.name', event.agent);
  if (event.type.startsWith('model_call.')) {
    const usage = isJsonObject(data['usage']) ? data['usage'] : {};
    say('gen_ai.operation.name', data['operation'] ?? 'chat');
    say('gen_ai.provider.name', data['provider']);
    say('gen_ai.request.model', data['request_model']);
    say('gen_ai.response.model', data['response_model']);
    say('gen_ai.usage.input_tokens', usage['input_tokens']);
    say('gen_ai.usage.output_tokens', usage['output_tokens']);
    const model = data['request_model'] ?? (span.name.startsWith('chat ') ? undefined : event.command?.name);
    if (typeof model === 'string' && span.parent !== undefined) span.name = `chat ${model}`;
  } else if (event.type === 'tool_call.dispatched') {
    say('gen_ai.operation.name', 'execute_tool');
    say('gen_ai.tool.name', data['tool'] ?? event.command?.name);
    say('gen_ai.tool.call.id', data['call_id']);
    const tool = data['tool'] ?? event.command?.name;
    if (typeof tool === 'string' && span.parent !== undefined) span.name = `execute_tool ${tool}`;
  } else if (event.type === 'run.started' && span.parent === undefined) {
    const program = isJsonObject(data['program']) ? data['program']['name'] : undefined;
    if (typeof program === 'string') span.name = `run ${program}`;
  }
}

function* spanToParts(span: CarrierSpan, isFirst: boolean): Generator<string> {
  const start = String(span.start ?? 0n);
  const end = String(span.end ?? span.start ?? 0n);
  const parent = span.parent === undefined ? '' : `"parentSpanId":"${span.parent}",`;
  const attributes = [...span.attributes].map(([name, value]) => attribute(name, value)).join(',');
  const status = span.isFailed ? '{"code":2}' : '{}';
  yield `${isFirst ? '' : ','}{"traceId":"${span.run}","spanId":"${span.id}",${parent}"name":${JSON.stringify(span.name)},"kind":1,"startTimeUnixNano":"${start}","endTimeUnixNano":"${end}","attributes":[${attributes}],"status":${status},"events":[`;
  for (const [n, event] of span.events.entries()) yield n === 0 ? event : `,${event}`;
  yield ']}';
}

function attribute(name: string, value: JsonValue): string {
  return `{"key":${JSON.stringify(name)},"value":{${valueToText(value)}}}`;
}

function valueToText(value: JsonValue): string {
  if (typeof value === 'boolean') return `"boolValue":${String(value)}`;
  if (typeof value === 'number')
    return Number.isInteger(value) ? `"intValue":"${String(value)}"` : `"doubleValue":${JSON.stringify(value)}`;
  return `"stringValue":${JSON.stringify(value)}`;
}

/** Nanoseconds since the epoch, exactly; undefined where the event has no readable time or one before the epoch. */
function timeToNanos(time: string | undefined): bigint | undefined {
  if (time === undefined) return undefined;
  const fraction = /\.(\d+)/.exec(time)?.[1] ?? '';
  const seconds = timeToMillis(fraction === '' ? time : time.replace(`.${fraction}`, ''));
  if (seconds === undefined || seconds < 0) return undefined;
  return BigInt(Math.round(seconds)) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}
