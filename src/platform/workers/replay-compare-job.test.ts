/** Stored branches: compared, named, and taken out as a file that opens again with its parents and without its siblings. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Result } from '../../core/base/result.ts';
import { branchId, eventToLine, mainBranch } from '../../core/model/index.ts';
import { checkMixed } from '../../core/replay/testing/mixed-branches.ts';
import { record } from '../../core/replay/testing/record.ts';
import { at } from '../../core/replay/testing/replay-case.ts';
import { loadSandbox } from '../sandbox/node.ts';
import { type TraceId, listBranchNames, listBranches, readAccessLog, renameBranch } from '../storage/index.ts';
import { createTestLibrary } from '../storage/testing/library.ts';
import { runImport } from './import-job.ts';
import { createOpener } from './open-traces.ts';
import { openedToReader } from './opened-reader.ts';
import { branchToFile, compareStored } from './replay-compare-job.ts';
import { openedToEvents } from './replay-input.ts';
import { replayTrace } from './replay-job.ts';

const program = `async function main(ctx, input) {
  const d = await ctx.model('decide', { q: 1 });
  const act = ctx.decide('act', d.action, { alternatives: ['open', 'close'], uses: [d] });
  return act;
}`;
const handlers = { 'model:decide': () => ({ ok: { action: 'open' } }) };

const library = createTestLibrary();
const storing = { library, readSlice: library.readSlice, ticks: () => 0 };
const deps = { library, opener: createOpener(storing), loadSandbox, ticks: () => 0 };
const context = { signal: new AbortController().signal, progress: () => undefined };
let trace: TraceId;
let first: string;
let second: string;

function must<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

async function store(blob: Blob): Promise<TraceId> {
  return must(await runImport(storing, { files: [{ path: 'run.jsonl', blob }], origin: 'opened' }, context)).trace;
}

beforeAll(async () => {
  const events = await record(program, { handlers });
  trace = await store(new Blob(events.map((event) => `${eventToLine(event)}\n`)));
  const { id } = at(events, 'model_call.completed');
  const edit = async (base: string, action: string): Promise<string> => {
    const target = base === 'main' ? { event: id } : { path: '/model:decide#0' };
    const request = { trace, base: branchId(base), edits: [{ target, value: { action } }], supply: [], reason: action };
    return must(await replayTrace(deps, request, context)).branch;
  };
  first = await edit('main', 'close');
  second = await edit(first, 'wait');
  await edit('main', 'sibling');
});

describe('a branch of the library', () => {
  it('is compared with its parent and with the original', async () => {
    const place = (branch: string) => ({ trace, branch: branchId(branch) });
    const compared = must(await compareStored(deps, place(second), place(first)));
    expect(compared.first).toEqual({
      path: '/model:decide#0',
      what: 'value',
      pointer: '/action',
      here: 'wait',
      there: 'close',
    });
    expect(must(await compareStored(deps, place(first), place('main'))).first).toMatchObject({ there: 'open' });
    expect(await compareStored(deps, place('b-none'), place('main'))).toMatchObject({ ok: false });
  });

  it('leaves as a file that opens again with branch and parents intact, and without its sibling', async () => {
    const file = must(await branchToFile(deps, { trace, branch: branchId(second) }));
    const opened = must(await deps.opener.open(await store(file)));
    expect(
      openedToReader(opened)
        .summary()
        .branches.map(({ id, parent }) => [id, parent]),
    ).toEqual([
      [mainBranch, undefined],
      [first, mainBranch],
      [second, first],
    ]);
    const own = openedToEvents(must(await deps.opener.open(trace))).filter(({ branch }) =>
      ['main', first, second].includes(branch),
    );
    expect(openedToEvents(opened).map(eventToLine).toSorted()).toEqual(own.map(eventToLine).toSorted());
    expect(checkMixed(openedToEvents(opened))).toEqual([]);
    const { entries } = await readAccessLog(library);
    expect(entries.find(({ what }) => what === 'export')?.detail).toContain(`Wrote branch ${second} with its parents`);
  });

  it('has the name a person gave it, here alone, and loses it again', async () => {
    const before = await listBranches(library, trace);
    must(await renameBranch(library, trace, first, '  Better  '));
    expect(await listBranchNames(library, trace)).toEqual({ [first]: 'Better' });
    expect((await listBranches(library, trace)).map(({ lines }) => lines)).toEqual(before.map(({ lines }) => lines));
    expect((await readAccessLog(library)).entries.at(-1)?.detail).toBe(
      `Branch ${first} renamed from "close" to "Better".`,
    );
    must(await renameBranch(library, trace, first, ' '));
    expect(await listBranchNames(library, trace)).toEqual({});
    expect(await renameBranch(library, trace, 'b-none', 'x')).toMatchObject({ error: { code: 'not-found' } });
  });
});
