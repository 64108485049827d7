/**
 * The read surface of one opened trace: every question a view or the command line may ask, and the shapes of the answers.
 *
 * Implementations are synchronous and pure over (columns, event bodies, branch); the page reaches them through a worker with the
 * same method names, the command line calls them directly. All answers are plain structured-cloneable data.
 * Absence of a field in an answer means "not recorded" and is shown as such.
 */
import type { JsonValue } from '../base/json.ts';
import type { BranchId, CauseKind, CommandPath, EdgeGrade, EventFamily, EventId } from '../model/index.ts';
import type { CopyDeclared } from './copy-records.ts';
import type { StateLine } from './states/state-line.ts';

export interface TraceReader {
  summary(): TraceSummary;
  headline(branch: BranchId): Headline;
  findings(branch: BranchId): readonly Finding[];
  /** `rows`, half-open, is the part of the display order that the buckets divide; without it the whole. */
  overview(branch: BranchId, filter: FilterSpec, buckets: number, rows?: RowRange): Overview;
  /** Rows of the display order, half-open range. */
  rows(branch: BranchId, filter: FilterSpec, from: number, to: number): RowPage;
  /** Row number of an event in that list, or -1. */
  rowOf(branch: BranchId, filter: FilterSpec, event: EventId): number;
  transcript(branch: BranchId, filter: FilterSpec, from: number, to: number): TranscriptPage;
  transcriptLineOf(branch: BranchId, filter: FilterSpec, event: EventId): number;
  cone(branch: BranchId, request: ConeRequest): Cone;
  effects(branch: BranchId): readonly EffectRow[];
  states(branch: BranchId): readonly StateLine[];
  inspect(branch: BranchId, event: EventId): Inspection | undefined;
  provenance(branch: BranchId): ProvenanceSummary;
  decisionProvenance(branch: BranchId, decision: EventId): DecisionProvenance | undefined;
  /** R21: from any event to the tool call, decision, step, session and agent it belongs to. */
  chain(branch: BranchId, event: EventId): readonly ChainLink[];
  /** R42: what stands on the branch where an event of any branch stands; the event itself where the branch has it. */
  counterpart(branch: BranchId, event: EventId): EventId | undefined;
  problems(from: number, to: number): ProblemPage;
  /** What a replay made of each event; undefined on the original. */
  branchMarks(branch: BranchId): BranchMarks | undefined;
  /** A value stored apart, by digest; undefined when it is absent from the trace. */
  content(digest: string): StoredContent | undefined;
}

// ---- Filter ------------------------------------------------------------------------------------------------------------------

/** What the filter box means. Empty lists do not restrict. Parsed from text by `parseFilter`. */
export interface FilterSpec {
  readonly types: readonly string[];
  readonly families: readonly EventFamily[];
  readonly agents: readonly string[];
  readonly steps: readonly string[];
  readonly branches: readonly string[];
  /** Case-insensitive; searched in ids, names and the recorded text of the event, and in its title. */
  readonly text: string;
  /** The words and quoted phrases of the text, which are searched each by itself and must all be found. Absent: the text is one. */
  readonly terms?: readonly string[] | undefined;
  /** Every one of them must be met. Absent where there is none. */
  readonly where?: readonly FilterCondition[] | undefined;
}

export type ConditionField =
  | 'type'
  | 'family'
  | 'agent'
  | 'step'
  | 'branch'
  | 'session'
  | 'run'
  | 'tool'
  | 'principal'
  | 'status'
  | 'tokens'
  | 'cost'
  | 'duration';

/** `values` are alternatives for names; `least` and `most`, both included, bound amounts (durations in milliseconds). */
export interface FilterCondition {
  readonly field: ConditionField;
  readonly values: readonly string[];
  readonly least?: number | undefined;
  readonly most?: number | undefined;
  /** What does not meet it is meant. */
  readonly not?: true | undefined;
}

// ---- Summary -----------------------------------------------------------------------------------------------------------------

/** Files of which the end is missing or damaged. */
export interface UnreadFiles {
  readonly files: readonly string[];
  /** Records that were begun at such an end. */
  readonly records: number;
}

export interface TraceSummary {
  readonly format: string;
  readonly replayGrade: string;
  readonly missingForReplay: readonly string[];
  readonly counts: {
    readonly input: number;
    readonly mapped: number;
    readonly merged: number;
    readonly problems: number;
    readonly events: number;
  };
  readonly edges: { readonly recorded: number; readonly inferred: number; readonly clockOnly: number };
  /** In the list of problems: those of the import and those of the graph, by severity. */
  readonly problems: number;
  readonly notices: number;
  readonly unread: UnreadFiles;
  readonly runs: readonly RunSummary[];
  readonly branches: readonly BranchSummary[];
  readonly producers: readonly ProducerSummary[];
  readonly agents: readonly Counted[];
  /** By the names that the page shows, the most frequent; a log may have one for every call. */
  readonly steps: readonly Counted[];
  readonly types: readonly Counted[];
  readonly tools: readonly Counted[];
  readonly principals: readonly Counted[];
  readonly sessions: readonly Counted[];
  readonly clocks: readonly string[];
  /** Where the trace is a redacted copy: what declares it, and what stands for the events left out. */
  readonly copy?: CopyDeclared | undefined;
}

export interface Counted {
  readonly name: string;
  readonly count: number;
}

export interface RunSummary {
  readonly run: string;
  readonly events: number;
  readonly program?:
    { readonly name: string; readonly version?: string | undefined; readonly hasSource: boolean } | undefined;
  readonly outcome: 'completed' | 'failed' | 'not recorded';
}

export interface BranchSummary {
  readonly id: BranchId;
  readonly parent?: BranchId | undefined;
  /** "original", or what its operation changed, by whom and why where that is known. */
  readonly label: string;
  /** When its operation was made, as recorded. */
  readonly at?: string | undefined;
  readonly status?: string | undefined;
  /** Events written on this branch itself. */
  readonly ownEvents: number;
  readonly fork?: EventId | undefined;
}

export interface ProducerSummary {
  readonly component: string;
  readonly instance?: string | undefined;
  readonly incarnation?: string | undefined;
  readonly events: number;
  /** Declared flush policy; undefined: not declared. */
  readonly flush?: 'none' | 'batch' | 'fsync' | undefined;
}

// ---- Findings and headline ---------------------------------------------------------------------------------------------------

/** A finding is evidence worded as evidence (R148): what the records establish, never who is to blame, never what to retry. */
export interface Finding {
  /** Stable within the trace: rule and its subject. */
  readonly id: string;
  readonly rule: string;
  readonly title: string;
  /** Sentences; `text` with the place-holders already filled in. */
  readonly text: string;
  readonly severity: 'violation' | 'gap' | 'notice';
  readonly evidence: readonly EventId[];
  readonly known: readonly string[];
  readonly unknown: readonly string[];
  readonly command?: CommandPath | undefined;
  /** For gaps: the interval between the last record present and the first expected one. */
  readonly interval?: string | undefined;
}

export interface Headline {
  /** Facts in order of weight; each is made of spans, and a span with an event is a link to it. */
  readonly facts: readonly (readonly HeadlineSpan[])[];
  readonly violations: number;
  readonly gaps: number;
  readonly notices: number;
  /** Runs of which the record tells that they failed. */
  readonly failedRuns: number;
  /** The first event worth reading; undefined in a trace of nothing but bookkeeping. */
  readonly start?: EventId | undefined;
  /** The rules that ran, for "what was checked". */
  readonly checked: readonly CheckedRule[];
  /** Events of this branch that are not in this copy; absent where it is whole. */
  readonly leftOut?: number | undefined;
}

export interface CheckedRule {
  /** As a finding names it. */
  readonly rule: string;
  readonly title: string;
  /** What a finding of it establishes. */
  readonly looksFor: string;
  /** Not decidable in this copy: it found nothing, and what it looks for, or what would answer it, may be left out. */
  readonly isOpen?: true | undefined;
}

export interface HeadlineSpan {
  readonly text: string;
  readonly event?: EventId | undefined;
  readonly finding?: string | undefined;
}

// ---- Rows and overview -------------------------------------------------------------------------------------------------------

export interface EventRow {
  readonly id: EventId;
  readonly type: string;
  readonly family: EventFamily;
  /** One line of what happened, from the payload. */
  readonly title: string;
  readonly agent?: string | undefined;
  /** What it is called, where its record is an id alone. */
  readonly agentName?: string | undefined;
  readonly source: string;
  readonly step?: string | undefined;
  readonly branch: BranchId;
  readonly time?: string | undefined;
  readonly failed: boolean;
  /** Left the system, as a record says. */
  readonly effect: boolean;
  /** May have left the system: no record says whether its tool reaches outside. */
  readonly mayEffect?: boolean | undefined;
  readonly findings: number;
  readonly problems: number;
}

export interface RowPage {
  readonly total: number;
  readonly from: number;
  readonly rows: readonly EventRow[];
  /** Events of the branch that the filter hides. */
  readonly hidden: number;
}

/** Lanes by agent and producer; x is the display position (causal order), never time. */
export interface Overview {
  readonly length: number;
  readonly buckets: number;
  readonly lanes: readonly OverviewLane[];
  readonly marks: readonly OverviewMark[];
  readonly hidden: number;
}

export interface OverviewLane {
  readonly id: string;
  readonly label: string;
  /** `rest` stands for the lanes that are too many to draw, all together. */
  readonly kind: 'agent' | 'producer' | 'rest';
  /** One per non-empty bucket. */
  readonly bins: readonly OverviewBin[];
}

/** Half-open, in rows of the display order. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

export interface OverviewBin {
  readonly bucket: number;
  readonly count: number;
  /** The family with most events of the bin; effects and faults win over others, errors are counted apart and never averaged away. */
  readonly family: EventFamily;
  readonly errors: number;
  readonly effects: number;
  /** Most calls of the lane that were open at once, where several were; of calls whose end is recorded. */
  readonly atOnce?: number | undefined;
  readonly first: EventId;
}

export interface OverviewMark {
  readonly kind: 'kill' | 'restart' | 'fork' | 'finding' | 'gap';
  readonly bucket: number;
  readonly label: string;
  readonly event: EventId;
}

// ---- Transcript --------------------------------------------------------------------------------------------------------------

export interface TranscriptPage {
  readonly total: number;
  readonly from: number;
  readonly lines: readonly TranscriptLine[];
  readonly hidden: number;
}

export interface TranscriptLine {
  readonly key: string;
  readonly kind: 'event' | 'folded' | 'gap' | 'executed-twice' | 'recorded-twice' | 'cannot-answer' | 'problem';
  /** Nesting by recorded parent: request, step, or what started the agent. */
  readonly depth: number;
  /** The recorded parent, where other lines stand between. */
  readonly under?: { readonly event: EventId; readonly title: string } | undefined;
  readonly family: EventFamily;
  readonly title: string;
  /** Message text or value as text, possibly cut; `cut` says how many characters are not shown. */
  readonly text?: string | undefined;
  readonly cut?: number | undefined;
  readonly agent?: string | undefined;
  /** What it is called, where its record is an id alone. */
  readonly agentName?: string | undefined;
  readonly step?: string | undefined;
  readonly events: readonly EventId[];
  /** Sent, and neither a commitment nor an answer is on record (R147). */
  readonly canStepIn?: true | undefined;
  /** What this projection cannot say here. */
  readonly notRecorded: readonly string[];
}

// ---- Causal cone -------------------------------------------------------------------------------------------------------------

export interface ConeRequest {
  readonly focus: EventId;
  readonly up: number;
  readonly down: number;
  /** Most nodes in the answer; what is left out is counted on the nodes at the rim. */
  readonly limit: number;
  /** Events expanded by hand: all their neighbours are included. */
  readonly expanded: readonly EventId[];
}

export interface Cone {
  readonly nodes: readonly ConeNode[];
  readonly edges: readonly ConeEdge[];
}

/** Positions are in grid units: x = lane, y = rank (causal depth), laid out by rank and lane. */
export interface ConeNode {
  readonly id: string;
  /** Absent for a gap: an expected record that is not there. */
  readonly event?: EventId | undefined;
  readonly kind: 'event' | 'gap' | 'insertion-point';
  readonly type: string;
  readonly family: EventFamily;
  readonly title: string;
  readonly agent?: string | undefined;
  /** What it is called, where its record is an id alone. */
  readonly agentName?: string | undefined;
  /** The process that wrote it; of a gap, the one that wrote what is before it. */
  readonly source: string;
  readonly branch: BranchId;
  readonly x: number;
  readonly y: number;
  readonly failed: boolean;
  /** Left the system, as a record says. */
  readonly effect: boolean;
  /** May have left the system: no record says whether its tool reaches outside. */
  readonly mayEffect?: boolean | undefined;
  readonly findings: number;
  readonly hiddenCauses: number;
  readonly hiddenEffects: number;
}

export interface ConeEdge {
  readonly from: string;
  readonly to: string;
  readonly as: CauseKind | 'gap';
  readonly grade: EdgeGrade;
  readonly rule?: string | undefined;
}

// ---- Effects -----------------------------------------------------------------------------------------------------------------

export type EffectVerdict = 'executed once' | 'executed twice' | 'not executed' | 'uncertain' | 'missing';

/** Of a branch of which this copy holds a part, what rests on the absence of records is open. */
export type RowVerdict = EffectVerdict | 'not decidable in this copy';

/** Known to have ended before it reached anybody outside, and how. */
export type Stop = 'refused before it ran' | 'did not run' | 'never sent' | 'simulated, not sent';

/** One external effect command: what control code asked, what the service told. */
export interface EffectRow {
  readonly command: CommandPath;
  readonly run: string;
  readonly tool: string;
  readonly target?: string | undefined;
  /** What it was called with, in one line, possibly cut. */
  readonly args?: string | undefined;
  readonly verdict: RowVerdict;
  /** How often the service executed it, by its own records of one kind of effect. */
  readonly times?: number | undefined;
  /** Of all attempts: the command is no outside effect. */
  readonly stopped?: Stop | undefined;
  /** One execution that left more than one record is not a second execution. */
  readonly recordedTwice: boolean;
  /** True when no service stream can confirm or deny commitments. */
  readonly noServiceRecords: boolean;
  /** Component that answers for this tool, as declared or as seen. */
  readonly service?: string | undefined;
  readonly chosenBy?: EventId | undefined;
  /** The step in which it was chosen, as the headline names it. */
  readonly chosenIn?: string | undefined;
  readonly agent?: string | undefined;
  /** What it is called, where its record is an id alone. */
  readonly agentName?: string | undefined;
  readonly principal?: string | undefined;
  /** What a copy leaves undecided by withholding an answer, as a clause. */
  readonly undecided?: string | undefined;
  readonly attempts: readonly EffectAttempt[];
  readonly effectIds: readonly string[];
  readonly findings: readonly string[];
}

export interface EffectAttempt {
  /** No attempt: records of the command that do not say to which of its attempts they belong. */
  readonly isUnassigned?: true | undefined;
  readonly incarnation?: string | undefined;
  /** The process life in words: "worker 2". */
  readonly life?: string | undefined;
  readonly attempt?: number | undefined;
  readonly key?: string | undefined;
  readonly dispatched?: EventId | undefined;
  readonly committed: readonly EventId[];
  readonly deduplicated: readonly EventId[];
  readonly refused: readonly EventId[];
  readonly dropped: readonly EventId[];
  readonly acknowledged?: EventId | undefined;
  readonly completed?: EventId | undefined;
  /** No service answered: a person put the answer into a replay. */
  readonly answeredBy?: 'person' | undefined;
  readonly persisted?: EventId | undefined;
  readonly failed?: EventId | undefined;
  /** How it ended without an answer. */
  readonly ending?: 'failed' | 'timed out' | 'cancelled' | 'denied' | undefined;
  readonly late: boolean;
  /** What a finding says of the records of the caller that are not here; without one nothing says that they were due. */
  readonly absence?: 'absent' | 'absent or lost' | undefined;
  readonly status: 'executed' | 'not executed' | 'uncertain';
  readonly stopped?: Stop | undefined;
  /** Sent, and no service told of a commitment (R147). */
  readonly canStepIn?: true | undefined;
  /** Records of a recovering runtime that tell again what already happened; no further execution. */
  readonly reemitted: readonly EventId[];
  /** On what each answering record was joined to this attempt. */
  readonly joins: readonly { readonly event: EventId; readonly basis: string }[];
}

// ---- State -------------------------------------------------------------------------------------------------------------------

export type { StateLine, StateVersion, ValueChange } from './states/state-line.ts';

// ---- Inspector ---------------------------------------------------------------------------------------------------------------

export interface Inspection {
  readonly row: EventRow;
  /** Envelope and payload as recorded JSON. */
  readonly event: JsonValue;
  readonly raw: string;
  readonly causes: Neighbours;
  readonly effects: Neighbours;
  /** Notes that somebody made about it, and, of a note, what it is about. */
  readonly notes: ListedRows;
  readonly about: ListedRows;
  /** Sent, and no service told of a commitment (R147). */
  readonly canStepIn: boolean;
  readonly identity: readonly Fact[];
  readonly persistence: readonly Fact[];
  readonly findings: readonly Finding[];
  /** What is wrong with its record, or remarked of it. */
  readonly remarks: readonly { readonly message: string; readonly severity: 'problem' | 'notice' }[];
  readonly chain: readonly ChainLink[];
  /** What a person may edit here, if anything. */
  readonly editable?: { readonly what: 'observation' | 'decision' | 'input'; readonly value: JsonValue } | undefined;
  /** Where nothing here can be edited: the nearest cause that can, decisions and observations before the input of the run. */
  readonly editableCause?: EventRow | undefined;
}

/** A bounded part of the neighbours, with some of every kind; those that are not listed are counted. */
export interface Neighbours {
  readonly listed: readonly Neighbour[];
  readonly unlisted: readonly { readonly as: CauseKind; readonly count: number }[];
}

/** The first rows of a list, and how many it has beyond them. */
export interface ListedRows {
  readonly listed: readonly EventRow[];
  readonly unlisted: number;
}

export interface Neighbour {
  readonly row: EventRow;
  readonly as: CauseKind;
  readonly grade: EdgeGrade;
  readonly rule?: string | undefined;
}

/** A named fact with its basis; no value means "not recorded". */
export interface Fact {
  readonly name: string;
  readonly value?: string | undefined;
  readonly basis: 'recorded' | 'derived' | 'not recorded';
  readonly event?: EventId | undefined;
}

export interface ChainLink {
  readonly what: 'effect' | 'tool call' | 'decision' | 'step' | 'session' | 'agent' | 'principal' | 'run';
  readonly value?: string | undefined;
  readonly event?: EventId | undefined;
  readonly basis: 'recorded' | 'derived' | 'not recorded';
}

// ---- Provenance --------------------------------------------------------------------------------------------------------------

export interface ProvenanceSummary {
  readonly records: readonly ProvenanceRecord[];
  readonly decisions: readonly EventId[];
}

export interface ProvenanceRecord {
  readonly name: 'state snapshot' | 'event record' | 'artifact lineage' | 'execution provenance';
  readonly presence: 'present' | 'partial' | 'absent';
  readonly counts: readonly Counted[];
  readonly missing: readonly string[];
}

export interface DecisionProvenance {
  readonly decision: EventId;
  readonly cells: readonly ProvenanceCell[];
}

export interface ProvenanceCell {
  readonly name:
    | 'model'
    | 'prompt'
    | 'tools'
    | 'policies'
    | 'artifacts'
    | 'identities'
    | 'approvals'
    | 'versions'
    | 'people and processes';
  readonly entries: readonly {
    readonly value: string;
    readonly event?: EventId | undefined;
    readonly basis: 'recorded' | 'derived';
  }[];
  /** Entries beyond those that are listed. */
  readonly unlisted: number;
}

// ---- Branches ----------------------------------------------------------------------------------------------------------------

export interface BranchMarks {
  readonly parent: BranchId;
  readonly onBranch: readonly BranchMark[];
  readonly onParent: readonly BranchMark[];
}

/** An event without a mark is inherited as it was recorded. */
export interface BranchMark {
  readonly event: EventId;
  readonly status:
    | 'reused'
    | 'superseded'
    | 'changed'
    | 'inserted'
    | 'removed'
    | 'not reached'
    | 'suspect'
    | 'pending'
    | 'open'
    | 'uncertain'
    | 'orphan effect';
}

// ---- Problems, content -------------------------------------------------------------------------------------------------------

export interface ProblemPage {
  readonly total: number;
  readonly from: number;
  readonly problems: readonly ProblemRow[];
}

export interface ProblemRow {
  readonly code: string;
  readonly message: string;
  readonly severity: 'problem' | 'notice';
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly offset?: number | undefined;
  /** The damaged bytes, base64, cut at 64 KiB. */
  readonly raw?: string | undefined;
  readonly events: readonly EventId[];
}

export interface StoredContent {
  readonly mediaType: string;
  readonly text?: string | undefined;
  readonly base64?: string | undefined;
}
