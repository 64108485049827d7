/**
 * Foreign times to the model's: RFC 3339 text, with what had to be assumed said.
 *
 * Invariant: nothing is repaired silently. A time without a zone is read as UTC and marked, a number by its magnitude and marked; a
 * text that is no time gives undefined, so that the caller keeps it in `imported.extra`.
 */
import type { JsonValue } from '../base/json.ts';
import { timeToMillis } from '../base/time.ts';

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
    if (seconds > 631_152_000 && seconds < 4_102_444_800) {
      return { time: millisToTime((value / perSecond) * 1000), assumed: 'unit' };
    }
  }
  return undefined;
}

/** Milliseconds since the epoch as RFC 3339 in UTC; a fraction of a millisecond is kept to the microsecond. */
export function millisToTime(millis: number): string {
  const micros = Math.round(millis * 1000);
  const days = Math.floor(micros / 86_400_000_000);
  const rest = micros - days * 86_400_000_000;
  const [year, month, day] = daysToDate(days);
  const seconds = Math.floor(rest / 1_000_000);
  const fraction = rest % 1_000_000;
  const digits = fraction % 1000 === 0 ? pad(fraction / 1000, 3) : pad(fraction, 6);
  const clock = `${pad(Math.floor(seconds / 3600), 2)}:${pad(Math.floor(seconds / 60) % 60, 2)}:${pad(seconds % 60, 2)}`;
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${clock}.${digits}Z`;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** Days since 1970-01-01 to a date of the proleptic Gregorian calendar. */
function daysToDate(days: number): readonly [number, number, number] {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const part = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * part + 2) / 5) + 1;
  const month = part < 10 ? part + 3 : part - 9;
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day];
}
