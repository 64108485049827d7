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

/** The value of a date field to RFC 3339, at the start of that day, UTC; an empty field is no date. */
export function dayToDate(day: string): string | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T00:00:00.000Z` : undefined;
}

export function dateToDay(date: string | undefined): string {
  return date?.slice(0, 10) ?? '';
}

export function isHeldBack({ floor, hold }: Retention, now: string): boolean {
  return hold || (floor !== undefined && Date.parse(floor) > Date.parse(now));
}
