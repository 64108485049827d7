/**
 * Files of engines' own tables, row by row: `{"rows": [ … ]}`, a list of rows, a row a line, and the two shapes in which programs keep what
 * DBOS's client returns: lists of steps under the ids of their workflows, and a workflow beside its steps.
 *
 * Invariant: every row is one input record, or a problem with its bytes; what stands around the rows is a record where it says something.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import { decodeText } from '../decode/text.ts';
import type { InputPlace, Problem, Sniff, SourceFile } from '../format.ts';
import { readLines } from '../lines.ts';
import { pushAll } from '../lists.ts';
import { type Piece, readPieces } from '../pieces.ts';
import { lineToRecords, type RawRecord } from '../records.ts';
import { textToTopKeys } from '../session/top-keys.ts';
import { readSniff, sniffObjects } from '../sniff.ts';
import { createValueScanner, type ScannedValue } from '../values.ts';
import { clientCells, isClientRow } from './dbos-rows.ts';
import { textAt } from './record.ts';
import { type ExportRow, tableOf } from './tables.ts';

type Shape = 'list' | 'rows' | 'lines' | 'steps-by-workflow' | 'workflow-and-steps';

/** What a document says of its rows. */
interface AboutRow {
  readonly workflow?: string | undefined;
  readonly around?: JsonObject | undefined;
}

export type RowOrProblem =
  { readonly row: ExportRow } | { readonly row?: undefined; readonly problem: Problem; readonly isNote?: boolean };

/** The beginning of a file shows the columns of its first row. */
export function isExport(sniff: Sniff): boolean {
  return shapeOf(sniff) !== undefined;
}

function shapeOf(sniff: Sniff): Shape | undefined {
  const head = sniff.text.slice(0, 64 * 1024);
  if (!/^\s*[[{]/.test(head)) return undefined;
  // Columns of the rows, not what stands inside them: records of other formats hold such names deeper.
  const { isList, keys, inner } = textToTopKeys(head);
  if (isList) return /^\s*\[\s*\{/.test(head) && isTable(keys) ? 'list' : undefined;
  if (isTable(keys)) return sniffObjects(sniff, 1).some((row) => tableOf(row) !== undefined) ? 'lines' : undefined;
  if (!isTable(inner)) return undefined;
  if (/^\s*\{\s*"rows"\s*:\s*\[\s*\{/.test(head)) return 'rows';
  if (keys.has('steps') && keys.has('workflow')) return 'workflow-and-steps';
  return inner.has('functionID') && /^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[/.test(head) ? 'steps-by-workflow' : undefined;
}

function isTable(names: ReadonlySet<string>): boolean {
  return tableOf(Object.fromEntries([...names].map((name) => [name, '']))) !== undefined;
}

export async function readRows(file: SourceFile, count: (bytes: number) => void): Promise<readonly RowOrProblem[]> {
  const shape = shapeOf(await readSniff(file));
  switch (shape) {
    case 'lines':
      return readRowLines(file, count);
    case 'steps-by-workflow':
    case 'workflow-and-steps':
      return readRowPieces(file, shape, count);
    default:
      return readRowList(file, count);
  }
}

async function readRowList(file: SourceFile, count: (bytes: number) => void): Promise<readonly RowOrProblem[]> {
  const found: ScannedValue[] = [];
  let scanner: ReturnType<typeof createValueScanner> | undefined;
  for await (const chunk of file.open()) {
    count(chunk.length);
    // A list of rows starts with its bracket; rows under a name stand one level deeper.
    scanner ??= createValueScanner(decodeText(chunk).text.trimStart().startsWith('[') ? 1 : 2);
    pushAll(found, scanner.push(chunk));
  }
  if (scanner !== undefined) pushAll(found, scanner.end());
  return found.map((value) => scannedToRow(file.name, value));
}

function scannedToRow(file: string, { bytes, offset, line, ended }: ScannedValue): RowOrProblem {
  const place = { file, line, offset, length: bytes.length };
  const { text } = decodeText(bytes);
  const parsed = parseLossless(text);
  if (parsed.ok) return valueToRow(parsed.value, text, place, {}, bytes);
  return ended
    ? refuse('damaged-row', `is not JSON: ${parsed.error.message}`, place, bytes)
    : refuse('truncated-row', 'is cut off', place, bytes);
}

async function readRowLines(file: SourceFile, count: (bytes: number) => void): Promise<readonly RowOrProblem[]> {
  const out: RowOrProblem[] = [];
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of file.open()) {
      count(chunk.length);
      yield chunk;
    }
  }
  for await (const lines of readLines(counted())) {
    for (const entry of lines.flatMap((line) => lineToRecords(file.name, line))) {
      if (entry.record === undefined) out.push({ problem: entry.problem });
      else {
        out.push(recordToRow(entry.record, {}));
        if (entry.problem !== undefined) out.push({ problem: entry.problem, isNote: true });
      }
    }
  }
  return out;
}

const underWorkflow = { has: (path: string) => /^[^*]*\.\*$/.test(path) };
const besideWorkflow: ReadonlySet<string> = new Set(['steps.*']);

async function readRowPieces(
  file: SourceFile,
  shape: 'steps-by-workflow' | 'workflow-and-steps',
  count: (bytes: number) => void,
): Promise<readonly RowOrProblem[]> {
  const isByWorkflow = shape === 'steps-by-workflow';
  const read = await readPieces(file, isByWorkflow ? underWorkflow : besideWorkflow);
  count(read.bytes);
  const frames = new Map(read.pieces.flatMap((piece) => (piece.path === 'frame' ? [[piece.document, piece]] : [])));
  return [
    ...read.pieces.flatMap((piece): readonly RowOrProblem[] => {
      const { path, document, record } = piece;
      const note = piece.note === undefined ? [] : [{ problem: piece.note, isNote: true }];
      if (isByWorkflow) return [recordToRow(record, { workflow: toKey(path.slice(0, -2)) }), ...note];
      const { workflow, ...around } = toFrame(frames.get(document));
      const about = { workflow: textAt(workflow, 'workflowID'), around };
      return [recordToRow(path === 'frame' ? { ...record, value: workflow ?? null } : record, about), ...note];
    }),
    ...read.problems.map((problem) => ({ problem })),
    ...read.notes.map((problem) => ({ problem, isNote: true })),
  ];
}

/** What stands around the steps; the workflow in it is the row of the workflow. */
function toFrame(frame: Piece | undefined): JsonObject {
  const value = frame?.record.value;
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'steps' && key !== '__proto__'));
}

/** A member's name as it stands between its quotes. */
function toKey(written: string): string {
  const key = parseLossless(`"${written}"`);
  return key.ok && typeof key.value === 'string' ? key.value : written;
}

function recordToRow({ value, text, place }: RawRecord, about: AboutRow): RowOrProblem {
  return valueToRow(value, text, place, about, new TextEncoder().encode(text));
}

function valueToRow(value: JsonValue, text: string, place: InputPlace, about: AboutRow, raw: Uint8Array): RowOrProblem {
  const table = isJsonObject(value) ? tableOf(value) : undefined;
  if (table === undefined || !isJsonObject(value))
    return refuse('unknown-row', 'is of no table that is known here', place, raw);
  return { row: { table, row: value, ...cellsOf(value, about.workflow), around: about.around, text, place } };
}

function cellsOf(row: JsonObject, workflow: string | undefined): Pick<ExportRow, 'cells' | 'isDecoded'> {
  return isClientRow(row) ? { cells: clientCells(row, workflow), isDecoded: true } : { cells: row, isDecoded: false };
}

function refuse(code: string, reason: string, place: InputPlace, raw: Uint8Array): RowOrProblem {
  const message = `A row of ${place.file} (line ${place.line ?? 1}, byte ${place.offset}) ${reason}. Its bytes are kept.`;
  return { problem: { code, message, place, raw, severity: 'problem' } };
}
