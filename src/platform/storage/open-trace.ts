/**
 * Everything needed to ask an opened trace: its chunks (bytes stay on disk), its index, its problems and its branches.
 */
import { type Result, err, ok } from '../../core/base/result.ts';
import type { CausalProblem, IndexColumns } from '../../core/causal/index.ts';
import type { Problem } from '../../core/formats/format.ts';
import type { LibraryContext } from './context.ts';
import type { ReadSlice } from './body.ts';
import { listBranches, notFound } from './library.ts';
import { createUnpacker, isPacked, unpackChunk } from './packing.ts';
import { unpackPlaces } from './packed-places.ts';
import type { BranchRecord, StorageFailure, TraceId, TraceRecord } from './records.ts';
import type { DerivedColumns, PlaceColumns, StoredChunk, StoredIndex } from './schema.ts';
import { rangeOf } from './stores.ts';

export interface StoredTraceParts {
  readonly trace: TraceRecord;
  readonly chunks: readonly StoredChunk[];
  /** Absent when another version of the index function made it: to be rebuilt from the body and saved. */
  readonly index: Pick<StoredIndex, 'columns' | 'problems' | 'derived'> | undefined;
  /** What the reading of the input found; what the index found stands in `index`. */
  readonly problems: readonly Problem[];
  readonly branches: readonly BranchRecord[];
}

export async function readTraceParts(
  context: LibraryContext,
  id: TraceId,
  columnsVersion: number,
): Promise<Result<StoredTraceParts, StorageFailure>> {
  const { db } = context;
  const tables = [db.traces, db.body, db.index, db.problems, db.branches];
  return db.transaction('r', tables, async (): Promise<Result<StoredTraceParts, StorageFailure>> => {
    const trace = await db.traces.get(id);
    if (trace === undefined) return err(notFound(id));
    const range = rangeOf(trace.store);
    const chunks = await db.body
      .where('[store+chunk]')
      .between(...range)
      .sortBy('chunk');
    const index = await db.index.get(trace.store);
    const rows = await db.problems
      .where('[store+chunk]')
      .between(...range)
      .sortBy('chunk');
    const branches = await listBranches(context, id);
    return ok({
      trace,
      chunks,
      index: index?.version === columnsVersion ? index : undefined,
      problems: rows.flatMap(({ problems }) => problems),
      branches,
    });
  });
}

/** Replaces the derived row of a trace; nothing else depends on it. */
export async function saveIndex(
  { db }: LibraryContext,
  id: TraceId,
  columns: IndexColumns,
  problems: readonly CausalProblem[],
  derived?: DerivedColumns,
): Promise<void> {
  await db.transaction('rw', db.traces, db.index, async () => {
    const trace = await db.traces.get(id);
    if (trace === undefined) return;
    await db.index.put({ store: trace.store, version: columns.version, columns, problems, derived });
  });
}

/** Where the records stood; read only when an index is rebuilt. */
export async function readPlaces({ db }: LibraryContext, id: TraceId): Promise<readonly PlaceColumns[]> {
  const store = (await db.traces.get(id))?.store ?? '';
  const rows = await db.places
    .where('[store+chunk]')
    .between(...rangeOf(store))
    .sortBy('chunk');
  return rows.map(unpackPlaces);
}

/** Bytes of literals kept while all lines are unpacked. */
const unpackBudget = 16 * 1024 * 1024;

/** The whole stream: the lines of the body, then those of the branches. Keeps no more than a block in memory beside what the host keeps. */
export function partsToStream(
  { chunks, branches }: Pick<StoredTraceParts, 'chunks' | 'branches'>,
  readSlice: ReadSlice,
): Blob {
  const lines = branches.flatMap((branch) => branch.lines.map((line) => `${line}\n`));
  const unpacker = createUnpacker(chunks, readSlice, unpackBudget);
  const bodies = chunks.map((chunk) => (isPacked(chunk) ? unpackChunk(chunk, unpacker) : chunk.bytes));
  return new Blob([...bodies, ...lines], { type: 'application/x-ndjson' });
}
