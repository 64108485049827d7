/**
 * From opened traces to campaigns: trials grouped by what the records say, judged one by one, then looked at together.
 *
 * Results under different envelopes are never merged: within a campaign every design is a strategy with a grid and rows of its own
 * (R131). Called by the page and the command line through index.ts.
 */
import type { JsonObject } from '../base/json.ts';
import { nameToShown } from '../base/shown-text.ts';
import { canon } from '../model/index.ts';
import { createEventCounter } from './claim-events.ts';
import { triedToText, trialsOfFault } from './claim-fault.ts';
import { judgeClaim } from './claims.ts';
import type { Claim } from './claim-schema.ts';
import { computeCompletion } from './completion.ts';
import { armOf, type Candidate, chooseControl, designOf } from './control.ts';
import { findCopies } from './copies.ts';
import {
  computeStaleness,
  describeEnvelope,
  differencesToText,
  envelopeToStrategyKey,
  isControlOf,
} from './envelope.ts';
import { computeGrid, computeOrdinals, uncoveredCells } from './grid.ts';
import { isCounted } from './invariant-counts.ts';
import { joinEngines } from './engine-ledger.ts';
import { homesOf } from './homes.ts';
import { groupTraces } from './group.ts';
import { computeKills, type Kill } from './kills.ts';
import type { LedgerFile } from './ledger-file.ts';
import { computeMenu } from './menu.ts';
import { loadMeasures, notMeasured } from './metrics.ts';
import { judgeNegativeControl } from './negative-control.ts';
import { computeReaderQuestions } from './reader-questions.ts';
import { joinRecordsDigests } from './records-digest.ts';
import type {
  CampaignReport,
  Check,
  NegativeControlReport,
  RecoveryReport,
  RecoveryTrace,
  StrategyReport,
  TrialReport,
} from './report.ts';
import { pathToSegment } from '../replay/command-path.ts';
import { computeStatement } from './statement.ts';
import { nameOf, reportTrial, strategyOf } from './trial.ts';
import { createTrialRecords, textIn, type TrialRecords } from './trial-records.ts';
import { checksToValidity, checkValidity } from './validity.ts';

export interface RecoveryOptions {
  readonly claim?: Claim | undefined;
  /** The envelope of today: results obtained under another are stale (R132). */
  readonly present?: JsonObject | undefined;
  /** What a service did, as a file of its own: engines' own tables are held against it. */
  readonly ledger?: LedgerFile | undefined;
}

interface Judged {
  readonly trial: TrialRecords;
  readonly name: string;
  readonly campaign: string;
  readonly whyAlone: string | undefined;
  readonly strategy: string;
  readonly kills: readonly Kill[];
  readonly checks: readonly Check[];
}

export function analyseRecovery(traces: readonly RecoveryTrace[], options: RecoveryOptions = {}): RecoveryReport {
  const { trials, unmatched } = groupTraces(traces);
  const all = trials.map(createTrialRecords);
  const copies = findCopies(all);
  const homes = homesOf(all);
  const judged = all.map((trial): Judged => {
    const kills = computeKills(trial);
    const copy = copies.get(trial.run);
    const checks = [...checkValidity(trial, kills, armOf(trial).value), ...(copy === undefined ? [] : [copy])];
    const { campaign = '', whyAlone } = homes.get(trial.run) ?? {};
    const strategy = envelopeToStrategyKey(trial.envelope);
    return { trial, name: nameOf(trial), campaign, whyAlone, strategy, kills, checks };
  });
  const placed = judged.map((one) => ({ ...one, strategy: strategyAmong(one, judged) }));
  const candidates = judged.filter(({ trial }) => armOf(trial).value === 'control').map(toCandidate);
  const campaigns = [...new Set(placed.map(({ campaign }) => campaign))].map((campaign, i) =>
    reportCampaign(
      placed.filter((one) => one.campaign === campaign),
      candidates,
      options,
      i,
    ),
  );
  const engines = joinEngines(traces, options.ledger);
  const remembered = new Set<string>(engines.runs.flatMap(({ recordedAs }) => recordedAs));
  return {
    campaigns,
    unmatched: unmatched.filter(({ run }) => !remembered.has(run)),
    engines,
    claimNote: options.claim === undefined ? undefined : claimNoteOf(campaigns),
  };
}

/** A control whose envelope leaves out what the fault needs alone is one of the design that it is a control of. */
function strategyAmong({ trial, campaign, strategy }: Judged, all: readonly Judged[]): string {
  if (armOf(trial).value !== 'control') return strategy;
  const own = all.filter((one) => one.campaign === campaign && armOf(one.trial).value !== 'control');
  const of = own.find(
    (one) => strategyOf(one.trial) === strategyOf(trial) && isControlOf(trial.envelope, one.trial.envelope),
  );
  return own.some((one) => one.strategy === strategy) ? strategy : (of?.strategy ?? strategy);
}

function claimNoteOf(campaigns: readonly CampaignReport[]): string | undefined {
  if (campaigns.some(({ claims }) => claims.length > 0)) return undefined;
  if (campaigns.length === 0) return 'The claim concerns nothing: there is no trial among these files.';
  return [...new Set(campaigns.flatMap(({ claimNote }) => claimNote ?? []))].join(' ');
}

/** A claim that concerns no trial has no verdict: that is said, for it is not one that holds. */
function whyNothingClaimed(
  { strategy, fault }: Claim,
  strategies: readonly StrategyReport[],
  tried: readonly TrialReport[],
): string {
  const names = strategies.map(({ name }) => `"${name}"`).join(', ');
  const about = 'The claim concerns nothing that was tried here';
  if (tried.length > 0) {
    const named = typeof fault === 'string' ? fault : JSON.stringify(fault);
    return `${about}: no trial has the fault ${nameToShown(named)}; there are trials of ${triedToText(tried)}.`;
  }
  if (strategy === undefined)
    return `${about}: no trial with a fault is among these, apart from those of a control that must fail (${names}).`;
  const known = strategies.some(({ name }) => name === strategy);
  if (!known)
    return `${about}: no strategy is called "${strategy}"; there ${strategies.length === 1 ? 'is' : 'are'} ${names}.`;
  return `${about}: "${strategy}" has no faulted trial; a control, and the control that must fail, are not judged.`;
}

function toCandidate({ trial, name, checks }: Judged): Candidate {
  const isCompleted = computeCompletion(trial).completed === true;
  return { trial, name, strategy: strategyOf(trial), isValid: checksToValidity(checks) === 'valid', isCompleted };
}

function reportCampaign(
  judged: readonly Judged[],
  candidates: readonly Candidate[],
  options: RecoveryOptions,
  at: number,
): CampaignReport {
  // A control may record none, and stand beside trials that do.
  const recorded = judged.find(({ trial }) => trial.data.campaign !== undefined)?.trial.data.campaign;
  const names = nameStrategies(judged);
  const trials = judged.map(({ trial, name, whyAlone, strategy, kills, checks }) => {
    const arm = armOf(trial);
    const control = chooseControl(trial, strategyOf(trial), arm.value, candidates);
    return reportTrial({
      trial,
      name,
      strategy: names.get(strategy) ?? '',
      arm,
      design: designOf(trial),
      kills,
      checks,
      control,
      whyAlone,
    });
  });
  const byId = new Map(judged.map(({ trial }) => [trial.run, trial]));
  const negativeControl = judgeNegativeControl(trials);
  const strategies = [...names.values()].map((name, i) => {
    const own = judged.filter(({ strategy }) => names.get(strategy) === name);
    return reportStrategy(`${at + 1}.${i + 1}`, name, own, trials, effectsOf(trials), negativeControl.status, options);
  });
  const suspect = negativeControl.status === 'passes';
  const { claim } = options;
  const menu = computeMenu(trials, (id) => byId.get(id)?.ofType('fault.injected') ?? []);
  const ofStrategy = ({ trials: ids }: StrategyReport): readonly TrialReport[] =>
    trials.filter(({ id }) => ids.includes(id));
  const tried = strategies.filter(
    (one) =>
      (claim?.strategy === undefined ? !one.isNegativeControl : claim.strategy === one.name) &&
      ofStrategy(one).some(({ arm }) => arm === 'faulted'),
  );
  const isTried = claim !== undefined && tried.some((one) => trialsOfFault(claim, ofStrategy(one), menu).length > 0);
  const claimed = isTried ? tried : [];
  const missing = notMeasured.filter(
    ({ what }) => !loadMeasures.has(what) || trials.every(({ load }) => load.length === 0),
  );
  return {
    id: recorded ?? `by-envelope-${at + 1}`,
    name: recorded ?? textIn(judged[0]?.trial.envelope, 'workload') ?? 'campaign without a name',
    basis: recorded === undefined ? 'campaign-by-envelope' : 'recorded',
    trials,
    strategies,
    negativeControl,
    suspect,
    claims: claim === undefined ? [] : judgeAll(claim, claimed, trials, byId, { menu, suspect }),
    claimNote:
      claim === undefined || claimed.length > 0
        ? undefined
        : whyNothingClaimed(claim, strategies, tried.flatMap(ofStrategy)),
    menu,
    notMeasured: missing,
    comparison: compareStrategies(strategies, trials),
    questions: computeReaderQuestions({ trials, strategies, negativeControl, menu, notMeasured: missing }),
  };
}

function judgeAll(
  claim: Claim,
  strategies: readonly StrategyReport[],
  trials: readonly TrialReport[],
  byId: ReadonlyMap<string, TrialRecords>,
  campaign: Pick<CampaignReport, 'menu' | 'suspect'>,
): CampaignReport['claims'] {
  const counter = createEventCounter(byId);
  return strategies.map((strategy) =>
    judgeClaim(
      claim,
      strategy,
      trials.filter(({ id }) => strategy.trials.includes(id)),
      counter,
      campaign.menu,
      campaign.suspect,
    ),
  );
}

/** One name per strategy key; equal names of different envelopes are numbered apart. */
function nameStrategies(judged: readonly Judged[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const used = new Map<string, number>();
  for (const { trial, strategy } of judged) {
    if (names.has(strategy)) continue;
    const name = strategyOf(trial);
    const n = (used.get(name) ?? 0) + 1;
    used.set(name, n);
    names.set(strategy, n === 1 ? name : `${name} (${n})`);
  }
  return names;
}

/** Those of the first segment of a run; a command that comes again in a later one is another effect where it was struck. */
function effectsOf(trials: readonly TrialReport[]): readonly string[] {
  const struck = new Set(trials.flatMap(({ placements }) => placements.map(({ effect }) => effect)));
  const all = trials.flatMap(({ outcome }) => outcome.effects.map(({ effect }) => effect));
  return [...new Set(all)].filter((effect) => pathToSegment(effect) === 0 || struck.has(effect)).sort();
}

function reportStrategy(
  id: string,
  name: string,
  judged: readonly Judged[],
  all: readonly TrialReport[],
  effects: readonly string[],
  negativeControl: NegativeControlReport['status'],
  { present }: RecoveryOptions,
): StrategyReport {
  const ids = new Set(judged.map(({ trial }) => trial.run));
  const trials = all.filter((trial) => ids.has(trial.id));
  const envelope = judged[0]?.trial.envelope ?? {};
  const report = describeEnvelope(envelope);
  const grid = computeGrid(trials, effects);
  const counted = trials.filter(isCounted);
  const recordsDigest = joinRecordsDigests(counted.map((trial) => trial.recordsDigest));
  const stale = present === undefined ? [] : computeStaleness(envelope, present);
  return {
    id,
    name,
    // A design of which some trials are meant to hold is no control that must fail in the others.
    isNegativeControl:
      trials.some(({ arm }) => arm === 'negative-control') && trials.every(({ arm }) => arm !== 'faulted'),
    envelope: report,
    trials: [...ids],
    grid,
    uncovered: uncoveredCells(grid),
    ordinals: computeOrdinals(trials),
    stale,
    staleText:
      stale.length === 0
        ? undefined
        : `Stale: ${differencesToText(stale)} changed since. Repeat the trials before quoting them.`,
    recordsDigest,
    statement: computeStatement({ name, envelope, report, trials, grid, negativeControl }),
  };
}

function workloadOf({ fields }: StrategyReport['envelope']): readonly string[] {
  const value = fields.find(({ id }) => id === 'workload')?.value;
  if (value === undefined) return [];
  return [typeof value === 'string' ? value : canon(value)];
}

/** R133: nothing is set beside one another unless each side has valid trials of this workload. */
function compareStrategies(
  strategies: readonly StrategyReport[],
  trials: readonly TrialReport[],
): CampaignReport['comparison'] {
  const bare = strategies.filter(
    ({ trials: ids }) =>
      !trials.some(({ id, validity, arm }) => ids.includes(id) && validity === 'valid' && arm !== 'control'),
  );
  if (strategies.length < 2) return { allowed: false, text: 'There is one design only.' };
  if (bare.length > 0) {
    return {
      allowed: false,
      text: `Not run with a valid fault: ${bare.map(({ name }) => name).join(', ')}. Designs are not compared.`,
    };
  }
  const workloads = [...new Set(strategies.flatMap(({ envelope }) => workloadOf(envelope)))];
  if (workloads.length > 1) {
    const named = workloads.map((workload) => `"${nameToShown(workload)}"`).join(' and ');
    return { allowed: false, text: `The designs had different workloads: ${named}. They are not compared.` };
  }
  if (strategies.some(({ envelope }) => workloadOf(envelope).length === 0)) {
    return { allowed: false, text: 'The workload of a design is not on record. Designs are not compared.' };
  }
  return { allowed: true, text: 'Each design has valid trials of this workload. Which is better is not said here.' };
}
