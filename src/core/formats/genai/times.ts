/**
 * Times of telemetry: nanoseconds since the epoch, beyond what a double holds, to RFC 3339 with nine digits, and times written as text.
 *
 * A time without a zone is read as UTC and said to be so; a number without a unit is read by its size and said to be so.
 */
import { type JsonValue, isJsonArray, isJsonObject } from '../../base/json.ts';
import { timeToMillis } from '../../base/time.ts';
import type { AssumptionCode } from './record.ts';

export interface ReadTime {
  readonly time: string;
  readonly assumed: AssumptionCode | undefined;
}

/** Nanoseconds since the epoch; years 0 to 9999 only. */
export function nanosToTime(nanos: bigint): string | undefined {
  const seconds = nanos / 1_000_000_000n;
  if (nanos <= 0n || seconds >= 253_402_300_800n) return undefined;
  const fraction = (nanos % 1_000_000_000n).toString().padStart(9, '0');
  const whole = Number(seconds);
  const days = Math.floor(whole / 86_400);
  const rest = whole - days * 86_400;
  const clock = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60].map(twoDigits).join(':');
  return `${daysToDate(days)}T${clock}.${fraction}Z`;
}

/** An integer as a recorded value gives it: number, long number, or text of digits. */
export function valueToBigInt(value: JsonValue | undefined): bigint | undefined {
  const token = isJsonObject(value) ? value['$num'] : value;
  if (typeof token === 'number') return Number.isSafeInteger(token) ? BigInt(token) : decimalToBigInt(String(token));
  return typeof token === 'string' ? decimalToBigInt(token) : undefined;
}

function decimalToBigInt(text: string): bigint | undefined {
  if (/^-?\d{1,30}$/.test(text)) return BigInt(text);
  const number = Number(text);
  return text !== '' && Number.isFinite(number) ? BigInt(Math.trunc(number)) : undefined;
}

/** `unit` is how many nanoseconds the recorded number stands for. Zero means that there is no time. */
export function numberToTime(value: JsonValue | undefined, unit: bigint): string | undefined {
  const number = valueToBigInt(value);
  return number === undefined ? undefined : nanosToTime(number * unit);
}

/** RFC 3339, the same without a zone, or a number whose size tells its unit. */
export function valueToTime(value: JsonValue | undefined): ReadTime | undefined {
  if (isJsonArray(value)) return hrTime(value);
  if (typeof value === 'number' || isJsonObject(value)) return guessUnit(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d{9,20}$/.test(text)) return guessUnit(text);
  const zoned = /(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(text.slice(10));
  const full = zoned ? text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2') : `${text}Z`;
  const nanos = textToNanos(full);
  const time = nanos === undefined ? undefined : nanosToTime(nanos);
  return time === undefined ? undefined : { time, assumed: zoned ? undefined : 'time-without-zone' };
}

function textToNanos(text: string): bigint | undefined {
  const millis = timeToMillis(text);
  if (millis === undefined) return undefined;
  const fraction = (/\.(\d+)/.exec(text)?.[1] ?? '').slice(0, 9).padEnd(9, '0');
  return BigInt(Math.floor(millis / 1000)) * 1_000_000_000n + BigInt(fraction);
}

/** Seconds and nanoseconds, as the JavaScript SDK writes them. */
function hrTime(value: readonly JsonValue[]): ReadTime | undefined {
  const seconds = valueToBigInt(value[0]);
  const nanos = valueToBigInt(value[1]) ?? 0n;
  const time = seconds === undefined ? undefined : nanosToTime(seconds * 1_000_000_000n + nanos);
  return time === undefined ? undefined : { time, assumed: undefined };
}

/** Present times have 10 digits as seconds, 13 as milliseconds, 16 as microseconds, 19 as nanoseconds. */
function guessUnit(value: JsonValue): ReadTime | undefined {
  const number = valueToBigInt(value);
  if (number === undefined || number <= 0n) return undefined;
  const digits = number.toString().length;
  const time =
    digits <= 11 && typeof value === 'number'
      ? nanosToTime(BigInt(Math.round(value * 1e6)) * 1000n)
      : nanosToTime(number * (digits <= 11 ? 1_000_000_000n : digits <= 14 ? 1_000_000n : digits <= 17 ? 1000n : 1n));
  return time === undefined ? undefined : { time, assumed: 'unit-guess' };
}

/** From the difference of two such times, in nanoseconds. */
export function addNanos(time: string, nanos: bigint): string | undefined {
  const at = textToNanos(time);
  return at === undefined ? undefined : nanosToTime(at + nanos);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** Civil date in the proleptic Gregorian calendar. */
function daysToDate(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
}
