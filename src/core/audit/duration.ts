/**
 * Durations as streams declare them (ISO 8601: `PT24H`, `P7D`), in milliseconds, and back in words.
 *
 * Only units of one length: a month or a year is no fixed time and is not read.
 */
import { countToText } from '../projections/effects/words.ts';

const form = /^P(?:(\d+)W|(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?)$/;

const units = [
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** undefined when the text is no such duration, or names none. */
export function durationToMillis(text: string): number | undefined {
  const found = form.exec(text);
  if (found === null || !/\d/.test(text)) return undefined;
  return units.reduce((sum, [, length], n) => sum + Number(found[n + 1] ?? 0) * length, 0);
}

/** In its two largest units, as `1 day 2 hours`; what is below a second is rounded up. */
export function millisToText(millis: number): string {
  let left = Math.ceil(millis / 1000) * 1000;
  const parts: string[] = [];
  for (const [name, length] of units.slice(1)) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(countToText(count, name));
    else if (parts.length > 0) break;
  }
  return parts.length === 0 ? '0 seconds' : parts.slice(0, 2).join(' ');
}
