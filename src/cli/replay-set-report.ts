/**
 * What `hindcast replay --set` says, as one plain object and as text. README.md documents every member.
 */
import {
  type PriceEstimates,
  type RunSetResult,
  type RunSetRow,
  verdictOrder,
  verdictCountToWords,
  verdictToWords,
} from '../core/replay/index.ts';
import { type ExitCode, linesToText } from './output.ts';

export interface NotRead {
  readonly file: string;
  readonly message: string;
}

export function runSetToCode({ passes }: RunSetResult): ExitCode {
  return passes ? 0 : 1;
}

export function runSetToJson(result: RunSetResult, notRead: readonly NotRead[]): object {
  return {
    set: result.set,
    program: result.programDigest,
    counts: result.counts,
    rows: result.rows.map((row) => ({
      ...row,
      programs: row.programs ?? null,
      firstDifference: row.firstDifference ?? null,
    })),
    price: result.price,
    givenAgain: result.givenAgain,
    notRead,
  };
}

export function runSetToText(result: RunSetResult, notRead: readonly NotRead[]): string {
  const verdicts = verdictOrder.filter((word) => result.counts[word] > 0);
  const runs = result.rows.length === 1 ? 'one run' : `${String(result.rows.length)} runs`;
  const lines = [
    `${runs}: ${verdicts.map((word) => verdictCountToWords(word, result.counts[word])).join(', ')}`,
    '',
    `Set       ${result.set}`,
    `Program   ${result.programDigest}`,
    `Models    ${modelsToText(sumOf(result.rows), result.price)}`,
  ];
  for (const row of result.rows) lines.push('', ...rowToLines(row));
  if (result.givenAgain.length > 0)
    lines.push('', `Given more than once, replayed once: ${result.givenAgain.join(', ')}`);
  if (notRead.length > 0) lines.push('', `Not read (${String(notRead.length)})`);
  for (const { file, message } of notRead) lines.push(`- ${file}: ${shorten(message)}`);
  return linesToText(lines);
}

function sumOf(rows: readonly RunSetRow[]): number {
  return rows.reduce((sum, row) => sum + row.extraModelCalls, 0);
}

function rowToLines(row: RunSetRow): readonly string[] {
  const lines = [
    `${verdictToWords(row.verdict)}  ${row.name}`,
    `  ${row.sentence}`,
    `  ${String(Math.round(row.reuse * 1000) / 10)}% reused`,
  ];
  if (row.firstDifference !== undefined) lines.push(`  First difference: ${row.firstDifference}`);
  for (const { path, args } of row.newEffects)
    lines.push(`  Would be sent: ${path}${args === undefined ? '' : ` ${shorten(JSON.stringify(args))}`}`);
  for (const path of row.orphanEffects)
    lines.push(`  The world has, and this program ${row.ended ? 'does not ask for' : 'did not reach'}: ${path}`);
  if (row.extraModelCalls > 0) lines.push(`  ${modelsToText(row.extraModelCalls, row.price)}`);
  return lines;
}

function modelsToText(calls: number, { estimates, unpriced }: PriceEstimates): string {
  if (calls === 0) return 'no further model calls';
  const price = estimates.map(({ amount, currency }) => `about ${String(amount)} ${currency}`).join(' and ');
  const missing = unpriced === 0 ? '' : `${price === '' ? '' : ', '}${String(unpriced)} without a recorded price`;
  return `${calls === 1 ? 'one further model call' : `${String(calls)} further model calls`}: ${price}${missing}`;
}

function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
