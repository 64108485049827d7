/**
 * The interpreting half of a reader for one branch: ledger, findings and the read models built on them.
 *
 * Made once per branch by `createTraceReader`; everything is computed when first asked for and kept.
 */
import { type CausalProblem, textAt } from '../causal/index.ts';
import { type EventId, eventId } from '../model/index.ts';
import { otherName } from '../projections/agent-names.ts';
import { countWithheld, readCopy } from '../projections/copy-records.ts';
import { findingsByCommand } from '../projections/effects/concerns.ts';
import { ledgerToRows } from '../projections/effects/ledger-rows.ts';
import { viewToLedger } from '../projections/effects/view-ledger.ts';
import { viewToBranchFact } from '../projections/headline/branch-fact.ts';
import { stepToWords } from '../projections/headline/step-words.ts';
import { type RunEnd, computeHeadline } from '../projections/headline/headline.ts';
import { viewToStory } from '../projections/headline/run-story.ts';
import { computeStart } from '../projections/headline/start.ts';
import { computeDecisionProvenance } from '../projections/provenance/decision.ts';
import { computeProvenanceSummary } from '../projections/provenance/records.ts';
import { isInsertionPoint } from '../projections/insertion-point.ts';
import type { BranchReading } from '../projections/reading.ts';
import { computeStateLines } from '../projections/states/states.ts';
import type { CheckedRule, EffectAttempt, EffectRow, Finding, Headline } from '../projections/trace-reader.ts';
import type { TraceView } from '../projections/trace-view.ts';
import { createTranscript } from '../projections/transcript/transcript.ts';
import { absenceWord } from './attempt-words.ts';
import type { AuditView } from './audit-view.ts';
import { computeGaps } from './gaps.ts';
import { checkedOfCopy, checkedOfPart, findingsOfPart, rowOfPart } from './partial.ts';
import { computeFindings, rules } from './registry.ts';
import { findingToShown, headlineToShown } from './shown.ts';
import { viewToAudit } from './view-audit.ts';

/** `known` is what an earlier run of the same rules found on the same branch: then no rule runs. */
export function createReading(
  view: TraceView,
  problems: readonly CausalProblem[] = [],
  known?: KnownAudit,
): BranchReading {
  const ledger = once(() => viewToLedger(view));
  const audit = once(() => viewToAudit(view, ledger(), problems));
  const findings = once(() => {
    if (known !== undefined) return known.findings.map(findingToShown);
    const found = computeFindings(audit());
    return (view.leftOut === 0 ? found : findingsOfPart(found, view.leftOut)).map(findingToShown);
  });
  const transcript = once(() => createTranscript(view, findings()));
  return {
    findings,
    headline: once(() => headlineToShown(known?.headline ?? viewToHeadline(view, audit, findings()))),
    effects: once(() => viewToRows(view, audit(), findings())),
    states: once(() => computeStateLines(view)),
    transcript: (filter, from, to) => transcript().page(filter, from, to),
    transcriptLineOf: (filter, event) => transcript().lineOf(filter, event),
    provenance: once(() => computeProvenanceSummary(view)),
    decisionProvenance: (decision) => computeDecisionProvenance(view, decision),
  };
}

function viewToRows(view: TraceView, audit: AuditView, findings: readonly Finding[]): EffectRow[] {
  const { ledger } = audit;
  const own = findingsByCommand(ledger.commands, findings);
  const rows = ledgerToRows(ledger, (command) => (own.get(command) ?? []).map(({ id }) => id));
  const told = view.leftOut === 0 ? markAbsent(rows, audit) : rows.map(rowOfPart);
  return told.map((row) => withNames(view, row));
}

/** In the words of the findings about the same attempts. */
function markAbsent(rows: readonly EffectRow[], audit: AuditView): readonly EffectRow[] {
  const { commands, declarations } = audit.ledger;
  const gaps = new Set(computeGaps(audit).map(({ attempt }) => attempt));
  return rows.map((row, at) => {
    const attempts = row.attempts.map((attempt, n): EffectAttempt => {
      const of = commands[at]?.attempts[n];
      return of !== undefined && gaps.has(of) ? { ...attempt, absence: absenceWord(of.life, declarations) } : attempt;
    });
    return { ...row, attempts };
  });
}

/** Names of the agent and the step; an attempt is marked as its dispatch is everywhere else; one whose commitment or answer was joined by other means than causes is settled. */
function withNames(view: TraceView, row: EffectRow): EffectRow {
  const attempts = row.attempts.map((attempt): EffectAttempt => {
    const { dispatched, committed, deduplicated, acknowledged, completed } = attempt;
    if (dispatched === undefined || committed.length + deduplicated.length > 0) return attempt;
    if (acknowledged !== undefined || completed !== undefined) return attempt;
    return isInsertionPoint(view, view.index.find(dispatched)) ? { ...attempt, canStepIn: true } : attempt;
  });
  const agentName = otherName(view, row.agent);
  const chosenIn = stepOf(view, row.chosenBy);
  return {
    ...row,
    ...(agentName === undefined ? {} : { agentName }),
    ...(chosenIn === undefined ? {} : { chosenIn }),
    attempts,
  };
}

function stepOf(view: TraceView, id: EventId | undefined): string | undefined {
  const position = id === undefined ? -1 : view.index.find(id);
  return view.holds(position) ? stepToWords(view, position) : undefined;
}

interface KnownAudit {
  readonly findings: readonly Finding[];
  readonly headline?: Headline | undefined;
}

function once<T extends object>(compute: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= compute());
}

function viewToHeadline(view: TraceView, audit: () => AuditView, findings: readonly Finding[]): Headline {
  const runs = viewToRuns(view);
  const story = viewToStory(view, runs);
  const headline = computeHeadline({
    ledger: audit().ledger,
    findings,
    checked: viewToChecked(view, audit, findings),
    leftOut: view.leftOut,
    withheld: countWithheld(view.index, view.source),
    runs,
    story,
    branch: viewToBranchFact(view),
    stepOf: (id) => stepOf(view, id),
  });
  // What the agents did is told of the whole run; where it begins is no event to begin at.
  const acts = new Set(story?.acts);
  const facts = headline.facts.filter((fact) => !fact.some((span) => acts.has(span)));
  return { ...headline, start: computeStart(view, facts, findings) };
}

function viewToChecked(view: TraceView, audit: () => AuditView, findings: readonly Finding[]): readonly CheckedRule[] {
  const all = rules.map(({ id, title, establishes }) => ({ rule: id, title, looksFor: establishes }));
  if (view.leftOut > 0) return checkedOfPart(all, findings);
  return readCopy(view.index) === undefined ? all : checkedOfCopy(all, findings, audit());
}

/** Runs that have a start or an end on record, with how they ended. */
function viewToRuns(view: TraceView): RunEnd[] {
  const runs = new Map<string, RunEnd>();
  for (const position of view.ofType('run.started')) {
    const run = view.index.run(position);
    runs.set(run, { run, outcome: 'not recorded', event: undefined });
  }
  for (const position of view.ofType('run.completed', 'run.failed')) {
    const run = view.index.run(position);
    const isFailed = view.index.type(position) === 'run.failed';
    const data = view.data(position);
    runs.set(run, {
      run,
      outcome: isFailed ? 'failed' : 'completed',
      event: eventId(view.index.id(position)),
      message: isFailed ? (textAt(data, 'error', 'message') ?? textAt(data, 'error', 'name')) : undefined,
    });
  }
  return [...runs.values()];
}
