/**
 * The typed event: what every part of the product works with, and the only way raw records become one.
 *
 * `parseEvent` is the boundary: after it, types do not lie. Unknown types and unknown fields pass through untouched.
 */
import { z } from 'zod';
import { type JsonObject, type JsonValue, isJsonObject, repeatedKeyOf } from '../base/json.ts';
import { assert } from '../base/assert.ts';
import { issuesToText } from '../base/issues.ts';
import { writeLossless } from '../base/lossless.ts';
import { type Result, err, ok } from '../base/result.ts';
import { nameToShown } from '../base/shown-text.ts';
import { schemaToPredicate } from './accept.ts';
import type { CauseKind, EdgeGrade } from './schema/common.ts';
import {
  type EnvelopeOf,
  type KnownEventType,
  type PayloadOf,
  eventSchema,
  isKnownEventType,
  knownEventTypes,
  unknownEventSchema,
} from './schema/union.ts';
import type { EventId } from './ids.ts';
import { upgradeRecord } from './upgrade.ts';

type DeepReadonly<T> = T extends string | number | boolean | null | undefined | JsonObject
  ? T
  : T extends readonly (infer U)[]
    ? readonly DeepReadonly<U>[]
    : T extends object
      ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
      : T;

export type EventEnvelope = DeepReadonly<EnvelopeOf>;

/** Data may lack any field that its producer did not record. */
export type EventOf<T extends KnownEventType> = EventEnvelope & {
  readonly type: T;
  readonly data: DeepReadonly<PayloadOf<T>>;
};

export type KnownEvent = { [T in KnownEventType]: EventOf<T> }[KnownEventType];

/**
 * An event of a type this version does not know: kept, shown and exported as it is. Its `type` is the recorded text; the pattern
 * only tells the compiler that it equals none of the known types, so that a comparison narrows the union.
 */
export type UnknownEvent = EventEnvelope & {
  readonly type: `(unknown) ${string}`;
  readonly data?: JsonObject | undefined;
};

export type HindcastEvent = KnownEvent | UnknownEvent;

export interface Cause {
  readonly event: EventId;
  readonly as: CauseKind;
  readonly grade?: EdgeGrade | undefined;
  readonly rule?: string | undefined;
}

export interface EventProblem {
  readonly code: 'not-an-object' | 'future-version' | 'no-version' | 'invalid-event';
  /** A sentence without the place: the reader adds file, line and offset. */
  readonly message: string;
}

interface Checked {
  readonly schema: z.ZodType;
  /** A quick yes; see accept.ts. */
  readonly accepts: (value: unknown) => boolean;
}

const unknownType: Checked = { schema: unknownEventSchema, accepts: schemaToPredicate(unknownEventSchema) };
const checkedTypes = new Map<string, Checked>();

function checkedOf(type: string): Checked {
  if (!isKnownEventType(type)) return unknownType;
  const known = checkedTypes.get(type);
  if (known !== undefined) return known;
  const schema: z.ZodType = eventSchema(type);
  const made = { schema, accepts: schemaToPredicate(schema) };
  checkedTypes.set(type, made);
  return made;
}

/** One record of a stream to an event, upgraded to the present version; the problem is a sentence naming the field. */
export function parseEvent(record: JsonValue): Result<HindcastEvent, EventProblem> {
  if (!isJsonObject(record))
    return err({ code: 'not-an-object', message: `A record must be a JSON object; this one is ${describe(record)}.` });
  const twice = repeatedKeyOf(record);
  if (twice !== undefined) {
    const message = `The record has the member ${JSON.stringify(twice)} twice, so it cannot be told which one is meant.`;
    return err({ code: 'invalid-event', message });
  }
  const upgraded = upgradeRecord(record);
  if (!upgraded.ok) return upgraded;
  const candidate = withCauseObjects(upgraded.value);
  const type = candidate['type'];
  if (typeof type !== 'string' || type === '')
    return err({ code: 'invalid-event', message: 'The record has no "type".' });
  const { schema, accepts } = checkedOf(type);
  if (!accepts(candidate)) {
    const parsed = schema.safeParse(candidate);
    if (!parsed.success) return err({ code: 'invalid-event', message: issueToSentence(type, candidate, parsed.error) });
  }
  assert(isAccepted(candidate), 'the schema of its type accepted the record');
  return ok(candidate);
}

/** The record itself is the event once the schema of its type accepted it: nothing is copied, loose members stay. */
function isAccepted(candidate: JsonObject): candidate is JsonObject & HindcastEvent {
  return typeof candidate['type'] === 'string';
}

/** The text of an event as one line of a stream, without the newline. */
export function eventToLine(event: HindcastEvent): string {
  assert(isJsonObject(event), 'an event is a JSON object');
  return writeLossless(event);
}

/** Bare ids among the causes are recorded edges of the general kind. */
function withCauseObjects(record: JsonObject): JsonObject {
  const causes = record['causes'];
  if (!Array.isArray(causes) || causes.every((cause) => typeof cause !== 'string')) return record;
  return {
    ...record,
    causes: causes.map((cause: JsonValue) => (typeof cause === 'string' ? { event: cause, as: 'caused_by' } : cause)),
  };
}

function issueToSentence(type: string, candidate: JsonObject, error: z.ZodError): string {
  const [issue] = error.issues;
  const more = error.issues.length > 1 ? ` (and ${String(error.issues.length - 1)} more)` : '';
  return `Not a valid "${nameToShown(type)}": ${issue === undefined ? 'it is not what is expected' : issueToWords(candidate, issue)}${more}.`;
}

function issueToWords(candidate: JsonObject, issue: z.core.$ZodIssue): string {
  const where = `"${nameToShown(issue.path.map(String).join('.'))}"`;
  if (issue.path.length > 0 && valueAt(candidate, issue.path) === undefined) return `${where} is missing`;
  // What a schema of ours says itself is a sentence of its own.
  const isOurs = !/^(?:Invalid|Too)\b/.test(issue.message);
  return isOurs && issue.path.length > 0 ? `${where}: ${issue.message}` : issuesToText([issue]);
}

function valueAt(value: JsonValue, path: readonly PropertyKey[]): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Object.hasOwn(at, part) ? Object.entries(at).find(([name]) => name === String(part))?.[1] : undefined;
  }
  return at;
}

function describe(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** JSON Schema of one event line, published with the site. */
export function eventJsonSchema(): object {
  const options = { unrepresentable: 'any', io: 'input' } as const;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Hindcast event, version 1',
    description: 'One line of a .hindcast.jsonl stream. Unknown types and unknown fields are allowed and kept.',
    anyOf: [
      ...knownEventTypes.map((type) => z.toJSONSchema(eventSchema(type), options)),
      unknownTypeJsonSchema(z.toJSONSchema(unknownEventSchema, options)),
    ],
  };
}

/** A known type is not an unknown one: without that a wrong payload of it would be taken here (R2). */
function unknownTypeJsonSchema(schema: z.core.JSONSchema.BaseSchema): object {
  const type = { type: 'string', minLength: 1, not: { enum: knownEventTypes } };
  return { ...schema, properties: { ...schema.properties, type } };
}
