/**
 * Events of the model that OTLP carries whole, in the attributes of `src/core/model/otlp-attributes.ts`: on span events and log records.
 */
import type { JsonObject } from '../../base/json.ts';
import { type Result, ok } from '../../base/result.ts';
import { carriesEvent, otlpAttributeNames, otlpAttributesToRecord } from '../../model/otlp-attributes.ts';
import { runToPrefix } from '../draft.ts';
import type { Emitter, Entry, Log, Span } from './record.ts';
import { textAt, valueAt } from './values.ts';

/** True for a span that was made to carry events and is no event itself. */
export function isCarrier(entry: Entry): boolean {
  return entry.kind === 'span' && valueAt(entry.attributes, otlpAttributeNames.carrier) === true;
}

export function isCarrying(entry: Entry): boolean {
  if (entry.kind === 'log') return carriesEvent(entry.attributes);
  if (entry.kind !== 'span') return false;
  return isCarrier(entry) || entry.events.some(({ attributes }) => carriesEvent(attributes));
}

export interface CarriedRecord {
  readonly record: JsonObject;
  /** Position in the exported stream, where it has one. */
  readonly order: number | undefined;
}

/** The records that a span or log record carries, or why one of them is none. */
export function entryToRecords(entry: Span | Log): readonly Result<CarriedRecord, string>[] {
  if (entry.kind === 'log') {
    const id = `${runToPrefix(entry.trace)}/log:${entry.print}`;
    return [toRecord(entry, entry.attributes, id, entry.span, entry.time)];
  }
  const records: Result<CarriedRecord, string>[] = [];
  for (const [n, event] of entry.events.entries()) {
    if (!carriesEvent(event.attributes)) continue;
    const id = `${runToPrefix(entry.trace)}/${entry.key}:event:${n}`;
    records.push(toRecord(entry, event.attributes, id, entry.id, event.time));
  }
  return records;
}

function toRecord(
  emitter: Emitter & { readonly trace: string },
  attributes: JsonObject,
  id: string,
  span: string | undefined,
  time: string | undefined,
): Result<CarriedRecord, string> {
  const { resource } = emitter;
  const record = otlpAttributesToRecord(attributes, {
    id,
    run: emitter.trace,
    span,
    time,
    component: textAt(resource, 'service.name') ?? 'otlp',
    instance: textAt(resource, 'service.instance.id'),
    version: textAt(resource, 'service.version'),
  });
  if (!record.ok) return record;
  const order = valueAt(attributes, otlpAttributeNames.order);
  const number = typeof order === 'string' ? Number(order) : order;
  return ok({ record: record.value, order: typeof number === 'number' ? number : undefined });
}
