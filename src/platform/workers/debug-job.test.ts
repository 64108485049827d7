/** The debugger over stored traces: one replay is kept and asked by position; programs may be TypeScript. */
import { describe, expect, it } from 'vitest';
import type { Result } from '../../core/base/result.ts';
import { eventToLine, mainBranch } from '../../core/model/index.ts';
import { record } from '../../core/replay/testing/record.ts';
import { loadSandbox } from '../sandbox/node.ts';
import { listBranches, readAccessLog, type TraceId } from '../storage/index.ts';
import { createTestLibrary, type TestLibrary } from '../storage/testing/library.ts';
import { createDebugJobs } from './debug-job.ts';
import { runImport } from './import-job.ts';
import { createOpener } from './open-traces.ts';
import { type ReplayDeps, replayTrace } from './replay-job.ts';
import type { ReplayRequest } from './replay-methods.ts';

const program = `async function main(ctx, input) {
  const d = await ctx.model('decide', { q: 1 });
  console.log('decided', d);
  await ctx.state('ticket', { open: true });
  const t = await ctx.write('ticket', { title: d.action });
  await ctx.state('ticket', { open: false });
  return t.id;
}`;

interface Stored {
  readonly library: TestLibrary;
  readonly deps: ReplayDeps;
  readonly request: ReplayRequest & { readonly trace: TraceId };
  /** Sessions of the sandbox so far. */
  readonly loads: () => number;
}

const context = { signal: new AbortController().signal, progress: () => undefined };

async function store(): Promise<Stored> {
  const events = await record(program, {
    handlers: {
      'model:decide': () => ({ ok: { action: 'open' } }),
      'write:ticket': () => ({ ok: { id: 8421 }, effects: [{ id: '8421' }] }),
    },
  });
  const library = createTestLibrary();
  const blob = new Blob(events.map((event) => `${eventToLine(event)}\n`));
  const opening = { library, readSlice: library.readSlice, ticks: () => 0 };
  const files = [{ path: 'run.jsonl', blob }];
  const outcome = must(await runImport(opening, { files, origin: 'opened' }, context));
  let loads = 0;
  const deps = {
    library,
    opener: createOpener(opening),
    loadSandbox: () => {
      loads++;
      return loadSandbox();
    },
    ticks: () => 0,
  };
  const request = { trace: outcome.trace, base: mainBranch, edits: [], supply: [] };
  return { library, deps, request, loads: () => loads };
}

function must<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

describe('the debugger over a stored trace', () => {
  it('R36 opens once, answers by position, stores nothing', async () => {
    const { library, deps, request, loads } = await store();
    const jobs = createDebugJobs(deps);
    const logged = (await readAccessLog(library)).entries.length;
    const overview = must(await jobs.open(request, context));
    expect(overview).toMatchObject({ length: 3, marks: [], program, result: 'identical' });
    const view = must(await jobs.at({ ...request }, 2, context));
    expect(view.step).toMatchObject({
      delivered: { path: '/write:ticket#0' },
      states: [{ to: 2, before: { open: true }, value: { open: false } }],
      site: { line: 5 },
    });
    expect(view.state).toMatchObject({ open: [], printed: [{ text: 'decided {"action":"open"}' }] });
    expect(view.deliveries.map(({ position, path, outcome }) => [position, path, outcome])).toEqual([
      [1, '/model:decide#0', 'ok'],
      [2, '/write:ticket#0', 'ok'],
    ]);
    expect(loads()).toBe(1);
    expect(await listBranches(library, request.trace)).toEqual([]);
    expect((await readAccessLog(library)).entries).toHaveLength(logged);
  });

  it('a call that is given up spoils nothing for the next one, nor does a sandbox that did not load', async () => {
    const { deps, request } = await store();
    const jobs = createDebugJobs(deps);
    const stop = new AbortController();
    stop.abort();
    await jobs.at(request, 0, { ...context, signal: stop.signal });
    expect(must(await jobs.open(request, context))).toMatchObject({ length: 3, result: 'identical' });
    let fails = true;
    const again = createDebugJobs({
      ...deps,
      loadSandbox: () => (fails ? Promise.reject(new Error('offline')) : loadSandbox()),
    });
    await expect(again.open(request, context)).rejects.toThrow('offline');
    fails = false;
    const leaving = new AbortController();
    const left = again.open(request, { ...context, signal: leaving.signal });
    const stays = again.open(request, context);
    leaving.abort();
    await left;
    expect(must(await stays)).toMatchObject({ length: 3, result: 'identical' });
  });

  it('finds by condition, and says what is wrong with one', async () => {
    const { deps, request } = await store();
    const jobs = createDebugJobs(deps);
    const find = (text: string) =>
      jobs.find(request, { target: { kind: 'breakpoint', conditions: [text] }, from: 0, direction: 1 }, context);
    expect(must(await find('tool = ticket and act = delivered'))).toBe(2);
    expect(must(await find('tool = other'))).toBeUndefined();
    expect(await find('tool')).toMatchObject({ ok: false, error: { code: 'refused' } });
  });

  it('another request is another replay', async () => {
    const { deps, request, loads } = await store();
    const jobs = createDebugJobs(deps);
    must(await jobs.open(request, context));
    const changed = { ...request, program: program.replace('q: 1', 'q: 2') };
    expect(must(await jobs.open(changed, context)).marks.map(({ kind, position }) => [kind, position])).toEqual([
      ['divergence', 0],
      ['divergence', 0],
      ['pending', 0],
    ]);
    expect(loads()).toBe(2);
  });
});

describe('programs in TypeScript', () => {
  const typed = `${program.replace('ctx, input', 'ctx: any, input: unknown').replace('const t =', 'const t: { id: number } =')}
type Kept = 'as written';`;

  it('R48 are run with their types stripped; what was written is kept and shown', async () => {
    const { deps, request } = await store();
    const report = must(await replayTrace(deps, { ...request, program: typed }, context));
    expect(report).toMatchObject({ result: 'identical' });
    expect(report.operation?.program_after).toMatchObject({ original: typed });
    const overview = must(await createDebugJobs(deps).open({ ...request, program: typed }, context));
    expect(overview).toMatchObject({ length: 3, program: typed });
  });

  it('a text that is neither keeps what the interpreter said of it', async () => {
    const { deps, request } = await store();
    const report = must(await replayTrace(deps, { ...request, program: 'async function main(ctx { }' }, context));
    expect(report).toMatchObject({ result: 'error', outcome: { status: 'no-program' } });
  });
});
