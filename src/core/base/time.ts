/**
 * Recorded times without a clock or a time zone of the host.
 *
 * RFC 3339 to milliseconds since the epoch, fractions kept as far as a double holds them. Times are information and break ties on
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
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const days = daysSinceEpoch(Number(year), Number(month), Number(day));
  lastDay = { text: text.slice(0, 10), millis: days * 86_400_000 };
  const offset = (sign === '-' ? -1 : 1) * (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0));
  const minutes = days * 1440 + Number(hour) * 60 + Number(minute) - offset;
  return minutes * 60_000 + Number(second) * 1000 + (fraction === '' ? 0 : Number(`0.${fraction}`) * 1000);
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
