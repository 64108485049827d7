/**
 * Kill here runs what a person sees: the branch, and what they changed on it. Another program than the recorded one protects its effect.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Result } from '../../core/base/result.ts';
import { branchId, eventToLine, mainBranch } from '../../core/model/index.ts';
import { type Sandbox, programDigest } from '../../core/replay/index.ts';
import { simulateSweep } from '../../core/simulate/index.ts';
import { record } from '../../core/replay/testing/record.ts';
import { loadSandbox } from '../sandbox/node.ts';
import type { TraceId } from '../storage/index.ts';
import { createTestLibrary } from '../storage/testing/library.ts';
import { runImport } from './import-job.ts';
import { createOpener } from './open-traces.ts';
import { type ReplayDeps, replayTrace } from './replay-job.ts';
import { readSeen } from './replay-kill-job.ts';
import type { KillAsk } from './replay-kill-methods.ts';

const program = `async function main(ctx, input) {
  const made = await ctx.write('ticket', { title: 'x' });
  await ctx.state('case', { made: made.id });
  return made.id;
}`;
const keyed = program.replace("{ title: 'x' }", "{ title: 'x' }, { key: 'once', idempotencyKey: 'once' }");
const silent = { signal: new AbortController().signal, progress: () => undefined };

let deps: ReplayDeps;
let trace: TraceId;
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await loadSandbox();
  const library = createTestLibrary();
  const own = { library, readSlice: library.readSlice, ticks: () => 0 };
  const events = await record(program, {
    handlers: { 'write:ticket': () => ({ ok: { id: 8421 }, effects: [{ id: '8421' }] }) },
  });
  const blob = new Blob(events.map((event) => `${eventToLine(event)}\n`));
  trace = must(await runImport(own, { files: [{ path: 'run.jsonl', blob }], origin: 'opened' }, silent)).trace;
  deps = { library, opener: createOpener(own), loadSandbox, ticks: () => 0 };
});

function must<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

async function see(more: Partial<KillAsk>) {
  return readSeen(deps, { trace, branch: mainBranch, ...more }, silent);
}

/** One design and one boundary are enough to tell which program runs. */
async function strike(more: Partial<KillAsk>) {
  const { events, branch, paths } = must(await see(more));
  const swept = await simulateSweep({
    events,
    sandbox,
    boundaries: ['3'],
    strategies: ['naive'],
    ...(branch === undefined ? {} : { branch }),
    ...(paths === undefined ? {} : { paths }),
  });
  if (!swept.ok) throw new Error(swept.error);
  return swept.value;
}

const changed = { edits: [], supply: [], program: keyed };

describe('what is killed is what is seen', () => {
  it('the recorded program doubles; the one that was changed on the left does not, and each is named by its digest', async () => {
    const recorded = await strike({ paths: ['/write:ticket#0'] });
    expect(recorded.program).toContain(programDigest(program).slice(0, 19));
    expect(recorded.trials.map(({ duplicates }) => duplicates)).toEqual([1]);
    const mended = await strike({ change: { trace, base: mainBranch, ...changed }, paths: ['/write:ticket#0'] });
    expect(mended.program).toContain(programDigest(keyed).slice(0, 19));
    expect(mended.effects).toEqual(['/write:ticket=once']);
    expect(mended.trials.map(({ duplicates }) => duplicates)).toEqual([0]);
  });

  it('a stored branch is run with its own program, and one that waits is refused with what it waits for', async () => {
    const made = must(await replayTrace(deps, { trace, base: mainBranch, ...changed }, silent));
    expect((await strike({ branch: branchId(made.branch) })).effects).toEqual(['/write:ticket=once']);
    const other = { ...changed, program: program.replace("'x'", "'y'") };
    const waits = await see({ change: { trace, base: mainBranch, ...other } });
    expect(waits).toMatchObject({ ok: false, error: { message: expect.stringContaining('waits for the answer to') } });
    const open = must(await replayTrace(deps, { trace, base: mainBranch, ...other }, silent));
    await expect(strike({ branch: branchId(open.branch) })).rejects.toThrow('The branch waits for answers');
  });
});
