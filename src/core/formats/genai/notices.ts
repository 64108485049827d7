/**
 * What was assumed and what was noticed over all records, told once each with how often: nothing is repaired in silence.
 */
import type { Problem } from '../format.ts';
import type { Links } from './link.ts';
import type { AssumptionCode, Entry } from './record.ts';
import { timeToMillis } from '../../base/time.ts';

const words: Readonly<Record<AssumptionCode, readonly [what: string, then: string]>> = {
  'time-without-zone': ['Times without a zone', 'They were read as UTC, which may be wrong by hours.'],
  'unit-guess': ['Times as numbers without a unit', 'The unit was read from their size.'],
  'short-trace-id': ['Trace ids of 64 bits', 'They were filled with zeros from the left, as W3C says.'],
  'odd-id': [
    'Ids that are neither hexadecimal nor base64',
    'Ids were made from their SHA-256; they are kept as written.',
  ],
  'no-trace-id': ['No trace id', 'They were joined by session, else by the process that wrote them.'],
  'no-span-id': ['No span id', 'An id was made from the record.'],
};

export interface AssumptionCounter {
  readonly add: (entry: Entry) => void;
  readonly notices: () => readonly Problem[];
}

export function createAssumptionCounter(): AssumptionCounter {
  const counts = new Map<AssumptionCode, { count: number; first: Problem['place'] }>();
  return {
    add: (entry) => {
      if (entry.kind !== 'span' && entry.kind !== 'log') return;
      for (const code of new Set(entry.assumed ?? [])) {
        const known = counts.get(code);
        if (known === undefined) counts.set(code, { count: 1, first: entry.place });
        else known.count++;
      }
    },
    notices: () =>
      [...counts].map(([code, { count, first }]) => {
        const [what, then] = words[code];
        return notice(code, `${what}: ${countToText(count, 'record')}. ${then}`, first);
      }),
  };
}

export function notice(code: string, message: string, place: Problem['place']): Problem {
  return { code, message, place, severity: 'notice' };
}

export function countToText(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? what : `${what}s`}`;
}

/** What the spans together show: clocks that disagree, parents that are not here, a call told by two spans. */
export function linksToNotices(links: Links): readonly Problem[] {
  const notices: Problem[] = [];
  let early = 0;
  let most = 0;
  let missing = 0;
  let twice = 0;
  let absent = 0;
  for (const one of links.all) {
    const { info, parent } = one;
    if (!info.present) absent++;
    if (one.roleRule === 'one-call-two-spans') twice++;
    if (info.parent !== undefined && parent === undefined && info.present) missing++;
    const own = info.start;
    const above = parent?.info.start;
    if (own === undefined || above === undefined || own >= above) continue;
    early++;
    most = Math.max(most, (timeToMillis(above) ?? 0) - (timeToMillis(own) ?? 0));
  }
  if (early > 0) {
    const far = most >= 1 ? `${Math.round(most)} ms` : 'less than 1 ms';
    const message = `Begin before their parents: ${countToText(early, 'span')}, by up to ${far}. The clocks disagree. Times are shown as recorded; the order is that of the edges.`;
    notices.push(notice('clock-skew', message, undefined));
  }
  if (missing > 0) {
    const message = `Name a parent that is in none of the files: ${countToText(missing, 'span')}. Open the files of the other services with these to see it.`;
    notices.push(notice('parent-not-here', message, undefined));
  }
  if (twice > 0) {
    const message = `Tell of a model call that another span tells of as well: ${countToText(twice, 'span')}. Such a span is a step; usage is counted once (rule one-call-two-spans).`;
    notices.push(notice('one-call-two-spans', message, undefined));
  }
  if (absent > 0) {
    const message = `Told only by log records, with their spans in none of the files: ${countToText(absent, 'model call')}. The calls are made of the records (rule call-from-logs).`;
    notices.push(notice('call-from-logs', message, undefined));
  }
  return notices;
}

/** A span id that two different spans have. */
export function conflictsToProblems(links: Links): readonly Problem[] {
  const { conflicts } = links.survey;
  const [first] = conflicts;
  if (first === undefined) return [];
  const message = `Under the id of another span that says something else: ${countToText(conflicts.length, 'span')} (the first: ${first.id}, "${first.name}"). All are kept, each under an id of its own.`;
  // Several servers may answer one call, and then share its id by right.
  const severity = conflicts.every(({ side }) => side === 'server' || side === 'consumer') ? 'notice' : 'problem';
  return [{ code: 'conflicting-id', message, severity }];
}
