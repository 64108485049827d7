/**
 * What session files write in many ways: times, contents, arguments as text. Beside `members.ts`, which reads single members.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import { timeToMillis } from '../../base/time.ts';
import { listAt, textAt } from '../members.ts';

export function objectsAt(object: JsonValue | undefined, key: string): readonly JsonObject[] {
  return (listAt(object, key) ?? []).filter(isJsonObject);
}

/** Arguments written as a JSON text; a text that is no JSON stays a text. */
export function jsonOrText(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string') return value;
  const parsed = parseLossless(value);
  return parsed.ok ? parsed.value : value;
}

/** The text of a message or result: a string, or the texts of its parts. */
export function contentToText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  if (isJsonObject(content)) return textAt(content, 'text') ?? '';
  if (!isJsonArray(content)) return '';
  const texts: string[] = [];
  for (const part of content) {
    const text = typeof part === 'string' ? part : isJsonObject(part) ? textAt(part, 'text') : undefined;
    if (text !== undefined) texts.push(text);
  }
  return texts.join('\n');
}

/** A time as RFC 3339; anything else is none. */
export function timeAt(object: JsonObject, key: string): string | undefined {
  const text = textAt(object, key);
  return text !== undefined && timeToMillis(text) !== undefined ? text : undefined;
}

/** A date and a time of day without a zone, as Python's `datetime.isoformat()` writes it. */
export function zonelessAt(object: JsonObject, key: string): string | undefined {
  const text = textAt(object, key);
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?$/.test(text)) return undefined;
  const asIfUtc = `${text.replace(' ', 'T')}Z`;
  return timeToMillis(asIfUtc) === undefined ? undefined : asIfUtc;
}

/** Milliseconds since the epoch to RFC 3339; microseconds are kept where there are any. */
export function millisToTime(millis: number | undefined): string | undefined {
  if (millis === undefined || !Number.isFinite(millis) || millis < 0 || millis > 253_402_300_799_999) return undefined;
  const whole = Math.floor(millis);
  const days = Math.floor(whole / 86_400_000);
  const ofDay = whole - days * 86_400_000;
  const micros = Math.round((millis - whole) * 1000) % 1000;
  const two = (n: number): string => String(Math.floor(n)).padStart(2, '0');
  const clock = `${two(ofDay / 3_600_000)}:${two((ofDay / 60_000) % 60)}:${two((ofDay / 1000) % 60)}`;
  const fraction = String(ofDay % 1000).padStart(3, '0') + (micros === 0 ? '' : String(micros).padStart(3, '0'));
  return `${daysToDate(days)}T${clock}.${fraction}Z`;
}

/** Civil date of a day counted from 1970-01-01. */
function daysToDate(days: number): string {
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted + (shifted < 10 ? 3 : -9);
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
