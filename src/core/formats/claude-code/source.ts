/**
 * The records of one file, whatever its layout: JSON lines, the web export `{"loglines": [ … ]}`, a list of records, one pretty-printed
 * document beside a session, or a text file with the output of a tool. Read twice, so it must give the same records each time.
 */
import { isJsonObject } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import { textToUtf8 } from '../../base/hash.ts';
import { joinBytes } from '../decode/decode.ts';
import { decodeText } from '../decode/text.ts';
import type { Problem, SourceFile } from '../format.ts';
import { readLines } from '../lines.ts';
import { lineToRecords, type RecordOrProblem } from '../records.ts';
import { readSniff, sniffObjects } from '../sniff.ts';
import { createValueScanner, type ScannedValue } from '../values.ts';
import { type CcRecord, toRecord } from './record.ts';

export interface TextOutput {
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Bytes that are no text. */
  readonly invalid: number;
}

export type Entry =
  | { readonly kind: 'record'; readonly record: CcRecord; readonly note?: Problem | undefined }
  | { readonly kind: 'problem'; readonly problem: Problem }
  /** The output of a tool that was kept in a file of its own. */
  | { readonly kind: 'output'; readonly output: TextOutput };

type Layout = 'lines' | 'elements' | 'export' | 'document' | 'text';

export interface SessionFile {
  readonly file: SourceFile;
  readonly layout: Layout;
}

export async function toSessionFile(file: SourceFile): Promise<SessionFile> {
  const sniff = await readSniff(file);
  const text = sniff.text.trimStart();
  if (text.startsWith('[')) return { file, layout: 'elements' };
  if (isExport(text)) return { file, layout: 'export' };
  if (sniffObjects(sniff, 1).length > 0) return { file, layout: 'lines' };
  if (sniff.whole && parseLossless(text).ok) return { file, layout: 'document' };
  return { file, layout: text.startsWith('{') ? 'lines' : 'text' };
}

/** True when a member "loglines" of the outermost object is a list; other members may stand before it. */
export function isExport(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 34) {
      const start = i;
      for (i++; i < text.length && text.charCodeAt(i) !== 34; i++) if (text.charCodeAt(i) === 92) i++;
      if (depth === 1 && text.slice(start, i + 1) === '"loglines"' && /^\s*:\s*\[/.test(text.slice(i + 1, i + 64)))
        return true;
    } else if (c === 123 || c === 91) depth++;
    else if (c === 125 || c === 93) {
      if (--depth <= 0) return false;
    }
  }
  return false;
}

/** Batches of entries; `read` is told of bytes as they come. */
export async function* readEntries(
  session: SessionFile,
  read: (bytes: number) => void,
): AsyncGenerator<readonly Entry[]> {
  const chunks = countBytes(session.file.open(), read);
  const { name } = session.file;
  switch (session.layout) {
    case 'lines':
      for await (const lines of readLines(chunks))
        yield lines.flatMap((line) => lineToRecords(name, line).map(toEntry));
      return;
    case 'elements':
      yield* readElements(name, chunks, 1);
      return;
    case 'export':
      yield* readElements(name, chunks, 2);
      return;
    case 'document':
    case 'text': {
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks) parts.push(chunk);
      const bytes = joinBytes(parts);
      const { text, invalid } = decodeText(bytes);
      if (session.layout === 'text') yield [{ kind: 'output', output: { bytes, text, invalid } }];
      else yield [toValueEntry(name, { bytes, offset: 0, line: 1, ended: true })];
    }
  }
}

async function* readElements(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  depth: number,
): AsyncGenerator<readonly Entry[]> {
  const scanner = createValueScanner(depth);
  for await (const chunk of chunks) yield scanner.push(chunk).map((value) => toValueEntry(name, value));
  const last = scanner.end().map((value) => toValueEntry(name, value));
  const envelope = parseLossless(decodeText(scanner.envelope()).text);
  // What stands around the elements is a record too, unless it is only the brackets.
  if (envelope.ok && isJsonObject(envelope.value) && Object.keys(envelope.value).length > 1) {
    const place = { file: name, line: 1, offset: 0 };
    const raw = { ...envelope.value, type: envelope.value['type'] ?? 'export' };
    last.push({
      kind: 'record',
      record: toRecord({ value: raw, text: decodeText(scanner.envelope()).text, place }, raw),
    });
  }
  yield last;
}

function toValueEntry(name: string, value: ScannedValue): Entry {
  const { text, invalid } = decodeText(value.bytes);
  const raw = invalid > 0 ? value.bytes : undefined;
  const line = { text, ...value, length: value.bytes.length, invalid, raw, tooLong: false };
  const [entry] = lineToRecords(name, line);
  return toEntry(entry ?? { problem: { code: 'damaged-line', message: 'An empty element.', severity: 'problem' } });
}

function toEntry(entry: RecordOrProblem): Entry {
  if (entry.record === undefined) return { kind: 'problem', problem: entry.problem };
  const { record } = entry;
  if (isJsonObject(record.value))
    return { kind: 'record', record: toRecord(record, record.value), note: entry.problem };
  const { file, line, offset } = record.place;
  const message = `Line ${line ?? 0} of ${file} (byte ${offset}) is JSON but no object, so it is no record of a session. Its text is kept.`;
  return {
    kind: 'problem',
    problem: { code: 'not-an-object', message, place: record.place, raw: textToUtf8(record.text), severity: 'problem' },
  };
}

async function* countBytes(
  chunks: AsyncIterable<Uint8Array>,
  read: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    read(chunk.length);
    yield chunk;
  }
}
