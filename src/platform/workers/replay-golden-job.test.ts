/** Golden cases over stored traces: proposed, pinned, run against another program, taken out as a file and brought back. */
import { describe, expect, it } from 'vitest';
import type { Result } from '../../core/base/result.ts';
import { eventToLine, mainBranch } from '../../core/model/index.ts';
import { record } from '../../core/replay/testing/record.ts';
import { loadSandbox } from '../sandbox/node.ts';
import { deleteTrace, listBranches, readAccessLog } from '../storage/index.ts';
import { createTestLibrary } from '../storage/testing/library.ts';
import { runImport } from './import-job.ts';
import { createOpener } from './open-traces.ts';
import {
  addCase,
  exportCases,
  pinCase,
  proposeGolden,
  readCases,
  readGoldens,
  removeCase,
  runCases,
} from './replay-golden-job.ts';

const program = `async function main(ctx, input) {
  const d = await ctx.model('decide', { q: input.q });
  const act = ctx.decide('act', d.action, { alternatives: ['open', 'close'], uses: [d] });
  const t = await ctx.write('ticket', { title: act });
  await ctx.state('case', { ticket: t.id }, { uses: [t] });
  return t.id;
}`;
const handlers = {
  'model:decide': () => ({ ok: { action: 'open' } }),
  'write:ticket': () => ({ ok: { id: 8421 }, effects: [{ id: '8421' }] }),
};

const library = createTestLibrary();
const storing = { library, readSlice: library.readSlice, ticks: () => 0 };
const deps = { library, opener: createOpener(storing), loadSandbox, ticks: () => 0 };
const context = { signal: new AbortController().signal, progress: () => undefined };

async function store(blob: Blob) {
  return must(await runImport(storing, { files: [{ path: 'run.jsonl', blob }], origin: 'opened' }, context)).trace;
}

function must<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const events = await record(program, { handlers, input: { q: 1 } });
const trace = await store(new Blob(events.map((event) => `${eventToLine(event)}\n`)));
const place = { trace, branch: mainBranch };
const properties = [
  { kind: 'decision', target: '/decide:act#0' },
  { kind: 'effect', target: '/write:ticket#0' },
  { kind: 'invariant', target: 'executed-twice' },
] as const;

describe('golden cases of the library (R80, R81, R82)', () => {
  it('proposes what holds, pins what is chosen, and refuses what does not hold (L1)', async () => {
    const proposal = must(await proposeGolden(deps, place, context));
    expect(proposal.properties.map(({ id }) => id)).toEqual([
      'decision:/decide:act#0',
      'effect:/write:ticket#0',
      'state:case',
    ]);
    expect(proposal.invariants.map(({ rule }) => rule)).toContain('executed-twice');
    const pinned = must(
      await pinCase(deps, { ...place, name: 'case', reason: ' why ', properties, exempt: [] }, context),
    );
    expect(pinned.golden).toMatchObject({ reason: 'why', branch: 'main' });
    expect(await readGoldens(deps)).toEqual([pinned]);
    const absence = [{ kind: 'absence', target: 'ticket' }] as const;
    expect(await pinCase(deps, { ...place, name: 'never', properties: absence, exempt: [] }, context)).toMatchObject({
      error: { message: expect.stringContaining('does not hold in the record itself') },
    });
    expect((await readAccessLog(library)).entries.at(-1)?.detail).toContain('Pinned golden case "case": 3 properties');
  });

  it('runs against a changed program, with the branch that produced the result', async () => {
    const [one] = await readGoldens(deps);
    if (one === undefined) throw new Error('nothing is pinned');
    const same = must(await runCases(deps, { cases: [one] }, context));
    expect(same.results[one.id]).toMatchObject({ passes: true, stored: false });
    const changed = program.replace('d.action', "'close' as string");
    const told: number[] = [];
    const answer = must(
      await runCases(
        { ...deps },
        { cases: [one], program: changed },
        { ...context, progress: ({ done }) => told.push(done) },
      ),
    );
    const verdict = answer.results[one.id];
    expect(verdict).toMatchObject({ passes: false, stored: true, counts: { broken: 2 } });
    expect(told[0]).toBe(0);
    const [branch] = await listBranches(library, trace);
    expect(branch).toMatchObject({ label: 'Golden case "case"' });
    expect(verdict !== undefined && 'branch' in verdict && verdict.branch).toBe(branch?.branch);
  });

  it('goes out as a file and comes back as the same case; without its record it is refused', async () => {
    const [one] = await readGoldens(deps);
    if (one === undefined) throw new Error('nothing is pinned');
    const archive = must(await exportCases(deps, [one]));
    const [read] = must(await readCases([{ path: 'case.zip', blob: archive }]));
    expect(read?.golden).toEqual(one.golden);
    if (read === undefined) throw new Error('nothing was read');
    const back = await store(read.stream);
    const brought = await addCase(deps, read.golden, back);
    expect(brought.id).toBe(one.id);
    expect(must(await runCases(deps, { cases: [brought] }, context)).results[one.id]).toMatchObject({ passes: true });

    const alone = new Blob([JSON.stringify(one.golden)]);
    expect(await readCases([{ path: 'golden.json', blob: alone }])).toMatchObject({
      error: { message: expect.stringContaining('names trace.hindcast.jsonl as its record') },
    });
    expect(await readCases([{ path: 'notes.json', blob: new Blob(['{}']) }])).toMatchObject({ ok: false });
    must(await deleteTrace(library, back, undefined));
    const gone = must(await runCases(deps, { cases: [brought] }, context));
    expect(gone.results[one.id]).toEqual({ problem: expect.stringContaining('no trace') });
    await removeCase(deps, brought);
    expect(await readGoldens(deps)).toEqual([]);
  });
});
