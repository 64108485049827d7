/** How long a trace is kept, in words, and from the dates a form gives. */
import type { Retention } from '../../data/index.ts';
import { dayToText } from '../../ui/format.ts';

export function retentionToText({ keepUntil, floor, hold, then }: Retention): string {
  if (hold) return 'on hold';
  const until =
    keepUntil === undefined
      ? 'until deleted'
      : `until ${dayToText(keepUntil)}${then === 'purge' ? ', then purged' : ''}`;
  return floor === undefined ? until : `${until}, not before ${dayToText(floor)}`;
}

/** The value of a date field to RFC 3339: the start of that day where the person is. An empty field, or no day of the calendar, is no date. */
export function dayToDate(day: string): string | undefined {
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T00:00:00` : '');
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Back into the field: the day where the person is, as it is shown everywhere. */
export function dateToDay(date: string | undefined): string {
  const at = new Date(date ?? '');
  if (Number.isNaN(at.getTime())) return '';
  const part = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${part(at.getMonth() + 1)}-${part(at.getDate())}`;
}

export function isHeldBack({ floor, hold }: Retention, now: string): boolean {
  return hold || (floor !== undefined && Date.parse(floor) > Date.parse(now));
}
