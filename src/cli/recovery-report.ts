/**
 * The machine-readable form of `hindcast recovery --json`: stable, documented in the README, everything in it comes from the core.
 */
import {
  type CampaignReport,
  type ClaimVerdict,
  differenceToText,
  type EngineEvidence,
  extraCallsOf,
  type Metric,
  type Placement,
  type RecoveryReport,
  type SeriesReport,
  type StrategyReport,
  type SummaryReport,
  type TrialReport,
  type UnmatchedRun,
} from '../core/recovery/index.ts';
import type { ExitCode } from './output.ts';

/** What stood beside the trials. */
export interface Beside {
  readonly notRead: readonly NotRead[];
  readonly series: readonly SeriesReport[];
  readonly claimed: readonly ClaimedFile[];
}

/** The summary of a lab, held against the records. */
export interface ClaimedFile {
  readonly file: string;
  readonly text: string;
  readonly disagreements: readonly string[];
  /** Fields of it, each with the reason. */
  readonly notCompared: readonly string[];
}

export function toClaimed({ file, text, differences, notCompared }: SummaryReport): ClaimedFile {
  return { file, text, disagreements: differences.map(differenceToText), notCompared };
}

export const nothingBeside: Beside = { notRead: [], series: [], claimed: [] };

export interface NotRead {
  readonly file: string;
  readonly message: string;
}

export interface RecoveryTrialItem {
  readonly run: string;
  readonly name: string;
  readonly files: readonly string[];
  /** Of the records of the trial, without the verdicts of producers. */
  readonly recordsDigest: string;
  readonly campaign: string;
  readonly strategy: string;
  readonly arm: TrialReport['arm'];
  readonly design: TrialReport['design'];
  readonly valid: boolean;
  readonly validity: TrialReport['validity'];
  readonly why: string;
  /**
   * Points of the kills in their order as the records show them, whatever their labels say, joined by commas; null where the records leave
   * one open, or there is none.
   */
  readonly killPoint: string | null;
  /**
   * What the kills are labelled as, in the same way: one that differs makes the trial invalid. A label that names no point stands as it is
   * recorded, and the text of its kill says so.
   */
  readonly killLabel: string | null;
  readonly kills: readonly Placement[];
  /** Faults that are no kill of a process, by their recorded class. */
  readonly faults: TrialReport['faults'];
  /** Null: not known. */
  readonly completed: boolean | null;
  readonly duplicates: number | null;
  /** There where the ledger has holes: there may be more. */
  readonly duplicatesAtLeast?: true | undefined;
  readonly losses: number | null;
  readonly extraModelCalls: number | null;
  /** There where the model's side has no records: there may be more, and they may have cost more. */
  readonly extraModelCallsAtLeast?: true | undefined;
  readonly extraModelCost: number | null;
  readonly effects: TrialReport['outcome']['effects'];
  readonly pending: readonly string[];
  readonly comparisons: TrialReport['outcome']['comparisons'];
  readonly control: TrialReport['control'];
  readonly metrics: readonly Metric[];
  /** Rate and latency from the driver's own records, where a load was driven; of the form of `series`. */
  readonly load: TrialReport['load'];
  readonly checks: TrialReport['checks'];
  readonly invariants: TrialReport['invariants'];
  readonly findings: TrialReport['findings'];
  readonly missingInEnvelope: readonly string[];
  readonly limits: readonly string[];
}

export interface RecoveryOutput {
  readonly trials: readonly RecoveryTrialItem[];
  readonly campaigns: readonly {
    readonly id: string;
    readonly name: string;
    readonly basis: CampaignReport['basis'];
    readonly suspect: boolean;
    readonly negativeControl: CampaignReport['negativeControl'];
    readonly strategies: readonly StrategyReport[];
    readonly verdicts: readonly ClaimVerdict[];
    /** Why a claim that was given has no verdict here. */
    readonly claimNote: string | undefined;
    readonly comparison: CampaignReport['comparison'];
    readonly questions: CampaignReport['questions'];
    readonly menu: CampaignReport['menu'];
    readonly notMeasured: CampaignReport['notMeasured'];
  }[];
  readonly unmatched: readonly UnmatchedRun[];
  readonly engines: EngineEvidence;
  /** Said where a claim was given and concerns no trial at all: the exit code is 1. */
  readonly claimNote: string | undefined;
  readonly series: readonly SeriesReport[];
  /** Summaries of a lab beside its streams: compared with the records, in no verdict. */
  readonly claimed: readonly ClaimedFile[];
  readonly notRead: readonly NotRead[];
}

export function toRecoveryOutput(
  report: RecoveryReport,
  { notRead, series, claimed }: Beside = nothingBeside,
): RecoveryOutput {
  return {
    trials: report.campaigns.flatMap(({ id, trials }) => trials.map((trial) => toTrialItem(id, trial))),
    campaigns: report.campaigns.map(({ id, name, basis, suspect, negativeControl, strategies, ...rest }) => {
      const { claims, claimNote, comparison, questions, menu, notMeasured } = rest;
      const judged = { verdicts: claims, claimNote, comparison, questions, menu, notMeasured };
      return { id, name, basis, suspect, negativeControl, strategies, ...judged };
    }),
    unmatched: report.unmatched,
    engines: report.engines,
    claimNote: report.claimNote,
    series,
    claimed,
    notRead,
  };
}

function toTrialItem(campaign: string, trial: TrialReport): RecoveryTrialItem {
  const { outcome } = trial;
  const again = extraCallsOf(outcome);
  return {
    run: trial.id,
    name: trial.name,
    files: trial.traces,
    recordsDigest: trial.recordsDigest,
    campaign,
    strategy: trial.strategy,
    arm: trial.arm,
    design: trial.design,
    valid: trial.validity === 'valid',
    validity: trial.validity,
    why: whyOf(trial),
    killPoint: killPointOf(trial),
    killLabel: killLabelOf(trial),
    kills: trial.placements,
    faults: trial.faults,
    completed: outcome.completed ?? null,
    duplicates: outcome.duplicates ?? null,
    ...(outcome.duplicatesAtLeast === true ? { duplicatesAtLeast: true } : {}),
    losses: outcome.losses ?? null,
    extraModelCalls: again.count ?? null,
    ...(again.isAtLeast ? { extraModelCallsAtLeast: true } : {}),
    extraModelCost: outcome.models.extraCost ?? null,
    effects: outcome.effects,
    pending: outcome.pending,
    comparisons: outcome.comparisons,
    control: trial.control,
    metrics: trial.metrics,
    load: trial.load,
    checks: trial.checks,
    invariants: trial.invariants,
    findings: trial.findings,
    missingInEnvelope: trial.envelope.missing,
    limits: trial.limits,
  };
}

/** What speaks against it; for a valid trial, what was looked at. */
export function whyOf({ validity, checks }: TrialReport): string {
  const against = checks.filter(({ status }) => status === (validity === 'invalid' ? 'violated' : 'not established'));
  return (validity === 'valid' ? checks : against).map(({ text }) => text).join(' ');
}

export function killPointOf({ placements, checks }: TrialReport): string | null {
  // Where a record that is missing may speak for the label, the point is open.
  const isOpen = (ordinal: number): boolean =>
    checks.some(({ id, status }) => id === `placement-${String(ordinal)}` && status === 'not established');
  return joinPoints(
    placements.map(({ point, claimed, verdict, ordinal }) =>
      isOpen(ordinal) ? undefined : (point ?? (verdict === 'verified' ? claimed : undefined)),
    ),
  );
}

export function killLabelOf({ placements }: TrialReport): string | null {
  return joinPoints(placements.map(({ claimed, unreadLabel }) => claimed ?? unreadLabel));
}

function joinPoints(points: readonly (string | undefined)[]): string | null {
  return points.length > 0 && points.every((point) => point !== undefined) ? points.join(',') : null;
}

/** 1 for a suspect campaign, and for a claim that does not hold: failed, not testable, or about nothing that was tried. */
export function recoveryToCode({ campaigns }: RecoveryReport, isClaimed: boolean): ExitCode {
  if (campaigns.some(({ suspect }) => suspect)) return 1;
  if (!isClaimed) return 0;
  const claims = campaigns.flatMap((campaign) => campaign.claims);
  return claims.length > 0 && claims.every(({ verdict }) => verdict === 'holds in the tested trials') ? 0 : 1;
}
