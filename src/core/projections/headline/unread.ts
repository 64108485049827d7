/**
 * What a headline says of records that could not be read: before everything that was found in the others. The page and the command line
 * say it alike.
 */
export interface UnreadWords {
  readonly what: string;
  readonly rest: string;
}

/** Undefined where all were read. */
export function unreadToWords(records: number): UnreadWords | undefined {
  if (records === 0) return undefined;
  const what = `${records.toLocaleString('en')} ${records === 1 ? 'record' : 'records'} could not be read`;
  return { what, rest: `, and nothing that follows takes account of ${records === 1 ? 'it' : 'them'}.` };
}
