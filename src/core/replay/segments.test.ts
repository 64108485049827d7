/** Branches of runs that rolled over: each segment ends as the branch says, and only the segment that an end belongs to. */
import { describe, expect, it } from 'vitest';
import { segmentToRoot } from './command-path.ts';
import { checkMixed } from './testing/mixed-branches.ts';
import { record } from './testing/record.ts';
import { at, paths, replay } from './testing/replay-case.ts';

const program = `async function main(ctx, input) {
  const n = input.n ?? 0;
  const m = await ctx.model('work', { n, from: input.from ?? 'start' });
  if (m.stop === true) return 'stopped';
  if (n < 2) return await ctx.rollover({ n: n + 1, from: m.kind });
  return m.kind;
}`;

const events = await record(program, { handlers: { 'model:work': () => ({ ok: { kind: 'k' } }) } });

function work(n: number): string {
  return `${segmentToRoot(n)}/model:work#0`;
}

function edit(n: number, value: { readonly kind: string; readonly stop?: boolean }) {
  return { target: { path: work(n) }, value };
}

describe('S2 what a segment hands on', () => {
  it('is no outcome of the run: where it alone is another, that is what is told', async () => {
    const through = `async function main(ctx, input) {
      if (input.n === undefined) {
        const a = await ctx.model('work', {});
        return await ctx.rollover({ n: 1, from: a.kind });
      }
      return 'always';
    }`;
    const recorded = await record(through, { handlers: { 'model:work': () => ({ ok: { kind: 'k' } }) } });
    const made = await replay(recorded, { edits: [{ target: { path: '/model:work#0' }, value: { kind: 'z' } }] });
    expect(made.outcome).toMatchObject({ value: 'always', equalsRecorded: true });
    expect(made.divergences.filter(({ kind }) => kind === 'outcome').map(({ message }) => message)).toEqual([
      'What segment 0 carries on to the next differs from what it carried on in the record.',
    ]);
    const other = await replay(recorded, { program: through.replace("'always'", "'never'") });
    expect(other.divergences.filter(({ kind }) => kind === 'outcome').map(({ message }) => message)).toEqual([
      'The outcome of the run differs from the recorded one.',
    ]);
  });
});

describe('S2 S3 B2 R50 a branch of a run that rolled over is replayed unedited', () => {
  it('where a segment in the middle was edited and carries the same', async () => {
    const made = await replay(events, { edits: [edit(1, { kind: 'k' }), edit(2, { kind: 'z' })] });
    expect(made).toMatchObject({ result: 'complete', outcome: { value: 'z' } });
    const again = await replay([...events, ...made.lines], { base: made.branch });
    expect([again.result, again.divergences, again.outcome.value]).toEqual(['identical', [], 'z']);
  });

  it('where the end of the first segment carries something else, which the branch says and goes on from', async () => {
    const supply = [1, 2].map((n) => ({ path: work(n), value: { kind: 'z' } }));
    const made = await replay(events, { edits: [edit(0, { kind: 'z' })], supply });
    expect(made.result).toBe('complete');
    const rolled = made.lines.filter(({ type }) => type === 'run.rolled_over');
    expect(rolled.map(({ data }) => data)).toMatchObject([
      { carried: { n: 1, from: 'z' }, next: { segment: 1 } },
      { carried: { n: 2, from: 'z' }, next: { segment: 2 } },
    ]);
    // Lines stand in the order of the segments.
    const issues = made.lines.filter(({ type }) => type === 'model_call.requested');
    expect(issues.map(({ command }) => command?.path)).toEqual([work(1), work(2)]);
    expect(made.lines.indexOf(at(made.lines, 'run.rolled_over'))).toBeLessThan(
      made.lines.indexOf(at(made.lines, 'model_call.requested')),
    );
    const stream = [...events, ...made.lines];
    expect(checkMixed(stream)).toEqual([]);
    const again = await replay(stream, { base: made.branch });
    expect([again.result, again.divergences]).toEqual(['identical', []]);
    // A later segment of the branch begins with what the branch carried, not with what the record did.
    const last = await replay(stream, { base: made.branch, edits: [edit(2, { kind: 'y' })] });
    expect([last.result, last.outcome.value, paths(last.superseded)]).toEqual(['complete', 'y', [work(2)]]);
    // And an edit that carries the same as the branch leaves what follows whole.
    const same = await replay(stream, { base: made.branch, edits: [edit(0, { kind: 'z', stop: false })] });
    expect(same.reused.map(({ path, rule }) => [path, rule])).toEqual([
      [work(1), 'segment'],
      [work(2), 'segment'],
    ]);
  });

  it('where it is blocked: only the segment in which it waits has no end', async () => {
    const made = await replay(events, { edits: [edit(0, { kind: 'z' })] });
    expect([made.result, paths(made.pending)]).toEqual(['blocked', [work(1)]]);
    const stream = [...events, ...made.lines];
    const again = await replay(stream, { base: made.branch });
    expect(again.divergences).toEqual([]);
    const supplied = await replay(stream, { base: made.branch, supply: [{ path: work(1), value: { kind: 'k' } }] });
    expect(supplied.reused.map(({ path }) => path)).toContain(work(0));
    expect(paths(supplied.pending)).toEqual([work(2)]);
  });

  it('where it ends before it rolls over: what follows is no part of it', async () => {
    const made = await replay(events, { edits: [edit(0, { kind: 'k', stop: true })] });
    expect(made).toMatchObject({ result: 'complete', outcome: { value: 'stopped' } });
    const again = await replay([...events, ...made.lines], { base: made.branch });
    expect([again.result, again.divergences, again.outcome.value]).toEqual(['identical', [], 'stopped']);
  });
});
