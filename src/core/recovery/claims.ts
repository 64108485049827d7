/**
 * A claim against the valid trials of one strategy, clause by clause (R87 to R90, R99).
 *
 * Invariant: a clause that is bound to nothing that is recorded or measured is "not testable", never passed; every observation is
 * judged by itself, no mean and no pooled ordinal; explanatory quantities and orchestration latency are no criteria.
 */
import type { CountedEvents, EventCounter } from './claim-events.ts';
import { trialsOfClaim } from './claim-fault.ts';
import { toComparison, toCount, toTest } from './claim-predicate.ts';
import type { Claim, Clause } from './claim-schema.ts';
import { faultMetricIds } from './fault-metrics.ts';
import { isInModelCall, needsRepetition } from './invariant-counts.ts';
import { metricIds } from './metrics.ts';
import { extraCallsOf } from './outcome.ts';
import { killPoints, pointsToText } from './placement.ts';
import { computeMenu } from './menu.ts';
import { faultsToWords } from './struck-words.ts';
import type { ClaimVerdict, ClauseVerdict, MenuEntry, StrategyReport, TrialReport } from './report.ts';

type TrialVerdict = ClauseVerdict['trials'][number];

export function judgeClaim(
  claim: Claim,
  strategy: Pick<StrategyReport, 'name'>,
  trials: readonly TrialReport[],
  counter: EventCounter,
  menu: readonly MenuEntry[] = computeMenu(trials, () => []),
  isSuspect = false,
): ClaimVerdict {
  const concerned = trialsOfClaim(claim, trials, menu);
  const chosen = concerned.filter(({ validity }) => validity === 'valid');
  const refused = concerned.length - chosen.length;
  const clauses = claim.clauses.map((clause) => judgeClause(clause, chosen, counter));
  const failed = clauses.filter(({ verdict }) => verdict === 'failed');
  const open = clauses.filter(({ verdict }) => verdict === 'not testable');
  // What failed was seen all the same; that nothing was seen shows nothing where the control that must fail passed.
  const isOpen = open.length > 0 || isSuspect;
  const verdict = failed.length > 0 ? 'failed' : isOpen ? 'not established' : 'holds in the tested trials';
  const n = `${chosen.length} valid ${chosen.length === 1 ? 'trial' : 'trials'}`;
  const aside = refused === 0 ? '' : `, ${refused} not counted because not valid`;
  const whys = [
    ...(open.length > 0 ? [`not testable: ${open.map(({ id }) => id).join(', ')}`] : []),
    ...(isSuspect ? ['the control that must fail passed, so that a violation would have been seen is not shown'] : []),
  ];
  const detail =
    failed.length > 0 ? `: ${failed.map(({ id }) => id).join(', ')}` : whys.length > 0 ? `: ${whys.join('; ')}` : '';
  return {
    strategy: strategy.name,
    verdict,
    text: `${verdict} (${n}${aside})${detail}`,
    scope: scopeOf(chosen),
    clauses,
  };
}

function scopeOf(trials: readonly TrialReport[]): string {
  const points = trials.flatMap(({ placements }) => placements.map(({ point }) => point));
  const others = killPoints.filter((point) => !points.includes(point));
  if (others.length === killPoints.length) {
    const faults = faultsToWords(trials).join('; ');
    const inModel = trials.some(isInModelCall) ? 'Struck during a model call, at' : 'Struck at';
    return `${inModel} no boundary of an effect.${faults === '' ? '' : ` Other faults: ${faults}.`}`;
  }
  const rest = others.length === 0 ? '' : `; at ${pointsToText(others)} by no trial, and nothing is said of it`;
  return `Struck at ${pointsToText(points)}${rest}.`;
}

function judgeClause(clause: Clause, trials: readonly TrialReport[], counter: EventCounter): ClauseVerdict {
  const { id, text } = clause;
  const unbound = whyUnbound(clause, counter);
  const none = { id, text, verdict: 'not testable', trials: [] } as const;
  if (unbound !== undefined) return { ...none, reason: unbound };
  if (trials.length === 0) return { ...none, reason: 'no valid trial of this fault' };
  const asked = trials.filter((trial) => hasOrdinal(clause, trial));
  if (asked.length === 0) return { ...none, reason: 'no valid trial of this fault has a kill of this number' };
  const judged = asked.map((trial) => judgeTrial(clause, trial, counter));
  const failing = judged.filter(({ holds }) => holds === false).length;
  const open = judged.filter(({ holds }) => holds === undefined).length;
  if (failing > 0)
    return { id, text, verdict: 'failed', reason: `fails in ${failing} of ${judged.length}`, trials: judged };
  if (open > 0)
    return { id, text, verdict: 'not testable', reason: `not measured in ${open} of ${judged.length}`, trials: judged };
  return {
    id,
    text,
    verdict: 'holds',
    reason: `holds in ${judged.length} of ${judged.length}${onceToText(clause, judged.length)}`,
    trials: judged,
  };
}

function onceToText({ metric = '' }: Clause, trials: number): string {
  if (trials > 1 || !(metric === 'duplicates' || needsRepetition.has(metric))) return '';
  return '; one trial establishes it for no other: repeat it';
}

/** A clause about the fifth kill says nothing of a trial with one. */
function hasOrdinal({ metric = '', predicate }: Clause, { metrics }: TrialReport): boolean {
  const ordinal = typeof predicate === 'object' ? predicate.ordinal : undefined;
  return ordinal === undefined || metrics.some((one) => one.id === metric && one.ordinal === ordinal);
}

const outcomes = ['duplicates', 'losses', 'completed', 'extraModelCalls', 'extraModelCost'] as const;
const explanatory = /queue|depth|retry_?count|retries|checkpoint_?age|cache|backlog/i;
const pooled = /mean|average|avg|pooled|overall/i;

function whyUnbound({ event, metric, predicate }: Clause, counter: EventCounter): string | undefined {
  if (event !== undefined && metric !== undefined) return 'bound to an event and a metric at once';
  if (event === undefined && metric === undefined) return 'bound to no event and no metric';
  if (predicate === undefined) return 'it has no predicate';
  if (event !== undefined) return counter.whyNot(typeof event === 'string' ? event : event.type);
  if (metric === undefined) return undefined;
  if (explanatory.test(metric)) return `${metric} explains and does not decide`;
  if (pooled.test(metric)) return `${metric} pools observations; each is judged by itself`;
  if (metricIds.get(metric) === 'orchestration') return `${metric} is the time until a process starts, not a recovery`;
  if (isKnownMetric(metric)) return undefined;
  return `nothing called "${metric}" is measured here; there are ${[...outcomes, ...metricIds.keys()].join(', ')} and the invariants`;
}

function isKnownMetric(metric: string): boolean {
  // Invariants are known by the report of a trial; their names have a dash and are no times.
  return outcomes.some((one) => one === metric) || metricIds.has(metric) || /^[a-z]+(?:-[a-z]+)+$/.test(metric);
}

function judgeTrial(clause: Clause, trial: TrialReport, counter: EventCounter): TrialVerdict {
  const { event, metric = '', predicate = '' } = clause;
  if (event !== undefined) {
    const [type, after] = typeof event === 'string' ? [event, false] : [event.type, event.after !== undefined];
    return judgeEvents(trial, type, counter.count(trial.id, type, after), toCount(predicate));
  }
  const invariant = trial.invariants.find(({ id }) => id === metric);
  if (invariant !== undefined) {
    const holds =
      invariant.verdict === 'not checked' ? undefined : toTest(predicate)?.(invariant.verdict === 'holds' ? 1 : 0);
    return { trial: trial.id, holds, observed: `${invariant.verdict}: ${invariant.reason}`, events: invariant.events };
  }
  const test = toTest(predicate);
  if (metricIds.has(metric) || faultMetricIds.has(metric)) return judgeTimes(trial, metric, predicate, test);
  const { value, events, isAtLeast } = outcomeOf(trial, metric);
  if (value === undefined) return { trial: trial.id, holds: undefined, observed: 'not known', events };
  const holds = isAtLeast === true ? testAtLeast(value, predicate) : test?.(value);
  return { trial: trial.id, holds, observed: `${metric} ${isAtLeast === true ? 'at least ' : ''}${value}`, events };
}

function judgeEvents(
  trial: TrialReport,
  type: string,
  { events, open, whyNot }: CountedEvents,
  test: ((count: number) => boolean) | undefined,
): TrialVerdict {
  if (whyNot !== undefined) return { trial: trial.id, holds: undefined, observed: whyNot, events };
  const observed = `${events.length} ${type}${open === 0 ? '' : `; of ${open} more no record says whether before or after the fault`}`;
  // Those that cannot be placed may count or not: a verdict stands where either way gives it.
  const possible = Array.from({ length: open + 1 }, (_item, more) => test?.(events.length + more) === true);
  const isDecided = possible.every((holds) => holds === possible[0]);
  return { trial: trial.id, holds: isDecided ? possible[0] : undefined, observed, events };
}

/** Only the last kill of a run can be followed by its completion; of the others, that it was not measured is no failure. */
const lastOnly: ReadonlySet<string> = new Set(['completion', 'fault-completion']);

function judgeTimes(
  trial: TrialReport,
  metric: string,
  predicate: NonNullable<Clause['predicate']>,
  test: ((value: number) => boolean) | undefined,
): TrialVerdict {
  const ordinal = typeof predicate === 'object' ? predicate.ordinal : undefined;
  const asked = trial.metrics.filter((one) => one.id === metric && (ordinal === undefined || one.ordinal === ordinal));
  const measured = asked.flatMap(({ ms, start, end, fault, ordinal: n }) =>
    ms === undefined || end === undefined ? [] : [{ ms, start, end, n: `${fault ?? 'kill'} ${n}` }],
  );
  const events = measured.flatMap(({ start, end }) => [start.event, end.event]);
  if (measured.length === 0)
    return { trial: trial.id, holds: undefined, observed: asked[0]?.whyNot ?? 'not measured', events };
  const observed = measured.map(({ ms, n }) => `${ms} ms (${n})`).join(', ');
  const holds = measured.every(({ ms }) => test?.(ms) === true);
  // What never came cannot be said to have come in time; one that came too late fails all the same.
  const open = lastOnly.has(metric) ? undefined : asked.find(({ ms, end }) => ms === undefined || end === undefined);
  if (open === undefined || !holds) return { trial: trial.id, holds, observed, events };
  const why = `${open.fault ?? 'kill'} ${open.ordinal}: ${open.whyNot ?? 'not measured'}`;
  return { trial: trial.id, holds: undefined, observed: `${observed}; ${why}`, events };
}

interface Observed {
  readonly value: number | undefined;
  readonly events: readonly string[];
  readonly isAtLeast?: boolean;
}

function outcomeOf(trial: TrialReport, metric: string): Observed {
  const { outcome } = trial;
  const executed = outcome.effects.flatMap(({ executions }) => executions.flatMap(({ events }) => events));
  switch (metric) {
    case 'duplicates':
      return { value: outcome.duplicates, events: executed, isAtLeast: outcome.duplicatesAtLeast === true };
    case 'losses':
      return { value: outcome.losses, events: executed };
    case 'completed':
      return {
        value: outcome.completed === undefined ? undefined : Number(outcome.completed),
        events: outcome.completedBy === undefined ? [] : [outcome.completedBy],
      };
    case 'extraModelCalls':
      return modelsOf(outcome, extraCallsOf(outcome).count);
    case 'extraModelCost':
      return modelsOf(outcome, outcome.models.extraCost);
    default:
      return { value: undefined, events: [] };
  }
}

/** Where a request may be missing those that are seen are a lower bound, and none are not known. */
function modelsOf({ models: { extraEvents, unseen } }: TrialReport['outcome'], value: number | undefined): Observed {
  if (unseen === undefined) return { value, events: extraEvents };
  return { value, events: [...extraEvents, ...unseen.events], isAtLeast: true };
}

/** Decided where every number from this one on gives the same answer. */
function testAtLeast(least: number, predicate: NonNullable<Clause['predicate']>): boolean | undefined {
  const test = toTest(predicate);
  const right = Number(toComparison(predicate)?.value);
  const possible = [least, least + 1, right - 1, right, right + 1].filter((value) => value >= least);
  const answers = new Set(possible.map((value) => test?.(value)));
  return answers.size === 1 ? [...answers][0] : undefined;
}
