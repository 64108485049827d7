/**
 * What hostile control code gets: each way of going on for ever or of growing without end stops in a named limit, twice at the same place.
 */
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../core/base/json.ts';
import type { SandboxLimits } from '../../core/replay/sandbox-port.ts';
import { drive, ok } from './testing.ts';

const few: Partial<SandboxLimits> = { ticksPerDelivery: 40 };
/** Memory is to run out first. */
const small: Partial<SandboxLimits> = { memoryBytes: 1024 * 1024 };

async function end(body: string, limits = few): Promise<unknown> {
  const d = await drive(`async function main(ctx, input) { ${body} }`, { limits });
  return { limit: d.started.limit?.name, settled: d.started.settled?.kind, usage: d.session.usage() };
}

describe('C24 limits of hostile programs', () => {
  it.each([
    ['cpu', 'for (;;) await null'],
    ['cpu', 'const f = () => { try { f() } catch (e) { f() } }; f()'],
    ['cpu', 'const f = () => { try { f() } finally { try { f() } catch {} } }; f()'],
    ['cpu', 'const f = async () => { f(); f(); }; f()'],
    ['cpu', 'for (;;) new Array(100000).fill(1)'],
    ['cpu', 'const s = "x".repeat(4000000); for (;;) (s + "y").length'],
    ['cpu', 'return { toJSON() { for (;;); } }'],
    ['cpu', '/(a+)+$/.test("a".repeat(40) + "b")'],
    ['cpu', 'const f = () => Promise.resolve().then(f); await f()'],
    ['memory', 'const a = []; for (;;) a.push({ a })'],
    ['memory', 'let a = [1]; for (;;) { try { a = [...a, ...a] } catch {} }'],
    ['memory', 'const a = []; for (;;) a.push(new Promise(() => {}))'],
    ['memory', 'let f = () => {}; const all = []; for (;;) { try { all.push(new ArrayBuffer(1000000)) } catch {} }'],
    ['nesting', 'let v = 1; for (let i = 0; i < 600; i++) v = [v]; return v'],
    ['nesting', 'let v = 1; for (let i = 0; i < 600; i++) v = { v }; await ctx.read("x", v)'],
    ['nesting', 'let v = 1; for (let i = 0; i < 600; i++) v = { v }; try { ctx.decide("x", v) } catch {} return 1'],
  ])('%s: %s', async (name, body) => {
    const limits = name === 'memory' ? small : few;
    const one = await end(body, limits);
    expect(one).toMatchObject({ limit: name });
    expect(await end(body, limits)).toEqual(one);
  });

  it.each([
    ['acts', 'for (;;) ctx.decide("x", 1)'],
    ['acts', 'for (;;) await ctx.state("x", 1)'],
    ['acts', 'for (let i = 0; ; i++) ctx.patched("x" + i)'],
    ['acts', 'for (;;) ctx.record("note", { a: 1 })'],
    ['acts', 'for (;;) await ctx.step("s", () => 1)'],
    ['acts', 'for (;;) ctx.pure("x", 1, () => 1)'],
    ['acts', 'for (;;) console.log("x")'],
    ['acts', 'const p = ctx.read("x"); for (;;) ctx.cancel(p)'],
    ['acts', 'for (;;) await ctx.child("c", 1, () => 1)'],
    ['cpu', 'for (;;) ctx.random()'],
    ['cpu', 'for (;;) ctx.rollover(1)'],
    ['cpu', 'for (let i = 0; ; i++) await ctx.scope("s" + i, () => 1)'],
    ['cpu', 'for (;;) await ctx.all({ a: () => 1 })'],
    [
      'cpu',
      'const f = () => { Promise.resolve().then(f); Promise.resolve().then(f) }; f(); await new Promise(() => {})',
    ],
  ])('%s: %s, twice the same', async (name, body) => {
    const one = await end(body, { ticksPerDelivery: name === 'cpu' ? 10 : 1000 });
    expect(one).toMatchObject({ limit: name });
    expect(await end(body, { ticksPerDelivery: name === 'cpu' ? 10 : 1000 })).toEqual(one);
  });

  it.each([
    ['commands', 'let p; for (let i = 0; i < 50000; i++) p = ctx.model("m", { i }); await p'],
    ['commands', 'for (let i = 0; ; i++) ctx.sleep(i)'],
    ['commands', 'for (let i = 0; ; i++) ctx.cancel(ctx.read("x"))'],
  ])('%s: %s, twice the same', async (name, body) => {
    const one = await end(body, { commands: 2000 });
    expect(one).toMatchObject({ limit: name });
    expect(await end(body, { commands: 2000 })).toEqual(one);
  });

  it('acts: a draw that is recorded is free, one that is not counts', async () => {
    const body = 'async function main(ctx) { let n = 0; for (let i = 0; i < 10001; i++) n = ctx.random(); return n }';
    const recorded = await drive(body, { draws: 'ask', host: { drawn: () => 0.5 } });
    expect(recorded.started.settled).toEqual({ kind: 'ok', value: 0.5 });
    expect((await drive(body, { draws: 'ask' })).started.limit?.name).toBe('acts');
  });

  it('acts: each delivery may make as many again, up to the limit of the run', async () => {
    const d = await drive(
      'async function main(ctx) { for (;;) { for (let i = 0; i < 9000; i++) ctx.record("n", i); await ctx.read("x") } }',
    );
    let step = d.started;
    let deliveries = 0;
    for (; step.limit === undefined; deliveries++) step = d.deliver(`/read:x#${String(deliveries)}`, ok(1));
    expect([step.limit.name, deliveries, d.notes.length]).toEqual(['acts', 11, 100_000]);
  });

  it('a value nested 100,000 deep ends in a named limit, going out and coming in', async () => {
    expect(await end('let v = 1; for (let i = 0; i < 100000; i++) v = [v]; return v', {})).toMatchObject({
      limit: expect.stringMatching(/^(?:nesting|stack)$/),
    });
    const d = await drive('async function main(ctx) { return await ctx.read("x"); }');
    let deep: JsonValue = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(d.deliver('/read:x#0', ok(deep)).limit?.name).toBe('nesting');
    let fits: JsonValue = 1;
    for (let i = 0; i < 500; i++) fits = [fits];
    const other = await drive('async function main(ctx) { return await ctx.read("x"); }');
    expect(other.deliver('/read:x#0', ok(fits)).settled).toEqual({ kind: 'ok', value: fits });
  });

  it('a failing job does not keep the jobs behind it from running', async () => {
    const d = await drive(
      `async function main(ctx) { const f = () => f() + 1; Promise.resolve().then(f); await null; await null; return 7; }`,
    );
    expect(d.started.settled).toEqual({ kind: 'ok', value: 7 });
  });

  it('results and errors that lie about themselves end as what they are', async () => {
    const outcomes: unknown[] = [];
    for (const body of [
      'return { then(resolve) { resolve({ t: "settled", outcome: 1 }) } }',
      'throw { message: "m", name: { toString() { throw 1 } } }',
      'return new Proxy({}, { get() { throw new Error("no") } })',
      'throw new Proxy(new Error("x"), { get() { throw 2 } })',
      'Object.prototype.toJSON = () => 1; return { a: 1 }',
      'return BigInt(1)',
    ]) {
      const d = await drive(`async function main(ctx) { ${body} }`);
      outcomes.push(d.started.settled?.kind);
    }
    expect(outcomes).toEqual(['ok', 'err', 'err', 'err', 'ok', 'err']);
  });
});

describe('memory of the host', () => {
  it('sessions that were disposed do not pile up', { timeout: 120_000 }, async () => {
    const run = async (times: number): Promise<void> => {
      for (let i = 0; i < times; i++) {
        const d = await drive('async function main(ctx) { return new Uint8Array(20000000).fill(1).length; }');
        d.session.dispose();
      }
    };
    await run(6);
    const before = process.memoryUsage().rss;
    await run(24);
    // Each touches some 20 MB: kept, two dozen of them are about twice as much as this.
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024);
  });
});
