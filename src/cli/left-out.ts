/**
 * Damaged records that what a command writes cannot hold: how many, and where they stand. Called by `redact` and `export`.
 */
import type { Opened } from './opened.ts';

export interface LeftOut {
  /** Input records of which no event was made. */
  readonly records: number;
  readonly places: readonly LeftOutPlace[];
}

interface LeftOutPlace {
  readonly code: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly offset: number | null;
}

export function computeLeftOut({ counts, problems, index, placeOf }: Opened): LeftOut {
  if (counts.problems === 0) return { records: 0, places: [] };
  const used = new Set<string>();
  for (let position = 0; position < index.count; position++) {
    const place = placeOf(position);
    if (place !== undefined) used.add(`${place.file}\0${place.offset}`);
  }
  // A problem at the place of an event is about a record that is used all the same.
  const places = problems
    .filter(
      ({ severity, place }) => severity === 'problem' && !used.has(`${place?.file ?? ''}\0${place?.offset ?? -1}`),
    )
    .map(({ code, place }) => {
      return { code, file: place?.file ?? null, line: place?.line ?? null, offset: place?.offset ?? null };
    });
  return { records: counts.problems, places };
}

/** Places named in a sentence. */
const mostNamed = 5;

/** Nothing where nothing is left out. */
export function leftOutToText({ records, places }: LeftOut): readonly string[] {
  if (records === 0) return [];
  const named = places.slice(0, mostNamed).map(placeToText);
  if (places.length > mostNamed) named.push(`${places.length - mostNamed} more`);
  const where = named.length === 0 ? '' : `: ${named.join('; ')}`;
  const what = records === 1 ? 'One damaged record of the input is' : `${records} damaged records of the input are`;
  return [`${what} left out${where}. \`check\` says what is wrong with ${records === 1 ? 'it' : 'each'}.`];
}

function placeToText({ code, file, line, offset }: LeftOutPlace): string {
  const at = [line === null ? '' : `line ${line}`, offset === null ? '' : `byte ${offset}`].filter(
    (part) => part !== '',
  );
  return `${file ?? 'the input'}${at.length === 0 ? '' : `, ${at.join(', ')}`} (${code})`;
}
