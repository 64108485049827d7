/**
 * What session files write in many ways: times, contents, arguments as text. Beside `members.ts`, which reads single members.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import { timeToMillis } from '../../base/time.ts';
import { listAt, numberAt, textAt } from '../members.ts';
import { millisToTime } from '../times.ts';

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

/**
 * A time in any of the ways of the sessions of small agents: with a zone, without one, counted since 1970, or to the minute only, which says
 * nothing of the order of records (`retold`).
 */
export function looseTimeAt(
  object: JsonObject,
  key: string,
): { readonly time?: string; readonly zoneless?: boolean; readonly retold?: boolean } {
  const zoned = timeAt(object, key) ?? epochAt(object, key);
  if (zoned !== undefined) return { time: zoned };
  const time = zonelessAt(object, key);
  if (time !== undefined) return { time, zoneless: true };
  const text = textAt(object, key) ?? '';
  const minute = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}$/.test(text) ? zonelessAt({ [key]: `${text}:00` }, key) : undefined;
  return minute === undefined ? {} : { time: minute, zoneless: true, retold: true };
}

/** Seconds or milliseconds since 1970, told apart by their size; anything else is no time of a session. */
function epochAt(object: JsonObject, key: string): string | undefined {
  const value = numberAt(object, key);
  if (value === undefined || value < 1e9 || value >= 4.2e12 || (value >= 4.2e9 && value < 1e12)) return undefined;
  return millisToTime(value < 4.2e9 ? value * 1000 : value);
}
