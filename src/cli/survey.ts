/**
 * `hindcast survey FOLDER [--markdown] [--json]`: every file of a folder by itself, one row each: what it is, what became of its
 * records, how far a replay could go. Exit code 1 when the records of a file do not add up.
 */
import { pathsToSources } from '../platform/files/node-files.ts';
import type { OpenSettings } from './check.ts';
import { type LeftOut, nothingLeftOut, sumLeftOut, toOutput } from './left-out.ts';
import { openSources } from './opened.ts';
import { type Outcome, unusable } from './output.ts';

export interface SurveySettings extends OpenSettings {
  /** A table for a document instead of one for the terminal. */
  readonly markdown: boolean;
}

interface Opened {
  readonly file: string;
  readonly format: string;
  readonly traces: number;
  readonly input: number;
  readonly mapped: number;
  readonly merged: number;
  readonly problems: number;
  readonly events: number;
  readonly recorded: number;
  readonly inferred: number;
  readonly clockOnly: number;
  readonly replayGrade: string;
}

type Row = Opened | { readonly file: string; readonly error: string };

export async function runSurvey(folder: string, settings: SurveySettings): Promise<Outcome> {
  const sources = await pathsToSources([folder]);
  if (!sources.ok) return unusable({ code: 'not-readable', message: sources.error.message }, settings.json);
  const rows: Row[] = [];
  const left: LeftOut[] = [];
  for (const source of sources.value) {
    const opened = await openSources([source], settings);
    if (!opened.ok) {
      rows.push({ file: source.name, error: opened.error.message });
      continue;
    }
    const { index, result, counts, traces } = opened.value;
    left.push(opened.value.leftOut());
    const { format, replayGrade } = result;
    const { recorded, inferred, clockOnly } = index.edgeCounts;
    const edges = { recorded, inferred, clockOnly };
    rows.push({ file: source.name, format, traces, ...counts, events: index.count, ...edges, replayGrade });
  }
  const doNotAddUp = rows.filter(isOff).map(({ file }) => file);
  const code = doNotAddUp.length > 0 ? 1 : 0;
  // A table for a document says what its files are; their damage is counted in it.
  const leftOut = settings.markdown ? nothingLeftOut : sumLeftOut(left);
  const text = settings.markdown ? rowsToMarkdown(rows) : rowsToText(rows);
  const out = toOutput(settings.json, { rows, doNotAddUp }, text, leftOut);
  if (settings.json) return { code, out };
  const sentence = `${doNotAddUp.join(', ')}: the records do not add up. This is a defect of Hindcast.`;
  return { code, out, problem: code === 0 ? undefined : sentence };
}

function isOff(row: Row): boolean {
  return !('error' in row) && row.input !== row.mapped + row.merged + row.problems;
}

const heads = [
  'file',
  'format',
  'input',
  'mapped',
  'merged',
  'problems',
  'events',
  'edges recorded',
  'inferred',
  'clock only',
  'replay',
];

function rowToCells(row: Row): readonly string[] {
  if ('error' in row) return [row.file, `not opened: ${firstSentence(row.error)}`, ...heads.slice(2).map(() => '')];
  const { file, format, traces, input, mapped, merged, problems, events, recorded, inferred, clockOnly } = row;
  const name = traces === 1 ? format : `${format} (${traces} traces)`;
  const numbers = [input, mapped, merged, problems, events, recorded, inferred, clockOnly];
  return [file, name, ...numbers.map(String), row.replayGrade];
}

/** Enough to know why; what to do is the same in every row. */
function firstSentence(text: string): string {
  return text.replace(/ Open the file that the agent .*$/s, '').slice(0, 160);
}

function rowsToMarkdown(rows: readonly Row[]): string {
  const lines = rows.map((row) => `| ${rowToCells(row).map(escapeCell).join(' | ')} |`);
  return [`| ${heads.join(' | ')} |`, `| ${heads.map(() => '---').join(' | ')} |`, ...lines].join('\n');
}

function escapeCell(text: string): string {
  return text.replace(/[|\\`<>]/g, (c) => `\\${c}`).replace(/\s+/g, ' ');
}

function rowsToText(rows: readonly Row[]): string {
  const cells = [heads, ...rows.map(rowToCells)];
  const opened = cells.filter((_, n) => n === 0 || !('error' in (rows[n - 1] ?? {})));
  const widths = heads.map((_, column) => opened.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
