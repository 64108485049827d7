/**
 * The extension attributes through which plain OTLP carries events of the model, whole.
 *
 * Where they may stand: on a **span event** or on a **log record**. Each such event or record that has `hindcast.event.type` is one
 * event. The attributes are named `hindcast.event.<field of the envelope>`; fields that are text are written as text, all others
 * (`source`, `principal`, `causes`, `durable`, `command`, `data`, `imported`, `seq`, `replayed`, `v`) as JSON text, and every field
 * the envelope does not name together in `hindcast.event.extra` as one JSON object. A value that came as an OTLP number, boolean,
 * list or map is taken as it is.
 *
 * What an attribute does not say is taken from what carries it: `run` from the trace id, `span` from the span id, `time` from the time
 * stamp, `source` from `service.name`, `service.instance.id` and `service.version`, `branch` is the original, `id` is made of trace,
 * span and place by the reader. `hindcast.event.exact` = true switches that off: the attributes then are the whole event. The
 * exporter writes it, so that what was absent stays absent. Span events and log records with it, and spans with `hindcast.carrier` =
 * true, exist for other tools: a reader makes of them the events they carry and nothing else.
 *
 * Written by src/core/export, read by src/core/formats/otlp. Names and meaning are stable: they are published for writers.
 */
import { type JsonObject, type JsonValue, isJsonObject, setOwn } from '../base/json.ts';
import { parseLossless, writeLossless } from '../base/lossless.ts';
import { type Result, err, ok } from '../base/result.ts';
import { currentVersion } from './upgrade.ts';

const prefix = 'hindcast.event.';

export const otlpAttributeNames = {
  /** Text, required: the type of the event, which also marks its carrier. */
  type: 'hindcast.event.type',
  /** JSON object: every field that the envelope does not name. */
  extra: 'hindcast.event.extra',
  /** Boolean: nothing is to be taken from the carrier. */
  exact: 'hindcast.event.exact',
  /** Integer: position in the exported stream; a reader gives events in this order where all have it. */
  order: 'hindcast.event.order',
  /** Boolean, on a span: it was made to carry events and is no event itself. */
  carrier: 'hindcast.carrier',
} as const;

/** Fields written as they are. */
const textFields = [
  'id',
  'type',
  'run',
  'span',
  'session',
  'step',
  'branch',
  'time',
  'clock',
  'mono',
  'agent',
  'supersedes',
  'replay',
  'origin',
] as const;
/** Fields written as JSON. */
const jsonFields = [
  'v',
  'seq',
  'source',
  'principal',
  'causes',
  'durable',
  'replayed',
  'command',
  'data',
  'imported',
] as const;
const namedFields: ReadonlySet<string> = new Set([...textFields, ...jsonFields]);
const textFieldNames: ReadonlySet<string> = new Set(textFields);

/** What a span event or log record says of itself; only what it has. */
export interface OtlpCarrier {
  /** An id that is the same in every copy of the file: made of ids in the records. */
  readonly id: string;
  readonly run?: string | undefined;
  readonly span?: string | undefined;
  readonly time?: string | undefined;
  readonly component: string;
  readonly instance?: string | undefined;
  readonly version?: string | undefined;
}

/** True when a span event or log record with these attributes carries an event. */
export function carriesEvent(attributes: JsonObject): boolean {
  return Object.hasOwn(attributes, otlpAttributeNames.type);
}

/** The attributes that carry an event, by name: text, but for the two flags of this module. */
export function recordToOtlpAttributes(record: JsonObject): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  const extra: Record<string, JsonValue> = {};
  for (const key of Object.keys(record)) {
    const value = record[key];
    if (value === undefined) continue;
    if (!namedFields.has(key)) setOwn(extra, key, value);
    else
      attributes.set(prefix + key, textFieldNames.has(key) && typeof value === 'string' ? value : writeLossless(value));
  }
  if (Object.keys(extra).length > 0) attributes.set(otlpAttributeNames.extra, writeLossless(extra));
  return attributes;
}

/**
 * The record that the attributes carry, for `parseEvent`. `attributes` are the decoded attributes of the span event or log record;
 * those of other names are not looked at: the caller keeps them in `imported.extra` where they say something.
 */
export function otlpAttributesToRecord(attributes: JsonObject, carrier: OtlpCarrier): Result<JsonObject, string> {
  const record: Record<string, JsonValue> = {};
  const extra = fieldOf(attributes, 'extra', false);
  if (!extra.ok) return extra;
  if (isJsonObject(extra.value)) {
    for (const key of Object.keys(extra.value)) {
      const value = extra.value[key];
      if (value !== undefined && !namedFields.has(key)) setOwn(record, key, value);
    }
  } else if (extra.value !== undefined) return err(`The attribute ${otlpAttributeNames.extra} is not a JSON object.`);
  for (const field of namedFields) {
    const value = fieldOf(attributes, field, textFieldNames.has(field));
    if (!value.ok) return value;
    if (value.value !== undefined) record[field] = value.value;
  }
  return ok(isExact(attributes) ? record : { ...carrierToFields(carrier), ...record });
}

/** True when the attributes are the whole event. */
function isExact(attributes: JsonObject): boolean {
  const exact = attributes[otlpAttributeNames.exact];
  return exact === true || exact === 'true';
}

function fieldOf(attributes: JsonObject, field: string, isText: boolean): Result<JsonValue | undefined, string> {
  const name = prefix + field;
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (isText || typeof value !== 'string') return ok(value);
  const parsed = parseLossless(value);
  return parsed.ok ? parsed : err(`The attribute ${name} is not JSON text: ${parsed.error.message}.`);
}

function carrierToFields({ id, run, span, time, component, instance, version }: OtlpCarrier): JsonObject {
  return {
    v: currentVersion,
    id,
    branch: 'main',
    source: {
      component,
      ...(instance === undefined ? {} : { instance }),
      ...(version === undefined ? {} : { version }),
    },
    data: {},
    ...(run === undefined ? {} : { run }),
    ...(span === undefined ? {} : { span }),
    ...(time === undefined ? {} : { time }),
  };
}
