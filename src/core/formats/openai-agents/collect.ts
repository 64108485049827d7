/**
 * Traces of the OpenAI Agents SDK: `trace` and `trace.span` objects, as lines in order of their ends, as `{traces: [{spans}]}`, and the
 * start and end pairs of the Ruby port.
 *
 * Invariant: one span id is one operation; a second record of the id is merged into it, the one that has an end winning.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { traceToRun } from '../draft.ts';
import type { InputPlace, Problem } from '../format.ts';
import { listAt, memberAt, objectAt, restOf, textAt } from '../members.ts';
import type { Piece } from '../pieces.ts';
import type { Operation } from '../spans/operation.ts';
import type { Collected, CollectedTrace } from '../spans/read.ts';
import { rubyToOperation } from './ruby.ts';
import { spanToOperation } from './span.ts';

export const wanted: ReadonlySet<string> = new Set(['*', 'traces.*.spans.*', 'spans.*', 'data.*', 'data.*.spans.*']);

interface Building {
  record: JsonObject | undefined;
  place: InputPlace | undefined;
  merged: number;
  readonly spans: Map<string, Operation>;
}

export function collect(pieces: readonly Piece[]): Collected {
  const traces = new Map<string, Building>();
  const problems: Problem[] = [];
  const buildingOf = (key: string): Building => {
    const known = traces.get(key);
    if (known !== undefined) return known;
    const made: Building = { record: undefined, place: undefined, merged: 0, spans: new Map() };
    traces.set(key, made);
    return made;
  };
  for (const piece of pieces) {
    const { value, place } = piece.record;
    const span = isJsonObject(value) ? toSpan(value, place) : undefined;
    if (span !== undefined) addSpan(buildingOf(span.trace), span.operation);
    else if (!addTraces(value, place, buildingOf)) problems.push(notKnown(piece));
  }
  return { traces: [...traces].map(([key, building]) => toTrace(key, building)), problems, notes: [] };
}

function toSpan(value: JsonObject, place: InputPlace): { trace: string; operation: Operation } | undefined {
  const ruby = objectAt(value, 'span');
  const span = ruby ?? value;
  const trace = textAt(span, 'trace_id');
  const id = textAt(span, ruby === undefined ? 'id' : 'span_id');
  if (trace === undefined || id === undefined) return undefined;
  return {
    trace,
    operation: ruby === undefined ? spanToOperation(value, id, place) : rubyToOperation(value, ruby, id, place),
  };
}

function addSpan(building: Building, operation: Operation): void {
  const known = building.spans.get(operation.id);
  if (known === undefined) building.spans.set(operation.id, operation);
  else {
    building.merged++;
    const [last, first] = operation.ended || !known.ended ? [operation, known] : [known, operation];
    building.spans.set(operation.id, {
      ...last,
      start: first.start ?? last.start,
      startExtra: last.extra === first.extra ? undefined : first.extra,
    });
  }
}

/** A trace record, or a document that holds some with their spans taken out. */
function addTraces(value: JsonValue, place: InputPlace, buildingOf: (key: string) => Building): boolean {
  if (!isJsonObject(value)) return false;
  const list = listAt(value, 'traces') ?? listAt(value, 'data') ?? [value];
  const beside = list.length === 1 && list[0] === value ? {} : restOf(value, new Set(['traces', 'data']));
  let isFirst = true;
  for (const trace of list) {
    const id = textAt(trace, 'id') ?? textAt(trace, 'trace_id');
    if (
      !isJsonObject(trace) ||
      id === undefined ||
      !('workflow_name' in trace || trace['object'] === 'trace' || 'spans' in trace)
    )
      continue;
    const building = buildingOf(id);
    if (building.place !== undefined && isFirst) building.merged++;
    building.record = {
      ...building.record,
      ...trace,
      ...(isFirst && Object.keys(beside).length > 0 ? { document: beside } : {}),
    };
    // One record may tell several traces: it counts where it is first used.
    if (isFirst) building.place ??= place;
    isFirst = false;
  }
  return !isFirst;
}

function toTrace(key: string, { record, place, merged, spans }: Building): CollectedTrace {
  return {
    key,
    run: traceToRun(key),
    name: textAt(record, 'workflow_name'),
    session: textAt(record, 'group_id'),
    place,
    extra:
      record === undefined
        ? undefined
        : restOf(record, new Set(['id', 'object', 'workflow_name', 'group_id', 'spans'])),
    operations: [...spans.values()],
    others: [],
    merged,
  };
}

function notKnown({ record }: Piece): Problem {
  const { place } = record;
  const message = `The record at line ${place.line ?? 1} (byte ${place.offset}) of ${place.file} is neither a trace nor a span with ids. Its bytes are kept.`;
  return { code: 'no-identity', message, place, raw: new TextEncoder().encode(record.text), severity: 'problem' };
}

export function looksLikeSpan(value: JsonValue | undefined): boolean {
  const kind = memberAt(value, 'object');
  if (kind === 'trace.span' || (kind === 'trace' && textAt(value, 'id') !== undefined)) return true;
  const ruby = objectAt(value, 'span');
  return (
    memberAt(value, 'event') !== undefined &&
    textAt(ruby, 'span_id') !== undefined &&
    textAt(ruby, 'trace_id') !== undefined
  );
}
