/**
 * Sentences with links, for the headline. A span with an event is a link to the record that establishes its words.
 */
import type { EventId, HindcastEvent } from '../../model/index.ts';
import type { HeadlineSpan } from '../trace-reader.ts';

export function plain(text: string): HeadlineSpan {
  return { text };
}

export function linked(text: string, event: HindcastEvent | EventId | undefined, finding?: string): HeadlineSpan {
  const id = typeof event === 'object' ? event.id : event;
  return { text, ...(id === undefined ? {} : { event: id }), ...(finding === undefined ? {} : { finding }) };
}

/** "8421 and 8422" with a link each; beyond `most` the rest is counted. */
export function linkedList(items: readonly HeadlineSpan[], most = 6): HeadlineSpan[] {
  const shown = items.slice(0, most);
  const rest = items.length - shown.length;
  const spans: HeadlineSpan[] = [];
  shown.forEach((item, i) => {
    const isLast = i === shown.length - 1 && rest === 0;
    if (i > 0) spans.push(plain(isLast ? ' and ' : ', '));
    spans.push(item);
  });
  if (rest > 0) spans.push(plain(` and ${String(rest)} more`));
  return spans;
}
