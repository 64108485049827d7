/**
 * The JSON values of a file, whatever its layout: a value a line, documents one after another, the elements of one long list, or of
 * the list inside an envelope. What is damaged is a problem, and what is whole before the damage is used.
 */
import { type JsonValue, isJsonArray, isJsonObject } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import { decodeText } from '../decode/text.ts';
import type { InputPlace, Problem, SourceFile } from '../format.ts';
import { readLines } from '../lines.ts';
import { lineToRecords, type RecordOrProblem } from '../records.ts';
import { readSniff } from '../sniff.ts';
import { createValueScanner, type ScannedValue } from '../values.ts';
import { salvage } from './salvage.ts';

export type SourceValue =
  | {
      readonly value: JsonValue;
      readonly text: string;
      readonly place: InputPlace;
      readonly problem?: Problem | undefined;
    }
  | { readonly value?: undefined; readonly problem: Problem };

/**
 * `depthOf` says how deep the records of a document stand that is no list of lines: 0 for documents one after another, 1 for the
 * elements of a list, 2 for those of a list inside an object.
 */
export async function* readValues(
  file: SourceFile,
  count: (bytes: number) => void,
  depthOf: (head: string) => number,
): AsyncGenerator<readonly SourceValue[]> {
  const head = (await readSniff(file)).text;
  const chunks = countBytes(file.open(), count);
  if (isLines(head)) {
    for await (const lines of readLines(chunks))
      yield lines.flatMap((line) => lineToRecords(file.name, line).map(toSourceValue));
    return;
  }
  const depth = depthOf(head.trimStart());
  const scanner = createValueScanner(depth);
  let found = 0;
  for await (const chunk of chunks) {
    const values = scanner.push(chunk);
    found += values.length;
    yield values.map((value) => scannedToValue(file.name, value));
  }
  const last = scanner.end();
  if (found + last.length > 0) yield last.map((value) => scannedToValue(file.name, value));
  // An empty list inside its envelope, or text in which no value begins.
  else if (depth > 0) yield* readWhole(file.name, scanner.envelope());
}

function* readWhole(file: string, bytes: Uint8Array): Generator<readonly SourceValue[]> {
  const value = scannedToValue(file, { bytes, offset: 0, line: 1, ended: true });
  if (value.value === undefined || isRecordLike(value.value)) yield [value];
}

function isRecordLike(value: JsonValue): boolean {
  return isJsonObject(value) ? Object.keys(value).length > 0 : !isJsonArray(value);
}

/** A line at the margin that is a whole object or list by itself: no line of a pretty-printed document is. */
function isLines(head: string): boolean {
  const lines = head.split(/\r\n|\n|\r(?=[[{])/).slice(0, 20);
  return lines.some((line) => line.length > 2 && /^[[{]/.test(line) && parseLossless(line.trimEnd()).ok);
}

function scannedToValue(file: string, scanned: ScannedValue): SourceValue {
  const { text, invalid } = decodeText(scanned.bytes);
  const raw = invalid > 0 ? scanned.bytes : undefined;
  const line = { text, ...scanned, length: scanned.bytes.length, invalid, raw, tooLong: false };
  const parsed = parseLossless(text);
  // A damaged document is one record: its inner values are parts of it, not records beside it.
  if (!parsed.ok) return damagedToValue(text, damagedDocument(file, scanned, parsed.error.message), parsed.error.at);
  const [entry] = lineToRecords(file, line);
  return entry === undefined
    ? { problem: { code: 'damaged-line', message: `${file} holds an empty value.`, severity: 'problem' } }
    : toSourceValue(entry);
}

function damagedDocument(file: string, { offset, line, bytes, ended }: ScannedValue, reason: string): Problem {
  const place = { file, line, offset, length: bytes.length };
  const message = ended
    ? `The record of ${file} that begins at line ${line} (byte ${offset}) is not JSON: ${reason}. Its bytes are kept; what is whole before the damage is used.`
    : `${file} is cut off inside the record that begins at line ${line} (byte ${offset}). Its bytes are kept; what is whole before the cut is used.`;
  return { code: ended ? 'damaged-line' : 'truncated-last-line', message, place, raw: bytes, severity: 'problem' };
}

function damagedToValue(text: string, problem: Problem, at: number): SourceValue {
  const value = salvage(text, at);
  const { place } = problem;
  if (value === undefined || place === undefined) return { problem };
  return { value, text, place, problem };
}

function toSourceValue(entry: RecordOrProblem): SourceValue {
  if (entry.record === undefined) {
    const { problem } = entry;
    const text = problem.raw === undefined ? '' : decodeText(problem.raw).text;
    return damagedToValue(text, problem, text.length);
  }
  const { value, text, place } = entry.record;
  return { value, text, place, problem: entry.problem };
}

async function* countBytes(
  chunks: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.length);
    yield chunk;
  }
}
