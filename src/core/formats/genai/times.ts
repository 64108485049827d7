/**
 * Times of telemetry: nanoseconds since the epoch, beyond what a double holds, to RFC 3339 with nine digits, and times written as text.
 *
 * A time without a zone is read as UTC and said to be so; a number without a unit is read by its size and said to be so.
 */
import { type JsonValue, isJsonArray, isJsonObject } from '../../base/json.ts';
import { nanosToText, timeToNanos } from '../../base/time.ts';
import type { AssumptionCode } from './record.ts';

export interface ReadTime {
  readonly time: string;
  readonly assumed: AssumptionCode | undefined;
}

/** Nanoseconds since the epoch; after it, and up to the year 9999. Zero means that there is no time. */
export function nanosToTime(nanos: bigint): string | undefined {
  return nanos <= 0n || nanos >= 253_402_300_800_000_000_000n ? undefined : nanosToText(nanos);
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
  const nanos = timeToNanos(full);
  const time = nanos === undefined ? undefined : nanosToTime(nanos);
  return time === undefined ? undefined : { time, assumed: zoned ? undefined : 'time-without-zone' };
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
  const at = timeToNanos(time);
  return at === undefined ? undefined : nanosToTime(at + nanos);
}
