/**
 * Findings and headline as they may be shown: what a trace calls things turns no line around and fills no page.
 *
 * Invariant: words alone change; ids, evidence and rules stay as they are. Called by `reading.ts`, the one way to both.
 */
import { lineToShown } from '../base/shown-text.ts';
import { cut } from '../projections/title-words.ts';
import type { Finding, Headline } from '../projections/trace-reader.ts';

/** Characters of one sentence; a longer one quotes a name that no one reads to its end. */
const longestSentence = 1500;

function shown(text: string): string {
  return lineToShown(cut(text, longestSentence));
}

export function findingToShown(finding: Finding): Finding {
  const { title, text, known, unknown, interval } = finding;
  return {
    ...finding,
    title: shown(title),
    text: shown(text),
    known: known.map(shown),
    unknown: unknown.map(shown),
    ...(interval === undefined ? {} : { interval: shown(interval) }),
  };
}

export function headlineToShown(headline: Headline): Headline {
  return {
    ...headline,
    facts: headline.facts.map((spans) => spans.map((span) => ({ ...span, text: shown(span.text) }))),
  };
}
