/**
 * Rows of a CSV, JSON or JSON-lines file that is no trace: a series of a rate, the ledger of a service. Every cell is text under the name
 * of its column; what a column means is decided, and said, by who asked.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { err, ok, type Result } from '../base/result.ts';

export type Row = readonly (readonly [name: string, value: string])[];

/** The last line of a file that was cut off as it was written. */
export interface CutLine {
  readonly line: number;
  readonly text: string;
}

export interface Table {
  readonly rows: readonly Row[];
  readonly cut: CutLine | undefined;
}

/** What stands in whole lines, and the last line where it is not whole (R67). */
export function textToTable(text: string): Result<Table, string> {
  const cut = text.endsWith('\n') ? undefined : cutLineOf(text);
  const kept = cut === undefined ? text : text.slice(0, text.length - cut.text.length);
  if (kept.trim() === '' && cut !== undefined)
    return err('This is no JSON: its only line was cut off as it was written.');
  const rows = textToRows(kept);
  return rows.ok ? ok({ rows: rows.value, cut }) : rows;
}

/** A line of JSON that does not parse, or a line of a CSV with fewer cells than its head. */
function cutLineOf(text: string): CutLine | undefined {
  const lines = text.split('\n');
  const [first = ''] = lines;
  const last = lines.at(-1) ?? '';
  const cut = { line: lines.length, text: last };
  const isLines = lines.length === 1 ? first.startsWith('{') : isObjectLine(first);
  if (isLines) return parseLossless(last).ok ? undefined : cut;
  if (/^\uFEFF?\s*[[{]/.test(first) || lines.length === 1) return undefined;
  const separator = separatorOf(first);
  return splitLine(last, separator).length < splitLine(first, separator).length ? cut : undefined;
}

export function textToRows(text: string): Result<readonly Row[], string> {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (!/^[[{]/.test(trimmed)) return ok(csvToRows(trimmed));
  const lines = trimmed.split('\n');
  return lines.length > 1 && isObjectLine(lines[0]) && isObjectLine(lines[1])
    ? linesToRows(lines)
    : jsonToRows(trimmed);
}

export function namesOf(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => row.map(([name]) => name)))];
}

function isObjectLine(line: string | undefined): boolean {
  const text = line?.trim() ?? '';
  return text.startsWith('{') && text.endsWith('}');
}

function linesToRows(lines: readonly string[]): Result<readonly Row[], string> {
  const rows: Row[] = [];
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const parsed = parseLossless(line);
    if (!parsed.ok) return err(`Line ${i + 1} is no JSON: ${parsed.error.message}`);
    if (!isJsonObject(parsed.value)) return err(`Line ${i + 1} is no JSON object.`);
    rows.push(objectToRow(parsed.value));
  }
  return ok(rows);
}

function jsonToRows(text: string): Result<readonly Row[], string> {
  const parsed = parseLossless(text);
  if (!parsed.ok) return err(`This is no JSON: ${parsed.error.message}, at character ${parsed.error.at + 1}.`);
  const { value } = parsed;
  const list = isJsonObject(value) ? (Object.values(value).find(isJsonArray) ?? [value]) : value;
  if (!isJsonArray(list)) return err('The JSON holds no list of rows: it needs [{"column": value, …}, …].');
  return ok(list.filter(isJsonObject).map(objectToRow));
}

function objectToRow(object: JsonObject): Row {
  return Object.entries(object).map(([name, value]) => [name, valueToCell(value)]);
}

function valueToCell(value: JsonValue): string {
  if (value === null) return '';
  // A number that no double can hold is kept as it was written.
  if (isJsonObject(value) && typeof value['$num'] === 'string') return value['$num'];
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Commas, or semicolons or tabs where the first line has none; fields in double quotes may hold any of them. */
function csvToRows(text: string): readonly Row[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const [head = ''] = lines;
  const separator = separatorOf(head);
  const names = splitLine(head, separator);
  return lines.slice(1).map((line) => {
    const cells = splitLine(line, separator);
    return names.map((name, i) => [name, cells[i] ?? ''] as const);
  });
}

function separatorOf(head: string): string {
  return head.includes(',') ? ',' : head.includes(';') ? ';' : '\t';
}

function splitLine(line: string, separator: string): readonly string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const char = line[i] ?? '';
    if (char === '"' && isQuoted && line[i + 1] === '"') {
      cell += '"';
      i++;
    } else if (char === '"') isQuoted = !isQuoted;
    else if (char === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += char;
  }
  return [...cells, cell.trim()];
}
