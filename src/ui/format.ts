/** Numbers, sizes and times as the interface writes them: with units, without false precision. */

const sizes = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Decimal units, as disks and networks use them: 1.2 MB. */
export function bytesToText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < sizes.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${sizes[unit] ?? 'B'}`;
}

const counts = new Intl.NumberFormat('en');

export function countToText(count: number): string {
  return counts.format(count);
}

/** “1 event”, “2 events”. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${countToText(count)} ${count === 1 ? one : many}`;
}

export function secondsToText(seconds: number): string {
  if (seconds < 1) return 'under 1 s';
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

/** A recorded instant as it was written, without the date where a view shows the date elsewhere. */
export function timeOfDay(rfc3339: string): string {
  const found = /T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)/.exec(rfc3339);
  return found?.[1] ?? rfc3339;
}

/** A recorded instant with its date, to the millisecond and in the zone it was written in: “2026-11-29 14:33:42.924 Z”. */
export function instantToText(rfc3339: string): string {
  const found = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d*(Z|[+-]\d\d:\d\d)?$/.exec(rfc3339);
  if (found === null) return rfc3339;
  const [, day = '', time = '', zone] = found;
  return [day, time, zone].filter((part) => part !== undefined).join(' ');
}

const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
// Made once: making one costs a hundred times what using it does, and a library has a date in every row.
const dates = new Intl.DateTimeFormat('en-GB', { ...day, hour: '2-digit', minute: '2-digit' });
const moments = new Intl.DateTimeFormat('en-GB', { ...day, hour: '2-digit', minute: '2-digit', second: '2-digit' });
const days = new Intl.DateTimeFormat('en-GB', day);

/** A date of this machine's own acts, such as “29 Nov 2026, 17:04”. */
export function dateToText(iso: string): string {
  const local = toLocal(iso);
  return local === undefined ? iso : dates.format(local);
}

/**
 * When a record says that something was: a date, to the second, for several are made in a minute; of a redacted copy, whose times are counted from zero, no date but that time. A run of
 * years is still before any agent that wrote down a date.
 */
export function momentToText(iso: string): string {
  const [date = ''] = /^197\d-\d\d-\d\d(?=T)/.exec(iso) ?? [];
  if (date === '') {
    const local = toLocal(iso);
    return local === undefined ? iso : moments.format(local);
  }
  const passed = Math.round(Date.parse(`${date}T00:00:00Z`) / 86_400_000);
  return `${passed === 0 ? '' : `${countOf(passed, 'day')} and `}${timeOfDay(iso)} from the beginning`;
}

export function dayToText(iso: string): string {
  const local = toLocal(iso);
  return local === undefined ? iso : days.format(local);
}

/** The instant whose UTC reading is what a clock on the wall says here and now: the zone of a machine may change under an open page. */
function toLocal(iso: string): number | undefined {
  const date = new Date(iso);
  const instant = date.getTime();
  return Number.isNaN(instant) ? undefined : instant - date.getTimezoneOffset() * 60_000;
}

/** A long id with its middle left out; the whole stands in the title or the inspector. */
export function shortId(id: string, most = 20): string {
  return id.length <= most ? id : `${id.slice(0, most - 9)}…${id.slice(-8)}`;
}
