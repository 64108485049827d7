/**
 * The library's own acts: list, rename, delete, retention, branches, settings, log.
 *
 * Invariant: an act that the access log must tell of and its entry are one transaction. Called by the library worker.
 */
import { isJsonObject } from '../../core/base/json.ts';
import { parseLossless } from '../../core/base/lossless.ts';
import { type Result, err, ok } from '../../core/base/result.ts';
import { nameToShown } from '../../core/base/shown-text.ts';
import { type Act, appendAct, readLog } from './access-log.ts';
import type { LibraryContext } from './context.ts';
import { attempt, attemptOrThrow } from './failures.ts';
import type {
  AccessLog,
  BranchRecord,
  Retention,
  RunRecord,
  StorageFailure,
  StorageState,
  TraceId,
  TraceRecord,
} from './records.ts';
import { computeRetentionState, deletionRefusal, retentionToSentence } from './retention.ts';
import type { LibraryDatabase, StoredTrace } from './schema.ts';
import { readPerson } from './settings.ts';
import { deleteStore, rangeOf, storeTables } from './stores.ts';

export async function listTraces({ db }: LibraryContext): Promise<readonly TraceRecord[]> {
  const traces = (await db.traces.toArray()).map(storedToTrace);
  return traces.sort((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : a.id < b.id ? -1 : 1));
}

export async function findTrace({ db }: LibraryContext, id: TraceId): Promise<TraceRecord | undefined> {
  const stored = await db.traces.get(id);
  return stored === undefined ? undefined : storedToTrace(stored);
}

export async function listRuns({ db }: LibraryContext, trace: TraceId): Promise<readonly RunRecord[]> {
  return db.runs
    .where('[trace+run]')
    .between(...rangeOf(trace))
    .toArray();
}

export function renameTrace(
  context: LibraryContext,
  id: TraceId,
  name: string,
): Promise<Result<undefined, StorageFailure>> {
  const shown = nameToShown(name);
  return changeTrace(context, id, ({ name: before }) => ({
    change: { name: shown === '' ? before : shown },
    act: { what: 'rename', detail: `Renamed from "${nameToShown(before)}" to "${shown === '' ? before : shown}".` },
  }));
}

export function setRetention(
  context: LibraryContext,
  id: TraceId,
  retention: Retention,
): Promise<Result<undefined, StorageFailure>> {
  return changeTrace(context, id, (trace) => ({
    change: { retention },
    act: {
      what: 'retention',
      detail: `Retention changed from: ${retentionToSentence(trace.retention)}; to: ${retentionToSentence(retention)}.`,
    },
  }));
}

/** `override` is the reason for deleting in spite of a floor or a hold. */
export async function deleteTrace(
  { db, now }: LibraryContext,
  id: TraceId,
  override: string | undefined,
): Promise<Result<undefined, StorageFailure>> {
  const done = await attempt(() =>
    db.transaction('rw', everything(db), async (): Promise<Result<undefined, StorageFailure>> => {
      const trace = await db.traces.get(id);
      if (trace === undefined) return err(notFound(id));
      const refusal = deletionRefusal(trace, now());
      const reason = override?.trim() ?? '';
      if (refusal !== undefined && reason === '') return err(refusal);
      const against =
        refusal === undefined ? '' : ` Against its retention (${retentionToSentence(trace.retention)}): ${reason}`;
      await removeTrace(db, trace, { what: 'delete', detail: `Deleted, ${trace.events} events.${against}` }, now());
      return ok(undefined);
    }),
  );
  return done.ok ? done.value : done;
}

/** Deletes those of the named traces that are past their date, whatever `then` says: the person asked. R79. */
export async function purgeTraces({ db, now }: LibraryContext, ids: readonly TraceId[]): Promise<readonly TraceId[]> {
  return db.transaction('rw', everything(db), async () => {
    const purged: TraceId[] = [];
    for (const id of ids) {
      const trace = await db.traces.get(id);
      if (trace === undefined || computeRetentionState(trace.retention, now()) !== 'due') continue;
      const detail = `Purged, ${trace.events} events: ${retentionToSentence(trace.retention)}.`;
      await removeTrace(db, trace, { what: 'purge', detail }, now());
      purged.push(id);
    }
    return purged;
  });
}

/** Purges what is past its date and says that it wants to be purged. Called when the library is opened. */
export async function purgeDue(context: LibraryContext): Promise<readonly TraceId[]> {
  const due = (await context.db.traces.toArray()).filter(
    ({ retention }) => retention.then === 'purge' && computeRetentionState(retention, context.now()) === 'due',
  );
  return due.length === 0
    ? []
    : purgeTraces(
        context,
        due.map(({ id }) => id),
      );
}

export async function listBranches({ db }: LibraryContext, trace: TraceId): Promise<readonly BranchRecord[]> {
  const branches = await db.branches
    .where('[trace+branch]')
    .between(...rangeOf(trace))
    .toArray();
  return branches.sort((a, b) => (a.created < b.created ? -1 : a.created > b.created ? 1 : 0));
}

/** The same operation makes the same branch: repeating it adds only the entry in the access log. */
export async function addBranch(
  { db, now }: LibraryContext,
  branch: Omit<BranchRecord, 'created'>,
  act: Act,
): Promise<Result<{ readonly added: boolean }, StorageFailure>> {
  const done = await attempt(() =>
    db.transaction(
      'rw',
      [db.traces, db.branches, db.log, db.settings],
      async (): Promise<Result<{ readonly added: boolean }, StorageFailure>> => {
        const trace = await db.traces.get(branch.trace);
        if (trace === undefined) return err(notFound(branch.trace));
        const present = await db.branches.get([branch.trace, branch.branch]);
        if (present === undefined) {
          await db.branches.add({ ...branch, created: now().toISOString() });
          await db.traces.update(trace.id, { branches: trace.branches + 1 });
        }
        await appendAct(db, { ...act, trace: trace.id, traceName: trace.name }, await readPerson(db), now());
        return ok({ added: present === undefined });
      },
    ),
  );
  return done.ok ? done.value : done;
}

/**
 * Deletes a branch that a replay made. Refused while another branch starts from it, and where the trace is kept by a hold or a floor:
 * what was replayed from it belongs to what is kept.
 */
export async function deleteBranch(
  { db, now }: LibraryContext,
  id: TraceId,
  branch: string,
): Promise<Result<undefined, StorageFailure>> {
  const tables = [db.traces, db.branches, db.log, db.settings];
  const done = await attempt(() =>
    db.transaction('rw', tables, async (): Promise<Result<undefined, StorageFailure>> => {
      const trace = await db.traces.get(id);
      if (trace === undefined) return err(notFound(id));
      const stored = await db.branches.get([id, branch]);
      if (stored === undefined) {
        return err({ code: 'not-found', message: `This library has no branch ${branch}: it was deleted already.` });
      }
      const refusal = deletionRefusal(trace, now());
      if (refusal !== undefined) {
        return err({
          code: refusal.code,
          message: `"${trace.name}" is kept (${retentionToSentence(trace.retention)}), and its branches with it. Change how long it is kept first; that is logged.`,
        });
      }
      const siblings = await db.branches
        .where('[trace+branch]')
        .between(...rangeOf(id))
        .toArray();
      const child = siblings.find(({ lines }) => linesToParent(lines) === branch);
      if (child !== undefined) {
        return err({
          code: 'in-use',
          message: `Branch ${child.branch} starts from ${branch} and cannot be read without it. Delete ${child.branch} first.`,
        });
      }
      await db.branches.delete([id, branch]);
      await db.traces.update(id, { branches: siblings.length - 1 });
      const detail = `Deleted branch ${branch} (${stored.label}): ${stored.status}, ${stored.lines.length} events. The original is unchanged.`;
      const act = { what: 'delete', detail, trace: id, traceName: trace.name } as const;
      await appendAct(db, act, await readPerson(db), now());
      return ok(undefined);
    }),
  );
  return done.ok ? done.value : done;
}

/** The branch it was made from; its first line says so. */
function linesToParent(lines: readonly string[]): string | undefined {
  const parsed = parseLossless(lines[0] ?? '');
  const data = parsed.ok && isJsonObject(parsed.value) ? parsed.value['data'] : undefined;
  const parent = data !== undefined && isJsonObject(data) ? data['parent'] : undefined;
  return typeof parent === 'string' ? parent : undefined;
}

/** Names the branches a trace has now; undefined: no such trace. Two readings differ when one was added or deleted between them. */
export async function readBranchNames({ db }: LibraryContext, id: TraceId): Promise<string | undefined> {
  return db.transaction('r', db.traces, db.branches, async () => {
    if ((await db.traces.get(id)) === undefined) return undefined;
    const keys = await db.branches
      .where('[trace+branch]')
      .between(...rangeOf(id))
      .primaryKeys();
    return keys.map(([, branch]) => branch).join(' ');
  });
}

/** Writes an act that happens outside the library: a share, an export, a confirmed foreign request. */
export async function recordAct({ db, now }: LibraryContext, act: Act): Promise<void> {
  await attemptOrThrow(() =>
    db.transaction('rw', db.traces, db.log, db.settings, async () => {
      const trace = act.trace === undefined ? undefined : await db.traces.get(act.trace);
      await appendAct(db, { ...act, traceName: act.traceName ?? trace?.name }, await readPerson(db), now());
    }),
  );
}

export function readAccessLog({ db }: LibraryContext): Promise<AccessLog> {
  return readLog(db);
}

export async function readStorageState(): Promise<StorageState> {
  const host: Partial<Pick<Navigator, 'storage'>> = navigator;
  if (host.storage === undefined) return {};
  const [{ usage, quota }, persisted] = await Promise.all([host.storage.estimate(), host.storage.persisted()]);
  return { usage, quota, persisted };
}

export function notFound(id: TraceId): StorageFailure {
  return {
    code: 'not-found',
    message: `This library has no trace ${id}. It was deleted, or it was opened in another browser or at another address.`,
  };
}

function storedToTrace({ store: _store, digest: _digest, packed: _packed, ...trace }: StoredTrace): TraceRecord {
  // A library of before this rule may hold other names.
  return { ...trace, name: nameToShown(trace.name) };
}

function everything(db: LibraryDatabase) {
  return [db.traces, db.runs, db.branches, db.log, db.settings, ...storeTables(db)];
}

async function changeTrace(
  { db, now }: LibraryContext,
  id: TraceId,
  decide: (trace: StoredTrace) => {
    readonly change: Partial<TraceRecord>;
    readonly act: Omit<Act, 'trace' | 'traceName'>;
  },
): Promise<Result<undefined, StorageFailure>> {
  const done = await attempt(() =>
    db.transaction('rw', db.traces, db.log, db.settings, async (): Promise<Result<undefined, StorageFailure>> => {
      const trace = await db.traces.get(id);
      if (trace === undefined) return err(notFound(id));
      const { change, act } = decide(trace);
      await db.traces.update(id, change);
      const traceName = change.name ?? trace.name;
      await appendAct(db, { ...act, trace: id, traceName }, await readPerson(db), now());
      return ok(undefined);
    }),
  );
  return done.ok ? done.value : done;
}

/** Call inside a read-write transaction over everything. */
async function removeTrace(
  db: LibraryDatabase,
  trace: StoredTrace,
  act: Omit<Act, 'trace' | 'traceName'>,
  now: Date,
): Promise<void> {
  await deleteStore(db, trace.store);
  await db.runs
    .where('[trace+run]')
    .between(...rangeOf(trace.id))
    .delete();
  await db.branches
    .where('[trace+branch]')
    .between(...rangeOf(trace.id))
    .delete();
  await db.traces.delete(trace.id);
  await appendAct(db, { ...act, trace: trace.id, traceName: trace.name }, await readPerson(db), now);
}
