/**
 * The interpreting half of a reader: what rules and read models establish about one branch.
 *
 * `core/audit` implements it over a `TraceView`; the caller of `createTraceReader` passes the constructor in, so that projections
 * never import the rules. A reading is made once per branch, when first asked for, and may keep what it computed.
 */
import type { CausalProblem } from '../causal/index.ts';
import type { EventId } from '../model/index.ts';
import type {
  DecisionProvenance,
  EffectRow,
  FilterSpec,
  Finding,
  Headline,
  ProvenanceSummary,
  StateLine,
  TranscriptPage,
} from './trace-reader.ts';
import type { TraceView } from './trace-view.ts';

export interface BranchReading {
  readonly findings: () => readonly Finding[];
  readonly headline: () => Headline;
  readonly effects: () => readonly EffectRow[];
  readonly states: () => readonly StateLine[];
  readonly transcript: (filter: FilterSpec, from: number, to: number) => TranscriptPage;
  readonly transcriptLineOf: (filter: FilterSpec, event: EventId) => number;
  readonly provenance: () => ProvenanceSummary;
  readonly decisionProvenance: (decision: EventId) => DecisionProvenance | undefined;
}

/** `problems`: those of the graph, for the rule that turns them into findings (R35); it keeps what this branch shows. */
export type CreateReading = (view: TraceView, problems: readonly CausalProblem[]) => BranchReading;
