/**
 * Rates and latencies that stand among the files of `hindcast recovery`: a CSV, or JSON that is no trace, with a time, values and a mark of
 * faults in each row; analysed under the definition that the command line declares.
 */
import { type Result, err, ok } from '../core/base/result.ts';
import {
  analyseSeries,
  defaultDefinition,
  type RateSeries,
  type SeriesDefinition,
  type SeriesReport,
  seriesToName,
  seriesToWords,
  textToSeries,
} from '../core/recovery/index.ts';
import type { SourceFile } from '../core/formats/format.ts';

/** A series of a benchmark is small; a trace that could not be read is not searched for one. */
const largest = 64 * 1024 * 1024;

const namesTable = /\.(?:csv|tsv)$/i;

/** The text of a file that may be a table, or JSON that is no trace; undefined where its name or size says otherwise. */
export async function readTable(source: SourceFile): Promise<string | undefined> {
  if (!namesTable.test(source.name) && !/\.json$/i.test(source.name)) return undefined;
  if (source.size === undefined || source.size > largest) return undefined;
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of source.open()) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Undefined where the file does not look like one: what is wrong with it as a trace is said then. */
export function readSeries(name: string, text: string): Result<readonly RateSeries[], string> | undefined {
  const series = textToSeries(name, text);
  return series.ok || namesTable.test(name) ? series : undefined;
}

/** What counts as stable again, as declared by `--tolerance` and `--hold`. */
export function readDefinition(
  tolerance: string | undefined,
  hold: string | undefined,
): Result<SeriesDefinition, string> {
  const share = tolerance === undefined ? defaultDefinition.tolerance : Number(tolerance);
  const samples = hold === undefined ? defaultDefinition.hold : Number(hold);
  if (!(share >= 0 && share < 1)) return err('--tolerance takes a share from 0 to below 1, for example 0.2.');
  if (!Number.isSafeInteger(samples) || samples < 1) return err('--hold takes a whole number of samples from 1.');
  return ok({ tolerance: share, hold: samples });
}

export function judgeSeries(series: readonly RateSeries[], definition: SeriesDefinition): readonly SeriesReport[] {
  return series.map((one) => analyseSeries(one, definition));
}

export function seriesToLines(reports: readonly SeriesReport[]): readonly string[] {
  return reports.flatMap(({ series, definition, baseline, windows, note }) => [
    `Series    ${seriesToName(series)} (${seriesToWords(series)})`,
    `  ${series.basis}; ${series.points.length} samples`,
    `  ${definition}`,
    `  ${note ?? (baseline === undefined ? 'No fault is marked.' : `Baseline: ${spreadToText(baseline)}`)}`,
    ...windows.map(
      ({ ordinal, mark, stableMs, stableAt, whyNot, worst, during, after }) =>
        `  fault ${ordinal} (${mark.label}): ${
          stableMs === undefined
            ? `stable again not measured: ${whyNot ?? ''} [${mark.event}]`
            : `stable again after ${round(stableMs)} ms [${mark.event} to ${stableAt?.event ?? ''}]`
        }; worst ${worst === undefined ? 'none' : `${round(worst.value)} [${worst.event}]`}; during ${spreadToText(during)}; after ${spreadToText(after)}`,
    ),
    '',
  ]);
}

function spreadToText(spread: SeriesReport['baseline']): string {
  if (spread === undefined) return 'no sample';
  const { n, median, least, greatest } = spread;
  return `median ${round(median)} of ${n} (${round(least)} to ${round(greatest)})`;
}

function round(value: number): string {
  return String(Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 100) / 100);
}
