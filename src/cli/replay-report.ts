/**
 * What `hindcast replay` says, as one plain object: the stable JSON form. README.md documents every member.
 */
import { lineToShown } from '../core/base/shown-text.ts';
import {
  type ReplayItem,
  type ReplayReport,
  type ReplayResultWord,
  computeVerdict,
  divergenceToWord,
  hasEnded,
  isMove,
  verdictToSentence,
  verdictToWords,
} from '../core/replay/index.ts';
import { type RunChoice, runToText } from './choice.ts';
import type { ExitCode } from './output.ts';

/** The statuses of commands and records, each a list, in the order in which they are printed. */
export const statusLists = [
  'superseded',
  'changed',
  'inserted',
  'removed',
  'suspect',
  'pending',
  'orphanEffects',
  'uncertain',
  'cancelled',
  'ambiguous',
  'unknown',
  'reused',
] as const;

export function replayToJson(report: ReplayReport, { runs }: RunChoice): object {
  return {
    result: report.result,
    sentence: report.sentence,
    verdict: computeVerdict(report).verdict,
    moved: report.reused.filter(({ rule }) => isMove(rule)).map(itemToJson),
    run: report.run,
    runs,
    base: report.baseBranch,
    branch: report.branch,
    noop: report.noop,
    divergences: report.divergences,
    protections: report.protections,
    cause: report.cause ?? null,
    ...Object.fromEntries(statusLists.map((status) => [status, report[status].map(itemToJson)])),
    open: report.open,
    outcome: hasRun(report) ? report.outcome : { ...report.outcome, equalsRecorded: false },
    digests: report.digests,
    counts: report.counts,
    flags: report.flags,
    warnings: report.warnings,
    problems: report.problems,
  };
}

/** `{path, kind, name, event?, rule?, reasons}`, and what a value could be given for or an effect be found by. */
function itemToJson(item: ReplayItem & { readonly effects?: unknown }): object {
  const { path, kind, name, event, rule, reasons, waitsFor, args, effects } = item;
  return { path, kind, name, event, rule, reasons, waitsFor, args, effects };
}

const codes: Readonly<Record<ReplayResultWord, ExitCode>> = {
  identical: 0,
  'identical-where-recorded': 0,
  complete: 0,
  blocked: 1,
  diverged: 1,
  limit: 1,
  error: 1,
  'not-replayable': 2,
};

/**
 * A branch that completes by failing, where the record did not fail so, is a divergence; so is another program that goes another way, where
 * nothing was edited: it was asked whether it still does what is on record.
 */
export function replayToCode(report: ReplayReport): ExitCode {
  const { result, outcome, operation } = report;
  if (result !== 'complete') return codes[result];
  const failsNow = outcome.status === 'failed' && !outcome.equalsRecorded;
  const isOtherWay = operation?.kind === 'patch' && computeVerdict(report).verdict === 'diverges';
  return failsNow || isOtherWay ? 1 : 0;
}

/** Items of one list printed before the rest is a count; `--json` has all. */
const printed = 20;

/** Names, paths and messages are a program's or a trace's: each entry is one line, whatever they hold. */
export function replayToText(report: ReplayReport, choice: RunChoice): string {
  return reportToLines(report, choice).map(lineToShown).join('\n');
}

function reportToLines(report: ReplayReport, choice: RunChoice): string[] {
  const lines = [`${report.result}: ${report.sentence}`, ''];
  if (!hasRun(report)) {
    // Why nothing ran is said; all else would follow from that alone.
    lines.push(
      `Run       ${runToText(report.run, choice)}`,
      'The program did not run, so nothing was compared with the record.',
    );
    addList(lines, 'Warnings', report.warnings);
    return lines;
  }
  lines.push(
    `Run       ${runToText(report.run, choice)}`,
    `Base      ${report.baseBranch}`,
    `Branch    ${report.branch}`,
  );
  lines.push(`Outcome   ${outcomeToText(report)}`);
  const ended = hasEnded(report.outcome);
  const isPatch = report.programs.before !== report.programs.after;
  const { verdict } = computeVerdict(report);
  if (isPatch) lines.push(`Verdict   ${verdictToWords(verdict)}: ${verdictToSentence(verdict, report.outcome)}`);
  if (report.cause !== undefined) lines.push(`Cause     ${report.cause.message}`);
  addList(
    lines,
    report.operation?.kind === 'edit' ? 'Differences from the record' : 'Divergences',
    report.divergences.map(({ kind, message }) => `${divergenceToWord(kind, ended)}: ${message}`),
  );
  for (const status of statusLists) {
    if (status === 'reused') {
      const moved = report.reused.filter(({ rule }) => isMove(rule));
      addList(lines, 'Moved: the recorded answer counts at another place', moved.map(itemToText));
      lines.push('', `Reused (${report.reused.length - moved.length})`);
      continue;
    }
    const title = status === 'removed' && !ended ? 'Not reached' : titles[status];
    addList(lines, title, listToPrint(report, status).map(itemToText));
    if (status === 'pending') addList(lines, 'Open: asked for, and not answered before the run ended', report.open);
  }
  addList(lines, 'Warnings', report.warnings);
  return lines;
}

/** False where there is no program, or its text could not be loaded. */
function hasRun({ result, outcome }: ReplayReport): boolean {
  return outcome.status !== 'no-program' && result !== 'not-replayable';
}

const titles: Readonly<Record<Exclude<(typeof statusLists)[number], 'reused'>, string>> = {
  superseded: 'Superseded',
  changed: 'Changed',
  inserted: 'Inserted',
  removed: 'Removed',
  suspect: 'Suspect',
  pending: 'Pending: a value is missing',
  orphanEffects: 'Effects the world has and the branch does not',
  uncertain: 'Uncertain',
  cancelled: 'Cancelled',
  ambiguous: 'Ambiguous',
  unknown: 'Unknown',
};

/** Lists of records name what already stands among the commands that wait for a value: there, once, as the sentence counts it. */
function listToPrint(report: ReplayReport, status: (typeof statusLists)[number]): readonly ReplayItem[] {
  if (status !== 'suspect' && status !== 'unknown') return report[status];
  const told = new Set([...report.pending, ...report.uncertain].map(({ path }) => path));
  return report[status].filter(({ path }) => !told.has(path));
}

/** Characters of the outcome that are printed: a line that holds more is cut in its middle. */
const mostPrinted = 1_200;

function outcomeToText({ outcome }: ReplayReport): string {
  const value = outcome.error === undefined ? outcome.value : `${outcome.error.name}: ${outcome.error.message}`;
  const whole = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  const isLong = whole.length > mostPrinted;
  const told = isLong
    ? `${whole.slice(0, mostPrinted).replace(/[\uD800-\uDBFF]$/, '')}… (${whole.length} characters; --json has all)`
    : whole;
  const text = value === undefined ? '' : `: ${told}`;
  return `${outcome.status}${text}${outcome.equalsRecorded ? ', as recorded' : ''}`;
}

function itemToText({ path, rule, waitsFor, reasons }: ReplayItem): string {
  const how = waitsFor ?? rule;
  const why = reasons.map(({ event, as }) => `${as} ${event}`).join(', ');
  return `${path}${how === undefined ? '' : ` (${how})`}${why === '' ? '' : ` because ${why}`}`;
}

function addList(lines: string[], title: string, items: readonly string[]): void {
  if (items.length === 0) return;
  lines.push('', `${title} (${items.length})`, ...items.slice(0, printed).map((item) => `- ${item}`));
  if (items.length > printed) lines.push(`… and ${items.length - printed} more; --json lists all.`);
}
