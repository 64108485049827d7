/**
 * Files of engines' own tables: `{"rows": [ … ]}` or a list of rows, read row by row beside the streams of a trial.
 *
 * Every row is one input record and one event, or a problem. Rows of one execution are one run, which is that of the trial where the
 * execution names it.
 */
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import { type Result, err, ok } from '../../base/result.ts';
import { eventToLine, mainBranch, parseEvent } from '../../model/index.ts';
import { decodeText } from '../decode/text.ts';
import type { ImportedEvent, InputPlace, Problem, Sniff, SourceFile } from '../format.ts';
import { textToTopKeys } from '../session/top-keys.ts';
import { createValueScanner, type ScannedValue } from '../values.ts';
import { completionName, hashToRun, type RowDraft, rowToDraft, type Table, tableOf, textToRun } from './export-rows.ts';
import { present } from './record.ts';

/** The beginning of a file shows the columns of its first row. */
export function isExport(sniff: Sniff): boolean {
  const head = sniff.text.slice(0, 64 * 1024);
  const opening = /^\s*(?:\{\s*"rows"\s*:\s*\[|\[)\s*\{/.exec(head);
  if (opening === null) return false;
  // Columns of the rows, not what stands inside them: records of other formats hold such names deeper.
  const { isList, keys, inner } = textToTopKeys(head);
  return tableOf(Object.fromEntries([...(isList ? keys : inner)].map((name) => [name, '']))) !== undefined;
}

export interface ExportRow {
  readonly table: Table;
  readonly row: JsonObject;
  readonly text: string;
  readonly place: InputPlace;
}

export type RowOrProblem = { readonly row: ExportRow } | { readonly row?: undefined; readonly problem: Problem };

export async function readRows(file: SourceFile, count: (bytes: number) => void): Promise<readonly RowOrProblem[]> {
  const found: ScannedValue[] = [];
  let scanner: ReturnType<typeof createValueScanner> | undefined;
  for await (const chunk of file.open()) {
    count(chunk.length);
    // A list of rows starts with its bracket; rows under a name stand one level deeper.
    scanner ??= createValueScanner(decodeText(chunk).text.trimStart().startsWith('[') ? 1 : 2);
    found.push(...scanner.push(chunk));
  }
  if (scanner !== undefined) found.push(...scanner.end());
  return found.map((value) => toRow(file.name, value));
}

function toRow(file: string, { bytes, offset, line, ended }: ScannedValue): RowOrProblem {
  const place = { file, line, offset, length: bytes.length };
  const { text } = decodeText(bytes);
  const parsed = parseLossless(text);
  const refuse = (code: string, reason: string): RowOrProblem => {
    const message = `A row of ${file} (line ${line}, byte ${offset}) ${reason}. Its bytes are kept.`;
    return { problem: { code, message, place, raw: bytes, severity: 'problem' } };
  };
  if (!parsed.ok)
    return refuse(
      ended ? 'damaged-row' : 'truncated-row',
      ended ? `is not JSON: ${parsed.error.message}` : 'is cut off',
    );
  const table = isJsonObject(parsed.value) ? tableOf(parsed.value) : undefined;
  if (table === undefined || !isJsonObject(parsed.value))
    return refuse('unknown-row', 'is of no table that is known here');
  return { row: { table, row: parsed.value, text, place } };
}

export interface ExportContext {
  readonly runs: ReadonlyMap<string, { readonly run: string; readonly inferred: boolean }>;
  readonly names: ReadonlyMap<string, string>;
}

/** What all rows together say: the run of each execution, and the names of Restate's completions. */
export function createContext(rows: readonly ExportRow[]): ExportContext {
  const runs = new Map<string, { readonly run: string; readonly inferred: boolean }>();
  const names = new Map<string, string>();
  for (const { table, row } of rows) {
    const completion = table === 'restate-journal' ? completionName(row) : undefined;
    if (completion !== undefined) names.set(...completion);
  }
  for (const { table, row, text } of rows) {
    const { execution } = rowToDraft(table, row, names);
    const isNaming = table === 'restate-invocation' || (table === 'restate-journal' && text.includes('Input'));
    const run = textToRun(execution) ?? (isNaming ? textToRun(text) : undefined);
    if (run !== undefined) runs.set(execution, { run, inferred: false });
    else if (!runs.has(execution)) runs.set(execution, { run: hashToRun(execution), inferred: true });
  }
  return { runs, names };
}

export function rowToEvent(
  { table, row, place }: ExportRow,
  context: ExportContext,
  format: string,
): Result<ImportedEvent, string> {
  const draft = rowToDraft(table, row, context.names);
  const parsed = parseEvent(draftToRecord(draft, table, place, context, format));
  if (!parsed.ok) return err(parsed.error.message);
  return ok({ event: parsed.value, line: eventToLine(parsed.value), place });
}

function draftToRecord(
  draft: RowDraft,
  table: Table,
  place: InputPlace,
  context: ExportContext,
  format: string,
): JsonObject {
  const run = context.runs.get(draft.execution);
  return present({
    v: 1,
    id: draft.id,
    type: draft.type,
    run: run?.run ?? hashToRun(draft.execution),
    branch: mainBranch,
    seq: draft.seq,
    time: draft.time,
    clock: draft.time === undefined ? undefined : `${draft.component} server`,
    source: { component: draft.component, instance: draft.execution },
    causes: draft.cause === undefined ? undefined : [draft.cause],
    imported: present({
      format,
      file: place.file,
      line: place.line,
      record: table,
      extra: run?.inferred === true ? { rule: 'export-run' } : undefined,
    }),
    data: draft.data,
  });
}
