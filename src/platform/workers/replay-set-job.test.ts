/** A changed program over stored runs: the same verdicts as the core, progress, types stripped, what cannot be read, and the log. */
import { describe, expect, it } from 'vitest';
import { eventToLine, type HindcastEvent } from '../../core/model/index.ts';
import { record } from '../../core/replay/testing/record.ts';
import { loadSandbox } from '../sandbox/node.ts';
import { readAccessLog, traceId } from '../storage/index.ts';
import { createTestLibrary } from '../storage/testing/library.ts';
import { runImport } from './import-job.ts';
import { createOpener } from './open-traces.ts';
import { readPrograms, replaySet } from './replay-set-job.ts';
import type { RunSetAsk, RunSetProgressed } from './replay-set-methods.ts';

const program = `async function main(ctx, input) {
  const d = await ctx.model('decide', { q: input.q });
  const t = await ctx.write('ticket', { title: d.action });
  return t.id;
}`;
const handlers = {
  'model:decide': () => ({ ok: { action: 'open' } }),
  'write:ticket': () => ({ ok: { id: 8421 }, effects: [{ id: '8421' }] }),
};

const library = createTestLibrary();
const deps = { library, readSlice: library.readSlice, ticks: () => 0 };
const opener = createOpener(deps);
const silent = { signal: new AbortController().signal, progress: () => undefined };

async function store(events: readonly HindcastEvent[]) {
  const blob = new Blob(events.map((event) => `${eventToLine(event)}\n`));
  const outcome = await runImport(deps, { files: [{ path: 'run.jsonl', blob }], origin: 'opened' }, silent);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value.trace;
}

async function replay(ask: RunSetAsk, onProgress: (progress: RunSetProgressed) => void = () => undefined) {
  const answer = await replaySet({ library, opener, loadSandbox, ticks: () => 0 }, ask, {
    signal: silent.signal,
    progress: onProgress,
  });
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

const first = await store(await record(program, { handlers, input: { q: 1 } }));
const second = await store(await record(program, { handlers, input: { q: 12 } }));
const traces = [
  { trace: first, name: 'first' },
  { trace: second, name: 'second' },
];

describe('a set of stored runs (R48)', () => {
  it('has a verdict for each, the place of each, and is told while it runs and in the log', async () => {
    const told: RunSetProgressed[] = [];
    const answer = await replay({ traces, program }, (progress) => told.push(progress));
    expect(answer.rows.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['first', 'identical'],
      ['second', 'identical'],
    ]);
    expect(answer.rows.map(({ digest }) => answer.places[digest])).toEqual([first, second]);
    expect(answer.passes).toBe(true);
    expect(told.filter(({ row }) => row !== undefined).map(({ done, of }) => [done, of])).toEqual([
      [1, 2],
      [2, 2],
    ]);
    const { entries } = await readAccessLog(library);
    expect(entries.at(-1)?.detail).toContain(`over 2 recorded runs (set ${answer.set}): 2 identical.`);
  });

  it('runs a program in TypeScript over all of them; the set is the same, its program another (O3)', async () => {
    const typed = program.replace('(ctx, input)', '(ctx: unknown, input: { q: number })');
    const answer = await replay({ traces, program: typed });
    expect(answer.counts.identical).toBe(2);
    const changed = await replay({ traces, program: typed.replace('d.action', "'close' as string") });
    expect(changed.rows.map(({ newEffects }) => newEffects.map(({ args }) => args))).toEqual([
      [{ title: 'close' }],
      [{ title: 'close' }],
    ]);
    expect(changed.set).toBe(answer.set);
    expect(changed.programDigest).not.toBe(answer.programDigest);
  });

  it('says what it could not read and replays the rest; refuses where nothing is left', async () => {
    const gone = { trace: traceId('t-gone'), name: 'gone' };
    const answer = await replay({ traces: [gone, ...traces.slice(0, 1)], program });
    expect(answer.notRead).toEqual([{ ...gone, message: expect.stringContaining('no trace t-gone') }]);
    expect(answer.rows).toHaveLength(1);
    await expect(replay({ traces: [gone], program })).rejects.toThrow('There is no recorded run to replay.');
  });
});

describe('what could be put into a set (3.10)', () => {
  it('is told by the program each run declares, with its digest; what cannot be read has none', async () => {
    const other = await store(await record(program.replace("'decide'", "'choose'"), { input: { q: 3 } }));
    const gone = traceId('gone');
    const found = await readPrograms({ opener }, [first, second, other, gone]);
    const digests = found.map(({ programs }) => programs[0]?.digest);
    expect(digests[0]).toBe(digests[1]);
    expect(digests[0]).toMatch(/^sha256:/);
    expect(digests[2]).not.toBe(digests[0]);
    expect(found.at(-1)).toEqual({ trace: gone, programs: [] });
  });
});
