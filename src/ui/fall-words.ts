/**
 * How many commands and events an edit makes fall, in one sentence: the same wherever the preview of an edit is told.
 *
 * Invariant: every count stands with its unit. A command leaves several events (a request, an answer, what a service told), so both
 * are told; a trace without commands has events alone.
 */
import { countOf, countToText } from './format.ts';

type Status = 'edited' | 'falls' | 'may-fall' | 'unknown' | 'stands';

/** The counted part of a preview. */
interface Fallen {
  /** One a command; in a trace without commands one an event, with an empty path. */
  readonly items: readonly { readonly path: string; readonly status: Status }[];
  /** Events that do not stand. */
  readonly events: readonly { readonly status: Status }[];
}

/** A sub-agent or a step begins as it did, and what happens in it falls: neither a plain “falls” nor a plain “stands”. */
export const fallsInside = {
  word: 'falls inside',
  meaning: 'It starts as recorded; what happens in it falls or may fall.',
} as const;

/** Whether an item is told as one that falls inside: its own start stands, by the ids of such starts. */
export function isFallingInside(
  { event, status }: { readonly event: string; readonly status: Status },
  holding: ReadonlySet<string>,
): boolean {
  return status !== 'edited' && holding.has(event);
}

/** “11 of 18 commands fall (34 events), 1 may fall (2 events), 5 stand”. */
export function fallenToSentence({ items, events }: Fallen): string {
  const hasCommands = items.some(({ path }) => path !== '');
  const count = (list: readonly { readonly status: Status }[], status: Status): number =>
    list.reduce((sum, one) => sum + (one.status === status ? 1 : 0), 0);
  const alongside = (status: Status): string =>
    hasCommands && count(events, status) > 0 ? ` (${countOf(count(events, status), 'event')})` : '';
  const falls = count(items, 'falls');
  const [mayFall, unknown, stands] = [count(items, 'may-fall'), count(items, 'unknown'), count(items, 'stands')];
  const total = countOf(items.length, hasCommands ? 'command' : 'event');
  const some = (number: number, status: Status, words: string): string =>
    number === 0 && alongside(status) === '' ? '' : `${countToText(number)} ${words}${alongside(status)}`;
  return [
    `${countToText(falls)} of ${total} ${falls === 1 ? 'falls' : 'fall'}${alongside('falls')}`,
    some(mayFall, 'may-fall', 'may fall'),
    some(unknown, 'unknown', 'cannot be told'),
    `${countToText(stands)} ${stands === 1 ? 'stands' : 'stand'}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}
