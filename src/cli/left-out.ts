/**
 * What of the files a command could not use: damaged records, and damage of the files that held them. Told by every command that makes
 * something of a trace (`check` has its own list of problems).
 *
 * Invariant: one record has one place, and what is wrong with a whole file (an archive that is cut off, a checksum) is no place of a record.
 */
import type { ImportBatch, InputPlace, Problem } from '../core/formats/format.ts';
import { toJson } from './output.ts';

export interface LeftOut {
  /** Input records of which no event was made. */
  readonly records: number;
  readonly places: readonly LeftOutPlace[];
  /** What is wrong with a file as such; what could be read of it was used. */
  readonly damage: readonly FileDamage[];
}

interface LeftOutPlace {
  readonly code: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly offset: number | null;
}

interface FileDamage extends LeftOutPlace {
  readonly message: string;
}

export const nothingLeftOut: LeftOut = { records: 0, places: [], damage: [] };

/** `places`: those of the events. */
export function computeLeftOut(
  records: number,
  problems: readonly Problem[],
  places: Iterable<InputPlace | undefined>,
): LeftOut {
  const told = problems.filter(({ severity }) => severity === 'problem');
  if (told.length === 0) return nothingLeftOut;
  const damage = told.filter(isDamageOfFile).map(({ code, message, place }) => ({ ...toPlace(code, place), message }));
  if (records === 0) return { records, places: [], damage };
  // A problem at the place of an event is about a record that is used all the same.
  const used = new Set<string>();
  for (const place of places) if (place !== undefined) used.add(`${place.file}\0${place.offset}`);
  const left: LeftOutPlace[] = [];
  for (const problem of told) {
    const key = `${problem.place?.file ?? ''}\0${problem.place?.offset ?? -1}`;
    if (isDamageOfFile(problem) || used.has(key)) continue;
    if (problem.place !== undefined) used.add(key);
    left.push(toPlace(problem.code, problem.place));
  }
  return { records, places: left, damage };
}

/** What the decoder and the readers of archives and documents say of a file; `formats/README.md` lists the codes. */
function isDamageOfFile({ code }: Problem): boolean {
  return /^archive-|^utf-\d+-odd$|^document-cut-off$/.test(code);
}

function toPlace(code: string, place: InputPlace | undefined): LeftOutPlace {
  return { code, file: place?.file ?? null, line: place?.line ?? null, offset: place?.offset ?? null };
}

/** Of several files, each read by itself. */
export function sumLeftOut(parts: readonly LeftOut[]): LeftOut {
  return {
    records: parts.reduce((sum, { records }) => sum + records, 0),
    places: parts.flatMap(({ places }) => places),
    damage: parts.flatMap(({ damage }) => damage),
  };
}

/** Notes batch by batch what `computeLeftOut` needs, for readers that keep no places. */
export function createLeftOutLog(): { readonly add: (batch: ImportBatch) => void; readonly end: () => LeftOut } {
  const problems: Problem[] = [];
  const places: InputPlace[] = [];
  let records = 0;
  return {
    add(batch) {
      records += batch.counts.problems;
      for (const problem of batch.problems) problems.push(problem);
      for (const { place } of batch.events) places.push(place);
    },
    end: () => computeLeftOut(records, problems, places),
  };
}

/** What a command prints: its report with the member `leftOut`, or its text with the sentences behind it. */
export function toOutput(json: boolean, report: object, text: string, leftOut: LeftOut): string {
  return json ? toJson({ ...report, leftOut }) : [text, ...leftOutToText(leftOut)].join('\n');
}

/** Places named in a sentence. */
const mostNamed = 5;

/** Nothing where nothing is left out. */
function leftOutToText({ records, places, damage }: LeftOut): readonly string[] {
  const lines = damage.slice(0, mostNamed).map(({ message }) => message);
  if (damage.length > mostNamed) lines.push(`Of ${damage.length - mostNamed} more damaged files \`check\` tells.`);
  if (records > 0) {
    const named = places.slice(0, mostNamed).map(placeToText);
    if (places.length > mostNamed) named.push(`${places.length - mostNamed} more`);
    const where = named.length === 0 ? '' : `: ${named.join('; ')}`;
    const what = records === 1 ? 'One damaged record of the input is' : `${records} damaged records of the input are`;
    lines.push(`${what} left out${where}. \`check\` says what is wrong with ${records === 1 ? 'it' : 'each'}.`);
  }
  return lines.length === 0 ? [] : ['', ...lines];
}

function placeToText({ code, file, line, offset }: LeftOutPlace): string {
  const at = [line === null ? '' : `line ${line}`, offset === null ? '' : `byte ${offset}`].filter(
    (part) => part !== '',
  );
  return `${file ?? 'the input'}${at.length === 0 ? '' : `, ${at.join(', ')}`} (${code})`;
}
