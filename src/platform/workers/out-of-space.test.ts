/**
 * The browser gives no more space in the midst of an act: for every write at which that may be, the act ends in a sentence, nothing of it
 * is kept, and what was there before is as it was.
 */
import type { Table } from 'dexie';
import { describe, expect, it } from 'vitest';
import { eventToLine, mainBranch } from '../../core/model/index.ts';
import { record } from '../../core/replay/testing/record.ts';
import { at } from '../../core/replay/testing/replay-case.ts';
import { loadSandbox } from '../sandbox/node.ts';
import { deleteBranch, listBranches, recordAct, renameBranch, renameTrace, type TraceId } from '../storage/index.ts';
import { deleteGolden, saveGolden } from '../storage/goldens.ts';
import { saveSettings } from '../storage/settings.ts';
import { createTestLibrary, type TestLibrary } from '../storage/testing/library.ts';
import { runImport } from './import-job.ts';
import { createOpener } from './open-traces.ts';
import { replayTrace } from './replay-job.ts';

const program = `async function main(ctx) {
  const d = await ctx.model('decide', { q: 1 });
  const act = ctx.decide('act', d.action, { alternatives: ['open', 'close'], uses: [d] });
  return act;
}`;

const context = { signal: new AbortController().signal, progress: () => undefined };

/** Refuses the write of this number, counted from the present one, as a browser does whose quota is reached; returns the way back. */
interface Limit {
  left: number;
}

function limitWrites(tables: readonly Table[]): Limit {
  const limit: Limit = { left: Number.POSITIVE_INFINITY };
  const spend = (): void => {
    if (--limit.left < 0) throw new DOMException('full', 'QuotaExceededError');
  };
  for (const table of tables) {
    table.hook('creating', spend);
    table.hook('updating', spend);
  }
  return limit;
}

async function readAll(tables: readonly Table[]): Promise<unknown> {
  const rows = await Promise.all(tables.map(async (table) => [table.name, await table.toArray()] as const));
  return structuredClone(rows);
}

interface World {
  readonly library: TestLibrary;
  readonly trace: TraceId;
  /** Replays with the model's answer replaced by this one. */
  readonly replay: (action: string) => Promise<unknown>;
}

async function createWorld(): Promise<World> {
  const events = await record(program, { handlers: { 'model:decide': () => ({ ok: { action: 'open' } }) } });
  const library = createTestLibrary();
  const deps = { library, readSlice: library.readSlice, ticks: () => 0 };
  const files = [{ path: 'run.jsonl', blob: new Blob(events.map((event) => `${eventToLine(event)}\n`)) }];
  const imported = await runImport(deps, { files, origin: 'opened' }, context);
  if (!imported.ok) throw new Error(imported.error.message);
  const { trace } = imported.value;
  const opener = createOpener(deps);
  const { id } = at(events, 'model_call.completed');
  const replay = (action: string) => {
    const edits = [{ target: { event: id }, value: { action } }];
    return replayTrace(
      { library, opener, loadSandbox, ticks: () => 0 },
      { trace, base: mainBranch, edits, supply: [] },
      context,
    );
  };
  return { library, trace, replay };
}

async function branchOf({ library, trace }: World): Promise<string> {
  const [first] = await listBranches(library, trace);
  if (first === undefined) throw new Error('no branch');
  return first.branch;
}

/** What the act says: the message of its failure, whether it answers with one or throws it; undefined where it was done. */
async function sentenceOf(act: Promise<unknown>): Promise<string | undefined> {
  try {
    const answer = await act;
    if (typeof answer !== 'object' || answer === null || !('ok' in answer) || answer.ok === true) return undefined;
    return 'error' in answer && typeof answer.error === 'object' && answer.error !== null && 'message' in answer.error
      ? String(answer.error.message)
      : 'no message';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const sentence =
  'The browser gives this site no more space on this machine. This change was not kept, and the library is as it was. Delete traces you no longer need, or free disk space, and try again.';

describe('no more space in the midst of', () => {
  it.each<[name: string, least: number, act: (world: World) => Promise<unknown>]>([
    ['a replay that makes a branch', 3, (world) => world.replay('close')],
    ['a verification, which is only logged', 1, (world) => world.replay('open')],
    ['naming a trace', 2, ({ library, trace }) => renameTrace(library, trace, 'other')],
    ['naming a branch', 2, async (world) => renameBranch(world.library, world.trace, await branchOf(world), 'mine')],
    ['deleting a branch', 2, async (world) => deleteBranch(world.library, world.trace, await branchOf(world))],
    [
      'a share, which is logged before it is given',
      1,
      ({ library, trace }) => recordAct(library, { what: 'share', trace, detail: 'link' }),
    ],
    ['pinning a golden case', 2, ({ library, trace }) => saveGolden(library, { id: 'g', trace, golden: {} }, 'pinned')],
    ['taking a golden case away', 1, ({ library }) => deleteGolden(library, 'before', 'removed')],
    ['giving a name for the log', 1, ({ library }) => saveSettings(library.db, { person: 'Ada' })],
  ])('%s: a sentence, nothing half kept, the original as it was', async (_name, least, act) => {
    const world = await createWorld();
    const { library, trace } = world;
    await world.replay('wait');
    await saveGolden(library, { id: 'before', trace, golden: {} }, 'pinned');
    const { tables } = library.db;
    const before = await readAll(tables);
    const limit = limitWrites(tables);
    let refused = 0;
    for (;;) {
      limit.left = refused;
      const told = await sentenceOf(act(world));
      limit.left = Number.POSITIVE_INFINITY;
      if (told === undefined) break;
      expect(told).toBe(sentence);
      expect(await readAll(tables)).toEqual(before);
      refused += 1;
      expect(refused).toBeLessThan(20);
    }
    expect(refused).toBeGreaterThanOrEqual(least);
    // Done at last, it is kept whole: the log has it, and it is there.
    expect(await readAll(tables)).not.toEqual(before);
  });
});
