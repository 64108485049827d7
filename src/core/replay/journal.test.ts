/**
 * The journal: lives, attempts, outcomes and problems (rules G1 to G6). Streams are recorded; lives are joined from two runs.
 */
import { describe, expect, it } from 'vitest';
import { type HindcastEvent, parseEvent } from '../model/index.ts';
import { computeJournal } from './journal.ts';
import { computeLives } from './lives.ts';
import { record, testRun } from './testing/record.ts';
import { alter, at, replay } from './testing/replay-case.ts';

const program = `async function main(ctx) {
  const a = await ctx.model('a', {});
  const t = await ctx.write('ticket', { a }, { idempotencyKey: 'k' });
  return await ctx.model('b', { t });
}`;
const handlers = { 'write:ticket': () => ({ ok: 7, effects: [{ id: '7' }] }) };
const scope = { run: testRun, segment: 0 };

async function twoLives(reEmits = false): Promise<readonly HindcastEvent[]> {
  const first = await record(program, { handlers, crashAt: '/write:ticket#0' });
  const second = await record(program, {
    handlers: { 'write:ticket': () => ({ ok: 8, effects: [{ id: '8' }] }) },
    past: first,
    incarnation: 2,
    reEmits,
  });
  return [...first, ...second];
}

/** One start and one request of a life. */
function drawLife(n: number, causes: readonly string[]): readonly HindcastEvent[] {
  const source = { component: 'worker', incarnation: n };
  const path = `/read:x#${String(n)}`;
  return [
    { type: 'worker.started', id: `start ${String(n)}`, causes: causes.map((event) => ({ event, as: 'caused_by' })) },
    {
      type: 'tool_call.dispatched',
      id: `ask ${String(n)}`,
      command: { path, kind: 'read', name: 'x', issued: n },
      causes: [{ event: `start ${String(n)}`, as: 'caused_by' }],
    },
  ].map((fields) => {
    const parsed = parseEvent({ v: 1, run: testRun, branch: 'main', source, data: {}, ...fields });
    if (!parsed.ok) throw new Error(parsed.error.message);
    return parsed.value;
  });
}

describe('journal', () => {
  it('G1 G2 a life that resumes goes on in the journal: one command, two attempts, the effects of both', async () => {
    const journal = computeJournal(await twoLives(), scope);
    const ticket = journal.entriesByPath.get('/write:ticket#0');
    expect(ticket?.attempts.map((a) => [a.incarnation, a.attempt])).toEqual([
      ['1', 1],
      ['2', 2],
    ]);
    expect(ticket?.effects.map((e) => e.id)).toEqual(['7', '8']);
    expect(ticket?.observation).toEqual({ kind: 'ok', value: 8 });
    expect(journal).toMatchObject({ problems: [], replayable: true, rules: [] });
    expect((await replay(await twoLives())).result).toBe('identical');
  });

  it('G1 the order of lives does not depend on the order of lines', async () => {
    const events = await twoLives();
    const shuffled = [...events].reverse();
    expect(computeJournal(shuffled, scope).entriesByPath.get('/write:ticket#0')?.observation).toEqual({
      kind: 'ok',
      value: 8,
    });
  });

  it('G1 many lives are put in order in one walk, whatever the order of lines, and one that is beside them is seen', () => {
    const count = 300;
    let reads = 0;
    /** Counts what is looked at. */
    const counted = (event: HindcastEvent): HindcastEvent =>
      new Proxy(event, {
        get: (target, key) => {
          if (key === 'causes' || key === 'source') reads++;
          // Cast: the members of an event.
          return target[key as keyof HindcastEvent];
        },
      });
    // Each life starts because of what the one before asked for last.
    const lives = Array.from({ length: count }, (_, n) => drawLife(n, n === 0 ? [] : [`ask ${String(n - 1)}`]));
    const inOrder = lives.flat().map(counted);
    const shuffled = inOrder.map((_, n) => inOrder[(n * 7919) % inOrder.length]).filter((event) => event !== undefined);
    const livesOf = (events: readonly HindcastEvent[]) =>
      computeLives(
        events.filter(({ type }) => type === 'tool_call.dispatched'),
        events,
      );
    for (const events of [inOrder, shuffled]) {
      reads = 0;
      const { ordered, lives: found } = livesOf(events);
      expect([ordered, found.length]).toEqual([true, count]);
      expect(found.every(({ key }, n) => key.endsWith(`\u0000${String(n)}`))).toBe(true);
      expect(reads).toBeLessThan(events.length * 20);
    }
    expect(livesOf([...inOrder, ...drawLife(count, ['ask 5'])]).ordered).toBe(false);
    // A circle is no order.
    expect(livesOf([...drawLife(0, ['ask 1']), ...drawLife(1, ['ask 0'])]).lives).toHaveLength(2);
  });

  it('G1 lives without a recorded order are not replayable, in a sentence', async () => {
    const events = (await twoLives()).map((event): HindcastEvent =>
      event.source.incarnation === 2 ? { ...event, causes: [] } : event,
    );
    const journal = computeJournal(events, scope);
    expect(journal.problems.map((p) => p.code)).toEqual(['lives-unordered']);
    const report = await replay(events);
    expect(report.result).toBe('not-replayable');
    expect(report.sentence).toContain('2 lives');
  });

  it('G2 a life that resumes from nothing sets the journal aside and keeps its attempts and effects', async () => {
    const first = await record(program, { handlers, crashAt: '/model:b#0' });
    const again = (
      await record(program, { handlers: { 'write:ticket': () => ({ ok: 9, effects: [{ id: '9' }] }) }, incarnation: 2 })
    ).filter((event) => event.type !== 'run.started');
    const started = alter(at(first, 'run.started'), {
      id: 'w2:start',
      type: 'worker.started',
      source: { component: 'worker', incarnation: 2 },
      causes: [{ event: first.at(-1)?.id ?? '', as: 'caused_by' }],
      data: { resume: 'none' },
    });
    const journal = computeJournal([...first, started, ...again], scope);
    const ticket = journal.entriesByPath.get('/write:ticket#0');
    expect(ticket?.observation).toEqual({ kind: 'ok', value: 9 });
    expect(ticket?.attempts).toHaveLength(2);
    expect(ticket?.effects.map((e) => e.id)).toEqual(['7', '9']);
    expect(journal.problems).toEqual([]);
  });

  it('G3 a redelivery that is equal is fine, one that differs is a problem and the first stands', async () => {
    const events = await twoLives(true);
    expect(events.filter((event) => event.replayed === true).length).toBeGreaterThan(0);
    expect(computeJournal(events, scope).problems).toEqual([]);
    const tampered = events.map((event) =>
      event.replayed === true ? ({ ...event, data: { result: 'other' } } as HindcastEvent) : event,
    );
    const journal = computeJournal(tampered, scope);
    expect(journal.problems.map((p) => p.code)).toEqual(['redelivered-differently']);
    expect(journal.entriesByPath.get('/model:a#0')?.observation).toEqual({
      kind: 'ok',
      value: { answer: '/model:a#0' },
    });
    const second = computeJournal(
      tampered.map(({ replayed: _, ...event }) => event as HindcastEvent),
      scope,
    );
    expect(second.problems.map((p) => p.code)).toEqual(['second-outcome']);
    // Equal or not: only a redelivery may say an outcome again.
    const equal = computeJournal(
      events.map(({ replayed: _, ...event }) => event as HindcastEvent),
      scope,
    );
    expect(equal.problems.map((p) => p.code)).toEqual(['second-outcome']);
  });

  it('G2 a request that is told again is no further attempt', async () => {
    const events = await twoLives();
    const asked = at(events, 'tool_call.dispatched', '/write:ticket#0');
    const again = alter(asked, { id: 'again', replayed: true });
    const journal = computeJournal([...events, again], scope);
    expect(journal.entriesByPath.get('/write:ticket#0')?.attempts).toHaveLength(2);
  });

  it('G4 one path issued with two sets of arguments makes the run unreplayable', async () => {
    const events = await record(program, { handlers });
    const issue = at(events, 'model_call.requested', '/model:a#0');
    const twice = {
      ...issue,
      id: 'w:again',
      command: { ...issue.command, args: `sha256:${'b'.repeat(64)}` },
    } as HindcastEvent;
    const journal = computeJournal([...events, twice], scope);
    expect(journal.problems).toMatchObject([
      { code: 'path-reused', path: '/model:a#0', events: [issue.id, 'w:again'] },
    ]);
    expect(journal.replayable).toBe(false);
  });

  it('G3 a failed attempt belongs to its attempt, wherever its line stands', async () => {
    const failure = { name: 'Timeout', message: 'no answer' };
    const events = await record(program, { handlers: { 'write:ticket': () => ({ ok: 7, failures: [failure] }) } });
    const failed = at(events, 'tool_call.failed');
    for (const stream of [events, [failed, ...events.filter((event) => event !== failed)]]) {
      const journal = computeJournal(stream, scope);
      expect(journal.problems).toEqual([]);
      expect(journal.entriesByPath.get('/write:ticket#0')?.attempts).toMatchObject([
        { attempt: 1, failedBy: failed.id, failure },
        { attempt: 2 },
      ]);
    }
  });

  it('G5 a recorded null is a value, an absent result is not', async () => {
    const nothing = await record(`async function main(ctx) { return await ctx.model('a', {}); }`, {
      handlers: { 'model:a': () => ({ ok: null }) },
    });
    expect(computeJournal(nothing, scope).entriesByPath.get('/model:a#0')?.observation).toEqual({
      kind: 'ok',
      value: null,
    });
    expect((await replay(nothing)).result).toBe('identical');
    const absent = await record(`async function main(ctx) { return await ctx.model('a', {}); }`, {
      handlers: { 'model:a': () => ({ noValue: true }) },
    });
    const report = await replay(absent);
    expect(report.pending).toMatchObject([{ waitsFor: 'value-not-recorded' }]);
  });

  it('G8 an ending with the position of its issue is the issue too, also where nothing else is issued', async () => {
    const events = await record(`async function main(ctx) { return await ctx.model('a', { q: 1 }); }`);
    const asked = at(events, 'model_call.requested');
    const alone = events
      .filter((event) => event !== asked)
      .map((event): HindcastEvent => {
        const { command } = event;
        if (event.type !== 'model_call.completed' || command === undefined || asked.command === undefined) return event;
        const { issued, args } = asked.command;
        return { ...event, causes: [], command: { ...command, issued, args } };
      });
    const entry = computeJournal(alone, scope).entriesByPath.get('/model:a#0');
    expect(entry).toMatchObject({ kind: 'model', issued: String(asked.command?.issued), observation: { kind: 'ok' } });
    expect((await replay(alone)).result).toBe('identical');
    expect(computeJournal([...alone, asked], scope).entries).toHaveLength(computeJournal(events, scope).entries.length);
  });
});
