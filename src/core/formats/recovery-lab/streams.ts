/**
 * The records of the streams of a trial, however their file is written: a line each, over several lines each, or as a JSON list, alone
 * or under a name.
 *
 * Invariant: every record of a file is one `Taken`: a record, or a problem with its bytes. Read as often as asked, in file order. Lines
 * are read chunk by chunk; a document is held as a whole.
 */
import { textToUtf8 } from '../../base/hash.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import { decodeText } from '../decode/text.ts';
import { findElements } from '../elements.ts';
import type { Problem, Sniff, SourceFile } from '../format.ts';
import { readLines } from '../lines.ts';
import { readPieces } from '../pieces.ts';
import { lineToRecords, type RawRecord } from '../records.ts';
import type { RecordPlace } from '../seen.ts';
import { sniffObjects } from '../sniff.ts';
import { idAt, type LabRecord, objectAt, textAt, toLabRecord } from './record.ts';

/** Enough of a document to tell what it holds. */
const headBytes = 64 * 1024;

/** Where the records stand in a list, by how its document opens; the names are those that exports put around one. */
const lists: readonly (readonly [opening: RegExp, path: string])[] = [
  [/^\s*\[/, '*'],
  [/^\s*\{\s*"events"\s*:\s*\[/, 'events.*'],
  [/^\s*\{\s*"records"\s*:\s*\[/, 'records.*'],
];

/** The records themselves, one document after another. */
const documents = '';

export interface Stream {
  readonly file: SourceFile;
  /** Place of the records in a document; absent where each stands on a line. */
  readonly path: string | undefined;
}

export function toStream(file: SourceFile, sniff: Sniff): Stream {
  return { file, path: pathOf(sniff) };
}

function pathOf(sniff: Sniff): string | undefined {
  const head = sniff.text.slice(0, 4096);
  const list = lists.find(([opening]) => opening.test(head))?.[1];
  if (list !== undefined && documentObjects(sniff, list).some(isRecord)) return list;
  // A record on a line is read as a line, so that a damaged one costs nothing but itself.
  if (sniffObjects(sniff).some(isRecord)) return undefined;
  return documentObjects(sniff, documents).some(isRecord) ? documents : undefined;
}

function documentObjects(sniff: Sniff, path: string): readonly JsonObject[] {
  const { elements } = findElements(sniff.bytes.subarray(0, headBytes), new Set([path]));
  return elements.slice(0, 40).flatMap(({ bytes, ended }) => {
    const value = ended ? parseLossless(decodeText(bytes).text) : undefined;
    return value?.ok === true && isJsonObject(value.value) ? [value.value] : [];
  });
}

function isRecord(object: JsonObject): boolean {
  return (
    idAt(object, 'eid') !== undefined &&
    textAt(object, 'type') !== undefined &&
    textAt(objectAt(object, 'producer'), 'component') !== undefined
  );
}

export function detectStream(sniff: Sniff): number {
  const path = pathOf(sniff);
  const objects = path === undefined ? sniffObjects(sniff) : documentObjects(sniff, path);
  const known = objects.filter(isRecord).length;
  if (known > 0) return Math.max(0.7, (0.98 * known) / objects.length);
  const head = sniff.text.slice(0, 4096);
  return /^\s*\[?\s*\{/.test(head) && /"eid"\s*:/.test(head) && /"producer"\s*:\s*\{/.test(head) ? 0.7 : 0;
}

export type Taken =
  | { readonly record: LabRecord; readonly note: Problem | undefined; readonly place: RecordPlace }
  /** `isNote`: about the file, and no record of it. */
  | { readonly record?: undefined; readonly problem: Problem; readonly isNote?: boolean };

/** Every record of the files in batches of one chunk, as often as asked. */
export async function* readRecords(
  streams: readonly Stream[],
  count: (bytes: number) => void,
): AsyncGenerator<readonly Taken[], void> {
  for (const [index, { file, path }] of streams.entries()) {
    if (path !== undefined) yield await readDocument(file, path, index, count);
    else yield* readStream(file, index, count);
  }
}

async function* readStream(
  file: SourceFile,
  index: number,
  count: (bytes: number) => void,
): AsyncGenerator<readonly Taken[], void> {
  for await (const lines of readLines(counted(file.open(), count))) {
    const taken: Taken[] = [];
    for (const line of lines) {
      for (const entry of lineToRecords(file.name, line)) {
        if (entry.record === undefined) taken.push({ problem: entry.problem });
        else taken.push(toTaken(entry.record, entry.problem, { file: index, line: line.line }));
      }
    }
    yield taken;
  }
}

async function readDocument(
  file: SourceFile,
  path: string,
  index: number,
  count: (bytes: number) => void,
): Promise<readonly Taken[]> {
  const { pieces, problems, notes, bytes } = await readPieces(file, new Set([path]));
  count(bytes);
  return [
    ...pieces.map(({ record, note }) => toTaken(record, note, { file: index, line: record.place.line ?? 1 })),
    ...problems.map((problem) => ({ problem })),
    ...notes.map((problem) => ({ problem, isNote: true })),
  ];
}

function toTaken(raw: RawRecord, note: Problem | undefined, place: RecordPlace): Taken {
  const record = toLabRecord(raw);
  return typeof record === 'string' ? { problem: recordProblem(raw, record) } : { record, note, place };
}

async function* counted(chunks: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.length);
    yield chunk;
  }
}

export function recordProblem({ place, text }: RawRecord, reason: string): Problem {
  const message = `Line ${place.line ?? 0} of ${place.file} (byte ${place.offset}): ${reason} The record is kept as it is.`;
  return { code: 'invalid-event', message, place, raw: textToUtf8(text), severity: 'problem' };
}
