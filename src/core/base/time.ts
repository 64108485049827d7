/**
 * Recorded times without a clock or a time zone of the host.
 *
 * RFC 3339 to milliseconds since the epoch, fractions kept as far as a double holds them. Times are information and break ties on
 * screen; nothing is ordered by them alone.
 */

const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** undefined when the text is not a time of RFC 3339. */
export function timeToMillis(text: string): number | undefined {
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
