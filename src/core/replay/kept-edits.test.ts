/**
 * What an operation gave a branch, the branch keeps: when it is replayed unedited, and when another command of it is edited (M6, M7).
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../base/json.ts';
import type { HindcastEvent } from '../model/index.ts';
import { dataOf } from './contents.ts';
import type { Supply } from './edit-file.ts';
import type { CommandReport, ReplayReport } from './report-types.ts';
import { handlers, richPlan, toProgram } from './testing/drawn-program.ts';
import { checkMixed } from './testing/mixed-branches.ts';
import { type RecordOptions, record } from './testing/record.ts';
import { type CaseOptions, alter, replay } from './testing/replay-case.ts';

/** Gives every command that waits a number, until none does. */
async function replayFilled(events: readonly HindcastEvent[], options: CaseOptions): Promise<ReplayReport> {
  const supply: Supply[] = [...(options.supply ?? [])];
  for (;;) {
    const report = await replay(events, { ...options, supply });
    const waiting = [...report.pending, ...report.uncertain].filter(({ waitsFor }) => waitsFor !== 'waits-inside');
    if (report.result !== 'blocked' || waiting.length === 0) return report;
    for (const { path } of waiting) supply.push({ path, value: 1000 + supply.length });
  }
}

function outcomeAt(report: ReplayReport, path: string): CommandReport['outcome'] {
  return report.commands.find((command) => command.path === path)?.outcome;
}

interface Kind {
  readonly what: string;
  readonly program: string;
  readonly recorded?: RecordOptions;
  readonly first: CaseOptions;
  /** Command that the first operation gave its value. */
  readonly path?: string;
  /** Of the same branch, later: independent of the first. */
  readonly later: string;
  readonly laterValue?: JsonValue;
  readonly outcome: JsonValue;
  readonly laterOutcome: JsonValue;
}

const tail = `const last = await ctx.model('last', {}); return [v, last];`;
const decide = `ctx.decide('d', 'a', { alternatives: ['a', 'b', 'c'] })`;
const last: RecordOptions['handlers'] = { 'model:last': () => ({ ok: 0 }) };

function at(path: string, value: JsonValue): CaseOptions {
  return { edits: [{ target: { path }, value }] };
}

function failsAt(path: string): CaseOptions {
  return { edits: [{ target: { path }, error: { name: 'Oops', message: 'no', data: { n: 1 } } }] };
}

function main(body: string): string {
  return `async function main(ctx, input) { ${body} }`;
}

function caught(call: string): string {
  return main(`let v; try { v = await ${call}; } catch (e) { v = [e.name, e.message, e.data ?? null]; } ${tail}`);
}

const kinds: readonly Kind[] = [
  {
    what: 'a decision',
    program: main(`const v = ${decide}; await ctx.state('s', v); ${tail}`),
    first: at('/decide:d#0', 'c'),
    path: '/decide:d#0',
    later: '/model:last#0',
    outcome: ['c', 0],
    laterOutcome: ['c', 7],
  },
  {
    what: 'a decision inside a child',
    program: main(`const v = await ctx.child('k', {}, async (c) => c.decide('d', 'a', {})); ${tail}`),
    first: at('/child:k#0/decide:d#0', 'c'),
    path: '/child:k#0/decide:d#0',
    later: '/model:last#0',
    outcome: ['c', 0],
    laterOutcome: ['c', 7],
  },
  {
    what: 'a decision of a later segment',
    program: main(
      `if (input.n === undefined) { await ctx.model('x', {}); return ctx.rollover({ n: 1 }); } const v = ${decide}; ${tail}`,
    ),
    first: at('/seg:1/decide:d#0', 'c'),
    path: '/seg:1/decide:d#0',
    later: '/seg:1/model:last#0',
    outcome: ['c', 0],
    laterOutcome: ['c', 7],
  },
  {
    what: 'a decision of an earlier segment',
    program: main(
      `if (input.n === undefined) { const d = ${decide}; const x = await ctx.model('x', {}); return ctx.rollover({ n: d, x }); } const v = input.n; ${tail}`,
    ),
    first: { ...at('/decide:d#0', 'c'), supply: [] },
    path: '/decide:d#0',
    later: '/model:x#0',
    outcome: ['c', 0],
    laterOutcome: ['c', 0],
  },
  {
    what: 'the outcome of a child that ran inside',
    program: main(`const v = await ctx.child('k', {}, async (c) => c.model('m', {})); ${tail}`),
    first: at('/child:k#0', 'given'),
    path: '/child:k#0',
    later: '/model:last#0',
    outcome: ['given', 0],
    laterOutcome: ['given', 7],
  },
  {
    what: 'the failure of a child that ran inside',
    program: caught(`ctx.child('k', {}, async (c) => c.model('m', {}))`),
    first: failsAt('/child:k#0'),
    path: '/child:k#0',
    later: '/model:last#0',
    outcome: [['Oops', 'no', { n: 1 }], 0],
    laterOutcome: [['Oops', 'no', { n: 1 }], 7],
  },
  ...(['model', 'read', 'write'] as const).flatMap((kind): Kind[] => [
    {
      what: `the answer of a ${kind}`,
      program: main(`const v = await ctx.${kind}('x', {}); ${tail}`),
      first: at(`/${kind}:x#0`, { given: true }),
      path: `/${kind}:x#0`,
      later: '/model:last#0',
      outcome: [{ given: true }, 0],
      laterOutcome: [{ given: true }, 7],
    },
    {
      what: `the failure of a ${kind}`,
      program: caught(`ctx.${kind}('x', {})`),
      first: failsAt(`/${kind}:x#0`),
      path: `/${kind}:x#0`,
      later: '/model:last#0',
      outcome: [['Oops', 'no', { n: 1 }], 0],
      laterOutcome: [['Oops', 'no', { n: 1 }], 7],
    },
  ]),
  {
    what: 'the verdict of a policy',
    program: main(`const v = await ctx.read('policy:limit', {}); ${tail}`),
    recorded: { handlers: { ...last, 'read:policy:limit': () => ({ ok: { verdict: 'allow' } }) } },
    first: at('/read:policy:limit#0', { verdict: 'deny' }),
    later: '/model:last#0',
    outcome: [{ verdict: 'deny' }, 0],
    laterOutcome: [{ verdict: 'deny' }, 7],
  },
  {
    what: 'the failure of a policy',
    program: caught(`ctx.read('policy:limit', {})`),
    recorded: { handlers: { ...last, 'read:policy:limit': () => ({ ok: { verdict: 'allow' } }) } },
    first: failsAt('/read:policy:limit#0'),
    later: '/model:last#0',
    outcome: [['Oops', 'no', { n: 1 }], 0],
    laterOutcome: [['Oops', 'no', { n: 1 }], 7],
  },
  {
    what: 'a draw',
    program: main(`const v = [ctx.random(), ctx.now()]; ${tail}`),
    recorded: { draws: 'recorded', handlers: last },
    first: at('/random#0', 0.25),
    later: '/model:last#0',
    outcome: [[0.25, 0], 0],
    laterOutcome: [[0.25, 0], 7],
  },
  {
    what: 'a signal',
    program: main(`const v = await ctx.signal('go'); ${tail}`),
    recorded: { signals: [{ name: 'go', at: 5, value: 1 }], handlers: last },
    first: at('/signal:go#0', 'given'),
    path: '/signal:go#0',
    later: '/model:last#0',
    outcome: ['given', 0],
    laterOutcome: ['given', 7],
  },
  {
    what: 'a timer',
    program: main(`const v = (await ctx.sleep(5)) ?? null; ${tail}`),
    first: at('/timer:sleep#0', 'given'),
    path: '/timer:sleep#0',
    later: '/model:last#0',
    outcome: ['given', 0],
    laterOutcome: ['given', 7],
  },
  {
    what: 'the failure of a timer',
    program: caught(`ctx.sleep(5)`),
    first: failsAt('/timer:sleep#0'),
    path: '/timer:sleep#0',
    later: '/model:last#0',
    outcome: [['Oops', 'no', { n: 1 }], 0],
    laterOutcome: [['Oops', 'no', { n: 1 }], 7],
  },
  {
    what: 'the input',
    program: main(`const v = input.n ?? 0; ${tail}`),
    first: { edits: [{ target: { input: true }, value: { n: 5 } }] },
    later: '/model:last#0',
    outcome: [5, 0],
    laterOutcome: [5, 7],
  },
  {
    what: 'the program',
    program: main(`const v = 1; ${tail}`),
    first: { program: main(`const v = 2; ${tail}`) },
    later: '/model:last#0',
    outcome: [2, 0],
    laterOutcome: [2, 7],
  },
  {
    what: 'an answer supplied to a command that is new',
    program: main(`const v = 1; ${tail}`),
    first: {
      program: main(`const v = await ctx.read('new', {}); ${tail}`),
      supply: [{ path: '/read:new#0', value: 3 }],
    },
    path: '/read:new#0',
    later: '/model:last#0',
    outcome: [3, 0],
    laterOutcome: [3, 7],
  },
  {
    what: 'a decision of a program that was brought',
    program: main(`const v = ${decide}; ${tail}`),
    first: { ...at('/decide:d#0', 'c'), program: main(`await ctx.state('n', 1); const v = ${decide}; ${tail}`) },
    path: '/decide:d#0',
    later: '/model:last#0',
    outcome: ['c', 0],
    laterOutcome: ['c', 7],
  },
  {
    what: 'an answer supplied to a command that was uncertain',
    program: main(`const v = await ctx.write('x', {}); ${tail}`),
    recorded: { crashAt: '/write:x#0', handlers: last },
    first: {
      supply: [
        { path: '/write:x#0', value: 3 },
        { path: '/model:last#0', value: 0 },
      ],
    },
    path: '/write:x#0',
    later: '/model:last#0',
    outcome: [3, 0],
    laterOutcome: [3, 7],
  },
  {
    what: 'what follows a failed attempt that was replaced',
    program: main(`const v = await ctx.read('x', {}); ${tail}`),
    recorded: { handlers: { ...last, 'read:x': () => ({ ok: 1, failures: [{ name: 'E', message: 'once' }] }) } },
    first: { edits: [{ target: { event: 'w:2' }, value: 'first' }] },
    path: '/read:x#0',
    later: '/model:last#0',
    outcome: ['first', 0],
    laterOutcome: ['first', 7],
  },
];

describe('a branch keeps what it was given', () => {
  it.each(kinds)('M6 M7 R42 $what', async ({ program, recorded, first, path, later, outcome, laterOutcome }) => {
    const events = await record(program, recorded ?? { handlers: last });
    const made = await replayFilled(events, first);
    expect([made.result, made.outcome.value]).toEqual(['complete', outcome]);
    const stream = [...events, ...made.lines];
    expect(checkMixed(stream)).toEqual([]);
    const again = await replay(stream, { base: made.branch });
    expect([again.result, again.divergences, again.outcome.value]).toEqual(['identical', [], outcome]);
    const more = await replayFilled(stream, { base: made.branch, edits: [{ target: { path: later }, value: 7 }] });
    expect([more.result, more.outcome.value]).toEqual(['complete', laterOutcome]);
    if (path !== undefined) expect(outcomeAt(more, path)).toEqual(outcomeAt(made, path));
    const all = [...stream, ...more.lines];
    expect(checkMixed(all)).toEqual([]);
    const third = await replay(all, { base: more.branch });
    expect([third.result, third.divergences]).toEqual(['identical', []]);
  });
});

describe('of any program', { timeout: 300_000 }, () => {
  it('M6 M7 R42 a branch made by an edit is replayed identically, and keeps it when another command is edited', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(richPlan, fc.nat(), fc.nat(), async (steps, pick, other) => {
        const events = await record(toProgram(steps), handlers());
        const records = (await replay(events)).records.filter(({ kind }) => kind !== 'state');
        const target = records[pick % Math.max(records.length, 1)];
        if (target === undefined) return;
        seen.add(target.kind);
        const edits = [{ target: { path: target.path }, value: -1 }];
        const made = await replayFilled(events, { edits });
        expect(made.result).toBe('complete');
        const stream = [...events, ...made.lines];
        expect(checkMixed(stream)).toEqual([]);
        const again = await replay(stream, { base: made.branch });
        expect([again.result, again.divergences]).toEqual(['identical', []]);
        expect([again.outcome, again.digests.states]).toEqual([
          { ...made.outcome, equalsRecorded: true, recordedDigest: made.outcome.digest },
          made.digests.states,
        ]);
        const others = again.records.filter(({ kind, path }) => kind !== 'state' && path !== target.path);
        const second = others[other % Math.max(others.length, 1)];
        if (second === undefined) return;
        const more = await replayFilled(stream, {
          base: made.branch,
          edits: [{ target: { path: second.path }, value: -2 }],
          // A read that a change touched is asked for again (I3), whoever gave its value.
          policies: { world: 'lenient' },
        });
        expect(more.result).toBe('complete');
        const kept = more.commands.find(({ path }) => path === target.path);
        const before = made.commands.find(({ path }) => path === target.path);
        if (kept !== undefined && (kept.kind === 'decide' || kept.argsDigest === before?.argsDigest))
          expect([kept.path, kept.outcome]).toEqual([target.path, { kind: 'ok', value: -1 }]);
        const all = [...stream, ...more.lines];
        expect(checkMixed(all)).toEqual([]);
        const third = await replay(all, { base: more.branch });
        expect([third.result, third.divergences]).toEqual(['identical', []]);
      }),
      { seed: 20240101, numRuns: 25, endOnFailure: true },
    );
    expect([...seen]).toEqual(expect.arrayContaining(['child', 'decide', 'model', 'write']));
  });
});

describe('a decision that a branch was given', () => {
  const program = main(
    `const m = await ctx.model('m', {}); const v = ctx.decide('d', m, { alternatives: ['a', 'b', 'c'] }); const w = ctx.decide('d', 'b', { alternatives: ['a', 'b', 'c'] }); ${tail.replace('[v,', '[v, w,')}`,
  );
  const recorded: RecordOptions = { handlers: { ...last, 'model:m': () => ({ ok: 'a' }) } };

  async function branchOf(first: CaseOptions): Promise<{ stream: readonly HindcastEvent[]; branch: string }> {
    const events = await record(program, recorded);
    const made = await replay(events, first);
    return { stream: [...events, ...made.lines], branch: made.branch };
  }

  it('M6 stands whatever is computed later, and is pointed at where it was given', async () => {
    const { stream, branch } = await branchOf(at('/decide:d#0', 'c'));
    const given = stream.find(({ type, branch: of }) => type === 'decision.made' && of === branch);
    // What is computed is then what the second decision computed: that says nothing of which one it is.
    const more = await replay(stream, { base: branch, ...at('/model:m#0', 'b') });
    expect([more.result, more.outcome.value]).toEqual(['complete', ['c', 'b', 0]]);
    const points = more.lines.find((line) => line.type === 'observation.reused' && line.data.path === '/decide:d#0');
    expect(points?.data).toMatchObject({ event: given?.id });
    const all = [...stream, ...more.lines];
    expect(checkMixed(all)).toEqual([]);
    const third = await replay(all, { base: more.branch });
    expect([third.result, third.divergences]).toEqual(['identical', []]);
  });

  it('M6 is not taken over by another one that computes the same', async () => {
    const { stream, branch } = await branchOf(at('/decide:d#1', 'c'));
    const more = await replay(stream, { base: branch, ...at('/model:m#0', 'b') });
    expect([more.result, more.outcome.value]).toEqual(['complete', ['b', 'c', 0]]);
  });

  it('M6 the same within one operation', async () => {
    const events = await record(program, recorded);
    const edits = [
      { target: { path: '/decide:d#1' }, value: 'c' },
      { target: { path: '/model:m#0' }, value: 'b' },
    ];
    const made = await replay(events, { edits });
    expect([made.result, made.outcome.value, made.warnings]).toEqual(['complete', ['b', 'c', 0], []]);
  });

  it('M6 I1 is held to what was recorded beside an edit and beside another program, and alone is none', async () => {
    const events = await record(program, recorded);
    const held = { target: { path: '/decide:d#0' }, value: 'a' };
    const beside = await replay(events, { edits: [held, { target: { path: '/model:m#0' }, value: 'b' }] });
    expect([beside.result, beside.noop, beside.outcome.value]).toEqual(['complete', false, ['a', 'b', 0]]);
    expect(beside.superseded.map(({ path }) => path)).toEqual(['/model:m#0', '/decide:d#0']);
    const again = await replay([...events, ...beside.lines], { base: beside.branch });
    expect([again.result, again.divergences]).toEqual(['identical', []]);
    const patched = program.replace("ctx.decide('d', m,", "ctx.decide('d', 'c',");
    const other = await replay(events, { edits: [held], program: patched });
    expect([other.noop, other.outcome.value]).toEqual([false, ['a', 'b', 0]]);
    expect(await replay(events, { edits: [held] })).toMatchObject({ result: 'identical', noop: true });
  });

  it.each(['a', 'b'])('M6 gives way to a later value of it: %s', async (value) => {
    const { stream, branch } = await branchOf(at('/decide:d#0', 'c'));
    const more = await replay(stream, { base: branch, ...at('/decide:d#0', value) });
    expect(more).toMatchObject({ result: 'complete', outcome: { value: [value, 'b', 0] } });
    expect(more.superseded.map(({ path }) => path)).toEqual(['/decide:d#0']);
    const third = await replay([...stream, ...more.lines], { base: more.branch });
    expect(third).toMatchObject({ result: 'identical', outcome: { value: [value, 'b', 0] } });
  });

  it('M6 is removed where the program no longer comes to it', async () => {
    const { stream, branch } = await branchOf(at('/decide:d#1', 'c'));
    const shorter = program.replace(/const w = [^;]*;/, 'const w = 0;');
    const more = await replay(stream, { base: branch, program: shorter });
    expect(more).toMatchObject({ result: 'complete', outcome: { value: ['a', 0, 0] } });
    expect(more.removed.map(({ path }) => path)).toEqual(['/decide:d#1']);
  });

  it.each([
    ['/decide:d#0', program],
    ['/child:k#0', main(`const v = await ctx.child('k', {}, async (c) => c.model('m', {})); ${tail}`)],
  ])('W1 %s without its value stops the run, and goes on with one that is supplied', async (path, text) => {
    const events = await record(text, recorded);
    const made = await replay(events, at(path, 'c'));
    const lines = made.lines.map((line) =>
      line.command?.path === path ? alter(line, { data: { ...dataOf(line), result: { $hole: 'h1' } } }) : line,
    );
    const stream = [...events, ...lines];
    const again = await replay(stream, { base: made.branch });
    expect(again.result).toBe('blocked');
    expect(again.pending).toMatchObject([{ path, waitsFor: 'withheld' }]);
    const more = await replay(stream, { base: made.branch, supply: [{ path, value: 'c' }] });
    expect([more.result, more.outcome.value]).toEqual(['complete', made.outcome.value]);
    const third = await replay([...stream, ...more.lines], { base: more.branch });
    expect([third.result, third.divergences]).toEqual(['identical', []]);
  });
});

describe('the outcome of a child that a branch was given', () => {
  const program = main(
    `const m = await ctx.model('m', {}); const v = await ctx.child('k', { m }, async (c) => c.read('inner', {})); ${tail}`,
  );

  it('M3 M7 falls where the child is asked otherwise, as any answer does', async () => {
    const events = await record(program, { handlers: { ...last, 'read:inner': () => ({ ok: 'computed' }) } });
    const made = await replay(events, at('/child:k#0', 'given'));
    const stream = [...events, ...made.lines];
    const inside = await replay(stream, { base: made.branch, ...at('/child:k#0/read:inner#0', 'other') });
    expect(inside.outcome.value).toEqual(['given', 0]);
    const more = await replay(stream, { base: made.branch, ...at('/model:m#0', 'asked otherwise') });
    expect(more).toMatchObject({ result: 'complete', outcome: { value: ['computed', 0] } });
    expect(more.changed.map(({ path }) => path)).toEqual(['/child:k#0']);
    const all = [...stream, ...more.lines];
    expect(checkMixed(all)).toEqual([]);
    const third = await replay(all, { base: more.branch });
    expect([third.result, third.divergences]).toEqual(['identical', []]);
  });
});

describe('what a branch delivers when its recorded position has passed', () => {
  const decisions = ["const a = ctx.decide('a', 1);", "const b = ctx.decide('b', 2);"] as const;
  const reads = ["const a = await ctx.read('a', {});", "const b = await ctx.read('b', {});"] as const;

  it.each([
    ['decisions in another order', decisions],
    ['reads in another order', reads],
  ])('D5 R42 stands where it came to: %s', async (_, [a, b]) => {
    const events = await record(main(`${a} ${b} return [a, b];`));
    const made = await replay(events, { program: main(`${b} ${a} return [a, b];`) });
    expect([made.result, made.outcome.equalsRecorded]).toEqual(['complete', true]);
    expect(made.flags.clamped).toHaveLength(1);
    const again = await replay([...events, ...made.lines], { base: made.branch });
    expect([again.result, again.divergences]).toEqual(['identical', []]);
  });

  it('D5 R42 the first of all stands behind what comes before it now', async () => {
    const events = await record(main(`const a = ctx.decide('a', 1); return a;`));
    const made = await replay(events, {
      program: main(`await ctx.state('s', 0); const a = ctx.decide('a', 1); return a;`),
    });
    const again = await replay([...events, ...made.lines], { base: made.branch });
    expect([again.result, again.divergences]).toEqual(['identical', []]);
  });
});
