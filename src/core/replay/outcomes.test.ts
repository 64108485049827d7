/** What a report says about failing, waiting and explaining: the result sentence, the kind of operation, reasons, notes, lives. */
import { describe, expect, it } from 'vitest';
import { divergenceToWord, verdictMeanings, verdictToSentence } from './change-words.ts';
import { computeJournal } from './journal.ts';
import { record } from './testing/record.ts';
import { alter, at, author, replay } from './testing/replay-case.ts';
import { computeVerdict } from './verdict.ts';

const failing = `async function main(ctx) { const a = await ctx.read('a', {}); if (a.bad) throw new TypeError('no good'); return a; }`;
function handlers(bad: boolean) {
  return { handlers: { 'read:a': () => ({ ok: { bad } }) } };
}

describe('the outcome of a run', () => {
  it('V4 a branch that completes by throwing says that the run failed', async () => {
    const events = await record(failing, handlers(false));
    const report = await replay(events, { edits: [{ target: { path: '/read:a#0' }, value: { bad: true } }] });
    expect(report.result).toBe('complete');
    expect(report.outcome).toMatchObject({ status: 'failed', equalsRecorded: false, error: { name: 'TypeError' } });
    expect(report.sentence).toMatch(/^The run failed: TypeError: no good\. The branch ends: /);
  });

  it('V4 a sentence quotes the beginning of a very long message, and the outcome keeps all of it', async () => {
    const events = await record(failing, handlers(false));
    const long = failing.replace(`'no good'`, `'\\u{1F600}'.repeat(100000)`);
    const report = await replay(events, {
      program: long,
      edits: [{ target: { path: '/read:a#0' }, value: { bad: true } }],
    });
    expect(report.sentence.length).toBeLessThan(800);
    expect(report.sentence).toMatch(/^The run failed: TypeError: \u{1F600}+…\. The branch ends: /u);
    expect(report.outcome.error?.message).toHaveLength(200_000);
  });

  it('V2 an unedited run that failed then and now is identical, and says so', async () => {
    const report = await replay(await record(failing, handlers(true)));
    expect(report.result).toBe('identical');
    expect(report.sentence).toContain('The run failed as recorded: TypeError: no good');
  });

  it('V2 the verdict says which end it was', () => {
    const told = (status: 'completed' | 'failed' | 'rolled-over' | 'open', equalsRecorded: boolean) =>
      verdictToSentence('diverges', { status, equalsRecorded });
    expect(told('completed', false)).toBe('It completes, and not as the recorded run ended.');
    expect(told('completed', true)).toBe('It completes as recorded, by other commands than the recorded ones.');
    expect(told('failed', false)).toBe('It fails, and not as the recorded run ended.');
    expect(told('rolled-over', false)).toBe('It goes on in another run, and not as the recorded run ended.');
    expect(told('rolled-over', true)).toBe(
      'It goes on in another run as recorded, by other commands than the recorded ones.',
    );
    expect(told('open', false)).toContain('waits for a promise that nothing settles');
    expect(verdictToSentence('compatible', { status: 'completed', equalsRecorded: true })).toBe(
      verdictMeanings.compatible,
    );
  });

  it('V3 a program that waits for what nothing settles says that nothing is open', async () => {
    const events = await record(`async function main(ctx) { await ctx.read('a', {}); return 1; }`);
    const program = `async function main(ctx) { await ctx.read('a', {}); await new Promise(() => {}); }`;
    const stuck = await replay(events, { program });
    expect(stuck.sentence).toContain('no command open: the program waits for a promise that nothing settles');
    const inside = await replay(events, {
      program: `async function main(ctx) { await ctx.read('a', {}); await ctx.child('c', {}, () => new Promise(() => {})); }`,
    });
    expect(inside.sentence).toContain('waits inside /child:c#0 for a promise');
    // No answer would help either, and what they did not come to is not removed.
    for (const report of [stuck, inside])
      expect(computeVerdict(report)).toMatchObject({ verdict: 'diverges', ended: false });
    expect(verdictMeanings.diverges).toContain('stops for good');
  });

  it('V4 a branch that stops names the first command and why', async () => {
    const events = await record(`async function main(ctx) { return await ctx.read('a', {}); }`);
    const report = await replay(events, {
      program: `async function main(ctx) { return await ctx.read('b', {}); }`,
    });
    expect(report.sentence).toBe(
      'The branch stops at 1 command and waits for the answer to the read "b" at /read:b#0 (not in the record). ' +
        'Supply the answer, and it goes on. 0 commands reused, 1 not reached, 1 pending.',
    );
  });

  it('V4 M5 one change has one word: a command that got a key is moved, in the sentence, the differences and the verdict', async () => {
    const source = `async function main(ctx) { return await ctx.write('w', { n: 1 }); }`;
    const events = await record(source, { handlers: { 'write:w': () => ({ ok: { id: 1 } }) } });
    const report = await replay(events, { program: source.replace('{ n: 1 }', "{ n: 1 }, { key: 'k' }") });
    expect(report.sentence).toBe('The branch completes: 0 commands reused, 1 moved.');
    expect(report.divergences.map(({ kind, message }) => [divergenceToWord(kind, true), message])).toEqual([
      ['moved', expect.stringContaining('moved: the same command with the same arguments is recorded at /write:w#0')],
    ]);
    expect(computeVerdict(report).verdict).toBe('compatible');
    const gone = await replay(events, { program: 'async function main() { return 1; }' });
    expect([divergenceToWord(gone.divergences[0]?.kind ?? 'limit', true), gone.sentence]).toEqual([
      'removed',
      expect.stringContaining('1 removed'),
    ]);
  });
});

describe('operations', () => {
  it('O1 3.7 an unedited replay verifies, a changed program patches, an edit edits', async () => {
    const events = await record(failing, handlers(false));
    const kinds = [
      await replay(events),
      await replay(events, { edits: [] }),
      await replay(events, { edits: [{ target: { path: '/read:a#0' }, value: { bad: false } }] }),
      await replay(events, { program: `${failing} ` }),
    ].map((report) => report.operation?.kind);
    expect(kinds).toEqual(['verify', 'verify', 'edit', 'patch']);
  });
});

describe('the input', () => {
  const asking = `async function main(ctx, input) { return await ctx.read('a', { input }); }`;

  it('R36 an input edited to null is what the program runs with, and a recorded null is no empty object', async () => {
    const events = await record(asking, { input: { q: 1 } });
    const edited = await replay(events, { edits: [{ target: { input: true }, value: null }] });
    expect(edited.pending).toMatchObject([{ path: '/read:a#0', args: { input: null } }]);
    const nothing = await record(asking, { input: null });
    expect((await replay(nothing)).result).toBe('identical');
    const emptied = await replay(nothing, { edits: [{ target: { input: true }, value: {} }] });
    expect(emptied.pending).toMatchObject([{ path: '/read:a#0', args: { input: {} } }]);
  });
});

describe('explanations', () => {
  it('R39 I7 a child that ends differently is explained by what changed inside it', async () => {
    const events = await record(
      `async function main(ctx) { const n = await ctx.child('c', {}, async (c) => { const v = await c.read('a', {}); return { v }; }); return n; }`,
      { handlers: { 'read:a': () => ({ ok: 1 }) } },
    );
    const report = await replay(events, { edits: [{ target: { path: '/child:c#0/read:a#0' }, value: 2 }] });
    const child = report.commands.find((c) => c.path === '/child:c#0');
    expect(child?.status).toBe('changed');
    expect(child?.reasons).toEqual([{ event: at(events, 'tool_call.completed').id, as: 'inside' }]);
    expect(report.records.find((r) => r.path === '/child:c#0')?.reasons).toEqual(child?.reasons);
  });

  const sending = `async function main(ctx) {
    const a = await ctx.model('a', {});
    const b = await ctx.model('b', { a }, { uses: [a] });
    await ctx.write('send', { b }, { uses: [b] });
    return 1;
  }`;

  it('R39 the path of reasons goes on through what was supplied, back to the edit, for the orphaned effect too', async () => {
    const events = await record(sending, {
      handlers: { model: () => ({ ok: { n: 1 } }), write: () => ({ ok: 'sent', effects: [{ id: 'mail-1' }] }) },
    });
    const report = await replay(events, {
      edits: [{ target: { path: '/model:a#0' }, value: { n: 2 } }],
      supply: [
        { path: '/model:b#0', value: { n: 3 } },
        { path: '/write:send#0', value: 'sent again' },
      ],
    });
    const path = ['/model:b#0', '/model:a#0'].map((from) => ({
      event: at(events, 'model_call.completed', from).id,
      as: 'consumed',
    }));
    expect(report.changed.find((item) => item.path === '/write:send#0')?.reasons).toEqual(path);
    expect(report.orphanEffects).toMatchObject([{ path: '/write:send#0', reasons: path }]);
  });

  it('R39 a very long path of reasons is cut, counts what is left out and still ends at the edit', async () => {
    const events = await record(
      `async function main(ctx) {
        let v = await ctx.model('first', {});
        for (let i = 0; i < 60; i++) v = await ctx.read('next', { i, v }, { uses: [v] });
        return v;
      }`,
      { handlers: { model: () => ({ ok: { n: 1 } }), read: () => ({ ok: { n: 1 } }) } },
    );
    const report = await replay(events, {
      edits: [{ target: { path: '/model:first#0' }, value: { n: 2 } }],
      supply: Array.from({ length: 60 }, (_, i) => ({ path: `/read:next#${String(i)}`, value: { n: 2 } })),
    });
    const reasons = report.changed.find((item) => item.path === '/read:next#59')?.reasons ?? [];
    expect(reasons).toHaveLength(24);
    expect(reasons[0]).toEqual({ event: at(events, 'tool_call.completed', '/read:next#58').id, as: 'consumed' });
    expect(reasons.at(-1)).toEqual({
      event: at(events, 'model_call.completed', '/model:first#0').id,
      as: 'consumed (36 steps before it are left out)',
    });
  });

  it('notes of the control process are compared, hand-offs with them, and what a service says is not', async () => {
    const events = await record(
      `async function main(ctx) { await ctx.read('a', {}); ctx.record('agent.handed_off', { to: 'x' }); return 1; }`,
    );
    const note = at(events, 'agent.handed_off');
    const service = alter(note, {
      id: 'policy:1',
      type: 'policy.evaluated',
      source: { component: 'policy-service' },
      data: { policy: 'p' },
    });
    expect((await replay([...events, service])).notes).toEqual({ same: 1, added: 0, missing: 0 });
  });

  it('G1 lives of two instances with one name of their incarnation are two lives', async () => {
    const program = `async function main(ctx) { await ctx.read('a', {}); return await ctx.read('b', {}); }`;
    const events = (await record(program)).filter((event) => event.command !== undefined);
    const start = at(await record(program), 'run.started');
    const [first, second] = ['one', 'two'].map((instance) =>
      events.map((event) =>
        alter(event, {
          id: `${instance}:${event.id}`,
          source: { component: 'worker', instance, incarnation: '1' },
          causes: instance === 'two' ? [{ event: `one:${events[0]?.id ?? ''}`, as: 'caused_by' }] : [],
          ...(instance === 'two' ? { replayed: true } : {}),
        }),
      ),
    );
    const journal = computeJournal([start, ...(first ?? []), ...(second ?? [])], { run: start.run, segment: 0 });
    expect(journal.rules).toContain('life-by-first-cause');
    expect(journal.entries.map((entry) => entry.path)).toEqual(['/read:a#0', '/read:b#0']);
  });

  it('the author stands in the operation', async () => {
    const report = await replay(await record(failing, handlers(false)), { edits: [] });
    expect(report.operation?.actor).toEqual(author.actor);
  });
});

describe('what a branch says of an answer that was edited', () => {
  const granted = { granted: true, by: 'bob' };

  it.each([
    [{ granted: false, by: 'ada' }, 'approval.denied'],
    [{ granted: true, by: 'ada' }, 'approval.granted'],
    ['later', 'signal.received'],
  ] as const)('R59 I an approval edited to %j is written as %s', async (value, type) => {
    const asked = await record(`async function main(ctx) { return await ctx.signal('ok'); }`, {
      signals: [{ name: 'ok', at: 5, value: granted }],
    });
    const events = asked.map((event) => {
      if (event.type === 'signal.awaited') return alter(event, { type: 'approval.requested' });
      if (event.type !== 'signal.received') return event;
      return alter(event, { type: 'approval.granted', data: { by: 'bob' } });
    });
    const report = await replay(events, { edits: [{ target: { event: at(events, 'approval.granted').id }, value }] });
    expect(report.lines.filter(({ origin }) => origin === 'supplied')).toMatchObject([
      { type, data: { result: value } },
    ]);
  });

  it('I9 D8 effects of attempts after an edited failure are orphans in every segment of a run', async () => {
    const events = await record(
      `async function main(ctx, input) { if (input.n !== 1) await ctx.rollover({ n: 1 }); await ctx.write('ticket', {}); return 1; }`,
      {
        handlers: {
          write: () => ({
            ok: { id: '2' },
            failures: [{ name: 'E', message: 'x' }],
            effects: [
              { id: 'T1', attempt: 1 },
              { id: 'T2', attempt: 2 },
            ],
          }),
        },
      },
    );
    const report = await replay(events, {
      edits: [{ target: { event: at(events, 'tool_call.failed').id }, value: { id: '1' } }],
    });
    expect(report.orphanEffects).toMatchObject([{ path: '/seg:1/write:ticket#0' }]);
    const minus = report.lines[0]?.data?.['frontier'];
    const ids = JSON.stringify(minus).match(/"[^"]+"/g) ?? [];
    expect(ids).toHaveLength(new Set(ids).size);
  });
});

describe('a part of a decision that has no JSON', () => {
  it.each(['() => 1', 'Symbol("s")'])(
    'R36 alternatives of %s are as none, and texts are left as they are',
    async (what) => {
      const program = `async function main(ctx) {
      ctx.decide('a', { said: 'undefined, "undefined" \\\\' }, { alternatives: ${what}, because: undefined });
      return ctx.read('x', { undefined: 'undefined' });
    }`;
      const events = await record(program, { handlers: { 'read:x': () => ({ ok: 1 }) } });
      expect(at(events, 'decision.made').data).toMatchObject({
        args: { chosen: { said: 'undefined, "undefined" \\' } },
      });
      expect(at(events, 'tool_call.dispatched').data).toMatchObject({ args: { undefined: 'undefined' } });
      expect((await replay(events)).result).toBe('identical');
    },
  );
});
