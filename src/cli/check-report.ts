/**
 * What `hindcast check` says, as one plain object: the stable JSON form. README.md documents every member.
 */
import { capitalise, listToText, timesToText } from '../core/projections/effects/words.ts';
import type { Finding, EffectRow, RowVerdict, TraceReader } from '../core/projections/trace-reader.ts';
import { mainBranch } from '../core/model/index.ts';
import type { ImportResult } from '../core/formats/import.ts';
import type { ExitCode } from './output.ts';

/** One thing that concerns one command: what the records establish and what they leave open. */
export interface CheckItem {
  readonly command: string | null;
  readonly interval: string | null;
  readonly known: readonly string[];
  readonly unknown: readonly string[];
  readonly events: readonly string[];
}

export interface CheckFinding extends CheckItem {
  readonly rule: string;
  readonly title: string;
  readonly text: string;
}

export interface CheckProblem {
  readonly code: string;
  readonly message: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly offset: number | null;
  readonly events: readonly string[];
  /** The damaged bytes, base64, cut at 64 KiB. */
  readonly raw: string | null;
}

export interface CheckNotice {
  readonly code: string;
  readonly message: string;
  /** `run`: a finding, as the page counts notices; `records`: what the page calls a remark. */
  readonly about: 'run' | 'records';
}

export interface CheckReport {
  readonly format: string;
  readonly formatName: string;
  /** Traces in the files; more than one were checked as one. */
  readonly traces: number;
  readonly counts: {
    readonly input: number;
    readonly mapped: number;
    readonly merged: number;
    readonly problems: number;
    readonly events: number;
  };
  readonly edges: { readonly recorded: number; readonly inferred: number; readonly clockOnly: number };
  readonly gaps: readonly CheckFinding[];
  readonly effects: {
    readonly executedTwice: readonly CheckItem[];
    readonly recordedTwice: readonly CheckItem[];
    readonly uncertain: readonly CheckItem[];
    readonly missing: readonly CheckItem[];
    readonly notExecuted: readonly CheckItem[];
    readonly executedOnce: readonly CheckItem[];
    /** Of a copy that lacks events: what rests on the absence of a record is open. */
    readonly notDecidable: readonly CheckItem[];
    /** Repeated requests that the service answered from the saved result of an idempotency key. */
    readonly deduplicated: readonly CheckItem[];
  };
  readonly violations: readonly CheckFinding[];
  readonly problems: readonly CheckProblem[];
  readonly notices: readonly CheckNotice[];
  readonly replayGrade: string;
  readonly missingForReplay: readonly string[];
  readonly checked: readonly string[];
  /** Of those checked: found nothing, in a copy that lacks events which could tell. */
  readonly notDecidable: readonly string[];
}

/** A notice that the human form tells first: without it the rest would read as the whole. */
export const besideCode = 'not-opened';

/** Findings that are told under `effects`, one list for each verdict. */
const effectRules = {
  executedTwice: 'executed-twice',
  recordedTwice: 'recorded-twice',
  uncertain: 'uncertain-effect',
  missing: 'missing-effect',
} as const;

const ruleByVerdict: Readonly<Partial<Record<RowVerdict, string>>> = {
  'executed twice': effectRules.executedTwice,
  uncertain: effectRules.uncertain,
  missing: effectRules.missing,
};

/** `beside`: what lies beside the files and was not opened. */
export function computeCheckReport(
  reader: TraceReader,
  result: ImportResult,
  traces: number,
  beside: readonly string[],
): CheckReport {
  const summary = reader.summary();
  const findings = reader.findings(mainBranch);
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const effects = reader.effects(mainBranch);
  const { checked } = reader.headline(mainBranch);
  const { total } = reader.problems(0, 0);
  const { problems } = reader.problems(0, total);
  // A request of uncertain outcome stands among the gaps too: a command may have several.
  const told = new Set<string>([effectRules.executedTwice, effectRules.recordedTwice, effectRules.missing]);
  const having = (severity: Finding['severity']): readonly CheckFinding[] =>
    findings.filter((finding) => finding.severity === severity && !told.has(finding.rule)).map(toFinding);
  const withVerdict = (verdict: RowVerdict): readonly CheckItem[] =>
    effects.filter((row) => row.verdict === verdict).map((row) => rowToItem(row, byId, ruleByVerdict[verdict]));
  return {
    format: result.format,
    formatName: result.label,
    traces,
    counts: summary.counts,
    edges: summary.edges,
    gaps: having('gap'),
    effects: {
      executedTwice: withVerdict('executed twice'),
      recordedTwice: effects
        .filter((row) => row.recordedTwice)
        .map((row) => rowToItem(row, byId, effectRules.recordedTwice)),
      uncertain: withVerdict('uncertain'),
      missing: withVerdict('missing'),
      notExecuted: withVerdict('not executed'),
      executedOnce: withVerdict('executed once'),
      notDecidable: withVerdict('not decidable in this copy'),
      deduplicated: effects
        .filter(({ attempts }) => attempts.some(({ deduplicated }) => deduplicated.length > 0))
        .map((row) => rowToItem(row, byId, 'answered-from-key')),
    },
    violations: having('violation'),
    problems: problems
      .filter(({ severity }) => severity === 'problem')
      .map(({ code, message, file = null, line = null, offset = null, events, raw = null }) => {
        return { code, message, file, line, offset, events, raw };
      }),
    notices: [
      ...beside.map((message) => ({ code: besideCode, message, about: 'records' as const })),
      ...problems
        .filter(({ severity }) => severity === 'notice')
        .map(({ code, message }) => ({ code, message, about: 'records' as const })),
      ...findings
        .filter(({ severity }) => severity === 'notice')
        .map(({ rule, text }) => ({ code: rule, message: text, about: 'run' as const })),
    ],
    replayGrade: result.replayGrade,
    missingForReplay: result.missingForReplay,
    checked: checked.map(({ title }) => title),
    notDecidable: checked.filter(({ isOpen }) => isOpen === true).map(({ title }) => title),
  };
}

/** 1 for a problem, a gap, a violated rule, or an effect executed twice, uncertain or missing. Notices change nothing. */
export function checkToCode({ problems, gaps, violations, effects }: CheckReport): ExitCode {
  const { executedTwice, uncertain, missing } = effects;
  const lists = [problems, gaps, violations, executedTwice, uncertain, missing];
  return lists.some((list) => list.length > 0) ? 1 : 0;
}

function toFinding(finding: Finding): CheckFinding {
  const { rule, title, text } = finding;
  return { rule, title, text, ...toItem(finding) };
}

function toItem(finding: Finding): CheckItem {
  const { command, interval, known, unknown, evidence } = finding;
  return { command: command ?? null, interval: interval ?? null, known, unknown, events: evidence };
}

/** The row's finding where its rule made one; else the gap that leaves it open; else what the row itself establishes. */
function rowToItem(row: EffectRow, findings: ReadonlyMap<string, Finding>, rule: string | undefined): CheckItem {
  const own = row.findings.flatMap((id) => findings.get(id) ?? []);
  const gap = own.find(({ severity }) => severity === 'gap');
  const open = own.find((one) => one.rule === openRule) ?? gap;
  const finding = own.find((one) => one.rule === rule) ?? (row.verdict === 'uncertain' ? open : undefined);
  const interval = finding?.interval ?? gap?.interval ?? null;
  if (finding !== undefined) return { ...toItem(finding), known: withExecuted(row, finding.known), interval };
  const known = row.attempts.map(({ attempt, incarnation, status, isUnassigned }) => {
    if (isUnassigned === true) return `Records that do not say which attempt they belong to: ${status}.`;
    const which = attempt === undefined ? 'The request' : `Attempt ${attempt}`;
    return `${which}${incarnation === undefined ? '' : ` of life ${incarnation}`}: ${status}.`;
  });
  const unknown = [
    ...(row.noServiceRecords ? ['No records of the service confirm or deny it.'] : []),
    ...(row.undecided === undefined ? [] : [`${capitalise(row.undecided)}.`]),
  ];
  return { command: row.command, interval, known, unknown, events: rowToEvents(row) };
}

/** The gap that leaves an outcome open. */
const openRule = 'dispatch-without-acknowledgement';

/** Of a command that is uncertain, how often it was executed at least: its finding may be about another request. */
function withExecuted({ verdict, times = 0, effectIds }: EffectRow, known: readonly string[]): readonly string[] {
  if (verdict !== 'uncertain' || times === 0) return known;
  const ids = effectIds.length === 0 ? '' : `: ${listToText(effectIds)}`;
  const executed = `Executed at least ${timesToText(times)}${ids}.`;
  return known.includes(executed) ? known : [executed, ...known];
}

function rowToEvents(row: EffectRow): readonly string[] {
  const events = new Set<string>();
  for (const attempt of row.attempts) {
    const { dispatched, committed, deduplicated, refused, dropped, acknowledged, completed, persisted, failed } =
      attempt;
    for (const id of [dispatched, ...committed, ...deduplicated, ...refused, ...dropped])
      if (id !== undefined) events.add(id);
    for (const id of [acknowledged, completed, persisted, failed]) if (id !== undefined) events.add(id);
  }
  return [...events];
}
