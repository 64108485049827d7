/**
 * How many commands and events an edit makes fall, in one sentence: the same wherever the preview of an edit is told.
 *
 * Invariant: every count stands with its unit. A command leaves several events (a request, an answer, what a service told), so both
 * are told; a trace without commands has events alone.
 */
import { countOf, countToText } from './format.ts';

type Status = 'edited' | 'falls' | 'may-fall' | 'unknown' | 'stands';
/** What an item is told as: each has one tag, so that the counts of all tags add up to all items. */
export type FallTag = Status | 'inside';

/** The counted part of a preview. */
interface Fallen {
  /** One a command; in a trace without commands one an event, with an empty path. */
  readonly items: readonly { readonly event: string; readonly path: string; readonly status: Status }[];
  /** Events that do not stand. */
  readonly events: readonly { readonly status: Status }[];
  /** Starts and ends that stand while what happens between them falls. */
  readonly holding: readonly { readonly event: string }[];
}

/** In the order in which they are told. */
export const fallTags: readonly FallTag[] = ['edited', 'falls', 'may-fall', 'unknown', 'inside', 'stands'];

/** A sub-agent or a step begins as it did, and what happens in it falls: neither a plain “falls” nor a plain “stands”. */
export const fallsInside = {
  word: 'falls in part',
  meaning: 'Its start or end stands; what happens in it falls or may fall.',
} as const;

/** By the ids of the starts that stand while what happens in them falls; the edit itself is told as that. */
export function itemToTag(
  { event, status }: { readonly event: string; readonly status: Status },
  holding: ReadonlySet<string>,
): FallTag {
  return status !== 'edited' && holding.has(event) ? 'inside' : status;
}

/** “10 of 18 commands fall (34 events), 1 may fall (2 events), 1 falls in part, 1 is edited, 5 stand”: what is told adds up to all of them. */
export function fallenToSentence({ items, events, holding }: Fallen): string {
  const starts = new Set(holding.map(({ event }) => event));
  const tags = items.map((item) => ({ status: itemToTag(item, starts) }));
  const hasCommands = items.some(({ path }) => path !== '');
  const count = (list: readonly { readonly status: FallTag }[], status: FallTag): number =>
    list.reduce((sum, one) => sum + (one.status === status ? 1 : 0), 0);
  const alongside = (status: Status): string =>
    hasCommands && count(events, status) > 0 ? ` (${countOf(count(events, status), 'event')})` : '';
  const falls = count(tags, 'falls');
  const [inside, edited] = [count(tags, 'inside'), count(tags, 'edited')];
  const [mayFall, unknown, stands] = [count(tags, 'may-fall'), count(tags, 'unknown'), count(tags, 'stands')];
  const total = countOf(items.length, hasCommands ? 'command' : 'event');
  const some = (number: number, status: Status, words: string): string =>
    number === 0 && alongside(status) === '' ? '' : `${countToText(number)} ${words}${alongside(status)}`;
  return [
    `${countToText(falls)} of ${total} ${falls === 1 ? 'falls' : 'fall'}${alongside('falls')}`,
    some(mayFall, 'may-fall', 'may fall'),
    some(unknown, 'unknown', 'cannot be told'),
    inside === 0 ? '' : `${countToText(inside)} ${inside === 1 ? 'falls' : 'fall'} in part`,
    edited === 0 ? '' : `${countToText(edited)} ${edited === 1 ? 'is' : 'are'} edited`,
    `${countToText(stands)} ${stands === 1 ? 'stands' : 'stand'}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}
