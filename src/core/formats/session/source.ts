/**
 * Records of session files: JSON lines, or the elements of lists in one document.
 *
 * Invariant: a file gives the same records each time it is read. A document that is damaged gives every element that is whole, and
 * one problem for what is not.
 */
import type { JsonObject } from '../../base/json.ts';
import { textToUtf8, utf8Length } from '../../base/hash.ts';
import { parseNoting } from '../../base/lossless.ts';
import { joinBytes } from '../decode/decode.ts';
import { decodeText } from '../decode/text.ts';
import type { Problem, SourceFile } from '../format.ts';
import { readLines } from '../lines.ts';
import { joinProblems, lineToRecords, notedToRemark, type RawRecord } from '../records.ts';
import { splitDocument } from './document.ts';

export interface SessionRecord extends RawRecord {
  /** The list of the document it stands in; `document` for what stands around the lists, `line` in line files. */
  readonly where: string;
  /** Names the run where one file holds several without saying so in each record. */
  readonly group?: string | undefined;
  /** The session it belongs to, where one document holds several. */
  readonly session?: string | undefined;
  /** Names the record within its session, where it is told again elsewhere in the document. */
  readonly name?: string | undefined;
  /** What other records of the document say of this one and that has no event of its own. */
  readonly beside?: JsonObject | undefined;
}

export type SessionEntry =
  | { readonly record: SessionRecord; readonly problem?: Problem | undefined }
  | { readonly record?: undefined; readonly problem: Problem };

/** What a format whose files need one another finds out before they are read. */
export interface Arranged {
  readonly files: readonly SourceFile[];
  /** What other files say of a record. */
  readonly beside: (record: SessionRecord) => JsonObject | undefined;
  readonly notes: readonly Problem[];
}

export type CountBytes = (bytes: number) => void;

export async function* readLineEntries(file: SourceFile, count: CountBytes): AsyncGenerator<readonly SessionEntry[]> {
  for await (const lines of readLines(countBytes(file.open(), count))) {
    yield lines.flatMap((line) =>
      lineToRecords(file.name, line).map((entry): SessionEntry =>
        entry.record === undefined ? entry : { record: { ...entry.record, where: 'line' }, problem: entry.problem },
      ),
    );
  }
}

/** A whole file as one document. `lists` names the members whose elements are records; `''` is the document itself, if a list. */
export async function readDocumentEntries(
  file: SourceFile,
  count: CountBytes,
  lists: ReadonlySet<string>,
): Promise<readonly SessionEntry[]> {
  const parts: Uint8Array[] = [];
  for await (const chunk of countBytes(file.open(), count)) parts.push(chunk);
  const bytes = joinBytes(parts);
  const { text, invalid } = decodeText(bytes);
  const entries = [...textToEntries(file.name, text, { line: 1, offset: 0 }, lists)];
  if (invalid > 0) {
    const message = `${file.name} has ${String(invalid)} bytes that are not UTF-8. They show as U+FFFD.`;
    const [first, ...others] = entries;
    const place = { file: file.name, line: 1, offset: 0 };
    const note: Problem = { code: 'invalid-utf8', message, place, severity: 'notice' };
    if (first?.record !== undefined) return [{ ...first, problem: joinProblems(note, first.problem) }, ...others];
  }
  return entries;
}

/** The records of the text of a document that stands at a place of its file. */
export function textToEntries(
  file: string,
  text: string,
  at: { readonly line: number; readonly offset: number },
  lists: ReadonlySet<string>,
  group?: string,
): readonly SessionEntry[] {
  const split = splitDocument(text, lists);
  const entries: SessionEntry[] = [];
  let cursor = 0;
  let { line, offset } = at;
  const placeOf = (start: number, end: number) => {
    const skipped = text.slice(cursor, start);
    offset += utf8Length(skipped);
    for (let i = skipped.indexOf('\n'); i >= 0; i = skipped.indexOf('\n', i + 1)) line++;
    cursor = start;
    return { file, line, offset, length: utf8Length(text.slice(start, end)) };
  };
  for (const element of split.elements) {
    const place = placeOf(element.start, element.end);
    const written = text.slice(element.start, element.end);
    const parsed = parseNoting(written);
    if (parsed.ok) {
      const record = { value: parsed.value.value, text: written, place, where: element.list, group };
      entries.push({ record, problem: notedToRemark(place, parsed.value) });
      continue;
    }
    const cut = !element.ended;
    const message = cut
      ? `${file} ends inside an element of "${element.list}" (line ${String(place.line)}, byte ${String(place.offset)}). Its bytes are kept; everything before it is used.`
      : `An element of "${element.list}" of ${file} (line ${String(place.line)}, byte ${String(place.offset)}) is not JSON: ${parsed.error.message}. Its bytes are kept; the others are used.`;
    const code = cut ? 'truncated-document' : 'damaged-element';
    entries.push({ problem: { code, message, place, raw: textToUtf8(written), severity: 'problem' } });
  }
  if (split.isList) return entries;
  const frame = parseNoting(split.frame);
  const place = { file, line: at.line, offset: at.offset, length: utf8Length(text) };
  if (frame.ok) {
    const record = { value: frame.value.value, text: split.frame, place, where: 'document', group };
    entries.unshift({ record, problem: notedToRemark(place, frame.value) });
  } else {
    const message = `What stands around the records of ${file} is not JSON: ${frame.error.message}. Its bytes are kept; the records are used.`;
    const raw = textToUtf8(split.frame);
    entries.unshift({ problem: { code: 'damaged-document', message, place, raw, severity: 'problem' } });
  }
  return entries;
}

async function* countBytes(chunks: AsyncIterable<Uint8Array>, count: CountBytes): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.length);
    yield chunk;
  }
}
