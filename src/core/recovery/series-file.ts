/**
 * Series of rates and latencies from a CSV or JSON file: a time, one or several values and a fault mark in each row, as published recovery
 * benchmarks give them. Nothing is guessed silently: which column was taken for what is said in `basis`.
 *
 * Times: a number is of the unit that ends its name (ns, us, ms, s, min), else of the one that its size tells, which `basis` names; a text
 * is a date. A row whose mark is empty, `0`, `no` or `false` has no fault; any other text is the fault's label. Rows in a row under one label are one fault, which
 * begins with the first: a mark may stand for as long as a fault lasts.
 */
import { err, ok, type Result } from '../base/result.ts';
import { timeToMillis } from '../base/time.ts';
import {
  columnToKind,
  isMarkColumn,
  isRowName,
  isTimeColumn,
  type TimeUnit,
  timeUnitOf,
  unitToMillis,
} from './series-columns.ts';
import type { RateSeries, SeriesMark, SeriesPoint } from './series.ts';
import { namesOf, type Row, textToRows } from './table-file.ts';

/** One series for each column of numbers, all with the same faults. */
export function textToSeries(name: string, text: string): Result<readonly RateSeries[], string> {
  const rows = textToRows(text);
  return rows.ok ? rowsToSeries(name, rows.value) : rows;
}

function rowsToSeries(name: string, rows: readonly Row[]): Result<readonly RateSeries[], string> {
  const names = namesOf(rows);
  const time = names.find(isTimeColumn);
  const mark = names.find((column) => column !== time && isMarkColumn(column));
  if (time === undefined)
    return err(`${name} has no column of times: it needs one named "time", "t", "seconds" or the like.`);
  const others = names.filter((column) => column !== time && column !== mark && !isRowName(column));
  const measured = others.filter((column) => isNumeric(rows, column));
  if (measured.length === 0) return err(`${name} has no column of numbers beside "${time}".`);
  const numbers = rows.map((row) => Number(new Map(row).get(time))).filter(Number.isFinite);
  const unit = timeUnitOf(
    time,
    numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0),
  );
  const times: number[] = [];
  const marks: SeriesMark[] = [];
  let before = '';
  for (const [i, row] of rows.entries()) {
    const cells = new Map(row);
    const at = toMillis(unit, cells.get(time) ?? '');
    if (at === undefined) return err(`${name}, row ${i + 1}: "${cells.get(time) ?? ''}" is no time.`);
    times.push(at);
    const said = mark === undefined ? '' : (cells.get(mark) ?? '');
    const label = /^(?:0|no?|false|null|none|off|-)$/i.test(said) ? '' : said;
    if (label !== '' && label !== before) marks.push({ at, label, event: `row ${i + 1}` });
    before = label;
  }
  const faults = mark === undefined ? 'no column of faults' : `faults from "${mark}"`;
  return ok(
    measured.map((column) => {
      const { why, ...is } = columnToKind(column);
      return {
        name,
        column,
        ...is,
        points: toPoints(rows, times, column),
        marks,
        basis: `times from "${time}"${numbers.length > 0 ? ` in ${unit}` : ''}, values from "${column}" (${why}), ${faults}`,
      };
    }),
  );
}

function toPoints(rows: readonly Row[], times: readonly number[], column: string): readonly SeriesPoint[] {
  return rows.flatMap((row, i) => {
    const said = new Map(row).get(column) ?? '';
    return said === '' ? [] : [{ at: times[i] ?? 0, value: Number(said), event: `row ${i + 1}` }];
  });
}

function isNumeric(rows: readonly Row[], column: string): boolean {
  const texts = rows.map((row) => new Map(row).get(column) ?? '').filter((text) => text !== '');
  return texts.length > 0 && texts.every((text) => Number.isFinite(Number(text)));
}

function toMillis(unit: TimeUnit, text: string): number | undefined {
  if (text === '') return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number * unitToMillis(unit) : timeToMillis(text);
}
