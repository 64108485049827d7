/**
 * The human form of `hindcast check`: the facts first, then what was found, then what limits the answer. No colours: it is piped.
 */
import { lineToShown } from '../core/base/shown-text.ts';
import { unreadToWords } from '../core/projections/headline/unread.ts';
import type { Headline, TraceReader } from '../core/projections/trace-reader.ts';
import { mainBranch } from '../core/model/index.ts';
import { type CheckFinding, type CheckItem, type CheckReport, besideCode } from './check-report.ts';

/** Items of one list printed before the rest is a count; `--json` has all. */
const printed = 20;

export function checkToText(report: CheckReport, reader: TraceReader): string {
  const { counts, edges, effects } = report;
  const lines: string[] = [];
  const headline = reader.headline(mainBranch);
  const unread = unreadToWords(counts.problems, reader.summary().unread);
  if (unread !== undefined) lines.push(`${unread.what}${unread.rest}`);
  for (const fact of headline.facts) lines.push(fact.map(({ text }) => text).join(''));
  for (const { code, message } of report.notices) if (code === besideCode) lines.push(lineToShown(message));
  if (lines.length > 0) lines.push('');
  lines.push(
    `Format    ${report.formatName}`,
    ...(report.traces === 1 ? [] : [`Traces    ${report.traces}, checked as one; --trace KEY checks one of them`]),
    `Records   ${counts.input} read: ${counts.mapped} mapped, ${counts.merged} merged, ${counts.problems} could not be read`,
    `Events    ${counts.events}${aboutCopyToText(reader)}`,
    `Found     ${foundToText(headline, report)}`,
    `Edges     ${edges.recorded} recorded, ${edges.inferred} inferred, ${edges.clockOnly} by clock only`,
    `Replay    ${report.replayGrade}${report.missingForReplay.length === 0 ? '' : `; missing: ${report.missingForReplay.join(', ')}`}`,
  );
  addItems(lines, 'Executed more than once', effects.executedTwice);
  addItems(lines, 'Missing effects', effects.missing);
  addItems(lines, 'Uncertain effects', effects.uncertain);
  addItems(lines, 'One execution recorded more than once', effects.recordedTwice);
  addFindings(lines, 'Violations', report.violations);
  addFindings(lines, 'Gaps', report.gaps);
  addSentences(
    lines,
    'Problems',
    report.problems.map(({ message }) => message),
  );
  for (const [title, about] of [
    ['Notices', 'run'],
    ['Remarks about the records', 'records'],
  ] as const) {
    addSentences(
      lines,
      title,
      report.notices
        .filter((notice) => notice.about === about && notice.code !== besideCode)
        .map(({ message }) => message),
    );
  }
  const checked = report.checked.length;
  const open = report.notDecidable.length;
  lines.push(
    '',
    `${checked} ${checked === 1 ? 'check' : 'checks'} ran${open === 0 ? '' : `; ${open} not decidable in this copy`}.`,
  );
  return lines.join('\n');
}

/** As the page counts them: findings, and beside them what is told of the records. */
function foundToText({ violations, gaps, notices }: Headline, report: CheckReport): string {
  const remarks = report.notices.filter(({ about, code }) => about === 'records' && code !== besideCode).length;
  return [
    countToText(violations, 'violation'),
    countToText(gaps, 'gap'),
    countToText(notices, 'notice'),
    `${countToText(report.problems.length, 'problem')} and ${countToText(remarks, 'remark')} about the records`,
  ].join(', ');
}

/** Records that are read and are no events of the run. */
function aboutCopyToText(reader: TraceReader): string {
  const { copy } = reader.summary();
  if (copy === undefined) return '';
  const count = copy.omitted === undefined ? 'one more record says' : '2 more records say';
  return `; ${count} what this redacted copy withholds`;
}

function countToText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function addItems(lines: string[], title: string, items: readonly CheckItem[]): void {
  const sentences = items.map(({ command, known, unknown }) => [
    command ?? 'no command',
    ...known,
    ...unknown.map(asOpen),
  ]);
  addBlocks(lines, title, sentences);
}

function addFindings(lines: string[], title: string, findings: readonly CheckFinding[]): void {
  addBlocks(
    lines,
    title,
    findings.map(({ title: name, text, unknown }) => [name, text, ...unknown.map(asOpen)]),
  );
}

function asOpen(sentence: string): string {
  return `Not known: ${sentence}`;
}

function addSentences(lines: string[], title: string, sentences: readonly string[]): void {
  addBlocks(
    lines,
    title,
    sentences.map((sentence) => [sentence]),
  );
}

function addBlocks(lines: string[], title: string, blocks: readonly (readonly string[])[]): void {
  if (blocks.length === 0) return;
  lines.push('', `${title} (${blocks.length})`);
  for (const [first, ...rest] of blocks.slice(0, printed)) {
    lines.push(`- ${lineToShown(first ?? '')}`);
    for (const sentence of rest) lines.push(`  ${lineToShown(sentence)}`);
  }
  if (blocks.length > printed) lines.push(`… and ${blocks.length - printed} more; --json lists all.`);
}
