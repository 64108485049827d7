/**
 * What an analysis says, as plain serialisable data: campaigns, strategies, trials, kills, measurements, claims.
 *
 * Invariants of every report: no number stands without the events it rests on; "not known" is `undefined`, never zero; validity,
 * completeness and outcome are separate; there is no combined score. Made by campaign.ts; read by the page and the command line.
 */
import type { JsonValue } from '../base/json.ts';
import type { Problem } from '../formats/format.ts';
import type { HindcastEvent } from '../model/index.ts';
import type { EngineEvidence } from './engine-ledger.ts';
import type { SeriesReport } from './series.ts';

/** One opened file, or several that belong together. */
export interface RecoveryTrace {
  readonly name: string;
  readonly events: readonly HindcastEvent[];
  /** What the reading found wrong: a record of it may be one of a trial. */
  readonly problems?: readonly Problem[] | undefined;
}

/** `2late`: as 2, but the service commits after the process is dead. */
export type KillPoint = '1' | '2' | '2late' | '3' | '4' | '5';

export type Section = 'correctness' | 'reliability' | 'performance' | 'cost' | 'usability';
export type Arm = 'faulted' | 'control' | 'negative-control';
export type Design = 'sweep' | 'repeat' | 'random' | 'load' | 'redeploy' | 'calls' | 'rollover' | 'drill';

/** Absent, or absent or lost: a killed process whose records were not on the disk may have taken them along (R30). */
export type AbsenceWording = 'absent' | 'absent or lost';

/** One thing that must hold for a trial to be what it says. */
export interface Check {
  readonly id: string;
  readonly status: 'holds' | 'violated' | 'not established';
  readonly text: string;
  readonly events: readonly string[];
}

export interface Placement {
  /** From the order of the kills, not from the label. */
  readonly ordinal: number;
  readonly recordedOrdinal: number | undefined;
  readonly claimed: string | undefined;
  /** A label that names no point that is known here, as it is recorded; absent where there is none, or one that does. */
  readonly unreadLabel?: string | undefined;
  /** Derived from the records; undefined where they leave it open (`candidates`). */
  readonly point: KillPoint | undefined;
  readonly candidates: readonly KillPoint[];
  readonly verdict: 'verified' | 'contradicted' | 'not established';
  /** What was struck: an effect by its command, or the model call that was under way. */
  readonly effect: string | undefined;
  /** How it was found: named by the fault, or the one in progress. */
  readonly effectBasis: 'recorded' | 'inferred' | undefined;
  /** Other effects that this kill met between their dispatch and their durable result. */
  readonly alsoStruck: readonly { readonly effect: string; readonly point: KillPoint | undefined }[];
  readonly text: string;
  readonly gap: Gap;
  readonly duringModelCall: boolean;
  readonly signal: string | undefined;
  /** Label of the life that was struck. */
  readonly life: string | undefined;
  readonly injected: string;
  readonly exited: string | undefined;
  readonly events: readonly string[];
}

/** The interval a kill struck: what stands before it, what is not there, what others recorded about it. */
export interface Gap {
  readonly interval: string;
  readonly lastRecord: string | undefined;
  readonly expected: string | undefined;
  readonly wording: AbsenceWording;
  readonly filledBy: readonly string[];
}

export interface Execution {
  readonly effectId: string | undefined;
  readonly kind: string | undefined;
  /** The process life that had asked for it. */
  readonly life: string | undefined;
  readonly attempt: number | undefined;
  readonly basis: string;
  readonly events: readonly string[];
}

export interface EffectOutcome {
  readonly effect: string;
  readonly tool: string;
  readonly service: string | undefined;
  readonly verdict: string;
  readonly executions: readonly Execution[];
  /** Executions beyond the first of each kind; undefined where no record of the service is in the traces. */
  readonly duplicates: number | undefined;
  /** True where the ledger has holes: `duplicates` is what is there, never zero, and there may be more. */
  readonly duplicatesAtLeast?: true | undefined;
  /** Asked for and not in the ledger, although a caller was told of it, or the run completed without an answer; undefined: not known. */
  readonly lost: boolean | undefined;
  /** Why duplicates, or whether it is lost, are not known. */
  readonly whyNotKnown?: string | undefined;
  readonly savedAnswers: readonly string[];
  readonly refused: readonly string[];
  readonly late: readonly string[];
}

export interface Comparison {
  readonly what: string;
  readonly verdict: 'equal' | 'differs' | 'not comparable';
  readonly text: string;
  readonly control: readonly string[];
  readonly faulted: readonly string[];
}

export interface ModelCost {
  /** Calls served, by the records of the model's side, or answered by what the caller recorded; else calls sent. */
  readonly calls: number;
  /** A record of the model's side may be missing: there may be more. */
  readonly callsAtLeast?: true | undefined;
  /** Calls made again after a kill, for a command that had been asked before, as many as are seen: `extraCallsOf` says what is known. */
  readonly extraCalls: number;
  /** Calls beyond those of the control; undefined where one of the two numbers is not known, or there is no control. */
  readonly beyondControl: number | undefined;
  readonly extraCost: number | undefined;
  readonly currency: string | undefined;
  readonly extraEvents: readonly string[];
  /** What leaves open whether a model was asked again: absent where that is known. A missing record leaves no id behind. */
  readonly unseen?: { readonly why: string; readonly events: readonly string[] } | undefined;
}

export interface Outcome {
  /** Undefined: the records stop before the end of the trial, or contradict each other about it. */
  readonly completed: boolean | undefined;
  readonly completedBy: string | undefined;
  readonly completionText: string;
  readonly effects: readonly EffectOutcome[];
  readonly duplicates: number | undefined;
  /** As for one effect: at least so many. */
  readonly duplicatesAtLeast?: true | undefined;
  readonly losses: number | undefined;
  /** Effects asked for and not executed while the run is not completed: neither lost nor done. */
  readonly pending: readonly string[];
  readonly comparisons: readonly Comparison[];
  readonly models: ModelCost;
}

export interface Anchor {
  readonly event: string;
  readonly type: string;
}

export interface Metric {
  readonly id: string;
  readonly name: string;
  readonly section: 'performance';
  /** Orchestration latency is a number of its own and never a recovery time (R97). */
  readonly kind: 'recovery' | 'detection' | 'orchestration';
  /** Among the kills of the run, or among its faults that are no kill. */
  readonly ordinal: number;
  /** Class of a fault that is no kill; absent for a kill. */
  readonly fault?: string | undefined;
  /** What such a fault was about; of a kill, its placement says it. */
  readonly effect?: string | undefined;
  readonly start: Anchor;
  readonly end: Anchor | undefined;
  readonly ms: number | undefined;
  readonly clock: string | undefined;
  readonly basis: 'monotonic clock' | 'wall clock' | undefined;
  readonly whyNot: string | undefined;
}

export interface Invariant {
  readonly id: string;
  readonly section: Section;
  readonly text: string;
  readonly verdict: 'holds' | 'violated' | 'not checked';
  readonly reason: string;
  /** Of the trial itself. */
  readonly events: readonly string[];
  /** Of its control, where the two were compared: its ids are those of another stream. */
  readonly controlEvents?: readonly string[] | undefined;
}

/** Something the producer said that the records contradict, or a number of its that stands on nothing. */
export interface Finding {
  readonly code:
    | 'claim-disagrees'
    | 'unanchored-number'
    | 'anchors-disagree'
    | 'ordinal-contradicted'
    | 'ends-disagree'
    | 'same-request';
  readonly text: string;
  readonly events: readonly string[];
}

export interface EnvelopeField {
  readonly id: string;
  readonly title: string;
  readonly value: JsonValue | undefined;
}

export interface EnvelopeReport {
  readonly fields: readonly EnvelopeField[];
  readonly missing: readonly string[];
  readonly complete: boolean;
}

export interface Difference {
  readonly field: string;
  readonly one: JsonValue | undefined;
  readonly other: JsonValue | undefined;
}

export interface ControlReport {
  readonly status: 'compared' | 'refused' | 'absent' | 'is the control';
  readonly trial: string | undefined;
  readonly text: string;
  readonly differences: readonly Difference[];
}

export interface TimelineItem {
  readonly event: string;
  readonly type: string;
  readonly lane: string;
  readonly time: string | undefined;
  readonly mono: string | undefined;
  readonly clock: string | undefined;
  readonly role: 'kill' | 'witness' | 'exit' | 'restart' | 'request' | 'effect' | 'answer' | 'state' | 'end' | 'other';
}

export interface TrialReport {
  /** The run: the join key across streams. */
  readonly id: string;
  readonly name: string;
  readonly traces: readonly string[];
  /** Of its records, without the verdicts of producers: `sha256:` and 64 hex digits. */
  readonly recordsDigest: string;
  readonly strategy: string;
  readonly arm: Arm;
  readonly armBasis: 'recorded' | 'inferred';
  readonly design: Design;
  readonly designBasis: 'recorded' | 'inferred';
  readonly repeat: number | undefined;
  readonly validity: 'valid' | 'invalid' | 'not established';
  readonly checks: readonly Check[];
  readonly placements: readonly Placement[];
  /** Faults that are no kill, by the class that is recorded. */
  readonly faults: readonly {
    readonly class: string;
    readonly event: string;
    /** What it names as struck: a command, a component, or both. */
    readonly target?: { readonly path?: string | undefined; readonly component?: string | undefined } | undefined;
    /** What the service that it was about refused after it. */
    readonly refused: readonly string[];
  }[];
  readonly outcome: Outcome;
  readonly metrics: readonly Metric[];
  /** Rate and latency, where a driver recorded arrivals and completions. */
  readonly load: readonly SeriesReport[];
  readonly invariants: readonly Invariant[];
  readonly findings: readonly Finding[];
  readonly envelope: EnvelopeReport;
  /** Whether the text of its control program is on record: without it nothing can be simulated. */
  readonly hasProgram: boolean;
  readonly control: ControlReport;
  readonly versions: readonly { readonly life: string; readonly versions: JsonValue; readonly event: string }[];
  /** What the claim is limited by; none of these makes a trial invalid. */
  readonly limits: readonly string[];
  readonly timeline: readonly TimelineItem[];
}

export interface Cell {
  readonly effect: string;
  readonly point: KillPoint;
  /** Classes of the other faults of these trials; absent for a kill alone. */
  readonly beside?: string | undefined;
  /** Valid trials, each with one kill placed on purpose. */
  readonly fixed: readonly string[];
  /** Valid trials with several kills in one run. */
  readonly repeated: readonly string[];
  readonly random: readonly string[];
  /** Struck here by the records, and not valid: counted nowhere. */
  readonly refused: readonly string[];
  readonly completed: number;
  /** Of this effect, as what follows. */
  readonly withDuplicates: number;
  /** How often it was executed, one number a valid trial of which that is known. */
  readonly executions: readonly number[];
  /**
   * Other effects that these trials executed twice, each with the number of trials: the struck effect is not all that a kill may double.
   */
  readonly otherDuplicates: readonly { readonly effect: string; readonly trials: number }[];
  readonly withLosses: number;
  /** Valid trials of which it is not known how often it was executed, or whether it is missing. */
  readonly notKnown: number;
  readonly withExtraModelCalls: number;
  /** Valid trials of which it is not known whether a model was asked again. */
  readonly extraModelCallsNotKnown: number;
}

export interface Observation {
  readonly trial: string;
  readonly ms: number;
  readonly start: Anchor;
  readonly end: Anchor;
  /** Absent: read on a monotonic clock. */
  readonly basis?: 'wall clock';
}

/** Single observations of one metric at one ordinal; independent runs and repeats in one run are separate rows. */
export interface OrdinalRow {
  readonly metric: string;
  readonly name: string;
  readonly kind: Metric['kind'];
  readonly grouping: 'independent runs' | 'several kills in one run';
  readonly design: Design;
  readonly effect: string | undefined;
  readonly point: KillPoint | undefined;
  /** Class of a fault that is no kill; absent for a kill. */
  readonly fault?: string | undefined;
  /** Of a kill: classes of the other faults of its trial. */
  readonly beside?: string | undefined;
  readonly ordinal: number;
  readonly observations: readonly Observation[];
  readonly median: number;
  readonly note: string | undefined;
}

export interface StrategyReport {
  readonly id: string;
  readonly name: string;
  readonly isNegativeControl: boolean;
  readonly envelope: EnvelopeReport;
  readonly trials: readonly string[];
  readonly grid: readonly Cell[];
  readonly uncovered: readonly { readonly effect: string; readonly point: KillPoint }[];
  readonly ordinals: readonly OrdinalRow[];
  readonly stale: readonly Difference[];
  readonly staleText: string | undefined;
  /** Of the records of the trials that the statement counts. */
  readonly recordsDigest: string;
  readonly statement: string;
}

export interface NegativeControlReport {
  readonly status: 'fails as it must' | 'passes' | 'absent' | 'not struck after a commitment';
  readonly basis: 'recorded' | 'naive-by-name' | undefined;
  readonly passing: readonly { readonly trial: string; readonly points: readonly KillPoint[] }[];
  readonly failing: readonly string[];
  readonly causes: readonly string[];
  readonly text: string;
}

export interface ClauseVerdict {
  readonly id: string;
  readonly text: string;
  readonly verdict: 'holds' | 'failed' | 'not testable';
  readonly reason: string;
  readonly trials: readonly {
    readonly trial: string;
    readonly holds: boolean | undefined;
    readonly observed: string;
    readonly events: readonly string[];
  }[];
}

export interface ClaimVerdict {
  readonly strategy: string;
  readonly verdict: 'holds in the tested trials' | 'failed' | 'not established';
  readonly text: string;
  /** Where the trials that decide were struck, and where none of them was: a subset of the boundaries decides for no other. */
  readonly scope: string;
  readonly clauses: readonly ClauseVerdict[];
}

export interface MenuEntry {
  readonly id: string;
  readonly title: string;
  readonly provenance: 'observed in production' | 'injectable for convenience';
  readonly included: boolean;
  readonly trials: readonly string[];
}

/** A question that a reader of a report must be able to answer from it. */
export interface ReaderQuestion {
  readonly id:
    'struck' | 'omitted' | 'ordinals' | 'sections' | 'replay' | 'twice' | 'model-calls' | 'control' | 'repetition';
  readonly question: string;
  /** Sentences. */
  readonly answers: readonly string[];
  /** False where these trials leave it open: the answers say what is missing. */
  readonly told: boolean;
  /** Trials that the answer is about, for the way to them. */
  readonly trials: readonly string[];
}

export interface CampaignReport {
  readonly id: string;
  readonly name: string;
  readonly basis: 'recorded' | 'campaign-by-envelope';
  readonly trials: readonly TrialReport[];
  readonly strategies: readonly StrategyReport[];
  readonly negativeControl: NegativeControlReport;
  readonly suspect: boolean;
  readonly claims: readonly ClaimVerdict[];
  /** Why the claim given has no verdict here; absent where it has one, or none was given. */
  readonly claimNote?: string | undefined;
  readonly menu: readonly MenuEntry[];
  readonly notMeasured: readonly { readonly what: string; readonly section: Section; readonly why: string }[];
  readonly comparison: { readonly allowed: boolean; readonly text: string };
  readonly questions: readonly ReaderQuestion[];
}

/** Records that belong to no trial: a run without a recorded start of a trial. */
export interface UnmatchedRun {
  readonly trace: string;
  readonly run: string;
  readonly records: number;
  readonly text: string;
}

export interface RecoveryReport {
  readonly campaigns: readonly CampaignReport[];
  readonly unmatched: readonly UnmatchedRun[];
  /** Engines' own tables, held against the ledger. */
  readonly engines: EngineEvidence;
  /** Said where a claim was given and concerns no trial of any campaign. */
  readonly claimNote?: string | undefined;
}
