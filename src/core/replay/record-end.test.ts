/** V6: records that simply stop, repeated to their end. */
import { describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../model/index.ts';
import { record } from './testing/record.ts';
import { alter, replay } from './testing/replay-case.ts';
import { computeVerdict } from './verdict.ts';

const program = `async function main(ctx) {
  const a = await ctx.model('plan', {});
  const b = await ctx.read('page', { a });
  await ctx.write('mail', { b });
  return await ctx.model('sum', { b });
}`;

/** As the record of something that was killed: nothing from the first event of a command on. */
function cutAt(events: readonly HindcastEvent[], path: string, more = 0): readonly HindcastEvent[] {
  return events.slice(0, events.findIndex(({ command }) => command?.path === path) + more);
}

/** As a log of which only the loop is known. */
function withoutProgram(events: readonly HindcastEvent[]): readonly HindcastEvent[] {
  return events.map((event) =>
    event.type === 'run.started'
      ? alter(event, { data: { input: null, program: { name: 'agent', version: '1' } } })
      : event,
  );
}

describe('V6 a record that stops', () => {
  it('is repeated to its end by a program that is brought, at every command, and nothing is blamed', async () => {
    const events = await record(program);
    for (const [path, sentence] of [
      ['/read:page#0', 'next the program asks for the read "page" at /read:page#0.'],
      ['/write:mail#0', 'next the program asks for the external effect "mail" at /write:mail#0.'],
      ['/model:sum#0', 'next the program asks for the model call "sum" at /model:sum#0.'],
    ] as const) {
      const report = await replay(withoutProgram(cutAt(events, path)), { program });
      expect(report.result).toBe('identical-where-recorded');
      expect([report.divergences, report.cause]).toEqual([[], undefined]);
      expect(report.sentence).toContain('It repeats the record to its end');
      expect(report.sentence).toContain(sentence);
      expect(computeVerdict(report).verdict).toBe('extends');
      expect(report.programs.before).toContain('none recorded');
    }
  });

  it('is repeated too where it stops between the request and the answer of an effect; the recorded program waits', async () => {
    const cut = cutAt(await record(program), '/write:mail#0', 1);
    const brought = await replay(withoutProgram(cut), { program });
    expect([brought.result, brought.uncertain.length]).toEqual(['identical-where-recorded', 1]);
    expect(brought.sentence).toContain('the record does not say whether it was executed');
    expect((await replay(cut)).result).toBe('blocked');
  });

  it('is no excuse for what comes before its end', async () => {
    const cut = withoutProgram(cutAt(await record(program), '/model:sum#0'));
    const report = await replay(cut, {
      program: program.replace(`ctx.read('page', { a })`, `ctx.read('site', { a })`),
    });
    expect(report.result).toBe('blocked');
    expect(report.cause?.kind).toBe('no-program');
    const twice = program.replace('const b', `ctx.read('early', {}); const b`);
    expect((await replay(cutAt(await record(program), '/model:sum#0'), { program: twice })).divergences).toMatchObject([
      { kind: 'extra', path: '/read:early#0' },
      { kind: 'extra', path: '/model:sum#0' },
    ]);
  });

  it('and says nothing of a run whose record has its end, or that has no commands', async () => {
    const events = await record(program);
    const longer = program.replace('return await', `await ctx.model('more', {}); return await`);
    expect((await replay(withoutProgram(events), { program: longer })).result).toBe('blocked');
    expect((await replay(withoutProgram(cutAt(events, '/model:plan#0')), { program })).result).toBe('blocked');
  });
});
