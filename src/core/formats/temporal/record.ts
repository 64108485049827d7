/**
 * One event of a history as it was written, in any spelling, to one shape.
 *
 * Invariant: a value is an event if it has a number and says what kind it is; nothing else is asked of it. Members without a place of
 * their own are in `rest`.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { canon } from '../../model/index.ts';
import type { InputPlace } from '../format.ts';
import { memberAt, objectAt, textAt } from '../members.ts';
import { enumName, eventNumber, fieldAt, restOfFields, timeField } from './fields.ts';
import { numberToKind } from './kinds.ts';

export interface HistoryRecord {
  /** `eventId`: the number that the engine counts by. */
  readonly number: number;
  /** Without prefix, in capitals of words: `ActivityTaskScheduled`. */
  readonly type: string;
  readonly time: string | undefined;
  readonly zoneAssumed: boolean;
  readonly attributes: JsonObject;
  readonly rest: JsonObject;
  /** The whole, as it was written. */
  readonly value: JsonObject;
  readonly place: InputPlace;
}

const attributesName = /^(\w+?)(?:EventAttributes|_event_attributes)$/;

export function valueToRecord(value: JsonValue, place: InputPlace): HistoryRecord | undefined {
  if (!isJsonObject(value)) return undefined;
  const number = eventNumber(value, 'eventId');
  if (number === undefined) return undefined;
  const wrapped = objectAt(value, 'Attributes') ?? {};
  const own = attributesIn(value);
  const name = own ?? attributesIn(wrapped);
  const told = fieldAt(value, 'eventType');
  const type =
    enumName(told, 'EVENT_TYPE_') ??
    nameToType(name ?? attributesType(value)) ??
    numberToKind(typeof told === 'number' ? told : undefined);
  if (type === undefined) return undefined;
  const time = timeField(value, 'eventTime');
  const placed = ['eventId', 'eventType', ...(time === undefined ? [] : ['eventTime'])];
  const held = name === undefined ? objectAt(value, 'attributes') : objectAt(own === undefined ? wrapped : value, name);
  placed.push(name === undefined ? 'attributes' : own === undefined ? 'Attributes' : name);
  return {
    number,
    type,
    time: time?.time,
    zoneAssumed: time?.assumed === 'zone',
    attributes: held ?? {},
    rest: restOfFields(value, placed),
    value,
    place,
  };
}

function attributesIn(value: JsonObject): string | undefined {
  return Object.keys(value).find((key) => attributesName.test(key) && isJsonObject(value[key]));
}

/** Exports of the Web UI name the kind inside its own form of the attributes. */
function attributesType(value: JsonObject): string | undefined {
  return textAt(memberAt(value, 'attributes'), 'type');
}

/** `activityTaskScheduledEventAttributes` to `ActivityTaskScheduled`: where the kind is a bare number, this names it. */
function nameToType(name: string | undefined): string | undefined {
  const stem = name === undefined ? undefined : attributesName.exec(name)?.[1];
  if (stem === undefined) return undefined;
  const camel = stem.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return camel.slice(0, 1).toUpperCase() + camel.slice(1);
}

/** One event told twice, perhaps in another spelling: its number is known, its kind and time are the same. */
export function isSameRecord(one: HistoryRecord, other: HistoryRecord): boolean {
  return one.type === other.type && one.time === other.time;
}

/**
 * Which of two records of one number is used, whichever was read first: of two tellings of one event the longer (payloads as the engine
 * wrote them, where the Web UI shows what is in them), of two events the earlier.
 */
export function isUsedBefore(one: HistoryRecord, other: HistoryRecord): boolean {
  if (one.time !== other.time) return (one.time ?? '~') < (other.time ?? '~');
  if (one.type !== other.type) return one.type < other.type;
  const [own, others] = [canon(one.value), canon(other.value)];
  return own.length === others.length ? own < others : own.length > others.length;
}
