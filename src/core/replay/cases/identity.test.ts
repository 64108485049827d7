/**
 * Conformance cases 13, 16 and 19: which record a command is, in loops, after a move, with twins and retries.
 */
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../base/hash.ts';
import { record } from '../testing/record.ts';
import { alter, at, divergences, paths, replay } from '../testing/replay-case.ts';

const keyed = `async function main(ctx, input) {
  return await ctx.each(input.items, (v) => v, (c, v) => c.read('get', { v }));
}`;
const counted = `async function main(ctx, input) {
  const out = [];
  for (const v of input.items) out.push(await ctx.read('get', { v }));
  return out;
}`;
const handlers = { 'read:get': (args: unknown) => ({ ok: JSON.stringify(args) }) };

async function withItems(program: string, items: readonly string[], supply: Record<string, string> = {}) {
  const events = await record(program, { input: { items: ['b', 'c'] }, handlers });
  return replay(events, {
    edits: [{ target: { input: true }, value: { items } }],
    supply: Object.entries(supply).map(([path, value]) => ({ path, value })),
  });
}

describe('identity and matching', () => {
  it('C13 in a keyed loop nothing shifts: b and c reused, a blocked', async () => {
    const report = await withItems(keyed, ['a', 'b', 'c']);
    expect(paths(report.reused)).toEqual(['/each=b/read:get#0', '/each=c/read:get#0']);
    expect(report.reused.map((item) => item.rule)).toEqual(['M1', 'M1']);
    expect(paths(report.pending)).toEqual(['/each=a/read:get#0']);
    expect(report.removed).toEqual([]);
  });

  it('C13 M3 in a counted loop with a supplied, b and c are shifted and nothing is removed', async () => {
    const report = await withItems(counted, ['a', 'b', 'c'], { '/read:get#0': 'A' });
    expect(report.reused.map((item) => [item.path, item.rule])).toEqual([
      ['/read:get#1', 'M2'],
      ['/read:get#2', 'M2'],
    ]);
    expect(report.removed).toEqual([]);
    expect(paths(report.inserted)).toEqual(['/read:get#0']);
    expect(divergences(report)).toEqual(
      ['shifted /read:get#1', 'shifted /read:get#2', 'outcome', 'extra /read:get#0'].sort(
        (x, y) => divergences(report).indexOf(x) - divergences(report).indexOf(y),
      ),
    );
  });

  it('C13 [c] alone: c shifted, b removed', async () => {
    const report = await withItems(counted, ['c']);
    expect(report.reused).toMatchObject([{ path: '/read:get#0', rule: 'M2' }]);
    expect(paths(report.removed)).toEqual(['/read:get#0']);
  });

  it('M2 a shift never goes back: [c, b] claims c, and b waits', async () => {
    const report = await withItems(counted, ['c', 'b']);
    expect(report.reused).toMatchObject([{ path: '/read:get#0', rule: 'M2' }]);
    expect(report.pending).toMatchObject([{ path: '/read:get#1', waitsFor: 'inserted' }]);
    expect(paths(report.removed)).toEqual(['/read:get#0']);
  });

  it('C13 [b, x]: other arguments at #1', async () => {
    const report = await withItems(counted, ['b', 'x']);
    expect(divergences(report)).toEqual(['args /read:get#1']);
    expect(paths(report.reused)).toEqual(['/read:get#0']);
  });

  const order = `async function main(ctx) { const t = await ctx.write('order', { n: 1 }); const m = await ctx.model('after', {}); return [t, m]; }`;

  it('C16 an effect moved into a scope is reused as moved, with the same outcome', async () => {
    const events = await record(order);
    const report = await replay(events, {
      program: order.replace(
        `await ctx.write('order', { n: 1 })`,
        `await ctx.scope('s', (c) => c.write('order', { n: 1 }))`,
      ),
    });
    expect(report.reused).toMatchObject([
      { path: '/scope:s/write:order#0', rule: 'M5' },
      { path: '/model:after#0', rule: 'M1' },
    ]);
    expect(divergences(report)).toEqual(['moved /scope:s/write:order#0']);
    expect(report.outcome.equalsRecorded).toBe(true);
    expect(report.result).toBe('complete');
  });

  it('C16 an added twin with equal arguments is blocked and never shares the result of the first', async () => {
    const events = await record(order);
    const report = await replay(events, {
      program: order.replace('const m =', `const t2 = await ctx.write('order', { n: 1 }); const m =`),
    });
    expect(report.reused).toMatchObject([{ path: '/write:order#0', rule: 'M1' }]);
    expect(paths(report.pending)).toEqual(['/write:order#1']);
    // Where the first has moved, its twin finds the record free by path, and taken all the same.
    const moved = await replay(events, {
      program: order.replace(
        `await ctx.write('order', { n: 1 })`,
        `await ctx.scope('s', async (c) => { await c.write('order', { n: 1 }); return c.write('order', { n: 1 }); })`,
      ),
    });
    expect(moved.reused).toMatchObject([{ path: '/scope:s/write:order#0', rule: 'M5' }]);
    expect(paths(moved.pending)).toEqual(['/scope:s/write:order#1']);
    expect(paths(moved.removed)).toEqual(['/model:after#0']);
  });

  it('M5 two moved twins never share one record', async () => {
    const events = await record(order);
    const twins = order.replace(
      `await ctx.write('order', { n: 1 })`,
      `(await ctx.all({ s: (c) => c.write('order', { n: 1 }), t: (c) => c.write('order', { n: 1 }) })).s`,
    );
    const report = await replay(events, { program: twins });
    expect(report.reused).toMatchObject([{ path: '/par:s/write:order#0', rule: 'M5' }]);
    expect(paths(report.pending)).toEqual(['/par:t/write:order#0']);
  });

  it('I5 a state with an equal digest that consumes another version is changed, and never blocks', async () => {
    const events = await record(`async function main(ctx) { const v = await ctx.state('s', 'one'); return 1; }`);
    const report = await replay(events, {
      program: `async function main(ctx) { await ctx.state('s', 'zero'); const v = await ctx.state('s', 'one'); return 1; }`,
    });
    expect(report.result).toBe('complete');
    expect(report.reused).toEqual([]);
    expect(report.changed.map((item) => item.path)).toContain('/state:s#1');
    expect(report.states.map((step) => [step.from, step.to])).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(divergences(report)).toContain('state /state:s#1');
  });

  it('M5 a later exact match to a record taken as moved is refused and waits', async () => {
    const events = await record(
      `async function main(ctx) { const g = await ctx.model('gate', {}); return await ctx.write('order', { n: 1 }); }`,
    );
    const patched = `async function main(ctx) { await ctx.scope('s', (c) => c.write('order', { n: 1 })); await ctx.model('gate', {}); return await ctx.write('order', { n: 1 }); }`;
    const report = await replay(events, { program: patched });
    expect(report.reused.map((item) => [item.path, item.rule])).toEqual([
      ['/scope:s/write:order#0', 'M5'],
      ['/model:gate#0', 'M1'],
    ]);
    expect(report.pending).toMatchObject([{ path: '/write:order#0', waitsFor: 'double-claim' }]);
  });

  it('P4 3.3 a second command with the path of a first is ambiguous and gets no observation', async () => {
    const events = await record(`async function main(ctx) { await ctx.read('x', {}, { key: 'k' }); return 1; }`);
    const report = await replay(events, {
      program: `async function main(ctx) { await ctx.read('x', {}, { key: 'k' }); await ctx.read('x', {}, { key: 'k' }); return 1; }`,
    });
    expect(paths(report.ambiguous)).toEqual(['/read:x=k']);
    expect(divergences(report)).toEqual(['ambiguous /read:x=k']);
    expect(report.result).toBe('blocked');
  });

  it('C19 D8 R36 two failed attempts and a success are one command, identical, attempts kept', async () => {
    const program = `async function main(ctx) { return await ctx.write('pay', { sum: 5 }); }`;
    const failure = { name: 'Timeout', message: 'no answer' };
    const events = await record(program, {
      handlers: {
        'write:pay': () => ({
          ok: 'paid',
          failures: [failure, failure],
          effects: [
            { id: 'p1', attempt: 2 },
            { id: 'p2', attempt: 3 },
          ],
        }),
      },
    });
    expect(events.filter((event) => event.type === 'tool_call.dispatched')).toHaveLength(3);
    const report = await replay(events);
    expect(report.result).toBe('identical');
    expect(report.commands).toHaveLength(1);
    // D8: an earlier attempt edited to success takes away the later ones, and their effects are orphans.
    const failed = at(events, 'tool_call.failed');
    const edited = await replay(events, { edits: [{ target: { event: failed.id }, value: 'paid' }] });
    expect(edited).toMatchObject({ result: 'complete', superseded: [{ path: '/write:pay#0' }] });
    expect(edited.orphanEffects.flatMap((orphan) => orphan.effects.map((effect) => effect.id))).toEqual(['p1', 'p2']);
    // It is said which record was replaced, and what became of the attempts after it.
    expect(edited.superseded[0]?.reasons).toEqual([{ event: failed.id, as: 'edited' }]);
    const [, second] = events.filter((event) => event.type === 'tool_call.dispatched');
    const told = edited.warnings.find((text) => text.startsWith('The edit replaces'));
    expect(told).toContain(`The edit replaces ${failed.id}, the failure of an attempt of /write:pay#0, by an answer.`);
    expect(told).toContain(`The 2 attempts after it, from ${second?.id ?? ''}, are not on the branch`);
  });

  it('M1 a record without arguments matches unchecked, and the verdict says so', async () => {
    const recorded = await record(`async function main(ctx) { return await ctx.model('m', { a: 1 }); }`);
    const events = recorded.map((event) =>
      event.type === 'model_call.requested'
        ? alter(event, { command: { path: '/model:m#0', kind: 'model', name: 'm', attempt: 1, issued: 0 }, data: {} })
        : event,
    );
    const report = await replay(events);
    expect(report.result).toBe('identical-where-recorded');
    expect(report.flags.unchecked).toEqual(['/model:m#0']);
    expect(report.reused).toMatchObject([{ rule: 'unchecked' }]);
  });

  it('C27 an absent payload matches by digest; an absent observation waits', async () => {
    const big = 'x'.repeat(3000);
    const events = await record(
      `async function main(ctx, input) { const a = await ctx.model('m', { text: input.text }); return a.length; }`,
      { input: { text: big }, handlers: { 'model:m': () => ({ ok: [1, 2] }) } },
    );
    const hidden = events.map((event) =>
      event.type === 'model_call.requested'
        ? { ...event, data: { args: { text: { $ref: `sha256:${sha256Hex(JSON.stringify(big))}`, bytes: 3002 } } } }
        : event,
    );
    expect((await replay(hidden)).result).toBe('identical');
    const absent = events.map((event) =>
      event.type === 'model_call.completed'
        ? { ...event, data: { result: { $ref: `sha256:${'a'.repeat(64)}`, bytes: 3002 } } }
        : event,
    );
    const report = await replay(absent);
    expect(report.pending).toMatchObject([{ path: '/model:m#0', waitsFor: 'value-absent' }]);
    expect(report.result).toBe('blocked');
  });
});
