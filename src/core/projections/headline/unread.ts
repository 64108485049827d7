/**
 * What a headline says of what could not be read: before everything that was found in the rest. The page and the command line say it alike.
 *
 * Invariant: of a file that was cut, what stood behind the cut is not known; whoever reads "executed once" of it must have read that first.
 */
import type { UnreadFiles } from '../trace-reader.ts';

export interface UnreadWords {
  readonly what: string;
  readonly rest: string;
}

/** `records`: how many could not be read, those at the end of a cut file among them. Undefined where all were read. */
export function unreadToWords(records: number, unread: UnreadFiles): UnreadWords | undefined {
  const others = Math.max(0, records - unread.records);
  const recordsText = `${others.toLocaleString('en')} ${others === 1 ? 'record' : 'records'} could not be read`;
  const [file] = unread.files;
  if (file === undefined) {
    if (others === 0) return undefined;
    return { what: recordsText, rest: `, and nothing that follows takes account of ${others === 1 ? 'it' : 'them'}.` };
  }
  const count = unread.files.length;
  const what =
    count === 1
      ? `${file} could not be read to its end`
      : `${count.toLocaleString('en')} files could not be read to their ends`;
  const more = others === 0 ? '' : `, and ${recordsText} elsewhere`;
  const end = count === 1 ? 'its end' : 'their ends';
  return {
    what: `${what}${more}`,
    rest: `: what stands below as absent, open or done once holds for the part that was read; ${end} may tell otherwise.`,
  };
}
