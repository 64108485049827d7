/**
 * Conformance cases 20, 21, 23 and 24 through the engine: draws, stacks, markers, limits, and the cause of a difference.
 */
import { describe, expect, it } from 'vitest';
import { loadSandbox } from '../../../platform/sandbox/node.ts';
import type { Sandbox } from '../sandbox-port.ts';
import { record } from '../testing/record.ts';
import { at, divergences, paths, replay } from '../testing/replay-case.ts';

describe('determinism', () => {
  const drawing = (extra: string): string => `async function main(ctx) {
    const r = await ctx.all({
      a: async (c) => { await c.model('m', {}); ${extra} return 1; },
      b: async (c) => { await c.model('m', {}); return c.read('x', { draw: c.random(), now: Date.now(), offset: new Date().getTimezoneOffset() }); },
    });
    return r.b;
  }`;

  it('C20 more draws in a, another host time zone: the draw of b, virtual time and offset are unchanged, identical', async () => {
    const events = await record(drawing('c.random();'), { start: 1_000 });
    const before = process.env['TZ'];
    process.env['TZ'] = 'America/New_York';
    const report = await replay(events, { program: drawing('c.random(); c.random(); c.random();') });
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
    expect(report.result).toBe('identical');
    const other = await record(drawing(''), { start: 1_000, seed: 'f'.repeat(32) });
    expect(at(other, 'tool_call.dispatched').data).not.toEqual(at(events, 'tool_call.dispatched').data);
  });

  it('C20 two scopes draw different numbers, from their first draw on', async () => {
    const both = await record(
      `async function main(ctx) {
        const draw = (c) => c.read('x', { draws: [c.random(), c.random()] });
        await ctx.all({ a: draw, b: draw });
        await ctx.scope('c', draw);
        await draw(ctx);
      }`,
    );
    const asked = both
      .filter((event) => event.type === 'tool_call.dispatched')
      .map((event) => JSON.stringify(event.data));
    const draws = asked.flatMap((data) => /"draws":\[([^\]]*)\]/.exec(data)?.[1]?.split(',') ?? []);
    expect(draws).toHaveLength(8);
    expect(new Set(draws).size).toBe(8);
  });

  it('R37 recorded draws are taken from the record; a draw it lacks is flagged and counts against identical', async () => {
    const program = `async function main(ctx) { const n = ctx.now(), r = ctx.random(); await ctx.read('x', { n, r }); return 1; }`;
    const events = await record(program, { draws: 'recorded', clock: () => 777, random: () => 0.25 });
    expect((await replay(events)).result).toBe('identical');
    const gap = await replay(events.filter((event) => event.type !== 'random.drawn'));
    expect(gap.flags.derivedDraws).toEqual(['/random#0']);
    expect(gap.result).toBe('diverged');
    const clock = at(events, 'clock.read');
    const edited = await replay(events, { edits: [{ target: { event: clock.id }, value: 778 }] });
    expect(edited.pending).toMatchObject([{ path: '/read:x#0', args: { n: 778, r: 0.25 } }]);
  });

  it('C21 an error rethrown into an effect is identical after the text shifted by two lines', async () => {
    const program = `async function main(ctx) {
  try { await ctx.read('x', {}); } catch (e) {
    try { throw e } catch (again) { await ctx.write('report', { name: again.name, message: again.message, stack: again.stack }); }
    try { null.x } catch (own) { await ctx.write('report', { stack: own.stack }); }
  }
  return 1;
}`;
    const events = await record(program, {
      handlers: { 'read:x': () => ({ err: { name: 'HttpError', message: 'down' } }) },
    });
    const report = await replay(events, { program: `// one\n// two\n${program}` });
    expect(report.result).toBe('identical');
  });

  const patched = `async function main(ctx) { if (ctx.patched('p1')) await ctx.model('extra', {}); return await ctx.model('m', {}); }`;
  const old = `async function main(ctx) { return await ctx.model('m', {}); }`;

  it('C23 R48 the patched program is identical on runs without and with the marker; the old one misses the extra call', async () => {
    const unmarked = await record(old);
    const marked = await record(patched, { markers: ['p1'] });
    const one = await replay(unmarked, { program: patched });
    expect(one.result).toBe('identical');
    expect(one.programs.before).not.toBe(one.programs.after);
    expect((await replay(marked)).result).toBe('identical');
    const back = await replay(marked, { program: old });
    expect(divergences(back)).toEqual(['missing marker:p1', 'missing /model:extra#0']);
  });

  it('C24 an endless loop inside try and catch is the limit cpu, twice the same, and the catch block never runs', async () => {
    const events = await record(`async function main(ctx) { await ctx.model('m', {}); return 1; }`);
    const program = `async function main(ctx) { await ctx.model('m', {}); try { for (;;) {} } catch (e) { await ctx.write('caught', {}); } return 1; }`;
    const limits = { ticksPerDelivery: 30 };
    const one = await replay(events, { program, limits });
    const two = await replay(events, { program, limits });
    expect(one.result).toBe('limit');
    expect(one.divergences.at(-1)?.kind).toBe('limit');
    expect(paths(one.pending)).toEqual([]);
    expect(one.commands.map((c) => c.path)).toEqual(['/model:m#0']);
    expect([two.branch, two.digests]).toEqual([one.branch, one.digests]);
    expect(one.lines.at(-1)).toMatchObject({ data: { status: 'limit' } });
  });

  it('a text that is no program is an error with a sentence', async () => {
    const report = await replay(await record(old), { program: 'async function main(' });
    expect(report.result).toBe('error');
    expect(report.sentence).toContain('SyntaxError');
    // It never ran, so nothing repeated itself.
    expect(report.cause).toBeUndefined();
  });

  it('V5 R51 a program that sees the host is named with its first differing command', async () => {
    const leaky = leakySandbox(await loadSandbox());
    const program = `async function main(ctx) { await ctx.model('m', {}); await ctx.read('x', { t: hiddenClock() }); return 1; }`;
    const events = await record(program, { sandbox: leaky });
    const report = await replay(events, { sandbox: leaky });
    expect(report.result).toBe('diverged');
    expect(report.cause).toMatchObject({ kind: 'nondeterministic', path: '/read:x#0' });
  });

  it('V5 R51 a difference of the code and a gap of the record are told apart', async () => {
    const events = await record(`async function main(ctx, input) { await ctx.read('x', { v: input.v }); return 1; }`, {
      input: { v: 1 },
    });
    const code = await replay(events, {
      program: `async function main(ctx, input) { await ctx.read('x', { v: 2 }); return 1; }`,
    });
    expect(code.cause?.kind).toBe('code-change');
    const gap = await replay(
      events.map((event) =>
        event.type === 'run.started' ? { ...event, data: { ...event.data, input: { v: 9 } } } : event,
      ),
    );
    expect(gap.cause?.kind).toBe('record-gap');
    expect(gap.result).toBe('diverged');
  });
});

/** A sandbox with a hole: programs can read a clock that differs between conditions of the host. */
function leakySandbox(sandbox: Sandbox): Sandbox {
  let calls = 0;
  return {
    engine: sandbox.engine,
    resume: (options, checkpoint) => sandbox.resume(options, checkpoint),
    createSession: (options) =>
      sandbox.createSession({
        ...options,
        program: `const hiddenClock = () => ${String(options.conditions?.clock ?? ++calls)};\n${options.program}`,
      }),
  };
}
