/**
 * The `gaps` and `effects` members of `hindcast check --json`, and whether its exit code is 1.
 *
 * Invariant: pure over effect rows and findings, so that the page and the command line cannot disagree. Notices (what was never
 * recorded) never change the code; a problem, a gap, a violation, or an effect executed twice, uncertain or missing does.
 */
import type { EventId } from '../model/index.ts';
import type { EffectAttempt, EffectRow, Finding } from '../projections/trace-reader.ts';

export interface ReportItem {
  /** Command path; null where the subject is no command. */
  readonly command: string | null;
  readonly interval: string | null;
  readonly known: readonly string[];
  readonly unknown: readonly string[];
  readonly events: readonly EventId[];
}

export interface EffectsReport {
  readonly executedOnce: readonly ReportItem[];
  readonly executedTwice: readonly ReportItem[];
  readonly recordedTwice: readonly ReportItem[];
  readonly uncertain: readonly ReportItem[];
  readonly missing: readonly ReportItem[];
  readonly notExecuted: readonly ReportItem[];
  readonly deduplicated: readonly ReportItem[];
  readonly late: readonly ReportItem[];
  readonly noServiceRecords: readonly ReportItem[];
}

export interface CheckReport {
  readonly gaps: readonly ReportItem[];
  readonly effects: EffectsReport;
  /** Titles of findings that change the exit code, gravest first, each once. */
  readonly reasons: readonly string[];
  readonly exitCode: 0 | 1;
}

export interface CheckInput {
  readonly findings: readonly Finding[];
  readonly effects: readonly EffectRow[];
  /** Problems of the import and of the index, without notices. */
  readonly problems: number;
}

export function computeCheckReport({ findings, effects, problems }: CheckInput): CheckReport {
  const pick = (test: (row: EffectRow) => boolean): ReportItem[] =>
    effects.filter(test).map((row) => rowToItem(row, findings));
  const report: EffectsReport = {
    executedOnce: pick(({ verdict }) => verdict === 'executed once'),
    executedTwice: pick(({ verdict }) => verdict === 'executed twice'),
    recordedTwice: pick(({ recordedTwice }) => recordedTwice),
    uncertain: pick(({ verdict }) => verdict === 'uncertain'),
    missing: pick(({ verdict }) => verdict === 'missing'),
    notExecuted: pick(({ verdict }) => verdict === 'not executed'),
    deduplicated: pick(({ attempts }) => attempts.some(({ deduplicated }) => deduplicated.length > 0)),
    late: pick(({ attempts }) => attempts.some(({ late }) => late)),
    noServiceRecords: pick(({ noServiceRecords }) => noServiceRecords),
  };
  const grave = findings.filter(({ severity }) => severity !== 'notice');
  const isBad =
    problems > 0 ||
    grave.length > 0 ||
    report.executedTwice.length + report.uncertain.length + report.missing.length > 0;
  return {
    gaps: findings.filter(({ severity }) => severity === 'gap').map(findingToItem),
    effects: report,
    reasons: [...new Set(grave.map(({ title }) => title))],
    exitCode: isBad ? 1 : 0,
  };
}

function findingToItem({ command, interval, known, unknown, evidence }: Finding): ReportItem {
  return { command: command ?? null, interval: interval ?? null, known, unknown, events: evidence };
}

/** What is known of a command stands in its findings; where it has none, in its row. */
function rowToItem(row: EffectRow, findings: readonly Finding[]): ReportItem {
  const own = findings.filter(({ id }) => row.findings.includes(id));
  const known = [...new Set([rowToSentence(row), ...own.flatMap((finding) => finding.known)])];
  const unknown = [...new Set(own.flatMap((finding) => finding.unknown))];
  return {
    command: row.command,
    interval: own.find(({ interval }) => interval !== undefined)?.interval ?? null,
    known,
    unknown: row.noServiceRecords ? [...unknown, 'No records of the service are in this trace.'] : unknown,
    events: [...new Set(row.attempts.flatMap(attemptToEvents))],
  };
}

function rowToSentence({ tool, verdict, effectIds }: EffectRow): string {
  return `"${tool}": ${verdict}${effectIds.length === 0 ? '' : ` (${effectIds.join(', ')})`}.`;
}

function attemptToEvents(attempt: EffectAttempt): EventId[] {
  const { dispatched, acknowledged, completed, persisted, failed } = attempt;
  const single = [dispatched, acknowledged, completed, persisted, failed];
  return [
    ...single.filter((id) => id !== undefined),
    ...attempt.committed,
    ...attempt.deduplicated,
    ...attempt.refused,
    ...attempt.dropped,
    ...attempt.reemitted,
  ];
}
