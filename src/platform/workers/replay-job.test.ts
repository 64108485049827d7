/**
 * Replays and previews of stored traces, in the product's own sandbox: what is kept, what is logged, what never ends.
 */
import { describe, expect, it } from 'vitest';
import type { Result } from '../../core/base/result.ts';
import { eventToLine, type HindcastEvent, mainBranch } from '../../core/model/index.ts';
import { drawTrace } from '../../core/model/testing/trace.ts';
import { record } from '../../core/replay/testing/record.ts';
import { at, paths } from '../../core/replay/testing/replay-case.ts';
import { loadSandbox } from '../sandbox/node.ts';
import { findTrace, listBranches, readAccessLog, type TraceId } from '../storage/index.ts';
import { createTestLibrary, type TestLibrary } from '../storage/testing/library.ts';
import { runImport } from './import-job.ts';
import { createOpener, type Opener } from './open-traces.ts';
import { openedToReader } from './opened-reader.ts';
import { previewTrace } from './preview-job.ts';
import { replayTrace } from './replay-job.ts';
import type { ReplayProgress, ReplayReport, ReplayRequest } from './replay-methods.ts';

const program = `async function main(ctx, input) {
  const d = await ctx.model('decide', { q: 1 });
  const act = ctx.decide('act', d.action, { alternatives: ['open', 'close'], uses: [d] });
  const t = await ctx.write('ticket', { title: act }, { by: 'act', writes: ['tickets'] });
  return t.id;
}`;

const handlers = {
  'model:decide': () => ({ ok: { action: 'open' } }),
  'write:ticket': () => ({ ok: { id: 8421 }, effects: [{ id: '8421' }] }),
};

interface Stored {
  readonly library: TestLibrary;
  readonly opener: Opener;
  readonly trace: TraceId;
  readonly events: readonly HindcastEvent[];
}

async function store(events: readonly HindcastEvent[]): Promise<Stored> {
  const library = createTestLibrary();
  const blob = new Blob(events.map((event) => `${eventToLine(event)}\n`));
  const deps = { library, readSlice: library.readSlice, ticks: () => 0 };
  const request = { files: [{ path: 'run.jsonl', blob }], origin: 'opened' } as const;
  const outcome = must(
    await runImport(deps, request, { signal: new AbortController().signal, progress: () => undefined }),
  );
  return { library, opener: createOpener(deps), trace: outcome.trace, events };
}

async function storeRun(): Promise<Stored> {
  return store(await record(program, { handlers }));
}

function must<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

interface Options {
  readonly signal?: AbortSignal;
  readonly ticks?: () => number;
  readonly onProgress?: (progress: ReplayProgress) => void;
}

function run(stored: Stored, over: Partial<ReplayRequest> = {}, options: Options = {}) {
  const { library, opener, trace } = stored;
  const { signal = new AbortController().signal, ticks = () => 0, onProgress = () => undefined } = options;
  const request = { trace, base: mainBranch, edits: [], supply: [], ...over };
  return replayTrace({ library, opener, loadSandbox, ticks }, request, { signal, progress: onProgress });
}

function editOf({ events }: Stored): Partial<ReplayRequest> {
  const { id } = at(events, 'model_call.completed');
  return { edits: [{ target: { event: id }, value: { action: 'close' } }], reason: 'the action was wrong' };
}

async function branchesOf({ library, trace }: Stored): Promise<readonly string[]> {
  return (await listBranches(library, trace)).map(({ branch }) => branch);
}

it('is made by who was typed when it was asked for, in the branch and in the log, and the name is kept', async () => {
  const stored = await storeRun();
  must(await run(stored, { ...editOf(stored), person: 'Ada Park' }));
  const [branch] = await listBranches(stored.library, stored.trace);
  const lines = must(await stored.opener.open(stored.trace));
  const created = openedToReader(lines)
    .summary()
    .branches.find(({ id }) => id === branch?.branch);
  expect(created?.label).toContain('Ada Park');
  const { entries } = await readAccessLog(stored.library);
  expect(entries.at(-1)?.who).toBe('Ada Park');
});

describe('an unedited replay', () => {
  it('says identical, makes no branch, and is logged', async () => {
    const stored = await storeRun();
    expect(must(await run(stored))).toMatchObject({ result: 'identical', stored: false });
    expect(await branchesOf(stored)).toEqual([]);
    const { entries } = await readAccessLog(stored.library);
    expect(entries.map(({ what, detail }) => [what, detail])).toEqual([
      ['import', expect.any(String)],
      ['replay', 'Unedited replay of main: identical.'],
    ]);
  });
});

describe('an edited replay', () => {
  it('keeps its branch in the library; the trace, opened before, shows it', async () => {
    const stored = await storeRun();
    const before = openedToReader(must(await stored.opener.open(stored.trace)));
    expect(before.summary().branches.map(({ id }) => id)).toEqual(['main']);
    const report: ReplayReport = must(await run(stored, editOf(stored)));
    expect(report).toMatchObject({ result: 'blocked', stored: true });
    expect(report).not.toHaveProperty('lines');
    expect(await branchesOf(stored)).toEqual([report.branch]);
    const after = openedToReader(must(await stored.opener.open(stored.trace)));
    expect(after.summary().branches.map(({ id }) => id)).toEqual(['main', report.branch]);
    expect(after.effects(mainBranch)).toEqual(before.effects(mainBranch));
    expect(await findTrace(stored.library, stored.trace)).toMatchObject({ branches: 1 });
  });

  it('can be gone on with from its branch', async () => {
    const stored = await storeRun();
    const first = must(await run(stored, editOf(stored)));
    const [pending = ''] = paths(first.pending);
    const supply = [{ path: pending, value: { id: 9000 } }];
    const second = must(await run(stored, { base: first.branch, supply }));
    expect(second).toMatchObject({ result: 'complete', outcome: { value: 9000 }, stored: true });
    expect(await branchesOf(stored)).toHaveLength(2);
  });

  it('repeated adds no branch, only an entry in the log', async () => {
    const stored = await storeRun();
    const first = must(await run(stored, editOf(stored)));
    stored.library.clock.at = new Date('2026-02-02T00:00:00Z');
    const second = must(await run(stored, editOf(stored)));
    expect(second.branch).toBe(first.branch);
    expect(await branchesOf(stored)).toEqual([first.branch]);
    expect((await readAccessLog(stored.library)).entries.filter(({ what }) => what === 'replay')).toHaveLength(2);
  });

  it('of what is not there is refused with a sentence, and nothing is kept', async () => {
    const stored = await storeRun();
    const result = await run(stored, { edits: [{ target: { path: '/model:nobody#0' }, value: 1 }] });
    expect(result).toMatchObject({ ok: false, error: { code: 'refused', message: expect.stringContaining('nobody') } });
    expect(await branchesOf(stored)).toEqual([]);
  });

  it('tells how many commands were issued', async () => {
    const heard: number[] = [];
    let ticks = 0;
    await run(
      await storeRun(),
      {},
      { ticks: () => (ticks += 100), onProgress: ({ commands }) => heard.push(commands) },
    );
    expect(heard).toEqual([1, 2]);
  });
});

describe('a program that would run for ever', () => {
  const endless = 'async function main() { for (;;) {} }';

  it('meets its own limit first', async () => {
    const report = must(await run(await storeRun(), { program: endless }));
    expect(report.result).toBe('limit');
  });

  it('is stopped by the host when patience ends, and keeps no branch: the same operation can still have its result', async () => {
    let ticks = 0;
    const stored = await storeRun();
    const report = must(await run(stored, { program: endless, patience: 1000 }, { ticks: () => (ticks += 500) }));
    expect(report.stored).toBe(false);
    expect(await branchesOf(stored)).toEqual([]);
    expect(report.divergences.map(({ message }) => message).join()).toMatch(/stopped|abort|host/i);
  });
});

describe('a preview', () => {
  it('says what falls by the declared edges, and runs nothing', async () => {
    const stored = await storeRun();
    const { trace, opener } = stored;
    const request = { trace, base: mainBranch, edits: [], supply: [], ...editOf(stored) };
    const preview = must(await previewTrace(opener, request));
    expect(preview.items.map(({ path, status }) => `${path} ${status}`)).toEqual([
      '/model:decide#0 edited',
      '/decide:act#0 falls',
      '/write:ticket#0 falls',
    ]);
    expect(preview.items[2]?.reasons.at(-1)?.event).toBe(at(stored.events, 'model_call.completed').id);
  });

  it('works without commands, over events and their causes', async () => {
    const drawing = drawTrace(`
      agent=planner:
        seen  model_call.completed
        act   tool_call.dispatched  <- seen:informed_by
        done  tool_call.completed   <- act:result_of
    `);
    const { trace, opener } = await store(['seen', 'act', 'done'].map((name) => drawing.event(name)));
    const preview = (event: string) =>
      previewTrace(opener, { trace, base: mainBranch, edits: [{ target: { event }, value: 1 }], supply: [] });
    expect(must(await preview(drawing.id('act'))).items.map(({ status }) => status)).toEqual([
      'stands',
      'edited',
      'falls',
    ]);
    expect(must(await preview(drawing.id('seen'))).items.map(({ status }) => status)).toEqual([
      'edited',
      'may-fall',
      'may-fall',
    ]);
    expect(await preview('nobody')).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('no event nobody') },
    });
  });
});
