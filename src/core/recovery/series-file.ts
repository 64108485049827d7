/**
 * Series of rates and latencies from a CSV or JSON file: a time, one or several values and a fault mark in each row, as published recovery
 * benchmarks give them. Nothing is guessed silently: which column was taken for what is said in `basis`.
 *
 * Times: a number under a name that ends in `ms` is milliseconds, `ns` nanoseconds, any other seconds; a text is a date. A row whose mark
 * is empty, `0`, `no` or `false` has no fault; any other text is the fault's label. Rows in a row under one label are one fault, which
 * begins with the first: a mark may stand for as long as a fault lasts.
 */
import { err, ok, type Result } from '../base/result.ts';
import { timeToMillis } from '../base/time.ts';
import { toSnake } from './snake-name.ts';
import type { RateSeries, SeriesMark, SeriesPoint } from './series.ts';
import { namesOf, type Row, textToRows } from './table-file.ts';

const timeNames = /^(?:time|timestamp|ts|t|at|second|seconds|elapsed)(?:_?(?:ms|s|ns))?$|^(?:ms|sec)$/i;
const markNames = /^(?:fault|mark|kill|failure|event|injected|label)s?$/i;
const rateNames =
  /(?:^|[^a-z])per[_\s/-]?(?:s|sec|second|min|minute|h|hour)s?\b|\/\s?s(?:ec)?\b|throughput|goodput|(?:^|[_.\s-])(?:rate|rps|qps|tps|ops|iops)(?:$|[_.\s-])/i;
const latencyNames =
  /latenc|delay|duration|response(?!s)|elapsed|percentile|(?:^|[_.\s-])(?:lag|wait|rtt?|ttf[bt]|tpot|p\d{2,4}|q\d{2,3}|e2e|time|age|median|ns|us|µs|ms|millis(?:econds)?|secs?|seconds?)(?:$|[_.\s-])/i;
/** Numbers that name a row and measure nothing. */
const countNames = /^(?:id|index|no|n|row|seq|ordinal|run|trial|repeat|partition|offset)$/i;

/** One series for each column of numbers, all with the same faults. */
export function textToSeries(name: string, text: string): Result<readonly RateSeries[], string> {
  const rows = textToRows(text);
  return rows.ok ? rowsToSeries(name, rows.value) : rows;
}

function rowsToSeries(name: string, rows: readonly Row[]): Result<readonly RateSeries[], string> {
  const names = namesOf(rows);
  const time = names.find((column) => timeNames.test(column));
  const mark = names.find((column) => markNames.test(column));
  if (time === undefined)
    return err(`${name} has no column of times: it needs one named "time", "t", "seconds" or the like.`);
  const others = names.filter((column) => column !== time && column !== mark && !countNames.test(column));
  const measured = others.filter((column) => isNumeric(rows, column));
  if (measured.length === 0) return err(`${name} has no column of numbers beside "${time}".`);
  const times: number[] = [];
  const marks: SeriesMark[] = [];
  let before = '';
  for (const [i, row] of rows.entries()) {
    const cells = new Map(row);
    const at = toMillis(time, cells.get(time) ?? '');
    if (at === undefined) return err(`${name}, row ${i + 1}: "${cells.get(time) ?? ''}" is no time.`);
    times.push(at);
    const said = mark === undefined ? '' : (cells.get(mark) ?? '');
    const label = /^(?:0|no|false|null|none)$/i.test(said) ? '' : said;
    if (label !== '' && label !== before) marks.push({ at, label, event: `row ${i + 1}` });
    before = label;
  }
  const faults = mark === undefined ? 'no column of faults' : `faults from "${mark}"`;
  return ok(
    measured.map((column) => ({
      name,
      unit: column,
      kind: kindOf(column).kind,
      points: toPoints(rows, times, column),
      marks,
      basis: `times from "${time}", values from "${column}" (${kindOf(column).why}), ${faults}`,
    })),
  );
}

/** What is low where all is well, or high; a name that tells neither is taken for a rate, and that is said. */
function kindOf(name: string): { readonly kind: RateSeries['kind']; readonly why: string } {
  const column = toSnake(name);
  if (rateNames.test(column)) return { kind: 'rate', why: 'a rate by its name: more is better' };
  if (latencyNames.test(column)) return { kind: 'latency', why: 'a latency by its name: less is better' };
  const why =
    'taken for a rate, of which more is better; call the column a latency, for example "p99 latency", if less is';
  return { kind: 'rate', why };
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

function toMillis(column: string, text: string): number | undefined {
  if (text === '') return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) return timeToMillis(text);
  if (/ns$/i.test(column)) return number / 1e6;
  return /ms$/i.test(column) ? number : number * 1000;
}
