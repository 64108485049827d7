/**
 * Writing an import: all of it becomes a trace at once, or nothing stays.
 *
 * Invariant: chunks and problems lie in a *store* that no trace names until `commit`, which writes trace, runs, index and log entry and
 * removes the import's row in one transaction. Whatever has no living import and no trace is swept away when the library is next opened.
 * Called by the import worker alone.
 */
import { type Result, err, ok } from '../../core/base/result.ts';
import type { CausalProblem, IndexColumns } from '../../core/causal/index.ts';
import type { Problem } from '../../core/formats/format.ts';
import { appendAct } from './access-log.ts';
import type { BodyChunk } from './chunks.ts';
import type { LibraryContext } from './context.ts';
import { attempt, ofImport } from './failures.ts';
import { heartbeatEvery, isBeating, leaseName, type Lease } from './leases.ts';
import { digestToTraceId, type StorageFailure, type TraceId, type TraceRecord } from './records.ts';
import { keepUntilDeleted } from './retention.ts';
import type { DerivedColumns, PlaceColumns, StoredChunk, StoredImport, StoredIndex } from './schema.ts';
import { readPerson } from './settings.ts';
import { deleteStore, rangeOf, storeTables } from './stores.ts';

export type NewTrace = Omit<TraceRecord, 'id' | 'created' | 'retention' | 'branches' | 'runs'> & {
  /** Over the whole content: 64 hex digits. */
  readonly digest: string;
  readonly runs: readonly { readonly run: string; readonly events: number }[];
};

export interface Committed {
  readonly trace: TraceId;
  readonly name: string;
  /** The same content was there before: nothing was added. */
  readonly alreadyThere: boolean;
}

export interface ImportStore {
  addChunk(chunk: BodyChunk, places: PlaceColumns): Promise<Result<undefined, StorageFailure>>;
  addProblems(problems: readonly Problem[]): Promise<Result<undefined, StorageFailure>>;
  /** What was written so far; the bytes stay on disk. */
  readChunks(): Promise<readonly StoredChunk[]>;
  commit(
    trace: NewTrace,
    columns: IndexColumns,
    problems: readonly CausalProblem[],
    derived?: DerivedColumns,
  ): Promise<Result<Committed, StorageFailure>>;
  /** Removes everything. Safe to call at any time before `commit` succeeded, and after. */
  abandon(): Promise<void>;
}

export async function beginImport(
  context: LibraryContext,
  fingerprint: string,
  label: string,
): Promise<Result<ImportStore, StorageFailure>> {
  const { db, leases, now, createId } = context;
  const lease = await leases.take(leaseName(fingerprint));
  if (lease === undefined) return err(busy(label));
  const row: StoredImport = { store: createId(), fingerprint, label, heartbeat: now().getTime() };
  // Without locks the row itself is the lease: looking and adding are one transaction, or two tabs may both find nothing.
  const begun = await attempt(
    () =>
      db.transaction('rw', db.imports, async () => {
        const others = leases.exact ? [] : await db.imports.toArray();
        if (others.some((other) => other.fingerprint === fingerprint && isBeating(other, now().getTime())))
          return false;
        await db.imports.add(row);
        return true;
      }),
    ofImport,
  );
  if (!begun.ok || !begun.value) {
    lease.release();
    return begun.ok ? err(busy(label)) : begun;
  }
  return ok(createImportStore(context, row, lease));
}

function busy(label: string): StorageFailure {
  return {
    code: 'busy',
    message: `${label} is being imported in another tab or window of this browser. Wait for it to end there: the trace then appears here too.`,
  };
}

function createImportStore(context: LibraryContext, row: StoredImport, lease: Lease): ImportStore {
  const { db, now, createBlob } = context;
  const { store } = row;
  let problemChunks = 0;
  const beat = setInterval(() => {
    db.imports.update(store, { heartbeat: now().getTime() }).catch(() => {
      // A missed beat is no failure: only a long silence counts, and the next write to the store tells what is wrong.
    });
  }, heartbeatEvery);

  function end(): void {
    clearInterval(beat);
    lease.release();
  }

  return {
    addChunk: ({ chunk, first, offsets, bytes }, places) =>
      attempt(
        () =>
          db.transaction('rw', db.body, db.places, async () => {
            await db.body.add({ store, chunk, first, offsets, bytes: createBlob(bytes) });
            await db.places.add({ store, chunk, ...places });
            return undefined;
          }),
        ofImport,
      ),
    readChunks: () =>
      db.body
        .where('[store+chunk]')
        .between(...rangeOf(store))
        .sortBy('chunk'),
    addProblems: (problems) =>
      attempt(async () => {
        await db.problems.add({ store, chunk: problemChunks++, problems });
        return undefined;
      }, ofImport),
    async commit(trace, columns, problems, derived) {
      const row = { store, version: columns.version, columns, problems, derived };
      const committed = await attempt(() => commitTrace(context, trace, row), ofImport);
      if (committed.ok) end();
      return committed;
    },
    async abandon() {
      // What could not be deleted is swept away later, once nothing says that the import goes on.
      try {
        await db.transaction('rw', storeTables(db), () => deleteStore(db, store));
      } finally {
        end();
      }
    },
  };
}

async function commitTrace(
  { db, now }: LibraryContext,
  { digest, runs, ...trace }: NewTrace,
  derived: StoredIndex,
): Promise<Committed> {
  const { store } = derived;
  const id = digestToTraceId(digest);
  const tables = [db.traces, db.runs, db.log, db.settings, ...storeTables(db)];
  return db.transaction('rw', tables, async () => {
    const present = await db.traces.get(id);
    if (present !== undefined) {
      await deleteStore(db, store);
      return { trace: id, name: present.name, alreadyThere: true };
    }
    await db.traces.add({
      ...trace,
      id,
      digest,
      store,
      runs: runs.length,
      branches: 0,
      created: now().toISOString(),
      retention: keepUntilDeleted,
    });
    await db.runs.bulkAdd(runs.map(({ run, events }) => ({ trace: id, run, events })));
    await db.index.add(derived);
    await db.imports.delete(store);
    const detail = `Imported ${trace.files.join(', ')}: ${trace.events} events, ${trace.problems} problems.`;
    const act = { what: 'import', detail, trace: id, traceName: trace.name } as const;
    await appendAct(db, act, await readPerson(db), now());
    return { trace: id, name: trace.name, alreadyThere: false };
  });
}

/** Removes what imports left behind that nobody carries on. Called when the library is opened; returns how many. */
export async function sweepImports({ db, leases, now }: LibraryContext): Promise<number> {
  let swept = 0;
  for (const row of await db.imports.toArray()) {
    if (await leases.isAlive(row, now().getTime())) continue;
    await db.transaction('rw', storeTables(db), () => deleteStore(db, row.store));
    swept += 1;
  }
  return swept;
}
