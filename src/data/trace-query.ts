/**
 * Every question a view may ask of an opened trace. `useTraceQuery` is generic over `TraceReader`; the hooks below it only name the
 * questions.
 *
 * Invariant: a key names the trace (by its content), the method and all arguments, so an answer never goes stale; adding a branch
 * invalidates the answers of that trace (`replay.ts`).
 */
import { type UseQueryResult, keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import type {
  BranchMarks,
  Cone,
  ConeRequest,
  DecisionProvenance,
  EffectRow,
  FilterSpec,
  Finding,
  Headline,
  Inspection,
  Overview,
  ProblemPage,
  ProvenanceSummary,
  RowPage,
  RowRange,
  StateLine,
  StoredContent,
  TraceReader,
  TraceSummary,
  TranscriptPage,
} from '../core/projections/trace-reader.ts';
import type { BranchId, EventId } from '../core/model/index.ts';
import type { TraceId } from '../platform/storage/index.ts';
import { keys } from './keys.ts';
import { useServices } from './services.ts';

export interface TraceQueryOptions {
  readonly enabled?: boolean | undefined;
  /** Show the last answer while the next one comes (paging, filtering). */
  readonly keepPrevious?: boolean | undefined;
}

export function useTraceQuery<K extends keyof TraceReader>(
  trace: TraceId,
  method: K,
  args: Parameters<TraceReader[K]>,
  { enabled = true, keepPrevious = false }: TraceQueryOptions = {},
): UseQueryResult<ReturnType<TraceReader[K]>> {
  const { reader } = useServices();
  return useQuery({
    queryKey: keys.ask(trace, method, args),
    queryFn: async ({ signal }) => ({ answer: await reader.ask(trace, method, args, signal) }),
    // Some questions have no answer ("not recorded"), which the cache cannot hold bare.
    select: ({ answer }) => answer,
    enabled,
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
  });
}

export function useSummary(trace: TraceId): UseQueryResult<TraceSummary> {
  return useTraceQuery(trace, 'summary', []);
}

export function useHeadline(trace: TraceId, branch: BranchId): UseQueryResult<Headline> {
  return useTraceQuery(trace, 'headline', [branch]);
}

export function useFindings(trace: TraceId, branch: BranchId): UseQueryResult<readonly Finding[]> {
  return useTraceQuery(trace, 'findings', [branch]);
}

export function useOverview(
  trace: TraceId,
  branch: BranchId,
  filter: FilterSpec,
  buckets: number,
): UseQueryResult<Overview> {
  return useTraceQuery(trace, 'overview', [branch, filter, buckets], { keepPrevious: true });
}

/** The part of the overview that is looked at, in its own buckets; undefined asks nothing. */
export function useOverviewPart(
  trace: TraceId,
  branch: BranchId,
  filter: FilterSpec,
  buckets: number,
  rows: RowRange | undefined,
): UseQueryResult<Overview> {
  return useTraceQuery(trace, 'overview', [branch, filter, buckets, rows ?? { from: 0, to: 0 }], {
    enabled: rows !== undefined,
  });
}

/** Rows of the display order, half-open range. */
export function useRows(
  trace: TraceId,
  branch: BranchId,
  filter: FilterSpec,
  from: number,
  to: number,
): UseQueryResult<RowPage> {
  return useTraceQuery(trace, 'rows', [branch, filter, from, to], { keepPrevious: true });
}

export function useRowOf(
  trace: TraceId,
  branch: BranchId,
  filter: FilterSpec,
  event: EventId | undefined,
): UseQueryResult<number> {
  return useEventQuery(trace, event, 'rowOf', (known) => [branch, filter, known]);
}

export function useTranscript(
  trace: TraceId,
  branch: BranchId,
  filter: FilterSpec,
  from: number,
  to: number,
): UseQueryResult<TranscriptPage> {
  return useTraceQuery(trace, 'transcript', [branch, filter, from, to], { keepPrevious: true });
}

export function useTranscriptLineOf(
  trace: TraceId,
  branch: BranchId,
  filter: FilterSpec,
  event: EventId | undefined,
): UseQueryResult<number> {
  return useEventQuery(trace, event, 'transcriptLineOf', (known) => [branch, filter, known]);
}

/** Without a request (nothing selected) nothing is asked. */
export function useCone(trace: TraceId, branch: BranchId, request: ConeRequest | undefined): UseQueryResult<Cone> {
  const none: ConeRequest = { focus: noEvent, up: 0, down: 0, limit: 0, expanded: [] };
  return useTraceQuery(trace, 'cone', [branch, request ?? none], {
    enabled: request !== undefined,
    keepPrevious: true,
  });
}

export function useEffectRows(trace: TraceId, branch: BranchId): UseQueryResult<readonly EffectRow[]> {
  return useTraceQuery(trace, 'effects', [branch]);
}

export function useStates(trace: TraceId, branch: BranchId): UseQueryResult<readonly StateLine[]> {
  return useTraceQuery(trace, 'states', [branch]);
}

export function useInspection(
  trace: TraceId,
  branch: BranchId,
  event: EventId | undefined,
): UseQueryResult<Inspection | undefined> {
  return useEventQuery(trace, event, 'inspect', (known) => [branch, known]);
}

/** What several questions of one kind came to; an answer that does not come is told by the error, not by waiting. */
interface Inspections {
  /** In the order asked for; undefined while an answer is on its way, and for what is not on the branch. */
  readonly answers: readonly (Inspection | undefined)[];
  readonly isPending: boolean;
  /** The first that went wrong. */
  readonly error: Error | null;
}

/** Several events at once. */
export function useInspections(trace: TraceId, branch: BranchId, events: readonly EventId[]): Inspections {
  const { reader } = useServices();
  return useQueries({
    queries: events.map((event) => ({
      queryKey: keys.ask(trace, 'inspect', [branch, event]),
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => ({
        answer: await reader.ask(trace, 'inspect', [branch, event], signal),
      }),
    })),
    combine: resultsToInspections,
  });
}

function resultsToInspections(
  results: readonly UseQueryResult<{ readonly answer: Inspection | undefined }>[],
): Inspections {
  return {
    answers: results.map(({ data }) => data?.answer),
    isPending: results.some(({ isPending }) => isPending),
    error: results.find(({ error }) => error !== null)?.error ?? null,
  };
}

/** What stands on the branch where the event stands on another; data is undefined where nothing does. */
export function useCounterpart(
  trace: TraceId,
  branch: BranchId,
  event: EventId | undefined,
): UseQueryResult<EventId | undefined> {
  return useEventQuery(trace, event, 'counterpart', (known) => [branch, known]);
}

export function useProvenance(trace: TraceId, branch: BranchId): UseQueryResult<ProvenanceSummary> {
  return useTraceQuery(trace, 'provenance', [branch]);
}

export function useDecisionProvenance(
  trace: TraceId,
  branch: BranchId,
  decision: EventId | undefined,
): UseQueryResult<DecisionProvenance | undefined> {
  return useEventQuery(trace, decision, 'decisionProvenance', (known) => [branch, known]);
}

/** What a replay made of each event; data is undefined on the original. */
export function useBranchMarks(trace: TraceId, branch: BranchId): UseQueryResult<BranchMarks | undefined> {
  return useTraceQuery(trace, 'branchMarks', [branch]);
}

export function useProblems(trace: TraceId, from: number, to: number): UseQueryResult<ProblemPage> {
  return useTraceQuery(trace, 'problems', [from, to], { keepPrevious: true });
}

/** A value stored apart, by digest; data is undefined when it is absent from the trace. */
export function useContent(trace: TraceId, digest: string | undefined): UseQueryResult<StoredContent | undefined> {
  return useTraceQuery(trace, 'content', [digest ?? ''], { enabled: digest !== undefined });
}

/** Cast: a place-holder in the key of a query that is switched off. */
const noEvent = '' as EventId;

function useEventQuery<K extends keyof TraceReader>(
  trace: TraceId,
  event: EventId | undefined,
  method: K,
  argsFor: (event: EventId) => Parameters<TraceReader[K]>,
): UseQueryResult<ReturnType<TraceReader[K]>> {
  return useTraceQuery(trace, method, argsFor(event ?? noEvent), { enabled: event !== undefined });
}
