/** Branches that were really made, by replays of a program that ran, held against their base. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type JsonObject, isJsonObject } from '../base/json.ts';
import { parseLossless } from '../base/lossless.ts';
import { type HindcastEvent, eventToLine, parseEvent } from '../model/index.ts';
import { record } from '../replay/testing/record.ts';
import { alter, at, replay } from '../replay/testing/replay-case.ts';
import { drawTrace } from '../model/testing/trace.ts';
import { computeProblems, createBranches, createOrder, eventsToSource } from './index.ts';
import { eventsToIndex } from './testing/drawn.ts';

const program = `async function main(ctx) {
  const a = await ctx.model('a', {});
  await ctx.state('s', { v: a.v });
  return await ctx.write('w', { v: a.v }, { uses: [a] });
}`;
const handlers = { 'model:a': () => ({ ok: { v: 1 } }), 'write:w': () => ({ ok: 1234567890123 }) };

let events: readonly HindcastEvent[] = [];
let first: readonly HindcastEvent[] = [];
/** A branch of the first one. */
let second: readonly HindcastEvent[] = [];

beforeAll(async () => {
  events = await record(program, { handlers });
  const edited = await replay(events, {
    edits: [{ target: { path: '/model:a#0' }, value: { v: 2 } }],
    supply: [{ path: '/write:w#0', value: 3 }],
  });
  first = edited.lines;
  const again = await replay([...events, ...first], {
    base: edited.branch,
    edits: [{ target: { path: '/write:w#0' }, value: 4 }],
  });
  second = again.lines;
});

function told(stream: readonly HindcastEvent[], mostDigested?: number): readonly (readonly [string, string])[] {
  const index = eventsToIndex(stream);
  const source = eventsToSource(stream);
  const branches = createBranches(index, source);
  return computeProblems({ index, source, branches, order: createOrder(index), mostDigested })
    .filter(({ code }) => /^branch-(?:base|operation)/.test(code))
    .map(({ code, events: [position = ''] }) => [code, position] as const);
}

function reread(event: HindcastEvent): HindcastEvent {
  const value = parseLossless(eventToLine(event));
  const parsed = value.ok ? parseEvent(value.value) : undefined;
  if (parsed?.ok !== true) throw new Error('an event is a line and back');
  return parsed.value;
}

function withOperation(stream: readonly HindcastEvent[], change: JsonObject): readonly HindcastEvent[] {
  const started = at(stream, 'replay.started');
  const operation: unknown = started.data?.['operation'];
  if (!isJsonObject(operation)) throw new Error('a replay has an operation');
  return stream.map((event) =>
    event === started ? alter(event, { data: { operation: { ...operation, ...change } } }) : event,
  );
}

describe('P16 R40 the base of a stored branch', () => {
  it('is what its operation says, of a branch and of a branch of it, in any order of the lines', () => {
    expect([first.length, second.length].every((length) => length > 3)).toBe(true);
    const stream = [...events, ...first, ...second].map(reread);
    expect(told(stream)).toEqual([]);
    expect(told(stream.toReversed())).toEqual([]);
  });

  it('is another one when a record that the branch rests on was changed, added or removed', () => {
    const [started] = [at(first, 'replay.started').id];
    const call = at(events, 'model_call.completed');
    const changed = events.map((event) => (event === call ? alter(event, { time: '2031-01-01T00:00:00Z' }) : event));
    const own = drawTrace('worker:\n  late step.started').event('late');
    for (const base of [changed, events.filter((event) => event !== call), [...events, { ...own, run: call.run }]])
      expect(told([...base, ...first])).toEqual([['branch-base-differs', started]]);
    // Another run that was opened together with it is no part of the base.
    expect(told([...events, ...first, own])).toEqual([]);
    const [line] = first.filter(({ type }) => type === 'state.transitioned');
    const altered = first.map((event) => (event === line ? alter(event, { time: '2031-01-01T00:00:00Z' }) : event));
    expect(told([...events, ...altered, ...second])).toEqual([
      ['branch-base-differs', at(second, 'replay.started').id],
    ]);
  });

  it('is told by an operation that is the one its id was made of', () => {
    const zero = `sha256:${'0'.repeat(64)}`;
    const { id } = at(first, 'replay.started');
    expect(told([...events, ...withOperation(first, { kind: 'patch' })])).toEqual([['branch-operation-differs', id]]);
    expect(told([...events, ...withOperation(first, { base_digest: zero })])).toEqual([
      ['branch-operation-differs', id],
      ['branch-base-differs', id],
    ]);
    // Who asked, why and when is no part of it.
    expect(told([...events, ...withOperation(first, { reason: 'other', at: '2031-01-01T00:00:00Z' })])).toEqual([]);
  });

  it('is not looked at in a redacted copy, without the base, or where it is too long for the page', () => {
    const changed = withOperation(first, { base_digest: `sha256:${'0'.repeat(64)}`, kind: 'patch' });
    const copy = drawTrace(`s:\n  d share.declared {"digest":"sha256:${'0'.repeat(64)}","holes":[]}`).events;
    expect(told([...copy, ...events, ...changed])).toEqual([]);
    expect(told(first)).toEqual([]);
    expect(told([...events, ...first], 2)).toEqual([['branch-base-not-held', at(first, 'replay.started').id]]);
  });
});
