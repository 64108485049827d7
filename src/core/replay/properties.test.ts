/**
 * Properties of the engine over generated programs, each recorded in the sandbox first. Seeds are fixed.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadSandbox } from '../../platform/sandbox/node.ts';
import type { HindcastEvent } from '../model/index.ts';
import { computeJournal } from './journal.ts';
import type { ReplayReport } from './report-types.ts';
import { type Step, block, handlers, plan, toBody, toProgram } from './testing/drawn-program.ts';
import { record, testRun } from './testing/record.ts';
import { type CaseOptions, at, replay } from './testing/replay-case.ts';
import { createCountingSandbox, toComparable } from './testing/stepped.ts';

const settings = { seed: 20240101, numRuns: 12, endOnFailure: true } as const;

/** The same replay with every observation delivered by itself. */
async function replayStepped(events: readonly HindcastEvent[], options: CaseOptions = {}): Promise<ReplayReport> {
  return replay(events, { ...options, sandbox: createCountingSandbox(await loadSandbox(), false).sandbox });
}

describe('properties', { timeout: 300_000 }, () => {
  it('R36 D12 an unedited replay of any program is identical, and twice the same, together and one by one', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (steps) => {
        const events = await record(toProgram(steps), handlers());
        const one = await replay(events);
        expect(one.result).toBe('identical');
        expect(toComparable(one)).toEqual(toComparable(await replayStepped(events)));
      }),
      settings,
    );
  });

  it('I2 D12 R38 R39 records and commands are partitioned, the base is untouched, and an equal edit changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(plan, fc.nat(), async (steps, pick) => {
        const events = await record(toProgram(steps), handlers());
        const before = JSON.stringify(events);
        const finals = events.filter((event) => /^(model_call|tool_call)\.completed$/.test(event.type));
        const target = finals[pick % Math.max(finals.length, 1)];
        if (target === undefined) return;
        const result = (target.data as { readonly result: number }).result;
        const noop = await replay(events, { edits: [{ target: { event: target.id }, value: result }] });
        expect([noop.result, noop.noop]).toEqual(['identical', true]);
        const options = {
          edits: [{ target: { event: target.id }, value: -1 }],
          policies: { world: 'lenient' },
        } as const;
        const report = await replay(events, options);
        expect(toComparable(report)).toEqual(toComparable(await replayStepped(events, options)));
        expect(JSON.stringify(events)).toBe(before);
        const statuses = [
          'reused',
          'superseded',
          'changed',
          'inserted',
          'pending',
          'uncertain',
          'cancelled',
          'ambiguous',
        ] as const;
        expect(new Set(report.commands.map((c) => c.path)).size).toBe(report.commands.length);
        expect(statuses.map((s) => report.commands.filter((c) => c.status === s).length).reduce((a, b) => a + b)).toBe(
          report.commands.length,
        );
        expect(report.records.filter((r) => r.status === 'retained')).toHaveLength(report.reused.length);
        const { entries } = computeJournal(events, { run: testRun, segment: 0 });
        expect(report.records.map((r) => r.path).sort()).toEqual(entries.map((entry) => entry.path).sort());
        expect(report.superseded.map((item) => item.event)).toEqual([target.id]);
      }),
      settings,
    );
  });

  it('P1 removing an independent branch never changes what another one gets', async () => {
    await fc.assert(
      fc.asyncProperty(block, block, async (left, right) => {
        const part = (name: string, body: readonly Step[]): string =>
          `${name}: async (c) => { ${toBody(body, 'c')} return log; }`;
        const both = `async function main(ctx) { return (await ctx.all({ ${part('a', left)}, ${part('b', right)} })).b; }`;
        const alone = `async function main(ctx) { return (await ctx.all({ ${part('b', right)} })).b; }`;
        // Time passes for both: what reads the clock is not independent.
        const isTimed = [...left, ...right].some((s) => s.op === 'random' || s.op === 'state');
        if (isTimed) return;
        const events = await record(both, handlers());
        const report = await replay(events, { program: alone, policies: { world: 'lenient' } });
        expect(report.outcome.equalsRecorded).toBe(true);
        expect(report.reused.every((item) => item.path.startsWith('/par:b/'))).toBe(true);
        expect(at(events, 'run.completed').data).toMatchObject({ digest: report.outcome.digest });
      }),
      settings,
    );
  });

  /** A step awaits an earlier one, may pass its value on, and declares that one, another one, or nothing. */
  const link = fc.record({
    parent: fc.nat({ max: 9 }),
    passes: fc.boolean(),
    declares: fc.constantFrom('', ', { uses: [p] }', `, { uses: ['/read:s0#0'] }`),
  });

  function toGraph(
    links: readonly { readonly parent: number; readonly passes: boolean; readonly declares: string }[],
  ): string {
    const steps = links.map(({ parent, passes, declares }, n) => {
      const args = passes ? '{ p: p.v }' : '{}';
      return `  const s${String(n + 1)} = (async () => { const p = await s${String(parent % (n + 1))}; return ctx.read('s${String(n + 1)}', ${args}${declares}); })();`;
    });
    const names = links.map((_, n) => `s${String(n + 1)}`).join(', ');
    return `async function main(ctx) {\n  const s0 = ctx.read('s0', {});\n${steps.join('\n')}\n  return (await Promise.all([s0, ${names}])).length;\n}`;
  }

  it('I6 I7 what falls fell in the preview, or its undeclared edge is reported; what stands behind an edge was cut off', async () => {
    let undeclared = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(link, { minLength: 3, maxLength: 7 }), fc.nat({ max: 2 }), async (links, at) => {
        const events = await record(toGraph(links), { handlers: { read: (_, { path }) => ({ ok: { v: path } }) } });
        const report = await replay(events, {
          edits: [{ target: { path: `/read:s${String(at)}#0` }, value: { v: 'edited' } }],
        });
        const told = new Map(report.preview?.items.map((item) => [item.path, item.status]));
        const reported = new Set(report.undeclaredEdges.map((item) => item.path));
        const gone = report.records.filter(({ status }) => !['retained', 'superseded'].includes(status));
        for (const { path } of gone)
          expect([path, ['falls', 'may-fall'].includes(told.get(path) ?? '') || reported.has(path)]).toEqual([
            path,
            true,
          ]);
        for (const path of reported) expect(gone.map((item) => item.path)).toContain(path);
        const stands = report.records.filter(({ status }) => status === 'retained').map(({ path }) => path);
        expect(report.savedByCutoff.map(({ path }) => path)).toEqual(
          stands.filter((path) => told.get(path) === 'falls'),
        );
        undeclared += reported.size;
      }),
      settings,
    );
    expect(undeclared).toBeGreaterThan(0);
  });
});
