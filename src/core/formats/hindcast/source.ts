/**
 * The records of one file of the own format: a line each, or the elements of a JSON list, as programs write that load and save it.
 */
import { textToUtf8 } from '../../base/hash.ts';
import { decodeText } from '../decode/text.ts';
import type { Problem, SourceFile } from '../format.ts';
import { readLines } from '../lines.ts';
import { lineToRecords, type RecordOrProblem } from '../records.ts';
import { readSniff } from '../sniff.ts';
import { createValueScanner, type ScannedValue } from '../values.ts';

export interface Entry {
  readonly entry: RecordOrProblem;
  readonly line: number;
}

/** True for text that is a list of objects, and not lines that happen to be lists. */
export function isList(text: string): boolean {
  return /^\s*\[\s*\{/.test(text);
}

/** Batches of records; `read` is told of bytes as they come. */
export async function* readEntries(
  file: SourceFile,
  read: (bytes: number) => void,
): AsyncGenerator<readonly Entry[], void> {
  const chunks = countBytes(file.open(), read);
  if (isList((await readSniff(file)).text)) {
    yield* readElements(file.name, chunks);
    return;
  }
  for await (const lines of readLines(chunks)) {
    yield lines.flatMap((line) => lineToRecords(file.name, line).map((entry) => ({ entry, line: line.line })));
  }
}

async function* readElements(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Entry[], void> {
  const scanner = createValueScanner(1);
  const toEntries = (values: readonly ScannedValue[]): readonly Entry[] =>
    values.flatMap((value) => elementToEntries(name, value));
  for await (const chunk of chunks) yield toEntries(scanner.push(chunk));
  yield toEntries(scanner.end());
  const rest = betweenElements(name, decodeText(scanner.envelope()).text);
  if (rest !== undefined) yield [{ entry: { problem: rest }, line: 1 }];
}

function elementToEntries(name: string, value: ScannedValue): readonly Entry[] {
  const { text, invalid } = decodeText(value.bytes);
  const raw = invalid > 0 ? value.bytes : undefined;
  const line = { text, ...value, length: value.bytes.length, invalid, raw, tooLong: false };
  return lineToRecords(name, line).map((entry) => ({ entry, line: value.line }));
}

/** What is no object in the list, as one problem: it cannot be told where one ends and the next begins. */
function betweenElements(name: string, envelope: string): Problem | undefined {
  const rest = envelope
    .replace(/^\ufeff/, '')
    .replace(/[[\]\s,]+/g, ' ')
    .trim();
  if (rest === '') return undefined;
  const message = `${name} is a JSON list that holds more than objects: ${rest.slice(0, 60)}${rest.length > 60 ? '…' : ''}. That text is kept; the objects are used.`;
  return {
    code: 'not-an-object',
    message,
    place: { file: name, offset: 0 },
    raw: textToUtf8(rest),
    severity: 'problem',
  };
}

async function* countBytes(
  chunks: AsyncIterable<Uint8Array>,
  add: (length: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    add(chunk.length);
    yield chunk;
  }
}
