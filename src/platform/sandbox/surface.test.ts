/**
 * What control code cannot do (conformance case 27 of replay.md, which is not its corner case C27), and the limits (case 24).
 */
import { describe, expect, it } from 'vitest';
import { drive, evaluate, ok } from './testing.ts';

describe('case 27 R37 R44 the surface of the sandbox', () => {
  it('has no dynamic code, no weak references, no host clock, no network, no raw bridge', async () => {
    const names = [
      'eval',
      'WeakRef',
      'FinalizationRegistry',
      'SharedArrayBuffer',
      'Atomics',
      'Intl',
      'setTimeout',
      'queueMicrotask',
      'fetch',
      'XMLHttpRequest',
      'performance',
      'process',
      'require',
      'bridge',
      'navigator',
      'structuredClone',
      'WebAssembly',
    ];
    expect(
      await evaluate(
        `return ${JSON.stringify(names)}.filter((n) => n in globalThis || typeof globalThis[n] !== 'undefined')`,
      ),
    ).toEqual([]);
    const globals = await evaluate(`return Reflect.ownKeys(globalThis).map(String).filter((n) => !/^[A-Z]/.test(n))`);
    expect(globals).toEqual([
      'parseInt',
      'parseFloat',
      'isNaN',
      'isFinite',
      'decodeURI',
      'decodeURIComponent',
      'encodeURI',
      'encodeURIComponent',
      'escape',
      'unescape',
      'undefined',
      'globalThis',
      'console',
      '__scrubError',
      'main',
    ]);
  });

  it('code from text is closed through every prototype', async () => {
    const attempts = [
      'Function("return 1")',
      'new Function("return 1")',
      '(() => {}).constructor("return 1")',
      '(async () => {}).constructor("return 1")',
      '(function*(){}).constructor("return 1")',
      '(async function*(){}).constructor("return 1")',
      'Reflect.construct((function(){}).constructor, ["return 1"])',
      'Object.getPrototypeOf(async () => {}).constructor("x")',
      'eval("1")',
      '(0, globalThis["ev" + "al"])("1")',
      'Array.from.constructor("return 1")',
      'ctx.model.constructor("return 1")',
    ];
    for (const attempt of attempts) {
      expect([attempt, await evaluate(`try { ${attempt}; return 'ran'; } catch (e) { return e.name; }`)]).toEqual([
        attempt,
        expect.stringMatching(/^(EvalError|ReferenceError|TypeError)$/),
      ]);
    }
    expect(await evaluate(`try { await import('std'); return 'ran'; } catch { return 'refused'; }`)).toBe('refused');
    expect(await evaluate(`return (() => {}) instanceof Function`)).toBe(true);
  });

  it('dates are at offset 0 in any host time zone', async () => {
    const before = process.env['TZ'];
    const body = `const d = new Date(2020, 5, 1, 12); return [d.getTimezoneOffset(), d.getTime(), d.getHours(), String(d), Date.parse('2020-06-01 12:00'), Date.parse('2020-06-01T12:00'), Date.parse('Jun 1, 2020 12:00'), Date.parse('2020-06-01T12:00+02:00'), Date.parse('2020-06-01'), new Date('2020-06-01T12:00').getTime(), new Date(2020, 0).toLocaleString(), new Date(NaN).toString(), new Date(new Date(5)).getTime(), Date().slice(0, 15), new Date(0) instanceof Date]`;
    const results = [];
    for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
      process.env['TZ'] = zone;
      results.push(await evaluate(body));
    }
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
    const noon = 1591012800000;
    expect(results[0]).toEqual([
      0,
      noon,
      12,
      'Mon Jun 01 2020 12:00:00 GMT+0000',
      noon,
      noon,
      noon,
      noon - 7200000,
      noon - 43200000,
      noon,
      'Wed Jan 01 2020 00:00:00 GMT+0000',
      'Invalid Date',
      5,
      'Thu Jan 01 1970',
      true,
    ]);
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });

  it('C21 stacks say name and message, also of errors the interpreter throws', async () => {
    expect(await evaluate(`try { null.x } catch (e) { return e.stack }`)).toBe(
      "TypeError: cannot read property 'x' of null",
    );
    expect(
      await evaluate(
        `const r = /[/'"}]catch (e) {/; const s = \`\${'catch (e) {'} }\`; try { undefinedName } catch (e) { return [e.stack, r.source.length, s] }`,
      ),
    ).toEqual(["ReferenceError: 'undefinedName' is not defined", 17, 'catch (e) { }']);
    expect(
      await evaluate(
        `class Mine extends Error { constructor(m) { super(m); this.name = 'Mine'; } } try { throw new Mine('x') } catch (e) { return [e.name, String(e), e.stack, e instanceof Mine, Object.keys(e)] }`,
      ),
    ).toEqual(['Mine', 'Mine: x', 'Error: x', true, ['name']]);
    expect(
      await evaluate(
        `return [new Error('a', { cause: 1 }).cause, TypeError('b').name, new AggregateError([1], 'c').errors, Error.isError(new RangeError())]`,
      ),
    ).toEqual([1, 'TypeError', [1], true]);
  });

  it('intrinsics are frozen, own members can still be made', async () => {
    expect(
      await evaluate(
        `'use strict'; const out = []; for (const f of [() => { Array.prototype.push = 1 }, () => { JSON.stringify = 1 }, () => { Object.prototype.toString = 1 }, () => { Promise = 1 }, () => { (async () => {}).__proto__.x = 1 }, () => { ctx.model = 1 }, () => { Math.random = 1 }]) { try { f(); out.push('done') } catch (e) { out.push(e.name) } } return out`,
      ),
    ).toEqual(Array(7).fill('TypeError'));
    expect(
      await evaluate(
        `'use strict'; const o = {}; o.toString = () => 'mine'; o.constructor = 1; return [String(o), Object.keys(o)]`,
      ),
    ).toEqual(['mine', ['toString', 'constructor']]);
  });

  it('values cross by JSON only: what the program does to them later does not reach the host', async () => {
    const d = await drive(
      `async function main(ctx) { const a = { x: 1 }; const p = ctx.read('r', a); a.x = 2; ctx.read('s', a); const v = await p; v.y = 1; return v; }`,
    );
    expect(d.issued.map((c) => c.args)).toEqual([{ x: 1 }, { x: 2 }]);
    const answer = { z: [1, '\ud800', '\u0000é'] };
    expect(d.deliver('/read:r#0', ok(answer)).settled).toEqual({
      kind: 'ok',
      value: { z: [1, '\ud800', '\u0000é'], y: 1 },
    });
    expect(answer).toEqual({ z: [1, '\ud800', '\u0000é'] });
    d.session.dispose();
  });
});

describe('C24 limits', () => {
  it('an endless loop ends as cpu, the same every time, and no catch block runs', async () => {
    const program = `async function main(ctx) { ctx.write('before', {}); try { for (;;) {} } catch (e) { ctx.write('caught', {}); } finally { ctx.write('finally', {}); } }`;
    const runs = [];
    for (let i = 0; i < 2; i++) {
      const d = await drive(program, { limits: { ticksPerDelivery: 20 } });
      runs.push({ started: d.started, issued: d.issued.map((c) => c.path), usage: d.session.usage() });
      d.session.dispose();
    }
    expect(runs[0]?.started.limit?.name).toBe('cpu');
    expect(runs[0]?.issued).toEqual([]);
    expect(runs[1]).toEqual(runs[0]);
  });

  it('an endless chain of promises ends as cpu', async () => {
    const d = await drive(`async function main() { for (;;) await null; }`, { limits: { ticksPerDelivery: 20 } });
    expect(d.started.limit?.name).toBe('cpu');
    d.session.dispose();
  });

  it('memory, stack, commands, bytes and depth have names', { timeout: 60_000 }, async () => {
    const cases = [
      ['memory', `const a = []; for (;;) a.push(new Array(10000).fill(1.5))`],
      ['memory', `let s = 'x'; for (;;) s += s`],
      ['memory', `const keep = []; for (;;) { try { for (;;) keep.push(new Array(10000).fill(1.5)) } catch (e) {} }`],
      ['stack', `const f = () => f() + 1; f()`],
      ['commands', `for (;;) ctx.read('x', {})`],
      ['bytes', `for (;;) ctx.decide('x', 'y'.repeat(100000))`],
      ['scope-depth', `const f = (c) => c.scope('s', f); await f(ctx)`],
    ] as const;
    for (const [name, body] of cases) {
      const runs = [];
      for (let i = 0; i < 2; i++) {
        const d = await drive(`async function main(ctx) { ${body} }`, {
          limits: { commands: 100, bridgeBytes: 2_000_000, memoryBytes: 8 * 1024 * 1024 },
        });
        runs.push([d.started.limit?.name, d.session.usage()]);
        d.session.dispose();
      }
      expect([body, runs[0]?.[0]]).toEqual([body, name]);
      expect(runs[1]).toEqual(runs[0]);
    }
  });

  it('can be stopped from outside', async () => {
    const d = await drive(`async function main() { for (;;) {} }`, { shouldStop: () => true });
    expect(d.started.limit?.name).toBe('aborted-by-host');
    d.session.dispose();
  });

  it('says what is wrong with a text that is no program', async () => {
    for (const [text, sentence] of [
      ['async function main( {', 'SyntaxError'],
      ['const x = 1', 'no function named main'],
      ['throw new TypeError("no")', 'TypeError: no'],
      ['throw { a: 1 }', 'it throws {"a":1}'],
      ['throw 10n', 'it throws 10n'],
      ['throw "text"', 'it throws text'],
    ] as const) {
      const d = await drive(text);
      expect(d.started.settled?.kind === 'not-a-program' ? d.started.settled.message : '').toContain(sentence);
      d.session.dispose();
    }
  });

  it('an error of the host is thrown to the one who entered', async () => {
    await expect(
      drive(`async function main(ctx) { try { ctx.decide('x', 1) } catch {} }`, {
        host: {
          decided: () => {
            throw new Error('host fault');
          },
        },
      }),
    ).rejects.toThrow('host fault');
  });
});
