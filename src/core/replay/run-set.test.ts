import { beforeAll, describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../model/index.ts';
import { loadSandbox } from '../../platform/sandbox/node.ts';
import { computeRecordedPrices, estimatePrices } from './run-prices.ts';
import { type RunOfSet, computeRunDigest, replayRunSet } from './run-set.ts';
import { record } from './testing/record.ts';

const program = `async function main(ctx, input) {
  const plan = await ctx.model('plan', { for: input.case });
  const made = await ctx.write('open', { title: plan.title });
  await ctx.state('case', { id: made.id });
  return made.id;
}`;

let runs: readonly RunOfSet[] = [];

beforeAll(async () => {
  const made: RunOfSet[] = [];
  for (const one of ['a', 'b', 'c']) {
    const events = await record(program, {
      input: { case: one },
      handlers: {
        model: () => ({ ok: { title: `case ${one}` } }),
        write: () => ({ ok: { id: `t-${one}` }, effects: [{ id: `t-${one}` }] }),
      },
    });
    made.push({ name: one, events: withPrices(events), run: String(events[0]?.run) });
  }
  runs = made;
});

/** The recorder of the tests has no prices; a real one writes them beside the result. */
function withPrices(events: readonly HindcastEvent[]): readonly HindcastEvent[] {
  return events.map((event) =>
    event.type === 'model_call.completed'
      ? { ...event, data: { ...event.data, cost: { amount: 0.002, currency: 'USD' } } }
      : event,
  );
}

async function replaySet(source: string, chosen: readonly RunOfSet[] = runs) {
  const author = { actor: { id: 'test' }, at: '2026-01-01T00:00:00Z' };
  const seen: string[] = [];
  const result = await replayRunSet({
    runs: chosen,
    program: { source },
    sandbox: await loadSandbox(),
    author,
    onProgress: ({ done, of, row }) => seen.push(`${String(done)}/${String(of)} ${row.name}`),
  });
  return { ...result, seen };
}

describe('a changed program over a set of runs (3.10)', () => {
  it('R49 the recorded program is identical in every run, and the progress names each', async () => {
    const { rows, passes, counts, seen } = await replaySet(program);
    expect(rows.map(({ verdict, reuse }) => [verdict, reuse])).toEqual(runs.map(() => ['identical', 1]));
    expect(passes).toBe(true);
    expect(counts).toMatchObject({ identical: 3, diverges: 0 });
    expect(seen).toEqual(['1/3 a', '2/3 b', '3/3 c']);
  });

  it('Q2 R48 R44 says for each run what would be sent, what the world has, what it would cost, and the first difference', async () => {
    const changed = program.replace(`await ctx.write('open', { title: plan.title })`, `await again()`).replace(
      'const plan =',
      `const again = async () => {
         const better = input.case === 'b' ? await ctx.model('plan', { for: 'b', again: true }) : plan;
         return ctx.write('open', { title: input.case === 'c' ? 'other' : better.title });
       };
       const plan =`,
    );
    const { rows, passes, price } = await replaySet(changed);
    expect(passes).toBe(false);
    const [a, b, c] = rows;
    expect(a).toMatchObject({ verdict: 'identical', newEffects: [], extraModelCalls: 0 });
    expect(b).toMatchObject({ verdict: 'needs-observation', extraModelCalls: 1, orphanEffects: ['/write:open#0'] });
    expect(b?.price).toEqual({ estimates: [{ amount: 0.002, currency: 'USD', calls: 1 }], unpriced: 0 });
    expect(c?.newEffects).toEqual([{ path: '/write:open#0', name: 'open', args: { title: 'other' } }]);
    expect(c?.firstDifference).toContain('/write:open#0');
    expect(price.estimates).toEqual([{ amount: 0.002, currency: 'USD', calls: 1 }]);
  });

  it('a text that is no program is an error in every row', async () => {
    const { rows, counts } = await replaySet('const nothing = 1;');
    expect(rows.map(({ verdict }) => verdict)).toEqual(['error', 'error', 'error']);
    expect(counts.error).toBe(3);
  });

  it('Q1 R49 the digest of the set is of the runs: not of their order, names or branches, and a run given twice counts once', async () => {
    const [first, ...rest] = runs;
    if (first === undefined) throw new Error('there are runs');
    const { set } = await replaySet(program);
    const turned = await replaySet(program, [...rest, { ...first, name: 'renamed' }, first]);
    expect(turned.set).toBe(set);
    expect(turned.rows).toHaveLength(3);
    expect(turned.givenAgain).toEqual(['a']);
    expect((await replaySet(program, rest)).set).not.toBe(set);
    const branch: HindcastEvent | undefined = first.events[0];
    const branched = branch === undefined ? [] : [...first.events, { ...branch, branch: 'b-1' } as HindcastEvent];
    expect(computeRunDigest(branched, first.run)).toBe(computeRunDigest(first.events, first.run));
  });
});

describe('recorded prices', () => {
  it('Q3 are means by name, else over all, and a call without any is counted apart', () => {
    const recorded = computeRecordedPrices(runs[0]?.events ?? []);
    expect(estimatePrices(['plan', 'unknown'], recorded)).toEqual({
      estimates: [{ amount: 0.004, currency: 'USD', calls: 2 }],
      unpriced: 0,
    });
    expect(estimatePrices(['plan'], new Map())).toEqual({ estimates: [], unpriced: 1 });
  });
});
