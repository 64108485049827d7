/**
 * Members of Temporal's records, read without trust and in both spellings of proto-JSON: `workflowType` and `workflow_type`.
 *
 * Called by every file of this folder. A value of another type than the one asked for is as if it were absent; the raw record is kept
 * in any case (`restOfFields`).
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { memberAt, restOf } from '../members.ts';
import { valueToTime } from '../times.ts';

function toSnake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function fieldAt(object: JsonValue | undefined, name: string): JsonValue | undefined {
  return memberAt(object, name) ?? memberAt(object, toSnake(name));
}

export function textField(object: JsonValue | undefined, name: string): string | undefined {
  const value = fieldAt(object, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function objectField(object: JsonValue | undefined, name: string): JsonObject | undefined {
  const value = fieldAt(object, name);
  return isJsonObject(value) ? value : undefined;
}

/** A 64-bit number as the objects of JavaScript's protobuf library are written. */
function longOf(value: JsonValue | undefined): number | undefined {
  const [low, high] = [memberAt(value, 'low'), memberAt(value, 'high')];
  return typeof low === 'number' && typeof high === 'number' ? high * 2 ** 32 + (low >>> 0) : undefined;
}

/** The number of an event: text or number, from 1. Zero is how some writers spell "none". */
export function eventNumber(object: JsonValue | undefined, name: string): number | undefined {
  const value = fieldAt(object, name);
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : (longOf(value) ?? value);
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

export function countField(object: JsonValue | undefined, name: string): number | undefined {
  return eventNumber(object, name);
}

/** `{name: "x"}`, as the server writes it, or "x", as the Web UI does. */
export function nameField(object: JsonValue | undefined, name: string): string | undefined {
  return textField(objectField(object, name), 'name') ?? textField(object, name);
}

/** `ACTIVITY_TASK_SCHEDULED`, `EVENT_TYPE_ACTIVITY_TASK_SCHEDULED` and `ActivityTaskScheduled` are one name. */
export function enumName(value: JsonValue | undefined, prefix: string): string | undefined {
  if (typeof value !== 'string' || value === '' || /^\d+$/.test(value)) return undefined;
  if (!/^[A-Z][A-Z0-9_]*$/.test(value) || !/_|^[A-Z0-9]+$/.test(value)) return value;
  const bare = value.startsWith(prefix) ? value.slice(prefix.length) : value;
  return bare
    .split('_')
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join('');
}

/** The same, or the number where a writer spells enums as numbers. */
export function enumValue(value: JsonValue | undefined, prefix: string): string | number | undefined {
  return typeof value === 'number' ? value : enumName(value, prefix);
}

/** A time as text, or as `{seconds, nanos}`. */
export function timeField(object: JsonValue | undefined, name: string): ReturnType<typeof valueToTime> {
  const value = fieldAt(object, name);
  if (!isJsonObject(value)) return valueToTime(value);
  const seconds = longOf(memberAt(value, 'seconds')) ?? Number(memberAt(value, 'seconds'));
  const nanos = Number(memberAt(value, 'nanos') ?? 0);
  if (!Number.isSafeInteger(seconds) || !Number.isSafeInteger(nanos) || nanos < 0 || nanos >= 1e9) return undefined;
  const whole = valueToTime(seconds)?.time.slice(0, 19);
  return whole === undefined ? undefined : { time: `${whole}.${String(nanos).padStart(9, '0')}Z` };
}

/** A duration in milliseconds: `"1.5s"`, `{seconds, nanos}`, or a bare count of nanoseconds. */
export function durationField(object: JsonValue | undefined, name: string): number | undefined {
  const value = fieldAt(object, name);
  if (typeof value === 'string') {
    const found = /^(\d{1,12}(?:\.\d{1,9})?)s$/.exec(value);
    return found === null ? undefined : Math.round(Number(found[1]) * 1000);
  }
  if (typeof value === 'number') return value >= 0 ? Math.round(value / 1e6) : undefined;
  if (!isJsonObject(value)) return undefined;
  const seconds = memberAt(value, 'seconds');
  const millis = (longOf(seconds) ?? Number(seconds ?? 0)) * 1000 + Number(memberAt(value, 'nanos') ?? 0) / 1e6;
  return Number.isFinite(millis) && millis >= 0 ? Math.round(millis) : undefined;
}

/** What is left of an object when the members that have a place of their own are taken out, in either spelling. */
export function restOfFields(object: JsonObject, names: readonly string[]): JsonObject {
  return restOf(object, new Set(names.flatMap((name) => [name, toSnake(name)])));
}
