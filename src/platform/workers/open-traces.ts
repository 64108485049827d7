/**
 * Traces opened in this worker: index and bodies ready to be asked, the most recent few kept.
 *
 * Invariant: an opened trace is a function of what the library holds; once a branch was added or deleted, or the trace
 * was, the next question opens it anew. Two questions at once open it once. Called by the library worker.
 */
import { type Result, err, ok } from '../../core/base/result.ts';
import {
  type CausalIndex,
  type CausalProblem,
  type EventSource,
  type IndexColumns,
  type KnownOrder,
  columnsVersion,
  createIndex,
  createIndexBuilder,
} from '../../core/causal/index.ts';
import {
  createBody,
  type LibraryContext,
  partsToStream,
  readBranchNames,
  type ReadSlice,
  readPlaces,
  readTraceParts,
  saveIndex,
  type StorageFailure,
  type StoredIndex,
  type StoredTraceParts,
  type TraceId,
} from '../storage/index.ts';
import { computeGraphProblems } from './graph-problems.ts';
import { createPlaceLookup } from './place-log.ts';
import { createStoredSource, storedLineToEvent } from './stored-source.ts';
import { createTextSearch, type TextSearch } from './text-search.ts';

/** The parts a reader or a replay is made of. */
export interface OpenedTrace {
  readonly parts: StoredTraceParts;
  readonly graphProblems: readonly CausalProblem[];
  readonly index: CausalIndex;
  readonly source: EventSource;
  /** Absent where the bodies are in memory: then each line is looked at. */
  readonly search?: TextSearch | undefined;
  /** The display order where it was kept with the index. */
  readonly order?: KnownOrder | undefined;
  /** Held by this worker's memory alone, as a received copy is: the library has no trace of its id. */
  readonly isHeld?: boolean | undefined;
}

export interface OpenTracesOptions {
  readonly library: LibraryContext;
  readonly readSlice: ReadSlice;
  /** Bytes of a body searched between two answers to others. */
  readonly stretch?: number | undefined;
}

export interface Opener {
  open(id: TraceId): Promise<Result<OpenedTrace, StorageFailure>>;
  stream(id: TraceId): Promise<Result<Blob, StorageFailure>>;
}

interface Opening {
  /** The branches the library listed; undefined: no such trace. */
  readonly branches: string | undefined;
  readonly result: Promise<Result<OpenedTrace, StorageFailure>>;
}

/** How many traces stay open: the one looked at, and the one before it for going back. */
const keptOpen = 2;

export function createOpener({ library, readSlice, stretch }: OpenTracesOptions): Opener {
  const opened = new Map<TraceId, Opening>();

  async function read(id: TraceId): Promise<Result<OpenedTrace, StorageFailure>> {
    const parts = await readTraceParts(library, id, columnsVersion);
    if (!parts.ok) return err(parts.error);
    const body = createBody(parts.value.chunks, { readSlice, stretch });
    const lines = parts.value.branches.flatMap((branch) => branch.lines);
    const search = createTextSearch(body, lines);
    const source = createStoredSource(body, lines, search);
    const stored = parts.value.index ?? (await rebuild(id, body.count, source));
    if (lines.length === 0) {
      const { derived, problems: graphProblems } = stored;
      const index = createIndex(stored.columns, derived?.inferred);
      return ok({ parts: parts.value, index, source, search, graphProblems, order: derived });
    }
    // Branches may be wrong among themselves, so the graph is checked again with them.
    const index = createIndex(withBranches(stored.columns, lines));
    const placeOf = createPlaceLookup(await readPlaces(library, id));
    const { problems: graphProblems, derived: order } = computeGraphProblems(index, source, placeOf);
    return ok({ parts: parts.value, index, source, search, graphProblems, order });
  }

  /** The index function has another version than when the trace was imported: run it over the body again. */
  async function rebuild(
    id: TraceId,
    count: number,
    source: EventSource,
  ): Promise<Pick<StoredIndex, 'columns' | 'problems' | 'derived'>> {
    const builder = createIndexBuilder();
    for (let position = 0; position < count; position++) builder.add(source.at(position));
    const columns = builder.toColumns();
    const placeOf = createPlaceLookup(await readPlaces(library, id));
    const { problems, derived } = computeGraphProblems(createIndex(columns), { ...source, count }, placeOf);
    await saveIndex(library, id, columns, problems, derived);
    return { columns, problems, derived };
  }

  function keep(id: TraceId, opening: Opening): void {
    opened.set(id, opening);
    for (const oldest of opened.keys()) {
      if (opened.size <= keptOpen) break;
      opened.delete(oldest);
    }
    // A failed opening is not kept: the next question tries again.
    const drop = (): void => {
      if (opened.get(id) === opening) opened.delete(id);
    };
    opening.result.then((result) => {
      if (!result.ok) drop();
    }, drop);
  }

  return {
    async open(id) {
      // Other workers and other tabs add branches and delete: one small read tells whether what is open is still true.
      const branches = await readBranchNames(library, id);
      const known = opened.get(id);
      opened.delete(id);
      const opening = known?.branches === branches && known !== undefined ? known : { branches, result: read(id) };
      keep(id, opening);
      return opening.result;
    },
    async stream(id) {
      const parts = await readTraceParts(library, id, columnsVersion);
      return parts.ok ? ok(partsToStream(parts.value, readSlice)) : parts;
    },
  };
}

function withBranches(columns: IndexColumns, lines: readonly string[]): IndexColumns {
  if (lines.length === 0) return columns;
  const builder = createIndexBuilder(columns);
  for (const line of lines) builder.add(storedLineToEvent(line));
  return builder.toColumns();
}
