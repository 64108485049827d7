/** Small OTLP requests for tests, and the story that an import tells of them. */
import { type Opened, openFiles, textToSource } from '../../testing/opening.ts';

export const trace = '0123456789abcdef0123456789abcdef';

interface SpanParts {
  readonly id: string;
  readonly parent?: string | undefined;
  readonly name?: string;
  /** Milliseconds after the beginning. */
  readonly at?: number;
  readonly to?: number;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly trace?: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

function millis(value: number): string {
  return `${1_700_000_000_000 + value}000000`;
}

export function keyValues(attributes: Readonly<Record<string, unknown>>): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: unknown): object {
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (typeof value === 'object' && value !== null) return { kvlistValue: { values: keyValues({ ...value }) } };
  return { stringValue: String(value) };
}

/** A span as OTLP writes it; the id is one or two hex digits that stand for all sixteen. */
export function span({ id, parent, name = 'work', at = 0, to = at + 10, attributes = {}, ...rest }: SpanParts): object {
  return {
    traceId: rest.trace ?? trace,
    spanId: id.padStart(16, '0'),
    ...(parent === undefined ? {} : { parentSpanId: parent.padStart(16, '0') }),
    name,
    kind: 1,
    startTimeUnixNano: millis(at),
    endTimeUnixNano: millis(to),
    attributes: keyValues(attributes),
    ...rest.more,
  };
}

export function log(spanId: string, at: number, name: string, body: object): object {
  return {
    traceId: trace,
    spanId: spanId.padStart(16, '0'),
    timeUnixNano: millis(at),
    attributes: keyValues({ 'event.name': name }),
    body: anyValue(body),
  };
}

export function request(...spans: readonly object[]): string {
  const resource = { attributes: keyValues({ 'service.name': 'shop' }) };
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'lib' }, spans }] }] });
}

export function logRequest(...logRecords: readonly object[]): string {
  const resource = { attributes: keyValues({ 'service.name': 'shop' }) };
  return JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'lib' }, logRecords }] }] });
}

export async function open(...lines: readonly string[]): Promise<Opened> {
  return openFiles([textToSource('spans.jsonl', `${lines.join('\n')}\n`)]);
}

/** Events as "id type", ids without the trace and leading zeros, in order of ids. */
export function story({ events }: Opened): readonly string[] {
  return events.map(({ event }) => `${shorten(event.id)} ${event.type}`).sort();
}

export function edges({ events }: Opened): readonly string[] {
  return events
    .flatMap(({ event }) =>
      (event.causes ?? []).map((cause) => {
        const by = cause.rule === undefined ? '' : ` ~${cause.rule}${cause.grade === 'clock-only' ? ' by clock' : ''}`;
        return `${shorten(cause.event)} -${cause.as}${by}-> ${shorten(event.id)}`;
      }),
    )
    .sort();
}

export function dataOf({ events }: Opened, id: string): Readonly<Record<string, unknown>> {
  const found = events.find(({ event }) => shorten(event.id) === id);
  return { ...found?.event.data };
}

export function shorten(id: string): string {
  return id.slice(9).replace(/^0+(?=.)/, '');
}

export function addsUp({ counts }: Opened): boolean {
  return counts.input === counts.mapped + counts.merged + counts.problems;
}
