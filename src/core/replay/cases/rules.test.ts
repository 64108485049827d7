/** Rules of SPEC.md that no conformance case sharpens, each on the smallest program that shows it. */
import { describe, expect, it } from 'vitest';
import { loadSandbox } from '../../../platform/sandbox/node.ts';
import { computeBranchEvents } from '../branch-journal.ts';
import { createDebugger } from '../debug/debugger.ts';
import type { Sandbox } from '../sandbox-port.ts';
import { record, testRun } from '../testing/record.ts';
import { alter, at, author, divergences, paths, replay } from '../testing/replay-case.ts';

describe('journal', () => {
  it('G7 a command cancelled before it was sent is no record that could be missing', async () => {
    const events = await record(`async function main(ctx) {
      const m = ctx.model('m', {});
      ctx.cancel(m);
      try { await m; } catch {}
      return 1;
    }`);
    const without = `async function main(ctx) { return 1; }`;
    expect(paths((await replay(events, { program: without })).removed)).toEqual(['/model:m#0']);
    const unsent = events.map((event) =>
      event.type === 'model_call.cancelled' ? alter(event, { data: { sent: false } }) : event,
    );
    expect((await replay(unsent)).result).toBe('identical');
    const report = await replay(unsent, { program: without });
    expect([paths(report.removed), report.result]).toEqual([[], 'identical']);
  });
});

describe('matching', () => {
  it('M2b among equal shifted records the one from the same call site is taken', async () => {
    const program = `async function main(ctx, input) {
      if (input.all) await ctx.read('x', { a: 0 });
      if (input.all) await ctx.read('x', { a: 1 });
      return await ctx.read('x', { a: 1 });
    }`;
    const events = await record(program, { input: { all: true } });
    const report = await replay(events, { edits: [{ target: { input: true }, value: { all: false } }] });
    const wanted = at(events, 'tool_call.completed', '/read:x#2').id;
    expect(report.reused).toMatchObject([{ path: '/read:x#0', rule: 'M2', event: wanted }]);
    expect(report.outcome.equalsRecorded).toBe(true);
  });

  it('M6 an edited decision keeps its edited value whatever is computed; a changed one never blocks', async () => {
    const events = await record(
      `async function main(ctx) {
        const m = await ctx.model('m', {});
        const chosen = ctx.decide('act', m.v, { alternatives: ['a', 'b', 'c'] });
        return chosen;
      }`,
      { handlers: { 'model:m': () => ({ ok: { v: 'a' } }) } },
    );
    const model = { target: { path: '/model:m#0' }, value: { v: 'b' } };
    const computed = await replay(events, { edits: [model] });
    expect(computed).toMatchObject({ result: 'complete', outcome: { value: 'b' } });
    expect(paths(computed.changed)).toEqual(['/decide:act#0']);
    const kept = await replay(events, { edits: [model, { target: { path: '/decide:act#0' }, value: 'c' }] });
    expect(kept).toMatchObject({ result: 'complete', outcome: { value: 'c' } });
    expect(paths(kept.superseded)).toEqual(['/model:m#0', '/decide:act#0']);
  });

  it('M7 a child that is a run of its own is answered from the record; one of this run is run inside', async () => {
    const recorded = await record(`async function main(ctx) {
      return await ctx.child('c', {}, async (c) => (await c.read('a', {})).answer);
    }`);
    const bare = recorded
      .filter((event) => event.command?.path.startsWith('/child:c#0/') !== true)
      .map((event) =>
        event.type === 'agent.joined'
          ? alter(event, { command: { path: '/child:c#0', kind: 'child', name: 'c', delivered: 1, vt: 1 } })
          : event,
      );
    const inside = await replay(bare);
    expect(paths(inside.inserted).concat(paths(inside.pending))).toContain('/child:c#0/read:a#0');
    const elsewhere = bare.map((event) =>
      event.type === 'agent.spawned' ? alter(event, { data: { args: {}, child: { run: 'f'.repeat(32) } } }) : event,
    );
    const report = await replay(elsewhere);
    expect(report.result).toBe('identical');
    expect(report.commands.map((c) => c.path)).toEqual(['/child:c#0']);
  });

  it('M8 an edit by path reaches the changed command there as a supplied value', async () => {
    const events = await record(
      `async function main(ctx) { const m = await ctx.model('m', {}); return await ctx.read('x', { m }); }`,
    );
    const edits = [{ target: { path: '/model:m#0' }, value: 'new' }];
    expect((await replay(events, { edits })).result).toBe('blocked');
    const report = await replay(events, { edits: [...edits, { target: { path: '/read:x#0' }, value: 9 }] });
    expect(report).toMatchObject({ result: 'complete', outcome: { value: 9 } });
    expect(report.commands.find((c) => c.path === '/read:x#0')?.status).toBe('changed');
  });
});

describe('delivery', () => {
  const race = `async function main(ctx) {
    const order = [];
    const one = async (name) => { const v = await ctx.read(name, {}); order.push(name + v); };
    await Promise.all([one('slow'), one('quick')]);
    return order;
  }`;
  const handlers = { 'read:slow': () => ({ ok: 1, after: 50 }), 'read:quick': () => ({ ok: 1, after: 5 }) };

  it('D3 a superseding value comes where the one came that it supersedes', async () => {
    const events = await record(race, { handlers });
    const report = await replay(events, { edits: [{ target: { path: '/read:slow#0' }, value: 2 }] });
    expect(report.outcome.value).toEqual(['quick1', 'slow2']);
    expect(report.superseded).toHaveLength(1);
    const command = report.commands.find((c) => c.path === '/read:slow#0');
    expect(command?.delivered).toBe(String(at(events, 'tool_call.completed', '/read:slow#0').command?.delivered));
  });

  it('D10 a command recorded by one event has one number, taken when it is delivered', async () => {
    const program = race.replaceAll(`'slow'`, `'policy:slow'`);
    const events = await record(program, {
      handlers: { ...handlers, 'read:policy:slow': () => ({ ok: { verdict: 'allow' }, after: 50 }) },
    });
    const { command } = at(events, 'policy.evaluated');
    expect([command?.issued, command?.delivered]).toEqual([2, 2]);
    const report = await replay(events);
    expect(report.result).toBe('identical');
    expect(report.commands.find((c) => c.path === command?.path)).toMatchObject({ delivered: '2' });
  });
});

describe('statuses and differences', () => {
  const sending = `async function main(ctx) {
    await ctx.write('send', { to: 'a' });
    const d = ctx.decide('next', 'go');
    await ctx.read('after', {});
    return d;
  }`;
  const handlers = { 'write:send': () => ({ ok: 'sent', effects: [{ id: 'mail-1' }] }) };

  it('I8 I9 a changed command without a value is pending, its record changed, and its effect an orphan', async () => {
    const events = await record(sending, { handlers });
    const report = await replay(events, { program: sending.replace(`to: 'a'`, `to: 'b'`) });
    expect(report.pending).toMatchObject([{ path: '/write:send#0', waitsFor: 'changed' }]);
    expect(report.changed).toEqual([]);
    expect(report.sentence).toContain('0 commands reused, 2 not reached, 1 pending.');
    expect(report.records.map((r) => [r.path, r.status])).toEqual([
      ['/write:send#0', 'changed'],
      ['/decide:next#0', 'removed'],
      ['/read:after#0', 'removed'],
    ]);
    expect(report.orphanEffects).toMatchObject([{ path: '/write:send#0', effects: [{ id: 'mail-1' }] }]);
  });

  it('V1 differences stand in the order of the record; what is only recomputed is missing once the run has ended', async () => {
    const events = await record(sending, { handlers });
    const stopped = await replay(events, { program: sending.replace(`to: 'a'`, `to: 'b'`) });
    expect(divergences(stopped)).toEqual(['args /write:send#0', 'missing /read:after#0']);
    const ended = await replay(events, { program: `async function main(ctx) { return 'go'; }` });
    expect(divergences(ended)).toEqual(['missing /write:send#0', 'missing /decide:next#0', 'missing /read:after#0']);
  });
});

describe('branches', () => {
  const program = `async function main(ctx) {
    const m = await ctx.model('m', {});
    if (m.send) await ctx.write('send', {});
    return m.send;
  }`;
  const handlers = {
    'model:m': () => ({ ok: { send: true } }),
    'write:send': () => ({ ok: 'sent', effects: [{ id: 'mail-1' }] }),
  };

  it('B3 a branch inherits its base without what fell; effects are inherited always, because the world has them', async () => {
    const events = await record(program, { handlers });
    const report = await replay(events, { edits: [{ target: { path: '/model:m#0' }, value: { send: false } }] });
    expect(report.result).toBe('complete');
    const line = computeBranchEvents([...events, ...report.lines], testRun, ['main', report.branch]);
    const inherited = line.filter((event) => event.branch === 'main').map((event) => event.type);
    expect(inherited).toEqual(['run.started', 'model_call.requested', 'effect.committed']);
  });

  it('B4 an effect issued on a branch was never sent: open when the branch is replayed, not uncertain', async () => {
    const events = await record(program, { handlers: { ...handlers, 'model:m': () => ({ ok: { send: false } }) } });
    const made = await replay(events, { edits: [{ target: { path: '/model:m#0' }, value: { send: true } }] });
    expect(made.pending).toMatchObject([{ path: '/write:send#0', waitsFor: 'inserted' }]);
    const again = await replay([...events, ...made.lines], { base: made.branch });
    expect(again.pending).toMatchObject([{ path: '/write:send#0', waitsFor: 'open-in-record' }]);
    expect(again.counts['uncertain']).toBe(0);
  });
});

describe('time travel', () => {
  it('T3 a part that is run again and does not repeat itself ends with an error instead of being shown', async () => {
    const events = await record(`async function main(ctx) {
      for (let n = 0; n < 3; n++) await ctx.read('x', { drawn: ctx.random() });
      return 1;
    }`);
    const real = await loadSandbox();
    let sessions = 0;
    const drifting: Sandbox = {
      ...real,
      createSession: (options) => real.createSession(sessions++ === 0 ? options : { ...options, seed: 'another' }),
    };
    const made = await createDebugger({ events, sandbox: drifting, author });
    if (!made.ok) throw new Error(made.error);
    await expect(made.value.proveStateAt(2, true)).rejects.toThrow('the program does again what it did');
  });

  it('T7 what a program prints is no part of its replay: the same digests with and without', async () => {
    const program = `async function main(ctx) { const x = await ctx.read('x', {}); return x; }`;
    const events = await record(program);
    const printing = program.replace('return x', `console.log('seen', x); return x`);
    const report = await replay(events, { program: printing });
    expect(report).toMatchObject({ result: 'identical', divergences: [] });
    const { digests } = await replay(await record(printing));
    expect(digests.outcome).toBe((await replay(events)).digests.outcome);
  });
});
