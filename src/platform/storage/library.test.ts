/**
 * The real service over fake-indexeddb: atomic import, idempotence, leases, deletion and the access log.
 */
import { describe, expect, it } from 'vitest';
import type { Result } from '../../core/base/result.ts';
import { beginImport, type ImportStore, sweepImports } from './import-store.ts';
import { heartbeatLimit } from './leases.ts';
import {
  addBranch,
  deleteBranch,
  deleteTrace,
  findTrace,
  listBranches,
  listRuns,
  listTraces,
  purgeDue,
  purgeTraces,
  readAccessLog,
  readBranchNames,
  recordAct,
  renameTrace,
  setRetention,
} from './library.ts';
import { partsToStream, readTraceParts, saveIndex } from './open-trace.ts';
import type { StorageFailure, TraceId } from './records.ts';
import { saveSettings } from './settings.ts';
import {
  createLockLeases,
  createTestLibrary,
  linesToChunks,
  newTrace,
  noColumns,
  noPlaces,
  type TestLibrary,
} from './testing/library.ts';

function must<T>(result: Result<T, StorageFailure>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

async function begin(library: TestLibrary, fingerprint = 'f'): Promise<ImportStore> {
  const store = must(await beginImport(library, fingerprint, 'incident'));
  for (const chunk of linesToChunks(['{"a":1}', '{"b":2}', '{"c":"ü"}'], 16))
    must(await store.addChunk(chunk, noPlaces));
  must(
    await store.addProblems([
      { code: 'damaged', message: 'Line 4 is damaged.', severity: 'problem', raw: new Uint8Array([255]) },
    ]),
  );
  return store;
}

async function importOne(library: TestLibrary, over: Parameters<typeof newTrace>[0] = {}): Promise<TraceId> {
  const store = await begin(library);
  return must(await store.commit(newTrace(over), noColumns, [])).trace;
}

/** Number of rows in each table that an import writes. */
async function countRows({ db }: TestLibrary): Promise<Readonly<Record<string, number>>> {
  const tables = [db.traces, db.runs, db.body, db.places, db.index, db.problems, db.branches, db.imports];
  return Object.fromEntries(await Promise.all(tables.map(async (table) => [table.name, await table.count()] as const)));
}

const nothing = { traces: 0, runs: 0, body: 0, places: 0, index: 0, problems: 0, branches: 0, imports: 0 };

describe('an import', () => {
  it('becomes a trace with everything that was written, and reads back the same', async () => {
    const library = createTestLibrary();
    const id = await importOne(library);
    const parts = must(await readTraceParts(library, id, noColumns.version));
    expect(await partsToStream(parts, library.readSlice).text()).toBe('{"a":1}\n{"b":2}\n{"c":"ü"}\n');
    expect(parts.problems).toEqual([
      { code: 'damaged', message: 'Line 4 is damaged.', severity: 'problem', raw: new Uint8Array([255]) },
    ]);
    expect(parts.index).toMatchObject({ columns: noColumns, problems: [] });
    expect(await listRuns(library, id)).toEqual([{ trace: id, run: '1'.repeat(32), events: 3 }]);
    expect(await findTrace(library, id)).toMatchObject({ id, name: 'incident', created: '2026-01-01T00:00:00.000Z' });
    expect(await countRows(library)).toEqual({
      ...nothing,
      traces: 1,
      runs: 1,
      body: 2,
      places: 2,
      index: 1,
      problems: 1,
    });
  });

  it('is no trace, and not listed, until it is committed', async () => {
    const library = createTestLibrary();
    await begin(library);
    expect(await listTraces(library)).toEqual([]);
  });

  it('leaves nothing when it is abandoned', async () => {
    const library = createTestLibrary();
    const store = await begin(library);
    await store.abandon();
    expect(await countRows(library)).toEqual(nothing);
    expect((await readAccessLog(library)).entries).toEqual([]);
  });

  it('that cannot be cleared away is over all the same: the next one may begin', async () => {
    const leases = createLockLeases();
    const library = createTestLibrary(leases);
    const store = await begin(library);
    library.db.imports.hook('deleting', () => {
      throw new DOMException('the profile is damaged', 'UnknownError');
    });
    await expect(store.abandon()).rejects.toThrow();
    expect([...leases.held]).toEqual([]);
  });

  it('R68: of the same content adds nothing and says which trace it is', async () => {
    const library = createTestLibrary();
    const first = await importOne(library);
    const before = await countRows(library);
    const again = must(await (await begin(library)).commit(newTrace({ name: 'another name' }), noColumns, []));
    expect(again).toEqual({ trace: first, name: 'incident', alreadyThere: true });
    expect(await countRows(library)).toEqual(before);
    expect((await readAccessLog(library)).entries).toHaveLength(1);
  });

  it('writes trace, log and index together or not at all', async () => {
    const library = createTestLibrary();
    const store = await begin(library);
    library.db.log.hook('creating', () => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const result = await store.commit(newTrace(), noColumns, []);
    expect(result).toMatchObject({ ok: false, error: { code: 'quota' } });
    await store.abandon();
    expect(await countRows(library)).toEqual(nothing);
  });

  it('that meets the quota says so in a sentence', async () => {
    const library = createTestLibrary();
    library.db.body.hook('creating', () => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const store = must(await beginImport(library, 'f', 'incident'));
    const [chunk] = linesToChunks(['{}']);
    if (chunk === undefined) throw new Error('one chunk');
    expect(await store.addChunk(chunk, noPlaces)).toMatchObject({
      ok: false,
      error: {
        code: 'quota',
        message: expect.stringMatching(/no more space.*Nothing of this import was kept.*open it again/),
      },
    });
  });
});

for (const [kind, createLeases] of [
  ['heartbeats', () => undefined],
  ['locks', createLockLeases],
] as const) {
  describe(`two tabs, by ${kind}`, () => {
    it('do not import the same thing at once; the second is told', async () => {
      const library = createTestLibrary(createLeases());
      await begin(library);
      const second = await beginImport(library.otherTab(), 'f', 'incident');
      expect(second).toMatchObject({
        ok: false,
        error: { code: 'busy', message: expect.stringContaining('in another tab') },
      });
      expect((await beginImport(library.otherTab(), 'other', 'x')).ok).toBe(true);
    });

    it('may import it one after the other', async () => {
      const library = createTestLibrary(createLeases());
      await (await begin(library)).abandon();
      expect((await beginImport(library.otherTab(), 'f', 'incident')).ok).toBe(true);
    });

    it('what a dead tab had begun may be imported again', async () => {
      const leases = createLeases();
      const library = createTestLibrary(leases);
      await begin(library);
      library.clock.at = new Date(library.clock.at.getTime() + heartbeatLimit);
      leases?.held.delete('hindcast-import-f');
      expect((await beginImport(library.otherTab(), 'f', 'incident')).ok).toBe(true);
    });

    it('a sweep removes what a dead tab left, and nothing of a living one', async () => {
      const leases = createLeases();
      const library = createTestLibrary(leases);
      await begin(library, 'dead');
      library.clock.at = new Date(library.clock.at.getTime() + heartbeatLimit);
      leases?.held.delete('hindcast-import-dead');
      await begin(library, 'alive');
      const before = await countRows(library);
      expect(await sweepImports(library.otherTab())).toBe(1);
      expect(before).toMatchObject({ imports: 2, body: 4, problems: 2 });
      expect(await countRows(library)).toMatchObject({ imports: 1, body: 2, problems: 1 });
      expect(await sweepImports(library.otherTab())).toBe(0);
    });

    it('a sweep keeps what has become a trace', async () => {
      const library = createTestLibrary(createLeases());
      const id = await importOne(library);
      library.clock.at = new Date(library.clock.at.getTime() + heartbeatLimit);
      expect(await sweepImports(library)).toBe(0);
      expect(must(await readTraceParts(library, id, noColumns.version)).chunks).toHaveLength(2);
    });
  });
}

describe('the library', () => {
  it('that is full says of a change that it was not kept, and speaks of no import', async () => {
    const library = createTestLibrary();
    const id = await importOne(library);
    library.db.log.hook('creating', () => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const renamed = await renameTrace(library, id, 'other');
    expect(renamed).toMatchObject({ ok: false, error: { code: 'quota' } });
    expect(renamed.ok ? '' : renamed.error.message).toMatch(/This change was not kept.*try again/);
    expect(renamed.ok ? '' : renamed.error.message).not.toContain('import');
    expect((await listTraces(library))[0]?.name).toBe('incident');
  });

  it('lists the newest first, renames, and keeps a name that is not empty', async () => {
    const library = createTestLibrary();
    const older = await importOne(library);
    library.clock.at = new Date('2026-01-02T00:00:00Z');
    const newer = await importOne(library, { digest: 'f'.repeat(64) });
    expect((await listTraces(library)).map(({ id }) => id)).toEqual([newer, older]);
    must(await renameTrace(library, older, '  the\u0007 first  '));
    must(await renameTrace(library, newer, '   '));
    expect((await listTraces(library)).map(({ name }) => name)).toEqual(['incident', 'the\\u0007 first']);
  });

  it('answers for a trace it does not have with a sentence', async () => {
    const library = createTestLibrary();
    const id = await importOne(library);
    must(await deleteTrace(library, id, undefined));
    const notFound = { ok: false, error: { code: 'not-found' } };
    expect(await renameTrace(library, id, 'x')).toMatchObject(notFound);
    expect(await deleteTrace(library, id, undefined)).toMatchObject(notFound);
    expect(await readTraceParts(library, id, 1)).toMatchObject(notFound);
    const branch = { trace: id, branch: 'b-1', label: '', status: '', lines: [] };
    expect(await addBranch(library, branch, { what: 'replay', detail: '' })).toMatchObject(notFound);
  });

  it('deletes everything of a trace and nothing of another', async () => {
    const library = createTestLibrary();
    const id = await importOne(library);
    const before = await countRows(library);
    const other = await importOne(library, { digest: 'f'.repeat(64) });
    const branch = { trace: other, branch: 'b-1', label: 'edit', status: 'complete', lines: ['{}'] };
    must(await addBranch(library, branch, { what: 'replay', detail: 'Replayed.' }));
    must(await deleteTrace(library, other, undefined));
    expect(await countRows(library)).toEqual(before);
    expect((await listTraces(library)).map((trace) => trace.id)).toEqual([id]);
  });

  it('has the same id for the same content after deletion', async () => {
    const library = createTestLibrary();
    const id = await importOne(library);
    must(await deleteTrace(library, id, undefined));
    expect(await importOne(library)).toBe(id);
  });

  it('keeps a branch once, however often the same operation is repeated, and logs each', async () => {
    const library = createTestLibrary();
    const trace = await importOne(library);
    const branch = { trace, branch: 'b-1', label: 'edit', status: 'complete', lines: ['{"x":1}'] };
    const act = { what: 'replay', detail: 'Replayed.' } as const;
    expect(must(await addBranch(library, branch, act))).toEqual({ added: true });
    expect(must(await addBranch(library, branch, act))).toEqual({ added: false });
    expect(await listBranches(library, trace)).toHaveLength(1);
    expect(await findTrace(library, trace)).toMatchObject({ branches: 1 });
    const parts = must(await readTraceParts(library, trace, noColumns.version));
    expect((await partsToStream(parts, library.readSlice).text()).endsWith('{"c":"ü"}\n{"x":1}\n')).toBe(true);
    expect((await readAccessLog(library)).entries.map(({ what }) => what)).toEqual(['import', 'replay', 'replay']);
  });

  it('R77: deletes a branch with an entry in the log, not one that another starts from, and none under a hold', async () => {
    const library = createTestLibrary();
    const trace = await importOne(library);
    const act = { what: 'replay', detail: 'Replayed.' } as const;
    const branchFrom = (branch: string, parent: string) => ({
      trace,
      branch,
      label: `edit ${branch}`,
      status: 'blocked',
      lines: [JSON.stringify({ type: 'branch.created', data: { parent } })],
    });
    must(await addBranch(library, branchFrom('b-1', 'main'), act));
    must(await addBranch(library, branchFrom('b-2', 'b-1'), act));
    const before = await readBranchNames(library, trace);
    expect(await deleteBranch(library, trace, 'b-1')).toMatchObject({
      ok: false,
      error: { code: 'in-use', message: expect.stringContaining('b-2 starts from b-1') },
    });
    must(await setRetention(library, trace, { hold: true, then: 'offer' }));
    expect(await deleteBranch(library, trace, 'b-2')).toMatchObject({ ok: false, error: { code: 'held' } });
    must(await setRetention(library, trace, { hold: false, then: 'offer' }));
    expect(await readBranchNames(library, trace)).toBe(before);
    must(await deleteBranch(library, trace, 'b-2'));
    must(await deleteBranch(library, trace, 'b-1'));
    expect(await deleteBranch(library, trace, 'b-1')).toMatchObject({ ok: false, error: { code: 'not-found' } });
    expect(await listBranches(library, trace)).toEqual([]);
    expect(await findTrace(library, trace)).toMatchObject({ branches: 0 });
    expect((await readAccessLog(library)).entries.slice(-2)).toMatchObject([
      { what: 'delete', trace, detail: expect.stringContaining('Deleted branch b-2 (edit b-2): blocked') },
      { what: 'delete', trace, detail: expect.stringContaining('Deleted branch b-1') },
    ]);
    // A trace opened before and after is not taken for the same: the names say which branches there are, not how many.
    must(await addBranch(library, branchFrom('b-3', 'main'), act));
    must(await addBranch(library, branchFrom('b-4', 'main'), act));
    expect(await readBranchNames(library, trace)).not.toBe(before);
  });

  it('drops columns of another version and takes the rebuilt ones', async () => {
    const library = createTestLibrary();
    const id = await importOne(library);
    expect(must(await readTraceParts(library, id, noColumns.version + 1)).index).toBeUndefined();
    await saveIndex(library, id, { ...noColumns, version: noColumns.version + 1 }, []);
    expect(must(await readTraceParts(library, id, noColumns.version + 1)).index).toBeDefined();
  });
});

describe('R77, R79: retention', () => {
  const later = '2026-07-01T00:00:00Z';

  it('a floor and a hold stand against deletion; an override needs a reason and is logged', async () => {
    const library = createTestLibrary();
    const id = await importOne(library);
    must(await setRetention(library, id, { floor: later, hold: false, then: 'offer', reason: 'high-risk system' }));
    expect(await deleteTrace(library, id, undefined)).toMatchObject({ ok: false, error: { code: 'before-floor' } });
    expect(await deleteTrace(library, id, '   ')).toMatchObject({ ok: false, error: { code: 'before-floor' } });
    must(await setRetention(library, id, { hold: true, then: 'offer' }));
    expect(await deleteTrace(library, id, undefined)).toMatchObject({ ok: false, error: { code: 'held' } });
    must(await deleteTrace(library, id, 'court order 12'));
    const { entries } = await readAccessLog(library);
    expect(entries.map(({ what }) => what)).toEqual(['import', 'retention', 'retention', 'delete']);
    expect(entries.at(-1)?.detail).toContain('on hold');
    expect(entries.at(-1)?.detail).toContain('court order 12');
  });

  it('after the floor a delete needs no override', async () => {
    const library = createTestLibrary();
    const id = await importOne(library);
    must(await setRetention(library, id, { floor: later, hold: false, then: 'offer' }));
    library.clock.at = new Date(later);
    must(await deleteTrace(library, id, undefined));
  });

  it('purges what is due and only that, and records it', async () => {
    const library = createTestLibrary();
    const due = await importOne(library);
    const held = await importOne(library, { digest: 'e'.repeat(64) });
    const offered = await importOne(library, { digest: 'f'.repeat(64) });
    must(await setRetention(library, due, { keepUntil: later, hold: false, then: 'purge' }));
    must(await setRetention(library, held, { keepUntil: later, hold: true, then: 'purge' }));
    must(await setRetention(library, offered, { keepUntil: later, hold: false, then: 'offer' }));
    expect(await purgeDue(library)).toEqual([]);
    library.clock.at = new Date(later);
    expect(await purgeDue(library)).toEqual([due]);
    expect(await purgeTraces(library, [held, offered])).toEqual([offered]);
    expect((await listTraces(library)).map(({ id }) => id)).toEqual([held]);
    expect((await readAccessLog(library)).entries.slice(-2).map(({ what, trace }) => [what, trace])).toEqual([
      ['purge', due],
      ['purge', offered],
    ]);
  });
});

describe('the access log', () => {
  async function filled(): Promise<TestLibrary> {
    const library = createTestLibrary();
    const trace = await importOne(library);
    await saveSettings(library.db, { person: ' Ada ' });
    await recordAct(library, { what: 'share', detail: 'Shared.', trace });
    await recordAct(library, { what: 'fetch', detail: 'Read https://example.org/x.' });
    return library;
  }

  it('says who, what, when and on which trace, and holds', async () => {
    const library = await filled();
    const log = await readAccessLog(library);
    expect(log.intact).toBe(true);
    expect(log.entries.map(({ n, who, what, traceName }) => [n, who, what, traceName])).toEqual([
      [1, 'not named', 'import', 'incident'],
      [2, 'Ada', 'share', 'incident'],
      [3, 'Ada', 'fetch', undefined],
    ]);
  });

  it('shows a changed entry', async () => {
    const library = await filled();
    await library.db.log.update(2, { who: 'Eve' });
    expect(await readAccessLog(library)).toMatchObject({ intact: false, fault: expect.stringContaining('Entry 2') });
  });

  it('shows a removed entry', async () => {
    const library = await filled();
    await library.db.log.delete(2);
    expect(await readAccessLog(library)).toMatchObject({ intact: false, fault: expect.stringContaining('Entry 2') });
  });

  it('shows a cut tail, because its length is committed', async () => {
    const library = await filled();
    await library.db.log.delete(3);
    expect(await readAccessLog(library)).toMatchObject({ intact: false, fault: expect.stringContaining('was cut') });
  });
});
