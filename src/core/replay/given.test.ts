/** What a person gave: nothing of it is dropped without a word, and what cannot be given is refused with its place. */
import { describe, expect, it } from 'vitest';
import { loadSandbox } from '../../platform/sandbox/node.ts';
import type { JsonObject } from '../base/json.ts';
import { dataOf } from './contents.ts';
import { jsonToError } from './event-roles.ts';
import { record } from './testing/record.ts';
import { alter, at, paths, replay, tryReplay } from './testing/replay-case.ts';

const two = `async function main(ctx, input) {
  const a = await ctx.read('a', {});
  if (a.on) await ctx.read('b', {});
  return a.v;
}`;
const events = await record(two, {
  handlers: { 'read:a': () => ({ ok: { on: true, v: 1 } }), 'read:b': () => ({ ok: 1 }) },
});
const a = { path: '/read:a#0' };
const b = { path: '/read:b#0' };

describe('edits and supplies', () => {
  it('O2 an edit and a supply for one command are refused, whether or not the edit changes anything', async () => {
    for (const value of [1, 2]) {
      const made = await tryReplay(events, { edits: [{ target: b, value }], supply: [{ ...b, value: 3 }] });
      expect(made).toEqual({
        ok: false,
        error: 'supply[0] gives a second value for /read:b#0, which edits[0] has already; keep one.',
      });
    }
  });

  it('O2 an edit that had no effect is told beside one that had', async () => {
    const edits = [
      { target: a, value: { on: false, v: 2 } },
      { target: b, value: 5 },
    ];
    expect((await replay(events, { edits })).warnings).toEqual([
      'The edit of /read:b#0 had no effect: the branch never issued that command.',
    ]);
    // Of a record that moved, the edit counts; and so it does for a command that asks otherwise at its path.
    const moved = two.replace(`ctx.read('b', {})`, `ctx.scope('s', (c) => c.read('b', {}))`);
    const other = two.replace(`ctx.read('b', {})`, `ctx.read('b', { q: 1 })`);
    for (const program of [moved, other])
      expect((await replay(events, { program, edits: [{ target: b, value: 5 }] })).warnings).toEqual([]);
    const unawaited = two.replace(`await ctx.read('b', {})`, `ctx.read('b', {})`);
    expect((await replay(events, { program: unawaited, edits: [{ target: b, value: 5 }] })).warnings).toEqual([
      'The edit of /read:b#0 had no effect: the branch ended or stopped before that command was answered.',
    ]);
  });

  it('O1 I1 an input given as it is recorded is an edit that changes nothing, and part of the operation', async () => {
    const report = await replay(events, { edits: [{ target: { input: true }, value: {} }] });
    expect([report.operation?.kind, report.noop, report.result]).toEqual(['edit', true, 'identical']);
    expect(report.operation?.input).toMatchObject({ value: {}, noop: true });
    expect(report.branch).not.toBe((await replay(events)).branch);
  });
});

describe('the engine', () => {
  it('R36 another one than the record names is told where not all is identical, once; none where none is named', async () => {
    const other = `sha256:${'0'.repeat(64)}`;
    const changed = two.replace(`ctx.read('b', {})`, `ctx.read('b', { q: 1 })`);
    const replayWith = (engine: JsonObject, program = changed) =>
      replay(
        events.map((event) =>
          event.type === 'run.started' ? alter(event, { data: { ...dataOf(event), engine } }) : event,
        ),
        { program },
      );
    const { digest } = (await loadSandbox()).engine;
    expect((await replayWith({ name: 'quickjs', digest: other })).warnings).toEqual([
      `The run was recorded with another engine of the sandbox (sha256:000000000000…) than it is replayed with (${digest.slice(0, 19)}…). What differs may come of that.`,
    ]);
    const identical = await replayWith({ name: 'quickjs', digest: other }, two);
    expect([identical.result, identical.warnings]).toEqual(['identical', []]);
    expect((await replayWith({ name: 'node', version: '22' })).warnings).toEqual([]);
    expect((await replayWith({ name: 'quickjs', digest })).warnings).toEqual([]);
  });
});

describe('draws', () => {
  const program = `async function main(ctx) {
    await ctx.read('x', {});
    const n = ctx.now(), r = ctx.random();
    ctx.decide('d', n);
    await ctx.read('y', { n, r });
    return n;
  }`;
  const clock = { path: '/clock#0' };

  it('O2 are given numbers and nothing else', async () => {
    const drawn = await record(program, { draws: 'recorded', clock: () => 777, random: () => 0.25 });
    const error = jsonToError({ name: 'E', message: 'm' });
    const said = '/clock#0 is a draw of the time; give it a number as "value".';
    for (const given of [{ value: 'noon' }, { value: null }, { error }]) {
      expect(await tryReplay(drawn, { edits: [{ target: clock, ...given }] })).toEqual({ ok: false, error: said });
      expect(await tryReplay(drawn, { supply: [{ ...clock, ...given }] })).toEqual({ ok: false, error: said });
    }
    const random = await tryReplay(drawn, { edits: [{ target: { path: '/random#0' }, value: 'x' }] });
    expect(random.ok ? '' : random.error).toContain('a draw of a random number');
  });

  it('W1 a draw without its value stops the run there, and goes on with a supplied one', async () => {
    const drawn = await record(program, { draws: 'recorded', clock: () => 777, random: () => 0.25 });
    const read = at(drawn, 'clock.read');
    for (const [data, why] of [
      [{ value: { $hole: 'h1' } }, 'withheld'],
      [{}, 'value-not-recorded'],
    ] as const) {
      const copy = drawn.map((event) => (event === read ? alter(event, { data }) : event));
      const report = await replay(copy);
      expect(report.result).toBe('blocked');
      expect(report.pending).toMatchObject([{ path: '/clock#0', kind: 'draw', waitsFor: why }]);
      expect(report.commands.map(({ path }) => path)).toEqual(['/read:x#0', '/clock#0']);
      expect(report.flags.derivedDraws).toEqual([]);
      const supplied = await replay(copy, { supply: [{ ...clock, value: 777 }] });
      expect([supplied.result, paths(supplied.superseded)]).toEqual(['complete', ['/clock#0']]);
      const again = await replay([...copy, ...supplied.lines], { base: supplied.branch });
      expect([again.result, again.outcome.value]).toEqual(['identical', 777]);
    }
  });

  it('W1 also where it is drawn at once and the program would not end with another', async () => {
    const waits = `async function main(ctx) { while (ctx.now() < 1000); await ctx.read('x', {}); return 1; }`;
    const drawn = await record(waits, { draws: 'recorded', clock: () => 1000 });
    const copy = drawn.map((event) =>
      event.type === 'clock.read' ? alter(event, { data: { value: { $hole: 'h' } } }) : event,
    );
    const report = await replay(copy, { limits: { ticksPerDelivery: 30 } });
    expect([report.result, paths(report.pending)]).toEqual(['blocked', ['/clock#0']]);
  });
});
