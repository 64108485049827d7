/**
 * The reader of one opened trace: the structural half answered here, the interpreting half by the reading it is given.
 *
 * Views and readings are made once per branch, when first asked for. Everything is a pure function of index, bodies and problems.
 */
import {
  type BranchInfo,
  type CausalIndex,
  type CausalProblem,
  type EventSource,
  type KnownOrder,
  type RecordPlace,
  computeProblems,
  createBranches,
  createOrder,
} from '../causal/index.ts';
import type { BranchId } from '../model/index.ts';
import { computeBranchMarks } from './branch-marks.ts';
import { computeChain } from './chain.ts';
import { computeCone } from './cone.ts';
import { computeCounterpart } from './counterpart.ts';
import { inspectEvent } from './inspect.ts';
import { type Notes, computeNotes } from './notes.ts';
import { computeOverview } from './overview.ts';
import { type ImportProblem, computeProblemList, computeProblemPage, computeUnread } from './problem-rows.ts';
import type { BranchReading, CreateReading } from './reading.ts';
import { type EventMarks, type ListRows, computeRowOf, computeRowPage, createRowLists } from './rows.ts';
import { type ImportFacts, computeSummary, createBranchSummaries, createFlushLookup } from './summary.ts';
import type { Finding, TraceReader, TraceSummary } from './trace-reader.ts';
import { type TraceParts, type TraceView, createContentLookup, createTraceView } from './trace-view.ts';

export interface TraceReaderInput {
  readonly index: CausalIndex;
  /** Bodies by the positions of the index. */
  readonly source: EventSource;
  /** Problems of the import; those of the graph are computed here. */
  readonly problems: readonly ImportProblem[];
  /** Those of the graph, where the caller kept them from an earlier run over the same events. */
  readonly graphProblems?: readonly CausalProblem[] | undefined;
  readonly summary: ImportFacts;
  /** `createReading` of `core/audit`. */
  readonly createReading: CreateReading;
  /** The order where the caller kept it. */
  readonly order?: KnownOrder | undefined;
  readonly placeOf?: ((position: number) => RecordPlace | undefined) | undefined;
}

interface BranchState {
  readonly view: TraceView;
  readonly list: ListRows;
  readonly reading: BranchReading;
  readonly marks: () => EventMarks;
  readonly forks: () => readonly Fork[];
  readonly notes: () => Notes;
}

export function createTraceReader(input: TraceReaderInput): TraceReader {
  const { index, source } = input;
  const parts: TraceParts = {
    index,
    source,
    order: createOrder(index, input.order),
    branches: createBranches(index, source),
    content: createContentLookup(index, source),
  };
  const graphProblems = input.graphProblems ?? computeProblems({ ...parts, placeOf: input.placeOf });
  const problemList = computeProblemList(input.problems, graphProblems);
  // A remark asks for nothing: it is told where its event is read, and marks no row.
  const problemCounts = countIds(
    problemList.flatMap(({ severity, events }) => (severity === 'problem' ? [events ?? []] : [])),
  );
  const flushOf = createFlushLookup(parts);
  const summaryOf = createBranchSummaries(parts);
  const states = new Map<BranchId, BranchState>();
  let summary: TraceSummary | undefined;

  function stateOf(branch: BranchId): BranchState {
    const known = states.get(branch);
    if (known !== undefined) return known;
    const view = createTraceView(parts, branch);
    const reading = input.createReading(view, graphProblems);
    let marks: EventMarks | undefined;
    let notes: Notes | undefined;
    let forks: readonly Fork[] | undefined;
    const state: BranchState = {
      view,
      list: createRowLists(view),
      reading,
      marks: () => (marks ??= { findings: countFindings(reading.findings()), problems: problemCounts }),
      forks: () => (forks ??= forksOf(parts, branch, (info) => summaryOf(info).label)),
      notes: () => (notes ??= computeNotes(view)),
    };
    states.set(branch, state);
    return state;
  }

  return {
    summary: () => {
      const problems = problemList.filter(({ severity }) => severity === 'problem').length;
      const counts = { problems, notices: problemList.length - problems, unread: computeUnread(problemList) };
      return (summary ??= computeSummary(parts, input.summary, counts, summaryOf));
    },
    headline: (branch) => stateOf(branch).reading.headline(),
    findings: (branch) => stateOf(branch).reading.findings(),
    overview: (branch, filter, buckets, rows) => {
      const { view, reading, forks } = stateOf(branch);
      return computeOverview({ view, findings: reading.findings(), forks: forks() }, filter, buckets, rows);
    },
    rows: (branch, filter, from, to) => {
      const { view, list, marks } = stateOf(branch);
      return computeRowPage(view, marks(), list(filter), from, to);
    },
    rowOf: (branch, filter, event) => {
      const { view, list } = stateOf(branch);
      return computeRowOf(view, filter, list(filter), event);
    },
    transcript: (branch, filter, from, to) => stateOf(branch).reading.transcript(filter, from, to),
    transcriptLineOf: (branch, filter, event) => stateOf(branch).reading.transcriptLineOf(filter, event),
    cone: (branch, request) => {
      const { view, reading, marks } = stateOf(branch);
      return computeCone({ view, marks: marks(), findings: reading.findings() }, request);
    },
    effects: (branch) => stateOf(branch).reading.effects(),
    states: (branch) => stateOf(branch).reading.states(),
    inspect: (branch, event) => {
      const { view, reading, marks, notes } = stateOf(branch);
      const findings = reading.findings();
      return inspectEvent({ view, marks: marks(), findings, flushOf, notes: notes(), problems: problemList }, event);
    },
    provenance: (branch) => stateOf(branch).reading.provenance(),
    decisionProvenance: (branch, decision) => stateOf(branch).reading.decisionProvenance(decision),
    chain: (branch, event) => {
      const { view } = stateOf(branch);
      const position = index.find(event);
      return view.holds(position) ? computeChain(view, position) : [];
    },
    counterpart: (branch, event) => computeCounterpart(stateOf(branch).view, event),
    problems: (from, to) => computeProblemPage(problemList, from, to),
    branchMarks: (branch) => computeBranchMarks(parts, branch),
    content: parts.content,
  };
}

function countIds(lists: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists) for (const id of list) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** Notices are about fields and coverage; marks in rows are for what asks for attention. */
function countFindings(findings: readonly Finding[]): ReadonlyMap<string, number> {
  return countIds(findings.filter(({ severity }) => severity !== 'notice').map(({ evidence }) => evidence));
}

interface Fork {
  readonly label: string;
  readonly position: number;
}

/** Where other branches leave this one. */
function forksOf(parts: TraceParts, branch: BranchId, labelOf: (info: BranchInfo) => string): readonly Fork[] {
  return parts.branches.list
    .filter(({ parent, fork }) => parent === branch && fork !== undefined)
    .map((info) => ({ label: labelOf(info), position: parts.branches.forkOf(info.id) }));
}
