/**
 * The guest as control code sees it: identity of commands, scopes, values, draws, cancellation.
 */
import { describe, expect, it } from 'vitest';
import { drive, evaluate, ok } from './testing.ts';

describe('commands', () => {
  it('R36 issues a command with path, arguments and call site, and resumes with the observation', async () => {
    const d = await drive(
      `async function main(ctx, input) {\n  const a = await ctx.model('plan', { q: input.q });\n  return a.x;\n}`,
      { input: { q: 1 } },
    );
    expect(d.issued).toMatchObject([
      {
        path: '/model:plan#0',
        kind: 'model',
        name: 'plan',
        index: 0,
        args: { q: 1 },
        site: { function: 'main', line: 2 },
      },
    ]);
    expect(d.started).toEqual({});
    expect(d.deliver('/model:plan#0', ok({ x: 7 }))).toEqual({ settled: { kind: 'ok', value: 7 } });
    d.session.dispose();
  });

  it('3.3 each call has its own site: by turns, on one line, in a helper, and behind more stacks than are kept', async () => {
    const d = await drive(
      `async function main(ctx) {
        const left = (i, n) => (i > 0 ? left(i - 1, n) : right(n));
        const right = (n) => (n > 0 ? right(n - 1) : ctx.read('deep', {}));
        for (let i = 0; i < 3; i++) { ctx.read('a', {}); ctx.read('b', {}); }
        for (let i = 0; i < 3; i++) ctx.read('again', {});
        for (let i = 0; i < 34; i++) for (let n = 0; n < 34; n++) left(i, n);
        ctx.read('c', {});
      }`,
      { limits: { commands: 2000 } },
    );
    const sites = new Map<string, Set<string>>();
    for (const { name, site } of d.issued) {
      const seen = sites.get(name) ?? new Set();
      sites.set(name, seen.add(`${String(site?.line)}:${site?.function ?? ''}:${String(site?.column)}`));
    }
    expect([...sites].map(([name, seen]) => [name, seen.size])).toEqual([
      ['a', 1],
      ['b', 1],
      ['again', 1],
      ['deep', 1],
      ['c', 1],
    ]);
    expect(new Set([...sites.values()].flatMap((seen) => [...seen])).size).toBe(5);
    expect([...(sites.get('c') ?? [])].map((site) => site.split(':').slice(0, 2))).toEqual([['7', 'main']]);
    d.session.dispose();
  });

  it('3.3 counts go on when kinds, names and scopes alternate, also where a name is no text', async () => {
    const d = await drive(`async function main(ctx) {
      for (let i = 0; i < 2; i++) { ctx.read('a', {}); ctx.model('a', {}); ctx.read(5, {}); ctx.read('5', {}); ctx.read('a', {}, { key: i }); }
      ctx.scope('s', (c) => { c.read('a', {}); ctx.read('a', {}); return c.read('a', {}); });
    }`);
    expect(d.issued.map((c) => c.path).join(' ')).toBe(
      '/read:a#0 /model:a#0 /read:5#0 /read:5#1 /read:a=0 /read:a#1 /model:a#1 /read:5#2 /read:5#3 /read:a=1 ' +
        '/scope:s/read:a#0 /read:a#2 /scope:s/read:a#1',
    );
    d.session.dispose();
  });

  it('P1 P2 3.3 counts by kind and name inside a scope, and takes keys instead of counts', async () => {
    const d = await drive(`async function main(ctx) {
      ctx.read('a', {}); ctx.read('b', {}); ctx.read('a', {}); ctx.read('a', {}, { key: 'x/y' });
      ctx.all({ l: (c) => c.read('a', {}), r: (c) => c.read('a', {}) });
      ctx.each(['p', 'q'], (v) => v, (c, v) => c.write('w', { v }));
      ctx.scope('s', (c) => c.sleep(5));
      ctx.child('sub', { i: 1 }, (c, input) => c.model('m', input));
    }`);
    expect(d.issued.map((c) => c.path)).toEqual([
      '/read:a#0',
      '/read:b#0',
      '/read:a#1',
      '/read:a=x%2Fy',
      '/par:l/read:a#0',
      '/par:r/read:a#0',
      '/each=p/write:w#0',
      '/each=q/write:w#0',
      '/scope:s/timer:sleep#0',
      '/child:sub#0',
      '/child:sub#0/model:m#0',
    ]);
    expect(d.issued.at(-1)?.args).toEqual({ i: 1 });
    d.session.dispose();
  });

  it('3.3 a second command with the same path is ambiguous', async () => {
    const d = await drive(`async function main(ctx) {
      ctx.read('a', {}, { key: 'k' }); ctx.read('a', {}, { key: 'k' });
      ctx.each(['p', 'p'], (v) => v, (c) => c.read('e', {}));
    }`);
    expect(d.issued.map((c) => c.ambiguous ?? false)).toEqual([false, true, false, true]);
    d.session.dispose();
  });

  it('P3 3.3 a scope entered again after it ended goes on counting', async () => {
    const d = await drive(`async function main(ctx) {
      for (let i = 0; i < 2; i++) await ctx.scope('s', (c) => c.read('a', { i }));
    }`);
    d.deliver('/scope:s/read:a#0', ok(1));
    expect(d.issued.map((c) => [c.path, c.ambiguous])).toEqual([
      ['/scope:s/read:a#0', undefined],
      ['/scope:s/read:a#1', undefined],
    ]);
    d.session.dispose();
  });

  it('P5 3.3 flags counts that depend on arrival', async () => {
    const d = await drive(`async function main(ctx) {
      const fiber = async (n) => { await ctx.model(n, {}); await ctx.read('x', { n }); };
      await Promise.all([fiber('a'), fiber('b')]);
    }`);
    d.deliver('/model:b#0', ok(1));
    d.deliver('/model:a#0', ok(1));
    expect(d.issued.filter((c) => c.kind === 'read').map((c) => c.orderDependent)).toEqual([undefined, true]);
    d.session.dispose();
  });

  it('names what a command uses by value, promise, version and decision', async () => {
    const d = await drive(`async function main(ctx) {
      const plan = await ctx.model('plan', {});
      const act = ctx.decide('act', 'open', { uses: [plan], alternatives: ['open', 'wait'] });
      const version = await ctx.state('case', { plan });
      await ctx.write('ticket', { act }, { uses: [plan, version], by: 'act', writes: ['tickets'], idempotencyKey: 'k1' });
    }`);
    d.deliver('/model:plan#0', ok({ x: 1 }));
    expect(d.issued.at(-1)).toMatchObject({
      path: '/write:ticket#0',
      uses: ['/model:plan#0', '/state:case#0'],
      selectedBy: '/decide:act#0',
      writes: ['tickets'],
      idempotencyKey: 'k1',
    });
    d.session.dispose();
  });

  it('reports acts in their order, whether they need an answer or not', async () => {
    const d = await drive(`async function main(ctx) {
      ctx.read('a', {}); ctx.decide('d', 1); ctx.read('b', {}); await ctx.state('s', 1); ctx.pure('p', 1, (x) => x + 1); ctx.read('c', {});
    }`);
    expect(d.log).toEqual([
      'issued /read:a#0',
      'decided /decide:d#0',
      'issued /read:b#0',
      'state /state:s#0',
      'pure /pure:p#0',
      'issued /read:c#0',
    ]);
    d.session.dispose();
  });

  it('a decision returns the answer of the host', async () => {
    const value = await evaluate(`return ctx.decide('act', 'open', { alternatives: ['open', 'close'] })`, {
      host: { decided: () => 'close' },
    });
    expect(value).toBe('close');
  });

  it('a child hands its parent what the host says', async () => {
    const program = `return [await ctx.child('c', 2, async (c, n) => ({ n }))]`;
    expect(await evaluate(program)).toEqual([{ n: 2 }]);
    expect(await evaluate(program, { host: { joined: () => ({ kind: 'ok', value: 'edited' }) } })).toEqual(['edited']);
  });

  it('steps and records are notes with their scope', async () => {
    const d = await drive(`async function main(ctx) {
      await ctx.step('triage', async (c) => { c.record('artifact.produced', { name: 'r' }); c.read('a', {}); });
    }`);
    expect(d.notes).toMatchObject([
      { type: 'step.started', step: '/step:triage#0', data: { name: 'triage' } },
      { type: 'artifact.produced', step: '/step:triage#0', data: { name: 'r' } },
      { type: 'step.completed' },
    ]);
    expect(d.issued[0]?.step).toBe('/step:triage#0');
    d.session.dispose();
  });

  it('cancelling asks the host; the delivery rejects the promise', async () => {
    const d = await drive(`async function main(ctx) {
      const t = ctx.sleep(1000);
      await ctx.model('m', {});
      ctx.cancel(t);
      try { await t; return 'fired'; } catch (e) { return e.name; }
    }`);
    d.deliver('/model:m#0', ok(1));
    expect(d.log.at(-1)).toBe('cancel 0');
    expect(d.deliver('/timer:sleep#0', { kind: 'cancelled' })).toEqual({ settled: { kind: 'ok', value: 'Cancelled' } });
    d.session.dispose();
  });

  it('race resolves with label and value; roll-over ends the run', async () => {
    const d = await drive(
      `async function main(ctx) { const r = await ctx.race({ a: (c) => c.read('x'), b: (c) => c.read('x') }); await ctx.rollover(r); return 'never'; }`,
    );
    expect(d.deliver('/par:b/read:x#0', ok(2))).toEqual({
      settled: { kind: 'rolled-over', carried: { label: 'b', value: 2 } },
    });
    d.session.dispose();
  });

  it('what cannot be carried over is an error of the call, and the run goes on', async () => {
    for (const [carried, name] of [
      ['{ a: 1n }', 'TypeError'],
      ['(() => { const a = {}; a.a = a; return a })()', 'TypeError'],
      ['{ toJSON() { throw new RangeError("no") } }', 'RangeError'],
      ['{ get a() { throw new RangeError("no") } }', 'RangeError'],
    ] as const) {
      const value = await evaluate(
        `try { await ctx.rollover(${carried}) } catch (e) { return e.name } return 'carried'`,
      );
      expect([carried, value]).toEqual([carried, name]);
    }
    const inside = await drive(
      `async function main(ctx) { await ctx.rollover({ toJSON() { ctx.rollover('inner'); return 'outer' } }) }`,
    );
    expect(inside.started.settled).toEqual({ kind: 'rolled-over', carried: 'inner' });
  });

  it('whatever was thrown is told as far as it can be, by the run, a step and a child', async () => {
    const thrown = async (value: string): Promise<unknown> => {
      const d = await drive(`async function main(ctx) { await ctx.step('s', () => { throw ${value} }) }`);
      const { settled } = d.started;
      const error = settled?.kind === 'err' ? settled.error : settled;
      const [, completed] = d.notes;
      expect(completed?.data).toMatchObject({ error: error ?? '' });
      return error;
    };
    expect(await thrown('{ a: 1 }')).toEqual({ name: 'Thrown', message: '{"a":1}', data: { a: 1 } });
    expect(await thrown('10n')).toEqual({ name: 'Thrown', message: '10n' });
    expect(await thrown('{ a: 1n, b: 2 }')).toEqual({
      name: 'Thrown',
      message: 'an object that is not JSON, with ["a","b"]',
    });
    expect(await thrown('new Map([[1, 2]])')).toEqual({ name: 'Thrown', message: '[object Map]', data: {} });
    expect(await thrown('"text"')).toEqual({ name: 'Thrown', message: 'text', data: 'text' });
    expect(await thrown('undefined')).toEqual({ name: 'Thrown', message: 'undefined', data: null });
    const nothing = { name: 'Error', message: 'an error that cannot be described' };
    expect(await thrown('{ get message() { throw 1 } }')).toEqual(nothing);
    const lying = await drive(`async function main() { return { toJSON() { throw { get message() { throw 1 } } } } }`);
    expect(lying.started.settled).toEqual({ kind: 'err', error: nothing });
    const child = `ctx.child('c', 1, () => { throw { a: 1 } })`;
    expect(await evaluate(`try { await ${child} } catch (e) { return e.message }`)).toBe('{"a":1}');
  });

  it('what takes functions or a list says so when it gets none, before anything is entered', async () => {
    for (const [call, message] of [
      ['ctx.race(null)', 'ctx.race needs an object of functions, or a list of promises'],
      ['ctx.race(5)', 'ctx.race needs an object of functions, or a list of promises'],
      ['ctx.all(null)', 'ctx.all needs an object of functions'],
      ['ctx.all(5)', 'ctx.all needs an object of functions'],
      [
        `ctx.all({ a: (c) => c.record('entered', {}), b: null })`,
        'every member of ctx.all and ctx.race needs a function',
      ],
      ['ctx.each(null, "id", () => 1)', 'ctx.each needs a list'],
      ['ctx.each({}, "id", () => 1)', 'ctx.each needs a list'],
      ['ctx.scope("s", null)', 'ctx.scope needs a function'],
    ] as const) {
      const d = await drive(`async function main(ctx) { await ${call} }`);
      expect([call, d.started.settled]).toEqual([call, { kind: 'err', error: { name: 'TypeError', message } }]);
      expect(d.notes).toEqual([]);
    }
    expect(await evaluate(`return await ctx.each('ab', (x) => x, (c, x) => x + x)`)).toEqual(['aa', 'bb']);
  });

  it('a failed observation rejects with name, message and data', async () => {
    const d = await drive(
      `async function main(ctx) { try { await ctx.read('x') } catch (e) { return [e.name, e.message, e.data, e.stack, e instanceof Error] } }`,
    );
    const result = d.deliver('/read:x#0', {
      kind: 'err',
      error: { name: 'HttpError', message: 'no', data: { status: 503 } },
    });
    expect(result.settled).toEqual({ kind: 'ok', value: ['HttpError', 'no', { status: 503 }, 'HttpError: no', true] });
    d.session.dispose();
  });

  it('an un-awaited command stays open and is listed', async () => {
    const d = await drive(`async function main(ctx) { ctx.write('forgotten', {}); return 1; }`);
    expect(d.session.openCommands()).toEqual([0]);
    d.session.dispose();
  });
});

describe('draws', () => {
  const program = (extra: string): string => `async function main(ctx) {
    return await ctx.all({ a: async (c) => { ${extra} return c.random(); }, b: async (c) => c.random() });
  }`;

  it('C20 each scope has its own random sequence', async () => {
    const plain = await drive(program(''));
    const more = await drive(program('c.random(); c.random();'));
    const other = await drive(program(''), { seed: 'f'.repeat(32) });
    const values = [plain, more, other].map((d) =>
      d.started.settled?.kind === 'ok' ? d.started.settled.value : undefined,
    ) as { a: number; b: number }[];
    expect(values[1]?.b).toBe(values[0]?.b);
    expect(values[1]?.a).not.toBe(values[0]?.a);
    expect(values[0]?.a).not.toBe(values[0]?.b);
    expect(values[2]?.b).not.toBe(values[0]?.b);
    for (const d of [plain, more, other]) d.session.dispose();
  });

  it('D6 the clock is virtual time: constant within a delivery, never back', async () => {
    const d = await drive(
      `async function main(ctx) {
      const t = [Date.now(), ctx.now(), new Date().getTime()]; await ctx.read('x'); t.push(Date.now()); await ctx.read('y'); t.push(ctx.now()); return t;
    }`,
      { startVt: 1000 },
    );
    d.deliver('/read:x#0', ok(1), 5000);
    expect(d.deliver('/read:y#0', ok(1), 4000).settled).toEqual({ kind: 'ok', value: [1000, 1000, 1000, 5000, 5000] });
    d.session.dispose();
  });

  it('asks the host for recorded draws by path', async () => {
    const asked: string[] = [];
    const value = await evaluate(`return [Date.now(), Math.random(), ctx.random(), ctx.now()]`, {
      draws: 'ask',
      startVt: 9,
      host: { drawn: (draw) => (asked.push(draw.path), draw.path === '/clock#1' ? undefined : asked.length) },
    });
    expect(asked).toEqual(['/clock#0', '/random#0', '/random#1', '/clock#1']);
    expect(value).toEqual([1, 2, 3, 9]);
  });
});

describe('the end of a session', () => {
  it('a program that overran its stack inside the interpreter does not abort the process', async () => {
    const program = `async function main() { return 'x'.repeat(50000000); }`;
    const d = await drive(program);
    expect(() => d.session.dispose()).not.toThrow();
  });
});
