/**
 * Conformance cases 6 to 9, 12, 17 and the order of deliveries: parallel work, races, timers, cancellation.
 */
import { describe, expect, it } from 'vitest';
import { comparePositions } from '../position.ts';
import { record } from '../testing/record.ts';
import { alter, at, divergences, paths, replay } from '../testing/replay-case.ts';
import { computeVerdict } from '../verdict.ts';

describe('order of deliveries', () => {
  it('C6 D2 R36 two branches, the second finishes first, next numbers depend on arrival: identical', async () => {
    const program = `async function main(ctx) {
      const order = [];
      const fiber = async (name) => { await ctx.model(name, {}); order.push(name); await ctx.read('next', { n: order.length, name }); };
      await Promise.all([fiber('slow'), fiber('fast')]);
      return order;
    }`;
    const handlers = { 'model:slow': () => ({ after: 50 }), 'model:fast': () => ({ after: 5 }) };
    const report = await replay(await record(program, { handlers }));
    expect(report.result).toBe('identical');
    expect(report.outcome.value).toEqual(['fast', 'slow']);
  });

  it('C7 a race won by B is won by B again; A is delivered later and is no divergence', async () => {
    const program = `async function main(ctx) {
      const winner = await ctx.race({ a: (c) => c.model('x', { s: 'a' }), b: (c) => c.model('x', { s: 'b' }) });
      await ctx.read('after', { winner: winner.label });
      await ctx.sleep(100);
      return winner.label;
    }`;
    const handlers = { 'model:x': (args: unknown) => ({ after: JSON.stringify(args).includes('"a"') ? 40 : 10 }) };
    const report = await replay(await record(program, { handlers }));
    expect(report.result).toBe('identical');
    expect(report.outcome.value).toBe('b');
    const delivered = report.commands.toSorted((x, y) => Number(x.delivered) - Number(y.delivered)).map((c) => c.path);
    expect(delivered).toEqual(['/par:b/model:x#0', '/read:after#0', '/par:a/model:x#0', '/timer:sleep#0']);
  });

  it.each(['[s, t]', '[t, s]'])(
    'C8 a signal recorded before a timer wins in either order of arguments: %s',
    async (args) => {
      const program = `async function main(ctx) {
      const s = ctx.signal('go').then((v) => 'signal'), t = ctx.sleep(10).then(() => 'timer');
      return await Promise.race(${args});
    }`;
      const report = await replay(await record(program, { signals: [{ name: 'go', at: 9, value: 1 }] }));
      expect(report.result).toBe('identical');
      expect(report.outcome.value).toBe('signal');
    },
  );

  it('C8 D1 D2 the record decides, not the due time: a timer that fired first wins though the signal is ready in fewer jobs', async () => {
    const program = `async function main(ctx) {
      const t = ctx.sleep(10).then((x) => x).then((x) => x).then(() => 'timer'), s = ctx.signal('go').then(() => 'signal');
      return await Promise.race([s, t]);
    }`;
    const report = await replay(await record(program, { signals: [{ name: 'go', at: 11, value: 1 }] }));
    expect(report.outcome.value).toBe('timer');
    expect(report.result).toBe('identical');
  });

  it('C9 a timer cancelled after a model result replays as cancelled, nothing unconsumed', async () => {
    const program = `async function main(ctx) {
      const timeout = ctx.sleep(1000, { name: 'timeout' });
      await ctx.model('m', {});
      ctx.cancel(timeout);
      try { await timeout; return 'fired'; } catch (e) { return e.name; }
    }`;
    const events = await record(program);
    expect(at(events, 'timer.cancelled').command?.path).toBe('/timer:timeout#0');
    const report = await replay(events);
    expect(report.result).toBe('identical');
    expect(report.outcome.value).toBe('Cancelled');
    expect(report.commands.find((c) => c.kind === 'timer')).toMatchObject({
      status: 'reused',
      outcome: { kind: 'cancelled' },
    });
  });

  it('D7 a result recorded after a cancellation is late, not a divergence', async () => {
    const program = `async function main(ctx) {
      const m = ctx.model('slow', {});
      await ctx.read('quick', {});
      ctx.cancel(m);
      try { await m } catch {}
      await ctx.sleep(100);
      return 'done';
    }`;
    const events = await record(program, { handlers: { 'model:slow': () => ({ after: 50 }) } });
    const cancelled = at(events, 'model_call.cancelled');
    const late = alter(cancelled, {
      id: 'w:late',
      type: 'model_call.completed',
      command: { path: '/model:slow#0', kind: 'model', name: 'slow' },
      data: { result: 1 },
    });
    const report = await replay([...events, late]);
    expect(report.result).toBe('identical');
    expect(report.problems).toEqual([]);
  });

  const parallel = `async function main(ctx) {
    const r = await ctx.all({
      a: async (c) => { const plan = await c.model('plan', {}); return c.read('fetch', { url: plan.url }, { uses: [plan] }); },
      b: async (c) => { await c.model('plan', {}); return c.read('fetch', { url: 'b' }); },
    });
    return (await ctx.model('join', { a: r.a.body, b: r.b.body })).text;
  }`;
  const parallelHandlers = {
    'model:plan': () => ({ ok: { url: 'u1' } }),
    'read:fetch': (args: unknown) => ({ ok: { body: `body of ${JSON.stringify(args)}` }, after: 3 }),
    'model:join': () => ({ ok: { text: 'joined' } }),
  };

  it('C12 R39 an edited plan in a leaves b untouched; the changed fetch blocks; an equal supplied value cuts off', async () => {
    const events = await record(parallel, { handlers: parallelHandlers });
    const plan = at(events, 'model_call.completed', '/par:a/model:plan#0');
    const edits = [{ target: { event: plan.id }, value: { url: 'u2' } }];
    const blocked = await replay(events, { edits });
    expect(blocked.result).toBe('blocked');
    expect(paths(blocked.superseded)).toEqual(['/par:a/model:plan#0']);
    expect(paths(blocked.reused)).toEqual(['/par:b/model:plan#0', '/par:b/read:fetch#0']);
    expect(paths(blocked.changed)).toEqual([]);
    expect(paths(blocked.pending)).toEqual(['/par:a/read:fetch#0']);
    expect(paths(blocked.removed)).toEqual(['/model:join#0']);
    expect(blocked.pending[0]?.reasons).toEqual([{ event: plan.id, as: 'consumed' }]);
    const supplied = await replay(events, {
      edits,
      supply: [{ path: '/par:a/read:fetch#0', value: { body: 'body of {"url":"u1"}' } }],
    });
    expect(supplied.result).toBe('complete');
    expect(paths(supplied.reused)).toContain('/model:join#0');
    expect(paths(supplied.changed)).toEqual(['/par:a/read:fetch#0']);
    expect(supplied.outcome.equalsRecorded).toBe(true);
  });

  it('C17 an absent observation in b: a runs to its end, the blocked list is exactly the command of b', async () => {
    const events = await record(parallel, { handlers: parallelHandlers });
    const without = events.filter(
      (event) =>
        !(event.type === 'tool_call.completed' && event.command?.path === '/par:b/read:fetch#0') &&
        event.type !== 'run.completed' &&
        event.command?.name !== 'join',
    );
    const report = await replay(without);
    expect(paths(report.reused)).toEqual(['/par:a/model:plan#0', '/par:b/model:plan#0', '/par:a/read:fetch#0']);
    expect(report.pending).toMatchObject([{ path: '/par:b/read:fetch#0', waitsFor: 'open-in-record' }]);
  });

  it('D5 D4 an observation whose position has passed is delivered at once; a derived time that decides is flagged', async () => {
    const program = `async function main(ctx) { const a = ctx.model('a', {}); await a; await ctx.read('b', {}); await ctx.read('c', {}); return 1; }`;
    const events = await record(program);
    const patched = `async function main(ctx) { await ctx.sleep(5); const c = ctx.read('c', {}); await ctx.model('a', {}); await ctx.read('b', {}); await c; return 1; }`;
    const report = await replay(events, { program: patched });
    expect(report.result).toBe('complete');
    const order = report.commands.toSorted((x, y) => comparePositions(x.delivered ?? '', y.delivered ?? ''));
    expect(order.map((c) => c.name)).toEqual(['sleep', 'a', 'b', 'c']);
    expect(report.flags.derivedOrder).toEqual([]);
    const race = `async function main(ctx) { const t = ctx.sleep(1, { name: 'new' }); await ctx.model('a', {}); await ctx.read('b', {}); await ctx.read('c', {}); await t; return 1; }`;
    expect((await replay(events, { program: race })).flags.derivedOrder).toContain('/timer:new#0');
    const late = `async function main(ctx) { await ctx.read('c', {}); await ctx.model('a', {}); await ctx.read('b', {}); return 1; }`;
    const clamped = await replay(events, { program: late });
    expect(clamped.flags.clamped).toEqual(['/model:a#0', '/read:b#0']);
    expect(divergences(clamped)).toEqual(['order /model:a#0', 'order /read:b#0']);
    // D6: what is delivered late does not turn back the clock.
    expect(clamped.commands.map((c) => c.vt)).toEqual([3, 3, 3]);
  });

  it.each([
    [50, 'model'],
    [10, 'model'],
    [2, 'timer'],
  ])('D4 a new timer of %i ms against a result recorded after 10: %s first', async (ms, winner) => {
    const handlers = { 'model:m': () => ({ after: 10 }) };
    const events = await record(`async function main(ctx) { await ctx.model('m', {}); return 1; }`, { handlers });
    const program = `async function main(ctx) {
      return await Promise.race([ctx.model('m', {}).then(() => 'model'), ctx.sleep(${String(ms)}).then(() => 'timer')]);
    }`;
    const report = await replay(events, { program });
    expect(report.outcome.value).toBe(winner);
    expect(report.flags.derivedOrder).toHaveLength(1);
  });

  it.each([
    [`['b', 'a']`, ['a', 'b']],
    [`['a', 'b']`, ['a', 'b']],
  ])(
    'D4 new timers that are due at once fire by their paths, in whatever order they are asked for: %s',
    async (names, fired) => {
      const events = await record(`async function main(ctx) { return 1; }`);
      const program = `async function main(ctx) {
      const fired = [];
      await Promise.all(${names}.map((name) => ctx.sleep(5, { name }).then(() => fired.push(name))));
      return fired;
    }`;
      expect((await replay(events, { program })).outcome.value).toEqual(fired);
    },
  );

  it('D5 D4 D6 what has lost its position comes at once: before a new timer that is due at an earlier time', async () => {
    const handlers = { 'model:a': () => ({ after: 10 }) };
    const recorded = `async function main(ctx) { await ctx.model('a', {}); await ctx.read('b', {}); return 1; }`;
    const program = `async function main(ctx) {
      const seen = [];
      const note = (name) => () => seen.push([name, ctx.now()]);
      const t = ctx.sleep(4, { name: 'new' }).then(note('new'));
      const b = ctx.read('b', {}).then(note('b'));
      await Promise.all([t, b, ctx.model('a', {}).then(note('a'))]);
      return seen;
    }`;
    const report = await replay(await record(recorded, { handlers }), { program });
    expect(report.flags.clamped).toEqual(['/model:a#0']);
    expect(report.outcome.value).toEqual([
      ['a', 10],
      ['new', 10],
      ['b', 11],
    ]);
  });

  it('D11 a timer the record left open fires when the edited branch waits for it, and stays open unedited', async () => {
    const program = `async function main(ctx) {
      const t = ctx.sleep(100);
      const m = await ctx.model('m', {});
      if (m.wait) { await t; return ctx.now(); }
      return 'early';
    }`;
    const events = await record(program, { handlers: { 'model:m': () => ({ ok: { wait: false }, after: 5 }) } });
    const unedited = await replay(events);
    expect(unedited).toMatchObject({ result: 'identical', open: ['/timer:sleep#0'] });
    const report = await replay(events, { edits: [{ target: { path: '/model:m#0' }, value: { wait: true } }] });
    expect(report).toMatchObject({ result: 'complete', outcome: { value: 100 } });
    expect(paths(report.changed)).toEqual(['/timer:sleep#0']);
  });

  it('G6 an order nobody recorded is flagged and never identical', async () => {
    const recorded = await record(
      `async function main(ctx) { await ctx.model('a', {}); await ctx.read('b', {}); return 1; }`,
    );
    const events = recorded.map((event) => {
      if (event.command === undefined) return event;
      const { path, kind, name, args } = event.command;
      return alter(event, {
        command: { path, kind: kind ?? '', name: name ?? '', ...(args === undefined ? {} : { args }) },
      });
    });
    const report = await replay(events);
    expect(report.flags.orderAssumed).toBe(true);
    expect(report.result).toBe('identical-where-recorded');
  });

  it('D9 a dropped promise is listed as open, and the run is still identical', async () => {
    const report = await replay(
      await record(`async function main(ctx) { ctx.model('dropped', {}); await ctx.read('b', {}); return 1; }`, {
        handlers: { 'model:dropped': () => ({ open: true }) },
      }),
    );
    expect(report.result).toBe('identical');
    expect(report.open).toEqual(['/model:dropped#0']);
    expect([report.pending, report.unknown, report.counts['pending']]).toEqual([[], [], 0]);
    expect(report.commands[0]).toMatchObject({ waitsFor: 'open-in-record', isOpen: true });
  });

  it('D9 I7 I8 what was left running when the run failed is open and nothing else, and its work fell with the end of the run', async () => {
    const program = `async function main(ctx) {
      const r = await ctx.all({
        a: (c) => c.read('a', {}),
        b: (c) => c.child('work', {}, async (k) => { const x = await k.read('x', {}); return k.model('y', {}); }),
      });
      return r.b;
    }`;
    const handlers = { 'read:x': () => ({ after: 5 }), 'model:y': () => ({ after: 5 }) };
    const events = await record(program, { handlers });
    const path = '/par:a/read:a#0';
    const report = await replay(events, { edits: [{ target: { path }, error: { name: 'E', message: 'broken' } }] });
    expect(report.result).toBe('complete');
    const child = '/par:b/child:work#0';
    expect(report.open).toEqual([child, `${child}/read:x#0`]);
    expect(paths(report.removed)).toEqual([`${child}/model:y#0`]);
    expect(report.removed[0]?.reasons).toEqual([
      { event: at(events, 'tool_call.completed', path).id, as: 'run-ended' },
    ]);
    expect(report.undeclaredEdges).toEqual([]);
    const { reused, changed, inserted, suspect, pending, unknown } = report;
    expect(paths([...reused, ...changed, ...inserted, ...suspect, ...pending, ...unknown])).toEqual([]);
    expect(report.counts).toMatchObject({ open: 2, retained: 0, superseded: 1, removed: 1 });
    expect(report.sentence).toContain('0 commands reused, 1 superseded, 1 removed, 2 open.');
    expect(computeVerdict(report).verdict).toBe('diverges');
  });

  it.each([
    [
      'all',
      `try { await ctx.all({ a: (c) => c.read('x', {}), b: async (c) => { await c.model('m', {}); return c.write('w', {}); } }); return 'ok' } catch (e) { await ctx.sleep(50); return e.message }`,
    ],
    [
      'allSettled',
      `const r = await Promise.allSettled([ctx.scope('a', (c) => c.read('x', {})), ctx.scope('b', async (c) => { await c.model('m', {}); return c.write('w', {}); })]); return r.map((s) => s.status)`,
    ],
  ])('early rejection against %s: siblings that went on are replayed as recorded', async (_, body) => {
    const program = `async function main(ctx) { ${body} }`;
    const handlers = {
      'read:x': () => ({ err: { name: 'E', message: 'broken' }, after: 1 }),
      'model:m': () => ({ after: 5 }),
    };
    const report = await replay(await record(program, { handlers }));
    expect(report.result).toBe('identical');
    expect(report.commands.map((c) => c.kind)).toContain('write');
  });
});
