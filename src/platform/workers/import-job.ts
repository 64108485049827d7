/**
 * One import from files to trace: decode and read (core/formats), index (core/causal), store (platform/storage), in one pass.
 *
 * Invariant: ends with a whole trace in the library or with nothing of it, whatever happens in between: a failure, a cancellation, a
 * defect. Memory grows with the index, never with the payloads: a batch is written and forgotten. Called by the import worker.
 */
import { ensureExists } from '../../core/base/assert.ts';
import { type Result, err, ok } from '../../core/base/result.ts';
import { type IndexBuilder, type IndexColumns, createIndex, createIndexBuilder } from '../../core/causal/index.ts';
import type { ImportBatch, Problem, RecordCounts } from '../../core/formats/format.ts';
import { type FoundFormat, type ImportResult, importFiles, listTraces } from '../../core/formats/import.ts';
import {
  type TraceNaming,
  computeProblemList,
  countRunEvents,
  createTraceNaming,
} from '../../core/projections/index.ts';
import {
  type BodyChunk,
  type ImportStore,
  type LibraryContext,
  type PlaceColumns,
  type ReadSlice,
  type StorageFailure,
  beginImport,
  createBody,
  createChunkWriter,
} from '../storage/index.ts';
import { type CountedSource, blobToSource } from './blob-source.ts';
import { computeFingerprint, createContentDigest } from './content-digest.ts';
import type { ImportFailure, ImportOutcome, ImportProgress, ImportRequest } from './import-methods.ts';
import { type CheckedGraph, computeGraphProblems } from './graph-problems.ts';
import { requestToName, requestToSource } from './import-names.ts';
import { createPlaceLog, createPlaceLookup } from './place-log.ts';
import { trialType } from './recovery-methods.ts';
import { createStoredSource } from './stored-source.ts';
import { type ImportMeter, createImportMeter } from './import-meter.ts';
import type { CallContext } from './server.ts';

export interface ImportDeps {
  readonly library: LibraryContext;
  readonly readSlice: ReadSlice;
  /** Milliseconds of a clock that never goes back. */
  readonly ticks: () => number;
  /** Resolves after the host has had its turn, so that a cancelling that was asked for is heard. Absent where nobody cancels. */
  readonly giveTurn?: (() => Promise<void>) | undefined;
}

/** Milliseconds of work between two turns of the host. */
const turnEvery = 100;

/** Bytes of bodies kept while the graph is checked, which looks at few of them and nearly in their order. */
const checkBudget = 8 * 1024 * 1024;

const cancelled = { code: 'cancelled', message: 'Cancelled. Nothing of this import was kept.' } as const;

export async function runImport(
  deps: ImportDeps,
  request: ImportRequest,
  context: CallContext<ImportProgress>,
): Promise<Result<ImportOutcome, ImportFailure>> {
  const label = requestToName(request);
  const choice = await findChoice(deps, request, context);
  if (!choice.ok) return choice;
  const begun = await beginImport(deps.library, await computeFingerprint(request.files), label);
  if (!begun.ok) return begun;
  const store = begun.value;
  try {
    const result = await readIntoStore(deps, request, store, context);
    if (!result.ok) await store.abandon();
    return result;
  } catch (error) {
    await store.abandon();
    throw error;
  }
}

/** One going through the files: to see what there is, or to read it. */
interface Pass {
  readonly sources: readonly CountedSource[];
  readonly meter: ImportMeter;
  readonly signal: AbortSignal;
  /** Tells how far it is, and lets the host have its turn where it waited long enough. */
  readonly onStep: () => Promise<void> | undefined;
}

function beginPass(
  { ticks, giveTurn }: ImportDeps,
  request: ImportRequest,
  { signal, progress }: CallContext<ImportProgress>,
  phase: 'looking' | 'reading',
): Pass {
  const sources = request.files.map(({ path, blob }) => blobToSource(path, blob));
  const meter = createImportMeter(sources, ticks, progress);
  meter.phase(phase);
  let last = ticks();
  const onStep = (): Promise<void> | undefined => {
    meter.step();
    if (giveTurn === undefined || ticks() - last < turnEvery) return undefined;
    return giveTurn().then(() => {
      last = ticks();
    });
  };
  return { sources, meter, signal, onStep };
}

/** Stops where there is something to choose and nobody chose; looks at content only, and stores nothing. */
async function findChoice(
  deps: ImportDeps,
  request: ImportRequest,
  context: CallContext<ImportProgress>,
): Promise<Result<undefined, ImportFailure>> {
  if (request.choice !== undefined) return ok(undefined);
  const { sources, signal, onStep } = beginPass(deps, request, context, 'looking');
  const { acceptFuture, acceptLarge: allowHuge } = request;
  const found = await listTraces(sources, { signal, onStep, acceptFuture, allowHuge });
  if (signal.aborted) return err(cancelled);
  if (!found.ok) return found;
  const traces = found.value.reduce((sum, format) => sum + Math.max(1, format.traces.length), 0);
  if (traces === 1) return ok(undefined);
  return err({ code: 'choice', message: choiceToSentence(found.value, traces), formats: found.value });
}

function choiceToSentence(formats: readonly FoundFormat[], traces: number): string {
  const [only] = formats;
  if (formats.length === 1 && only !== undefined) return `This holds ${traces} traces, of one format: ${only.label}.`;
  const labels = formats.map(({ label }) => label);
  return `This holds traces of ${formats.length} formats: ${labels.join('; ')}.`;
}

async function readIntoStore(
  deps: ImportDeps,
  request: ImportRequest,
  store: ImportStore,
  context: CallContext<ImportProgress>,
): Promise<Result<ImportOutcome, ImportFailure>> {
  const pass = beginPass(deps, request, context, 'reading');
  const { meter, signal } = pass;
  const writing = createWriting(store);
  const read = await readAll(request, writing, pass);
  if (!read.ok) return read;
  meter.phase('indexing');
  const finished = await writing.finish(read.value.format);
  if (!finished.ok) return finished;
  const columns = writing.takeColumns();
  const { problems: graphProblems, derived } = await checkGraph(deps, store, columns, writing);
  const problems = computeProblemList(writing.problems, graphProblems);
  meter.phase('storing');
  if (signal.aborted) return err(cancelled);
  const { totals } = writing;
  const events = countRunEvents(columns);
  const usedPlaces = writing.places.at(-1)?.files;
  const committed = await store.commit(
    {
      name: writing.naming.nameOf(requestToName(request, usedPlaces)),
      digest: finished.value,
      format: read.value.format,
      formatLabel: read.value.label,
      replayGrade: read.value.replayGrade,
      missingForReplay: read.value.missingForReplay,
      holdsTrial: columns.types.includes(trialType),
      ...requestToSource(request, totals.sourceBytes, usedPlaces),
      storedBytes: totals.storedBytes,
      events,
      counts: totals.counts,
      problems: countSeverity(problems, 'problem'),
      notices: countSeverity(problems, 'notice'),
      origin: request.origin,
      runs: columnsToRuns(columns),
    },
    columns,
    graphProblems,
    derived,
  );
  if (!committed.ok) return committed;
  return ok({ ...committed.value, events, problems: countSeverity(problems, 'problem') });
}

/** Reads what it needs of the bodies back from the store: the events themselves were forgotten batch by batch. */
async function checkGraph(
  { readSlice }: ImportDeps,
  store: ImportStore,
  columns: IndexColumns,
  { places }: Writing,
): Promise<CheckedGraph> {
  const body = createBody(await store.readChunks(), { readSlice, budget: checkBudget });
  const source = createStoredSource(body, []);
  return computeGraphProblems(createIndex(columns), source, createPlaceLookup(places));
}

function countSeverity(problems: readonly Pick<Problem, 'severity'>[], severity: Problem['severity']): number {
  return problems.filter((problem) => problem.severity === severity).length;
}

/** Reads to the end; the first failure of the input, of the storage or a cancellation ends it. */
async function readAll(
  request: ImportRequest,
  writing: Writing,
  { sources, meter, signal, onStep }: Pass,
): Promise<Result<ImportResult, ImportFailure>> {
  const { acceptFuture, acceptLarge: allowHuge, choice } = request;
  const chosen = { format: choice?.format, trace: choice?.trace };
  const reading = importFiles(sources, { signal, onStep, acceptFuture, allowHuge, ...chosen });
  for (;;) {
    const step = await reading.next();
    if (signal.aborted) {
      await reading.return(err(cancelled));
      return err(cancelled);
    }
    if (step.done === true) return step.value;
    const written = await writing.addBatch(step.value);
    if (!written.ok) {
      await reading.return(err(cancelled));
      return written;
    }
    meter.batch(step.value);
    // A format that holds its files whole gives all its batches after the last byte was read.
    await onStep();
  }
}

interface Totals {
  counts: RecordCounts;
  sourceBytes: number;
  storedBytes: number;
}

interface Writing {
  readonly totals: Readonly<Totals>;
  readonly naming: TraceNaming;
  /** Of each chunk written. */
  readonly places: readonly PlaceColumns[];
  /** All problems of the input, without their bytes. */
  readonly problems: readonly Problem[];
  addBatch(batch: ImportBatch): Promise<Result<undefined, StorageFailure>>;
  /** Once, at the end: what made them takes as much memory again, and is let go before they are looked at. */
  takeColumns(): IndexColumns;
  /** Writes the last chunk; answers with the content digest. */
  finish(format: string): Promise<Result<string, StorageFailure>>;
}

/** Problems are stored in rows of this many. */
const problemsPerRow = 256;

function createWriting(store: ImportStore): Writing {
  let builder: IndexBuilder | undefined = createIndexBuilder();
  const naming = createTraceNaming();
  const chunks = createChunkWriter();
  const digest = createContentDigest();
  const placeLog = createPlaceLog();
  const places: PlaceColumns[] = [];
  const told: Problem[] = [];
  const totals: Totals = {
    counts: { input: 0, mapped: 0, merged: 0, problems: 0 },
    sourceBytes: 0,
    storedBytes: 0,
  };
  let unwritten: Problem[] = [];
  // One write may be under way while the next chunk fills; never more, so memory stays bounded.
  let pending: Promise<Result<undefined, StorageFailure>> = Promise.resolve(ok(undefined));

  async function writeChunk(chunk: BodyChunk): Promise<Result<undefined, StorageFailure>> {
    const before = await pending;
    if (!before.ok) return before;
    digest.addChunk(chunk.bytes);
    totals.storedBytes += chunk.bytes.length;
    const columns = placeLog.take();
    places.push(columns);
    pending = store.addChunk(chunk, columns);
    return before;
  }

  async function addProblems(found: readonly Problem[]): Promise<Result<undefined, StorageFailure>> {
    digest.addProblems(found);
    for (const problem of found) {
      unwritten.push(withOwnBytes(problem));
      told.push({ ...problem, raw: undefined });
    }
    return unwritten.length < problemsPerRow ? ok(undefined) : flushProblems();
  }

  async function flushProblems(): Promise<Result<undefined, StorageFailure>> {
    if (unwritten.length === 0) return ok(undefined);
    const row = unwritten;
    unwritten = [];
    return store.addProblems(row);
  }

  return {
    totals,
    naming,
    places,
    problems: told,
    async addBatch(batch) {
      for (const { event, line, place } of batch.events) {
        builder?.add(event);
        naming.note(event);
        const full = chunks.add(line);
        if (full !== undefined) {
          const written = await writeChunk(full);
          if (!written.ok) return written;
        }
        placeLog.add(place);
      }
      totals.counts = addCounts(totals.counts, batch.counts);
      totals.sourceBytes = batch.bytesRead;
      return addProblems(batch.problems);
    },
    takeColumns() {
      const columns = ensureExists(builder, 'columns that were not taken').toColumns();
      builder = undefined;
      return columns;
    },
    async finish(format) {
      const last = chunks.finish();
      if (last !== undefined) {
        const written = await writeChunk(last);
        if (!written.ok) return written;
      }
      const settled = await pending;
      if (!settled.ok) return settled;
      const flushed = await flushProblems();
      return flushed.ok ? ok(await digest.finish(format)) : flushed;
    },
  };
}

function addCounts(a: RecordCounts, b: RecordCounts): RecordCounts {
  return {
    input: a.input + b.input,
    mapped: a.mapped + b.mapped,
    merged: a.merged + b.merged,
    problems: a.problems + b.problems,
  };
}

/** The bytes of a problem may be a view of the whole buffer that was read; storing the view would store the buffer. */
function withOwnBytes(problem: Problem): Problem {
  return problem.raw === undefined ? problem : { ...problem, raw: problem.raw.slice() };
}

function columnsToRuns(columns: IndexColumns): readonly { readonly run: string; readonly events: number }[] {
  const counts = new Map<string, number>();
  for (const context of columns.context) {
    const run = columns.runs[columns.contexts.run[context] ?? 0];
    if (run !== undefined) counts.set(run, (counts.get(run) ?? 0) + 1);
  }
  return [...counts].map(([run, events]) => ({ run, events }));
}
