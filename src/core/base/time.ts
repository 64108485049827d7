/**
 * Recorded times without a clock or a time zone of the host.
 *
 * RFC 3339 to milliseconds since the epoch, fractions kept as far as a double holds them, or to nanoseconds, and back. The only
 * arithmetic of dates in the project. Times are information and break ties on
 * screen; nothing is ordered by them alone.
 */

const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** undefined when the text is not a time of RFC 3339. */
export function timeToMillis(text: string): number | undefined {
  const day = text.slice(0, 10);
  const known = day === lastDay.text ? lastDay.millis : undefined;
  if (known === undefined) return readTime(text);
  const clock = readClock(text);
  return clock === undefined ? readTime(text) : known + clock;
}

// The day read last: the times of a trace mostly share it, and most end in `Z`. A cache of one pure result.
let lastDay = { text: '', millis: 0 };

/** Milliseconds since midnight of `…T12:34:56.789Z`; undefined for any other form, which the whole pattern then reads. */
function readClock(text: string): number | undefined {
  const last = text.length - 1;
  if (last < 19 || text.charCodeAt(10) !== 84 || text.charCodeAt(last) !== 90) return undefined;
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  if (!(hour <= 23 && minute <= 59 && second <= 60) || text[13] !== ':' || text[16] !== ':') return undefined;
  if (last === 19) return ((hour * 60 + minute) * 60 + second) * 1000;
  if (text[19] !== '.' || last > 29 || last === 20) return undefined;
  let fraction = 0;
  for (let at = 20; at < last; at++) fraction = fraction * 10 + digit(text, at);
  return Number.isNaN(fraction)
    ? undefined
    : ((hour * 60 + minute) * 60 + second) * 1000 + fraction / 10 ** (last - 23);
}

function twoDigits(text: string, at: number): number {
  return digit(text, at) * 10 + digit(text, at + 1);
}

/** NaN for anything but a decimal digit. */
function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 48;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}

function readTime(text: string): number | undefined {
  const found = rfc3339.exec(text);
  if (found === null) return undefined;
  const [
    ,
    year = '',
    month = '',
    day = '',
    hour = '',
    minute = '',
    second = '',
    fraction = '',
    sign,
    offsetHour,
    offsetMinute,
  ] = found;
  if (Number(month) < 1 || Number(month) > 12) return undefined;
  if (Number(day) < 1 || Number(day) > daysOfMonth(Number(year), Number(month))) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const days = daysSinceEpoch(Number(year), Number(month), Number(day));
  lastDay = { text: text.slice(0, 10), millis: days * 86_400_000 };
  const offset = (sign === '-' ? -1 : 1) * (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0));
  const minutes = days * 1440 + Number(hour) * 60 + Number(minute) - offset;
  return minutes * 60_000 + Number(second) * 1000 + (fraction === '' ? 0 : Number(`0.${fraction}`) * 1000);
}

function daysOfMonth(year: number, month: number): number {
  const next = month === 12 ? daysSinceEpoch(year + 1, 1, 1) : daysSinceEpoch(year, month + 1, 1);
  return next - daysSinceEpoch(year, month, 1);
}

/** Nanoseconds since the epoch, which a double does not hold; digits beyond nine are cut. undefined for what is no time of RFC 3339. */
export function timeToNanos(text: string): bigint | undefined {
  // The fraction apart: as milliseconds it would be rounded, at times into the next second.
  const millis = timeToMillis(text.replace(/\.\d+/, ''));
  if (millis === undefined) return undefined;
  const fraction = (/\.(\d+)/.exec(text)?.[1] ?? '').slice(0, 9).padEnd(9, '0');
  return BigInt(millis) * 1_000_000n + BigInt(fraction);
}

/** RFC 3339 in UTC with nine digits; before the epoch as well. */
export function nanosToText(nanos: bigint): string {
  const fraction = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const seconds = Number((nanos - fraction) / 1_000_000_000n);
  return `${secondsToText(seconds)}.${String(fraction).padStart(9, '0')}Z`;
}

/** Whole seconds since the epoch as date and time of day, without zone. */
export function secondsToText(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const rest = seconds - days * 86_400;
  const clock = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60];
  return `${daysToDate(days)}T${clock.map((part) => padded(part, 2)).join(':')}`;
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** The inverse of `daysSinceEpoch`. */
function daysToDate(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  // Counted from March, so that the leap day comes last.
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

/** Civil days in the proleptic Gregorian calendar, counted from 1970-01-01. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}
