/**
 * A series of a rate or a latency from a CSV or JSON file: a time, a value and a fault mark in each row, as published recovery
 * benchmarks give them. Nothing is guessed silently: which column was taken for what is said in `basis`.
 *
 * Times: a number under a name that ends in `ms` is milliseconds, `ns` nanoseconds, any other seconds; a text is a date. A row whose mark
 * is empty, `0`, `no` or `false` has no fault; any other text is the fault's label.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { err, ok, type Result } from '../base/result.ts';
import { timeToMillis } from '../base/time.ts';
import type { RateSeries, SeriesMark, SeriesPoint } from './series.ts';

const timeNames = /^(?:time|timestamp|ts|t|at|second|seconds|elapsed)(?:_?(?:ms|s|ns))?$|^(?:ms|sec)$/i;
const markNames = /^(?:fault|mark|kill|failure|event|injected|label)s?$/i;
const latencyNames = /latenc|delay|duration|response/i;

type Row = readonly (readonly [name: string, value: string])[];

export function textToSeries(name: string, text: string): Result<RateSeries, string> {
  const trimmed = text.trim();
  const rows = /^[[{]/.test(trimmed) ? jsonToRows(trimmed) : ok(csvToRows(trimmed));
  return rows.ok ? rowsToSeries(name, rows.value) : rows;
}

function rowsToSeries(name: string, rows: readonly Row[]): Result<RateSeries, string> {
  const names = [...new Set(rows.flatMap((row) => row.map(([column]) => column)))];
  const time = names.find((column) => timeNames.test(column));
  const mark = names.find((column) => markNames.test(column));
  if (time === undefined)
    return err(`${name} has no column of times: it needs one named "time", "t", "seconds" or the like.`);
  const value = names.find((column) => column !== time && column !== mark && isNumeric(rows, column));
  if (value === undefined) return err(`${name} has no column of numbers beside "${time}".`);
  const points: SeriesPoint[] = [];
  const marks: SeriesMark[] = [];
  for (const [i, row] of rows.entries()) {
    const cells = new Map(row);
    const at = toMillis(time, cells.get(time) ?? '');
    if (at === undefined) return err(`${name}, row ${i + 1}: "${cells.get(time) ?? ''}" is no time.`);
    const event = `row ${i + 1}`;
    const said = cells.get(value) ?? '';
    if (said !== '') {
      const number = Number(said);
      if (!Number.isFinite(number)) return err(`${name}, row ${i + 1}: "${said}" is no number.`);
      points.push({ at, value: number, event });
    }
    const label = mark === undefined ? '' : (cells.get(mark) ?? '');
    if (!/^(?:|0|no|false|null|none)$/i.test(label)) marks.push({ at, label, event });
  }
  const kind = latencyNames.test(value) ? 'latency' : 'rate';
  const basis = `times from "${time}", values from "${value}", ${mark === undefined ? 'no column of faults' : `faults from "${mark}"`}`;
  return ok({ name, unit: value, kind, points, marks, basis });
}

function isNumeric(rows: readonly Row[], column: string): boolean {
  const texts = rows.map((row) => new Map(row).get(column) ?? '').filter((text) => text !== '');
  return texts.length > 0 && texts.every((text) => Number.isFinite(Number(text)));
}

function toMillis(column: string, text: string): number | undefined {
  if (text === '') return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) return timeToMillis(text);
  if (/ns$/i.test(column)) return number / 1e6;
  return /ms$/i.test(column) ? number : number * 1000;
}

function jsonToRows(text: string): Result<readonly Row[], string> {
  let value: JsonValue;
  try {
    // Cast: the host's parser is typed `any`; JSON text yields exactly this type.
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    return err(`This is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const list = isJsonObject(value) ? Object.values(value).find(isJsonArray) : value;
  if (!isJsonArray(list))
    return err('The JSON holds no list of rows: it needs [{"time": …, "value": …, "fault": …}, …].');
  return ok(list.filter(isJsonObject).map(objectToRow));
}

function objectToRow(object: JsonObject): Row {
  return Object.entries(object).map(([name, value]) => [
    name,
    value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]);
}

/** Commas, or semicolons or tabs where the first line has none; fields in double quotes may hold any of them. */
function csvToRows(text: string): readonly Row[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const [head = ''] = lines;
  const separator = head.includes(',') ? ',' : head.includes(';') ? ';' : '\t';
  const names = splitLine(head, separator);
  return lines.slice(1).map((line) => {
    const cells = splitLine(line, separator);
    return names.map((name, i) => [name, cells[i] ?? ''] as const);
  });
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
