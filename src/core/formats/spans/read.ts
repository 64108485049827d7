/**
 * Reading of a format of operations: files to pieces, pieces to traces by the format, traces to events in batches with the account.
 *
 * Invariant: every piece a format was given is an operation or a trace (mapped), merged into one, or a problem; `Collected` says so
 * and the account is taken from it. Records are held in memory while a file is read: their order in the file means nothing.
 */
import { err, ok, type Result } from '../../base/result.ts';
import { timeToMillis } from '../../base/time.ts';
import { type BatchBuilder, createBatchBuilder } from '../batch.ts';
import { type EventDraft, recordToEventId } from '../draft.ts';
import type {
  ImportBatch,
  ImportOptions,
  ImportSummary,
  InputPlace,
  Problem,
  SourceFile,
  TraceEntry,
  UnusableInput,
} from '../format.ts';
import { traceToWords } from '../entry-words.ts';
import { addDerived, addDrafts, cancelled, gatherPieces, reportProblems } from '../grouped.ts';
import { withoutUndefined } from '../members.ts';
import { type Piece, readPieces } from '../pieces.ts';
import { createTraceMap, operationToDrafts, runEvent, type TraceMap } from './events.ts';
import type { Operation, Trace } from './operation.ts';

export interface PlacedDraft {
  readonly draft: EventDraft;
  readonly place: InputPlace;
}

export interface CollectedTrace extends Trace {
  /** Records that went into the operations of others. */
  readonly merged: number;
  /** Records that are neither operation nor trace: one draft each. */
  readonly others: readonly PlacedDraft[];
}

export interface Collected {
  readonly traces: readonly CollectedTrace[];
  /** One a record that could not be used. */
  readonly problems: readonly Problem[];
  readonly notes: readonly Problem[];
}

export interface SpanFormat {
  readonly id: string;
  readonly wanted: ReadonlySet<string>;
  readonly collect: (pieces: readonly Piece[]) => Collected;
  readonly summarise: (traces: readonly Trace[]) => Pick<ImportSummary, 'replayGrade' | 'missingForReplay'>;
}

export async function listSpanTraces(format: SpanFormat, files: readonly SourceFile[]): Promise<readonly TraceEntry[]> {
  const pieces: Piece[] = [];
  for (const file of files) for (const piece of (await readPieces(file, format.wanted)).pieces) pieces.push(piece);
  return format.collect(pieces).traces.map((trace) => ({
    key: trace.key,
    title: trace.name ?? trace.key,
    ...traceToWords(trace),
    records: countOf(trace),
    startedAt: trace.start ?? firstStart(trace.operations),
  }));
}

function countOf(trace: CollectedTrace): number {
  return trace.operations.length + trace.merged + trace.others.length + (trace.place === undefined ? 0 : 1);
}

export async function* readSpans(
  format: SpanFormat,
  files: readonly SourceFile[],
  options: ImportOptions,
): AsyncGenerator<ImportBatch, Result<ImportSummary, UnusableInput>> {
  const batch = createBatchBuilder();
  const gathered = yield* gatherPieces(format, files, options);
  if (gathered === undefined) return err(cancelled);
  const { bytes } = gathered;
  const collected = format.collect(gathered.pieces);
  const traces = collected.traces.filter(({ key }) => options.trace === undefined || key === options.trace);
  reportProblems(batch, gathered, collected, options);
  for (const trace of traces) {
    const map = createTraceMap(format.id, trace);
    addTrace(batch, map, trace, files[0]?.name ?? '');
    for (const operation of trace.operations) {
      addOperation(batch, map, operation);
      if (batch.isFull()) yield batch.take(bytes);
    }
    for (const other of trace.others) addDrafts(batch, format.id, [other.draft], other.place);
    for (let n = 0; n < trace.merged; n++) batch.merged();
    if (options.signal?.aborted === true) return err(cancelled);
  }
  noteTimes(batch, traces, files[0]?.name ?? '');
  if (!batch.isEmpty()) yield batch.take(bytes);
  return ok({ format: format.id, ...format.summarise(traces) });
}

function addOperation(batch: BatchBuilder, map: TraceMap, operation: Operation): void {
  addDrafts(batch, map.format, operationToDrafts(map, operation), operation.place);
}

/** The beginning of the run: from the record of the trace where there is one, else derived; its end from its only root. */
function addTrace(batch: BatchBuilder, map: TraceMap, trace: CollectedTrace, file: string): void {
  const shared = {
    run: trace.run,
    session: trace.session,
    version: trace.version,
    principal: trace.principal,
    clock: `${map.format}/${trace.run.slice(0, 8)}`,
  };
  const begin: EventDraft = {
    ...shared,
    id: runEvent(map),
    type: 'run.started',
    time: trace.start ?? firstStart(trace.operations),
    record: trace.place === undefined ? undefined : trace.key,
    extra: trace.place === undefined ? { rule: 'run-of-trace' } : trace.extra,
    data: withoutUndefined({
      program: trace.name === undefined ? undefined : withoutUndefined({ name: trace.name, version: trace.version }),
      input: trace.input,
    }),
  };
  const told = toldOutcome(map, trace);
  if (trace.place !== undefined) {
    const drafts = told === undefined ? [begin] : [begin, { ...shared, ...told }];
    addDrafts(batch, map.format, drafts, trace.place);
    if (told !== undefined) return;
  } else addDerived(batch, map.format, begin, { file, offset: 0 });
  const end = outcomeOf(map, trace);
  if (end !== undefined) addDerived(batch, map.format, { ...shared, ...end }, trace.place ?? { file, offset: 0 });
}

/** What the trace's own record says of its end; it had the outcomes of all that has no parent. */
function toldOutcome(map: TraceMap, trace: CollectedTrace): EventDraft | undefined {
  const { outcome } = trace;
  if (outcome === undefined) return undefined;
  const { error } = outcome;
  const failure =
    error === undefined ? undefined : withoutUndefined({ name: error.name, message: error.message, data: error.data });
  const roots = trace.operations
    .filter(({ parent, kind }) => parent === undefined && kind !== 'point')
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    run: trace.run,
    id: recordToEventId(trace.run, 'outcome'),
    type: failure === undefined ? 'run.completed' : 'run.failed',
    time: outcome.time,
    causes: [
      { event: runEvent(map), as: 'result_of' },
      ...roots.map(
        ({ id, ended }) =>
          ({
            event: recordToEventId(trace.run, id, ended ? '' : 'start'),
            as: 'consumed',
            rule: 'nested-outcome',
          }) as const,
      ),
    ],
    data: withoutUndefined({ result: outcome.result, error: failure }),
  };
}

/** Rule `outcome-of-root`. */
function outcomeOf(map: TraceMap, trace: CollectedTrace): EventDraft | undefined {
  const roots = trace.operations.filter(({ parent }) => parent === undefined || !map.byId.has(parent));
  const [root] = roots;
  if (root === undefined || roots.length > 1 || !root.ended || root.kind === 'point') return undefined;
  const { error } = root;
  const output = trace.output ?? root.output;
  const failure = error === undefined ? undefined : withoutUndefined({ name: error.name, message: error.message });
  return {
    run: trace.run,
    id: recordToEventId(trace.run, 'outcome'),
    type: failure === undefined ? 'run.completed' : 'run.failed',
    time: root.end,
    causes: [{ event: recordToEventId(trace.run, root.id), as: 'consumed', rule: 'outcome-of-root' }],
    extra: { rule: 'outcome-of-root' },
    data: withoutUndefined({ result: failure === undefined ? output : undefined, error: failure }),
  };
}

function firstStart(operations: readonly Operation[]): string | undefined {
  let best: string | undefined;
  let at = Number.POSITIVE_INFINITY;
  for (const { start } of operations) {
    const millis = start === undefined ? undefined : timeToMillis(start);
    if (millis !== undefined && millis < at) [best, at] = [start, millis];
  }
  return best;
}

function noteTimes(batch: BatchBuilder, traces: readonly Trace[], file: string): void {
  const zones = new Set<string>();
  let assumed = 0;
  for (const { operations } of traces) {
    for (const { start, end, zoneAssumed } of operations) {
      if (zoneAssumed === true) assumed++;
      else
        for (const time of [start, end])
          if (time !== undefined) zones.add(/[+-]\d\d:\d\d$/.exec(time)?.[0].replace('+00:00', 'Z') ?? 'Z');
    }
  }
  if (assumed > 0) {
    const message = `${assumed} ${assumed === 1 ? 'operation has' : 'operations have'} times without a zone, or as bare numbers. They are shown as UTC, in a clock domain of their own, and not compared with others.`;
    batch.note({ code: 'time-without-zone', message, place: { file, offset: 0 }, severity: 'notice' });
  }
  if (zones.size > 1) {
    const message = `Times are written in ${zones.size} zones (${[...zones].sort().join(', ')}). They are kept as written.`;
    batch.note({ code: 'mixed-zones', message, place: { file, offset: 0 }, severity: 'notice' });
  }
}
