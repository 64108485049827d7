/**
 * What every telemetry format is read to: spans, log records, and records of other kinds, with where they stood.
 *
 * The readers (`otlp`, `otel-dump`, `jaeger`, `zipkin`, `openinference`) make these; `read.ts` turns them into events. Ids are
 * already in W3C shape (`ids.ts`), times already text with nine digits of fraction (`times.ts`), so that texts compare as times do.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { InputPlace, Problem } from '../format.ts';

/** What emitted a record. */
export interface Emitter {
  readonly resource: JsonObject;
  readonly scope: JsonObject;
}

export interface SpanEvent {
  readonly name: string;
  readonly time: string | undefined;
  readonly attributes: JsonObject;
}

export interface SpanLink {
  readonly trace: string;
  readonly span: string;
  /** Everything else the link says; `type` where the format has kinds of links. */
  readonly attributes: JsonObject;
}

export interface Span extends Emitter {
  readonly kind: 'span';
  readonly trace: string;
  readonly id: string;
  /** Identity in the trace: the id, and in formats where two spans share one, which half of it. */
  readonly key: string;
  /** A second key under which log records may name this span. */
  readonly alias?: string | undefined;
  readonly parent: string | undefined;
  /** client, server, producer, consumer or internal, where recorded. */
  readonly side: string | undefined;
  readonly name: string;
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly failed: boolean;
  readonly statusText: string | undefined;
  readonly attributes: JsonObject;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanLink[];
  /** Fields of the record that have no place above, and ids as they were written where that differs. */
  readonly extra: JsonObject;
  readonly place: InputPlace;
  /** Tells one record from another. */
  readonly print: string;
  /** What was assumed while reading this record, as codes of `notices.ts`. */
  readonly assumed?: readonly AssumptionCode[] | undefined;
}

export interface Log extends Emitter {
  readonly kind: 'log';
  readonly trace: string;
  /** Id or key of the span it belongs to. */
  readonly span: string | undefined;
  /** The span around the call it is a part of, where the record says it. */
  readonly parent?: string | undefined;
  /** Name of the event it records, where it has one. */
  readonly name: string | undefined;
  readonly time: string | undefined;
  /** When a collector or a logger saw it first, where the record says it. */
  readonly observed?: string | undefined;
  readonly severity: string | undefined;
  readonly body: JsonValue | undefined;
  readonly attributes: JsonObject;
  readonly extra: JsonObject;
  readonly place: InputPlace;
  readonly print: string;
  readonly assumed?: readonly AssumptionCode[] | undefined;
}

/** A record of another kind, kept whole as an event of type `<format>.<type>`. */
export interface Foreign {
  readonly kind: 'foreign';
  readonly trace: string;
  readonly type: string;
  readonly record: JsonValue;
  readonly place: InputPlace;
  readonly print: string;
}

interface ProblemEntry {
  readonly kind: 'problem';
  readonly problem: Problem;
  /** False where the bytes are no input record of their own: what was wrong with a record that is counted already. */
  readonly counts: boolean;
}

export type Entry = Span | Log | Foreign | ProblemEntry;

/** What a reader may have to assume; each is told once a file, with how often. */
export type AssumptionCode =
  'time-without-zone' | 'unit-guess' | 'short-trace-id' | 'odd-id' | 'no-trace-id' | 'no-span-id';
