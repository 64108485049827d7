/**
 * The records of a file that is a JSON document, several documents, or JSON lines, by their place in the document (`elements.ts`).
 *
 * Invariant: every piece is one input record: a record, or a problem with its bytes. The frame around the records is a record only
 * where it says something. Lines are read line by line, so that a damaged one costs nothing but itself. Called by the formats whose
 * files are documents.
 */
import { isJsonArray, isJsonObject, type JsonValue, setOwn } from '../base/json.ts';
import { parseNoting } from '../base/lossless.ts';
import { joinBytes } from './decode/join-bytes.ts';
import { decodeText } from './decode/text.ts';
import { findElements, type WantedPaths } from './elements.ts';
import type { InputPlace, Problem, SourceFile } from './format.ts';
import { type Line, readLines } from './lines.ts';
import { lineToRecords, notedToRemark, type RawRecord } from './records.ts';

export interface Piece {
  /** Place in the document, `*` for members of lists; `frame` for what stands around the records. */
  readonly path: string;
  readonly record: RawRecord;
  /** Number of the document in the file, from 0: joins records to their frame. */
  readonly document: number;
  readonly note?: Problem | undefined;
}

interface Pieces {
  readonly pieces: readonly Piece[];
  readonly problems: readonly Problem[];
  /** Damage that costs no record, such as a frame that was closed for its writer. */
  readonly notes: readonly Problem[];
  readonly bytes: number;
}

/** `lineWanted` is used for the values of JSON lines, where it differs from what is wanted in a document. */
export async function readPieces(file: SourceFile, wanted: WantedPaths, lineWanted = wanted): Promise<Pieces> {
  const parts: Uint8Array[] = [];
  for await (const chunk of file.open()) parts.push(chunk);
  const bytes = withoutMark(joinBytes(parts));
  return isLines(bytes) ? linesToPieces(file.name, parts, lineWanted) : documentToPieces(file.name, bytes, wanted);
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  // Blanked, so that offsets stay those of the file.
  if (bytes[0] !== 0xef || bytes[1] !== 0xbb || bytes[2] !== 0xbf) return bytes;
  const copy = bytes.slice();
  copy.fill(32, 0, 3);
  return copy;
}

/** True when the first line with text is a whole container and another line with text follows, or the first cannot be more. */
function isLines(bytes: Uint8Array): boolean {
  let depth = 0;
  let closed = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === 34) {
      for (i++; i < bytes.length && bytes[i] !== 34; i++) if (bytes[i] === 92) i++;
    } else if (byte === 123 || byte === 91) {
      if (closed) return true;
      depth++;
    } else if (byte === 125 || byte === 93) closed = --depth === 0;
    else if ((byte === 10 || byte === 13) && depth > 0) return false;
    else if (closed && byte > 32) return true;
  }
  return false;
}

async function linesToPieces(name: string, parts: readonly Uint8Array[], wanted: WantedPaths): Promise<Pieces> {
  const pieces: Piece[] = [];
  const problems: Problem[] = [];
  const notes: Problem[] = [];
  let document = 0;
  let bytes = 0;
  for (const part of parts) bytes += part.length;
  for await (const lines of readLines(each(parts))) {
    for (const line of lines) {
      for (const entry of lineToRecords(name, line)) {
        if (entry.record === undefined) problems.push(entry.problem);
        else {
          if (entry.problem !== undefined) notes.push(entry.problem);
          for (const piece of valueToPieces(entry.record, wanted, document)) pieces.push(piece);
          document++;
        }
      }
    }
  }
  return { pieces, problems, notes, bytes };
}

async function* each(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield await Promise.resolve(part);
}

/** The records in one parsed line; all have the place of the line. Depth is bounded by the depth of JSON that is read. */
function valueToPieces(record: RawRecord, wanted: WantedPaths, document: number): readonly Piece[] {
  const out: Piece[] = [];
  function strip(value: JsonValue, path: string): JsonValue | undefined {
    if (typeof value !== 'object' || value === null) return value;
    if (wanted.has(path)) {
      const text = path === '' ? record.text : JSON.stringify(value);
      out.push({ path, document, record: { value, text, place: record.place } });
      return undefined;
    }
    if (isJsonArray(value)) {
      const kept: JsonValue[] = [];
      for (const item of value) {
        const left = strip(item, joinPath(path, '*'));
        if (left !== undefined) kept.push(left);
      }
      return kept;
    }
    const kept: Record<string, JsonValue> = {};
    for (const [key, item] of Object.entries(value)) {
      const left = strip(item, joinPath(path, key));
      if (left !== undefined) setOwn(kept, key, left);
    }
    return kept;
  }
  const frame = strip(record.value, '');
  if (frame !== undefined && saysSomething(frame)) {
    out.push({ path: 'frame', document, record: { value: frame, text: record.text, place: record.place } });
  }
  return out;
}

function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function documentToPieces(name: string, bytes: Uint8Array, wanted: WantedPaths): Pieces {
  const { elements, frames } = findElements(bytes, wanted);
  const pieces: Piece[] = [];
  const problems: Problem[] = [];
  const notes: Problem[] = [];
  for (const element of elements) {
    const read = textToRecords(name, element);
    for (const entry of read) {
      if (entry.record === undefined) problems.push(entry.problem);
      else
        pieces.push({
          path: element.path,
          record: entry.record,
          document: documentOf(frames, element.offset),
          note: entry.problem,
        });
    }
  }
  for (const [document, frame] of frames.entries()) {
    const text = decodeText(frame.bytes).text;
    const place = { file: name, line: frame.line, offset: frame.offset };
    if (!frame.ended) notes.push(cutOff(name, bytes.length, elements.at(-1)?.ended !== false));
    const value = parseNoting(text);
    if (!value.ok) problems.push(badFrame(place, frame.bytes, value.error.message));
    else if (saysSomething(value.value.value)) {
      const note = notedToRemark(place, value.value);
      pieces.push({ path: 'frame', record: { value: value.value.value, text, place }, document, note });
    }
  }
  const lost = pieces.length + problems.length === 0 && bytes.some((byte) => byte > 32);
  if (lost && frames.length === 0)
    problems.push(badFrame({ file: name, line: 1, offset: 0 }, bytes, 'it holds no JSON container'));
  return { pieces, problems, notes, bytes: bytes.length };
}

function documentOf(frames: readonly { readonly offset: number }[], offset: number): number {
  let found = 0;
  for (const [n, frame] of frames.entries()) if (frame.offset <= offset) found = n;
  return found;
}

function textToRecords(name: string, element: { bytes: Uint8Array; offset: number; line: number; ended: boolean }) {
  const { text, invalid } = decodeText(element.bytes);
  const line: Line = {
    text,
    line: element.line,
    offset: element.offset,
    length: element.bytes.length,
    ended: element.ended,
    invalid,
    raw: invalid > 0 ? element.bytes : undefined,
    tooLong: false,
  };
  return lineToRecords(name, line);
}

/** A frame of nothing but empty containers is only the brackets around the records. */
function saysSomething(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.some((item) => item !== null && saysSomething(item));
  if (!isJsonObject(value)) return true;
  return Object.values(value).some((item) => item !== null && (typeof item !== 'object' || saysSomething(item)));
}

function cutOff(name: string, bytes: number, clean: boolean): Problem {
  const message = `${name} ends inside its document, at byte ${bytes}. ${clean ? 'All records before that are used.' : 'The record that was cut is kept as bytes; all before it are used.'}`;
  return { code: 'document-cut-off', message, place: { file: name, offset: bytes }, severity: 'problem' };
}

function badFrame(place: InputPlace, raw: Uint8Array, reason: string): Problem {
  const message = `What stands around the records of ${place.file} cannot be read: ${reason}. Its bytes are kept; the records are used.`;
  return { code: 'damaged-frame', message, place: { ...place, length: raw.length }, raw, severity: 'problem' };
}
