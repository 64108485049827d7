/**
 * Foreign times to the model's: RFC 3339 text, with what had to be assumed said.
 *
 * Invariant: nothing is repaired silently. A time without a zone is read as UTC and marked, a number by its magnitude and marked; a
 * text that is no time gives undefined, so that the caller keeps it in `imported.extra`.
 */
import type { JsonValue } from '../base/json.ts';
import { secondsToText, timeToMillis } from '../base/time.ts';

export interface ReadTime {
  readonly time: string;
  readonly assumed?: 'zone' | 'unit' | undefined;
}

export function valueToTime(value: JsonValue | undefined): ReadTime | undefined {
  if (typeof value === 'number') return numberToTime(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim().replace(' ', 'T');
  if (timeToMillis(text) !== undefined) return { time: text };
  // Python writes offsets with seconds never, but without a colon at times.
  const joined = text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
  if (timeToMillis(joined) !== undefined) return { time: joined };
  const utc = `${text}Z`;
  return timeToMillis(utc) === undefined ? undefined : { time: utc, assumed: 'zone' };
}

/** Seconds, milliseconds, microseconds or nanoseconds since the epoch, told apart by size: all of them between 1990 and 2100. */
function numberToTime(value: number): ReadTime | undefined {
  for (const perSecond of [1, 1e3, 1e6, 1e9]) {
    const seconds = value / perSecond;
    const time = millisToTime(seconds * 1000);
    if (seconds > 631_152_000 && seconds < 4_102_444_800 && time !== undefined) return { time, assumed: 'unit' };
  }
  return undefined;
}

/** Milliseconds since the epoch as RFC 3339 in UTC, up to the year 9999; a fraction of a millisecond is kept to the microsecond. */
export function millisToTime(millis: number | undefined): string | undefined {
  if (millis === undefined || !(millis >= 0 && millis <= 253_402_300_799_999)) return undefined;
  const micros = Math.round(millis * 1000);
  const fraction = micros % 1_000_000;
  const digits = fraction % 1000 === 0 ? String(fraction / 1000).padStart(3, '0') : String(fraction).padStart(6, '0');
  return `${secondsToText(Math.floor(micros / 1_000_000))}.${digits}Z`;
}
