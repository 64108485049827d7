/** What a copy does not hold, in words: a part of what was chosen is missed, and what other branches hold is not. */
export interface Omission {
  /** Events of the trace that are not in the copy. */
  readonly omitted: number;
  /** Those of them that belong to what was chosen. */
  readonly lacking: number;
  /** Branches that were chosen, where more than one. */
  readonly chosen?: number | undefined;
}

/** "37 events of other branches"; nothing where the copy holds everything. */
export function omissionToWords({ omitted, lacking, chosen = 1 }: Omission): string | undefined {
  const others = omitted - lacking;
  const parts = [
    lacking > 0 ? `${eventsToText(lacking)} of ${chosen === 1 ? 'this branch' : 'these branches'}` : undefined,
    others > 0 ? `${eventsToText(others)} of other branches` : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' and ');
}

const counts = new Intl.NumberFormat('en');

function eventsToText(count: number): string {
  return `${counts.format(count)} ${count === 1 ? 'event' : 'events'}`;
}
