/** Statuses of commands at the edges: cancelled before it was sent, moved kinds, and what is uncertain beside what is new. */
import { describe, expect, it } from 'vitest';
import { record } from './testing/record.ts';
import { alter, divergences, paths, replay } from './testing/replay-case.ts';
import { computeVerdict } from './verdict.ts';

describe('statuses', () => {
  const cancelling = `async function main(ctx) {
    const m = ctx.model('slow', {});
    await ctx.read('quick', {});
    ctx.cancel(m);
    try { await m } catch (e) { return e.name }
  }`;

  it.each([
    [true, 'reused', ['/model:slow#0', '/read:quick#0']],
    [false, 'cancelled', ['/read:quick#0']],
  ] as const)(
    'G7 I2 a command that was cancelled is reused where it had been sent (%s), else it is no record and cancelled',
    async (sent, status, kept) => {
      const recorded = await record(cancelling, { handlers: { 'model:slow': () => ({ after: 50 }) } });
      const events = recorded.map((event) =>
        event.type === 'model_call.cancelled' ? alter(event, { data: { sent } }) : event,
      );
      const report = await replay(events);
      expect([report.result, report.outcome.value]).toEqual(['identical', 'Cancelled']);
      expect(report.commands.find(({ path }) => path === '/model:slow#0')).toMatchObject({
        status,
        outcome: { kind: 'cancelled' },
      });
      expect(paths(report.reused)).toEqual(kept);
      expect(report.records.map(({ path, status: word }) => `${path} ${word}`)).toEqual(
        kept.map((path) => `${path} retained`),
      );
    },
  );

  it('M5 a signal that is awaited elsewhere is not the recorded one: no signal moves', async () => {
    const program = `async function main(ctx) { return await ctx.signal('go'); }`;
    const events = await record(program, { signals: [{ name: 'go', at: 3, value: 'now' }] });
    expect((await replay(events)).outcome.value).toBe('now');
    const report = await replay(events, {
      program: program.replace(`ctx.signal('go')`, `ctx.scope('s', (c) => c.signal('go'))`),
    });
    expect([report.result, paths(report.reused)]).toEqual(['blocked', []]);
    expect(report.pending).toMatchObject([{ path: '/scope:s/signal:go#0', waitsFor: 'inserted' }]);
    expect(divergences(report)).not.toContain('moved /scope:s/signal:go#0');
  });

  it('V4 R44 what asks for something new, beside an effect that nobody knows of, needs that observation and does not merely extend', async () => {
    const program = `async function main(ctx) { ctx.write('ticket', { n: 1 }); const m = await ctx.model('m', {}); return m; }`;
    const events = await record(program, { handlers: { 'write:ticket': () => ({ open: true }) } });
    const patched = program.replace('return m', `await ctx.model('extra', {}); return m`);
    const report = await replay(events, { program: patched });
    expect([report.result, paths(report.uncertain)]).toEqual(['blocked', ['/write:ticket#0']]);
    expect(report.pending).toMatchObject([{ path: '/model:extra#0', waitsFor: 'inserted' }]);
    expect(report.records.map(({ status }) => status)).toEqual(['unknown', 'retained']);
    expect(computeVerdict(report).verdict).toBe('needs-observation');
    // With the observation supplied, only what is new is left.
    const supplied = await replay(events, { program: patched, supply: [{ path: '/write:ticket#0', value: 1 }] });
    expect([paths(supplied.uncertain), paths(supplied.pending)]).toEqual([[], ['/model:extra#0']]);
    expect(computeVerdict(supplied).verdict).toBe('extends');
  });
});

it('V4 R44 a record that stops at an effect nobody knows of is compatible with no program: it waits for that answer', async () => {
  const program = `async function main(ctx) { return ctx.write('ticket', { n: 1 }); }`;
  const events = await record(program, { handlers: { 'write:ticket': () => ({ open: true }) } });
  const report = await replay(events, { program: `${program} ` });
  expect([report.result, paths(report.uncertain)]).toEqual(['blocked', ['/write:ticket#0']]);
  expect(report.outcome.equalsRecorded).toBe(true);
  expect(computeVerdict(report).verdict).toBe('needs-observation');
});
