/**
 * The human form of `hindcast recovery`: what may be believed first, then the grid, what a reader asks, the trials, the times by kill, and
 * last the sentence that may be quoted. No colours: it is piped.
 */
import { lineToShown } from '../core/base/shown-text.ts';
import {
  completionToWords,
  duplicatesToText,
  extraCallsOf,
  seenToText,
  nameOfEngine,
  type CampaignReport,
  type EngineEvidence,
  type OrdinalRow,
  type RecoveryReport,
  type StrategyReport,
  type TrialReport,
} from '../core/recovery/index.ts';
import { linesToText } from './output.ts';
import { type Beside, killLabelOf, killPointOf, nothingBeside, whyOf } from './recovery-report.ts';
import { seriesToLines } from './recovery-series.ts';
import { gridToLines, ordinalsToLines } from './recovery-tables.ts';

export function recoveryToText(report: RecoveryReport, { notRead, series, claimed }: Beside = nothingBeside): string {
  const lines: string[] = [];
  for (const campaign of report.campaigns) addCampaign(lines, campaign);
  if (report.claimNote !== undefined && report.campaigns.length === 0) lines.push(report.claimNote, '');
  addEngines(lines, report.engines);
  lines.push(...seriesToLines(series));
  if (report.unmatched.length > 0)
    addList(
      lines,
      'Records of no trial',
      report.unmatched.map(({ text }) => text),
    );
  addClaimed(lines, claimed);
  if (notRead.length > 0)
    addList(
      lines,
      'Files not read',
      notRead.map(({ file, message }) => `${file}: ${message}`),
    );
  return linesToText(lines).trimEnd();
}

/** What a lab says of its own trials: each difference in a line of its own, and what was not compared. */
function addClaimed(lines: string[], claimed: Beside['claimed']): void {
  if (claimed.length === 0) return;
  lines.push(`Files of claims (${claimed.length})`);
  for (const { file, text, disagreements, notCompared } of claimed) {
    lines.push(`- ${file}: ${text}`);
    for (const disagreement of disagreements) lines.push(`  ${disagreement}`);
    if (notCompared.length > 0) lines.push(`  Not compared: ${notCompared.join('; ')}.`);
  }
  lines.push('');
}

function addCampaign(lines: string[], campaign: CampaignReport): void {
  const { name, basis, suspect, negativeControl, strategies, trials, claims, claimNote } = campaign;
  const how =
    basis === 'recorded' ? 'as recorded' : 'trials of equal envelope, put together by rule campaign-by-envelope';
  lines.push(`Campaign  ${name}`, `Trials    ${trials.length}, ${how}`);
  if (suspect) lines.push('SUSPECT   the control that must fail passed');
  lines.push(`Control that must fail: ${negativeControl.text}`);
  for (const cause of negativeControl.causes) lines.push(`  possible: ${cause}`);
  lines.push(...gridToLines(strategies), ...ordinalsToLines(strategies));
  // Ahead of the lists: of a hundred trials nobody reads every line.
  lines.push('', 'In short');
  for (const { question, answers, told } of campaign.questions)
    lines.push(`- ${question}${told ? '' : ' (open)'} ${answers.join(' ')}`);
  if (claimNote !== undefined) lines.push('', `Claim: ${claimNote}`);
  for (const { strategy, text, scope, clauses } of claims) {
    lines.push('', `Claim for ${strategy}: ${text}`, `  ${scope}`);
    for (const clause of clauses) {
      lines.push(`- ${clause.id}: ${clause.verdict} (${clause.reason}). ${clause.text}`);
      for (const { trial, holds, observed, events } of clause.trials) {
        if (holds !== true)
          lines.push(`  ${nameOf(trials, trial)}: ${observed}${events.length === 0 ? '' : ` [${events.join(', ')}]`}`);
      }
    }
  }
  lines.push('', `Trials (${trials.length})`);
  for (const trial of trials) addTrial(lines, trial);
  for (const strategy of strategies) addTimes(lines, strategy);
  for (const { name, load, arm } of trials)
    if (load.length > 0 && arm !== 'control')
      lines.push('', `Under load: ${name}`, ...seriesToLines(load).slice(0, -1));
  lines.push(...limitsToLines(trials), '', 'What may be quoted');
  for (const { statement, staleText, recordsDigest } of strategies)
    lines.push(`- ${staleText === undefined ? '' : `${staleText} `}${statement} [records ${recordsDigest}]`);
  lines.push(
    '',
    `Not tried: ${campaign.menu
      .filter(({ included }) => !included)
      .map(({ title }) => title)
      .join('; ')}.`,
  );
  lines.push(`Not measured: ${campaign.notMeasured.map(({ what }) => what).join('; ')}.`, '');
}

/** What every number of these trials rests on, once; the trials are named where it is not so of all. */
function limitsToLines(trials: readonly TrialReport[]): readonly string[] {
  const byText = new Map<string, string[]>();
  for (const { name, limits } of trials)
    for (const text of limits) byText.set(text, [...(byText.get(text) ?? []), name]);
  if (byText.size === 0) return [];
  const lines = [...byText].map(([text, names]) => {
    if (names.length === trials.length) return `- ${text} (every trial)`;
    const named =
      names.length <= mostNamed ? names.join(', ') : `${String(names.length)} of ${String(trials.length)} trials`;
    return `- ${text} (${named})`;
  });
  return ['', `Limits (${String(lines.length)})`, ...lines];
}

const mostNamed = 3;

/** What an engine remembers, beside what the ledger has. */
function addEngines(lines: string[], { runs, ledger }: EngineEvidence): void {
  if (runs.length === 0) return;
  lines.push(`Engines' own tables (${runs.length} ${runs.length === 1 ? 'run' : 'runs'})`);
  if (ledger !== undefined) {
    const { name, basis, executions, notExecuted, otherRuns } = ledger;
    const rest = [
      ...(notExecuted === 0 ? [] : [`${notExecuted} rows say that nothing new was done`]),
      ...(otherRuns.length === 0 ? [] : [`${otherRuns.length} runs of it are in no table that was opened`]),
    ];
    lines.push(`  Ledger ${name}: ${executions} executions (${basis})${rest.map((text) => `; ${text}`).join('')}`);
  }
  for (const { engine, run, text, operations, notes } of runs) {
    lines.push(`- ${nameOfEngine(engine)}, run ${run}: ${text}`);
    for (const operation of operations) {
      const rule = operation.rule === undefined ? '' : ` (rule ${operation.rule})`;
      lines.push(`  ${operation.verdict}: ${operation.text}${rule} [${operation.events.join(', ')}]`);
    }
    for (const note of notes) lines.push(`  ${nameOfEngine(engine)} says: ${note.text} [${note.events.join(', ')}]`);
  }
  lines.push('');
}

function nameOf(trials: readonly TrialReport[], id: string): string {
  return trials.find((trial) => trial.id === id)?.name ?? id;
}

function addTrial(lines: string[], trial: TrialReport): void {
  const { name, arm, strategy, validity, outcome, findings, placements, faults } = trial;
  const point = killPointOf(trial);
  const placed =
    arm === 'control' || (placements.length === 0 && faults.length > 0)
      ? faults.map((fault) => fault.class).join(', ') || 'no fault'
      : point === null
        ? `kill point not verified${labelToWords(trial, null)}`
        : `killed ${point === 'model' ? 'during' : 'at'} ${pointToWords(point)}${labelToWords(trial, point)}`;
  const known = (value: number | undefined): string => (value === undefined ? 'not known' : String(value));
  lines.push(
    `- ${name} (${strategy}): ${validity}, ${placed}, ${completionToWords(outcome.completed)}, duplicates ${duplicatesToText(outcome)}, losses ${known(outcome.losses)}, model calls again ${seenToText(extraCallsOf(outcome))}`,
  );
  if (validity !== 'valid')
    lines.push(`  ${validity === 'invalid' ? 'Not valid' : 'Not established'}: ${whyOf(trial)}`);
  if (trial.control.status === 'refused') lines.push(`  ${trial.control.text}`);
  for (const { text, events } of findings) lines.push(`  ${text} [${events.join(', ')}]`);
}

function pointToWords(point: string): string {
  return point.replace('model', 'a model call').replaceAll('2late', '2 late');
}

function labelToWords(trial: TrialReport, point: string | null): string {
  const label = killLabelOf(trial);
  if (trial.placements.some(({ unreadLabel }) => unreadLabel !== undefined))
    return label === null ? '' : `, labelled "${lineToShown(label)}", which names no point`;
  return label === null || point === null || label === point ? '' : `, labelled ${pointToWords(label)}`;
}

/** Every single observation; one row a metric, point and kill number. */
function addTimes(lines: string[], { name, ordinals }: StrategyReport): void {
  if (ordinals.length === 0) return;
  lines.push('', `Times after each fault, ${name} (ms; every observation, no mean)`);
  const order = [...new Set(ordinals.map(({ metric }) => metric))];
  for (const metric of order) {
    const rows = ordinals.filter((row) => row.metric === metric);
    lines.push(`- ${rows[0]?.name ?? metric}`);
    for (const row of rows) lines.push(`  ${rowToText(row)}`);
  }
}

function rowToText({ grouping, point, fault, beside, effect, ordinal, observations, median }: OrdinalRow): string {
  // Only valid trials have rows: a kill without a point of an effect struck a model call.
  const place = point === undefined ? 'during a model call' : `point ${point}`;
  const of = effect === undefined ? '' : ` of ${effect}`;
  const where =
    fault === undefined
      ? `${place}${of}, kill ${ordinal}${beside === undefined ? '' : `, with ${beside}`}, ${grouping}`
      : `${fault}${of}`;
  const values = observations
    .map(
      ({ ms, start, end, basis }) =>
        `${ms.toFixed(1)}${basis === undefined ? '' : ` by the ${basis}`} [${start.event} to ${end.event}]`,
    )
    .join(', ');
  return `${where}: ${values}${observations.length > 1 ? `; median ${median.toFixed(1)} of ${observations.length}` : ''}`;
}

function addList(lines: string[], title: string, items: readonly string[]): void {
  lines.push(`${title} (${items.length})`);
  for (const item of items) lines.push(`- ${item}`);
  lines.push('');
}
