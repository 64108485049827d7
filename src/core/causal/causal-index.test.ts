import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../model/index.ts';
import { drawTrace, drawnRun } from '../model/testing/trace.ts';
import { createIndex, createIndexBuilder, createOrder } from './index.ts';
import { drawIndex, eventsToIndex } from './testing/drawn.ts';
import { manyEvents } from './testing/many.ts';

const incident = `
  worker/w1/1 agent=planner step=17:
    plan  decision.made
    ask   tool_call.dispatched path=/write:ticket#0 attempt=1 <- plan:selected_by {"effect":"external"}
    done  tool_call.completed path=/write:ticket#0 attempt=1 delivered=4 <- ask:result_of, made:consumed
  tickets:
    made  effect.committed durable=durable <- ask:result_of {"effect":{"id":"8421"}}
`;

describe('building', () => {
  it('G1 G7 keeps every field of the envelope that the model names', () => {
    const { index, at } = drawIndex(incident);
    const ask = at('ask');
    expect(index.id(ask)).toBe('ask');
    expect(index.type(ask)).toBe('tool_call.dispatched');
    expect(index.family(ask)).toBe('tool');
    expect(index.agent(ask)).toBe('planner');
    expect(index.step(ask)).toBe('17');
    expect(index.session(ask)).toBe('s-1');
    expect(index.command(ask)).toBe('/write:ticket#0');
    expect(index.attempt(ask)).toBe(1);
    expect(index.seq(ask)).toBe(1);
    expect(index.clock(ask)).toBe('clock-1');
    expect(index.time(ask)).toBe(Date.parse('2026-01-01T00:00:01Z'));
    expect(index.log(ask)).toEqual({ component: 'worker', instance: 'w1', incarnation: '1', branch: 'main' });
    expect(index.agent(at('made'))).toBeUndefined();
    expect(index.attempt(at('plan'))).toBeUndefined();
    expect(index.find('nobody')).toBe(-1);
  });

  it('G7 takes instance 1 and "1" for one log', () => {
    const [first, second] = drawTrace('a step.started\nb step.started').events;
    const withInstance = (event: HindcastEvent | undefined, instance: string | number): HindcastEvent => {
      if (event === undefined) throw new Error('drawn');
      return { ...event, source: { ...event.source, instance } };
    };
    const index = eventsToIndex([withInstance(first, 1), withInstance(second, '1')]);
    expect(index.logNumber(0)).toBe(index.logNumber(1));
  });

  it('marks failures, external acts, deliveries and durability', () => {
    const { index, at } = drawIndex(incident);
    expect(index.has(at('ask'), 'externalDispatch')).toBe(true);
    expect(index.has(at('done'), 'final')).toBe(true);
    expect(index.has(at('ask'), 'final')).toBe(false);
    expect(index.has(at('made'), 'effect')).toBe(true);
    expect(index.has(at('made'), 'durable')).toBe(true);
    const more = drawIndex(`
      killed  worker.exited  {"signal":"SIGKILL"}
      left    worker.exited  {"code":0}
      no      policy.evaluated  {"verdict":"deny"}
      asked   tool_call.dispatched path=/read:x#0 {"effect":"none"}
      silent  tool_call.dispatched path=/write:x#0 time=yesterday
    `);
    const failed = ['killed', 'left', 'no', 'asked'].filter((name) => more.index.has(more.at(name), 'failed'));
    expect(failed).toEqual(['killed', 'no']);
    expect(more.index.has(more.at('asked'), 'externalDispatch')).toBe(false);
    expect(more.index.has(more.at('silent'), 'externalDispatch')).toBe(true);
    expect(more.index.has(more.at('silent'), 'badTime')).toBe(true);
    expect(more.index.time(more.at('silent'))).toBeUndefined();
  });

  it('G6 G16 a cause and a number mean those of the own run, in whatever order two runs were read', () => {
    const one = `
      worker run=1:
        w0 step.started
        w1 step.completed <- w0`;
    const other = `
      worker run=2:
        w0 run.started
        w1 run.completed <- w0
        w2 step.started <- w0, w1`;
    const run = (drawing: string): readonly HindcastEvent[] => drawTrace(drawing).events;
    for (const events of [
      [...run(one), ...run(other)],
      [...run(other), ...run(one)],
    ]) {
      const index = eventsToIndex(events);
      const order = createOrder(index);
      const told = Array.from({ length: index.count }, (_, to) =>
        index.causesOf(to).map(({ from }) => `${index.run(from)} ${index.type(from)} to ${index.run(to)}`),
      ).flat();
      expect(told.sort()).toEqual(
        [
          [1, 'step.started', 1],
          [2, 'run.started', 2],
          [2, 'run.started', 2],
          [2, 'run.completed', 2],
        ]
          .map(([from, type, to]) => `${drawnRun(Number(from))} ${String(type)} to ${drawnRun(Number(to))}`)
          .sort(),
      );
      // Neither run is ordered by the numbers of the other, and no record of it is a repetition.
      const of = (n: number): number[] => events.flatMap(({ run: own }, at) => (own === drawnRun(n) ? [at] : []));
      for (const a of of(1))
        for (const b of of(2)) expect([order.precedes(a, b), order.precedes(b, a)]).toEqual([false, false]);
      expect(events.some((_, at) => index.has(at, 'repeat'))).toBe(false);
      expect(index.log(0).run).toBeDefined();
    }
  });

  it('G6 a log that two runs share without using a number twice stays one', () => {
    const { index, order, at } = drawIndex(`
      worker:
        a step.started run=1
        b step.started run=2
        c step.completed run=1`);
    expect([index.logNumber(at('a')), index.logNumber(at('b'))]).toEqual([
      index.logNumber(at('c')),
      index.logNumber(at('c')),
    ]);
    expect(order.precedes(at('a'), at('b'))).toBe(true);
  });

  it('G6 R20 numbers repeated records, passing over ids that are recorded', () => {
    const { index } = drawIndex(
      'a step.started\na step.started\na~2 step.started\na step.completed\nb step.started <- a',
    );
    expect(Array.from({ length: 5 }, (_, i) => index.id(i))).toEqual(['a', 'a~3', 'a~2', 'a~4', 'b']);
    expect(['a', 'a~2', 'a~3', 'a~4'].map(index.find)).toEqual([0, 2, 1, 3]);
    expect(index.occurrences('a')).toEqual([0, 1, 3]);
    expect(index.causesOf(4).map(({ from }) => from)).toEqual([0]);
  });

  it('keeps ids with any character apart', () => {
    const ids = ['\ud800', '\ud801', 'é', 'ÿ', 'ÿ\u0001', '\u00ff', '日本', '😀', 'a\u0000', 'a'];
    const [model] = drawTrace('a step.started').events;
    if (model === undefined) throw new Error('drawn');
    const unique = [...new Set(ids)];
    const index = eventsToIndex(unique.map((id) => ({ ...model, id: id as typeof model.id })));
    expect(unique.map(index.find)).toEqual(unique.map((_, i) => i));
    expect(unique.map((_, i) => index.id(i))).toEqual(unique);
  });
});

describe('edges', () => {
  it('G2 resolves causes that come later than their effect', () => {
    const { index, at } = drawIndex(incident);
    expect(index.causesOf(at('done')).map(({ from, as }) => [index.id(from), as])).toEqual([
      ['ask', 'result_of'],
      ['made', 'consumed'],
    ]);
    expect(index.effectsOf(at('ask')).map(({ to }) => index.id(to))).toEqual(['done', 'made']);
  });

  it('G10 G11 counts by grade, without what dangles', () => {
    const { index } = drawIndex('a step.started\nb step.started <- a, a:informed_by~by-name, a:caused_by?, gone');
    expect(index.edgeCounts).toEqual({ recorded: 1, inferred: 1, clockOnly: 1 });
    expect(index.causesOf(1).map(({ grade, rule }) => [grade, rule])).toEqual([
      ['recorded', undefined],
      ['inferred', 'by-name'],
      ['clock-only', undefined],
    ]);
    expect(index.dangling).toEqual([{ effect: 1, cause: 'gone', as: 'caused_by' }]);
  });

  it('G13 joins an answer to the one attempt of its command in its life', () => {
    const { index, at } = drawIndex(`
      worker/w/1:
        a1  tool_call.dispatched path=/write:t#0 attempt=1
        a2  tool_call.dispatched path=/write:t#0 attempt=2
        x1  tool_call.failed path=/write:t#0 attempt=1
        x2  tool_call.completed path=/write:t#0 attempt=2 <- a1:result_of
      worker/w/2:
        b1  tool_call.dispatched path=/write:t#0 attempt=1
        y1  tool_call.completed path=/write:t#0 attempt=1
    `);
    const causes = (name: string): string[] =>
      index.causesOf(at(name)).map(({ from, rule }) => `${index.id(from)} ${rule ?? 'recorded'}`);
    expect(causes('x1')).toEqual(['a1 same-command']);
    expect(causes('x2')).toEqual(['a1 recorded']);
    expect(causes('y1')).toEqual(['b1 same-command']);
    expect(index.edgeCounts).toEqual({ recorded: 1, inferred: 2, clockOnly: 0 });
  });

  it('G12 infers nothing where two events fit', () => {
    const { index } = drawIndex(`
      a  tool_call.dispatched path=/write:t#0 attempt=1 key=k
      b  tool_call.dispatched path=/write:t#0 attempt=1 key=k
      x  tool_call.completed path=/write:t#0 attempt=1
      y  effect.committed key=k
    `);
    expect(index.edgeCount).toBe(0);
  });

  it('G12 infers nothing against a recorded cause that is not in the trace', () => {
    const { index, at } = drawIndex(`
      a  tool_call.dispatched path=/write:t#0 attempt=1 key=k
      x  tool_call.completed path=/write:t#0 attempt=1 <- gone:result_of
      y  effect.committed key=k <- lost:caused_by
      s1  state.transitioned  {"name":"case","from":0,"to":1}
      s2  state.transitioned <- far:consumed  {"name":"case","from":1,"to":2}
    `);
    expect(['x', 'y', 's2'].map((name) => index.causesOf(at(name)))).toEqual([[], [], []]);
    expect(index.dangling).toHaveLength(3);
  });

  it('G6 G12 a second record of one id is no second candidate', () => {
    const { index, at } = drawIndex(`
      a  tool_call.dispatched path=/write:t#0 attempt=1 key=k
      a  tool_call.dispatched path=/write:t#0 attempt=1 key=k {"tool":"t"}
      x  tool_call.completed path=/write:t#0 attempt=1
      y  effect.committed key=k
      s1  state.transitioned  {"name":"case","from":0,"to":1}
      s1  state.transitioned  {"name":"case","from":0,"to":1,"value":1}
      s2  state.transitioned  {"name":"case","from":1,"to":2}
    `);
    expect(['x', 'y', 's2'].map((name) => index.causesOf(at(name)).map(({ from }) => index.id(from)))).toEqual([
      ['a'],
      ['a'],
      ['s1'],
    ]);
  });

  it('G14 joins what a service told under a key', () => {
    const { index, at } = drawIndex(
      `
      a  tool_call.dispatched key=k
      other run=2 tool_call.dispatched key=k
      service:
        y  effect.committed key=k
        z  effect.committed key=k <- y
    `.replace('other run=2', 'other'),
    );
    // Two dispatches of one run carry the key: nothing is joined.
    expect(index.causesOf(at('y'))).toEqual([]);
    const one = drawIndex(
      'a tool_call.dispatched key=k\nother tool_call.dispatched run=2 key=k\ny effect.committed key=k\nz effect.committed key=k <- y',
    );
    expect(one.index.causesOf(one.at('y')).map(({ from, as, rule }) => [one.index.id(from), as, rule])).toEqual([
      ['a', 'result_of', 'same-key'],
    ]);
    expect(one.index.causesOf(one.at('z'))).toHaveLength(1);
  });

  it('G15 joins a transition to the one that made the version it consumed', () => {
    const { index, at } = drawIndex(`
      s1  state.transitioned  {"name":"case","from":0,"to":1}
      o1  state.transitioned  {"name":"other","from":0,"to":1}
      s2  state.transitioned  {"name":"case","from":1,"to":2}
      s3  state.transitioned <- s1:consumed  {"name":"case","from":2,"to":3}
    `);
    expect(index.causesOf(at('s1'))).toEqual([]);
    expect(index.causesOf(at('s2')).map(({ from, rule }) => [index.id(from), rule])).toEqual([['s1', 'state-version']]);
    expect(index.causesOf(at('s3')).map(({ rule }) => rule)).toEqual([undefined]);
  });

  it('G15 joins no transition to itself, though it makes the version it consumed', () => {
    const { index, at, codes } = drawIndex(`
      s1  state.transitioned  {"name":"case","from":1,"to":1}
      s2  state.transitioned  {"name":"case","from":1,"to":2}
    `);
    expect(index.causesOf(at('s1'))).toEqual([]);
    expect(index.causesOf(at('s2')).map(({ from, rule }) => [index.id(from), rule])).toEqual([['s1', 'state-version']]);
    expect(codes()).not.toContain('cause-cycle');
  });
});

describe('properties', () => {
  it('G3 going on from stored columns equals building from scratch', () => {
    fc.assert(
      fc.property(manyEvents, fc.nat(), (events, cut) => {
        const at = events.length === 0 ? 0 : cut % (events.length + 1);
        const first = createIndexBuilder();
        for (const event of events.slice(0, at)) first.add(event);
        first.build();
        const second = createIndexBuilder(structuredClone(first.toColumns()));
        for (const event of events.slice(at)) {
          second.add(event);
          first.add(event);
        }
        const scratch = eventsToIndex(events);
        for (const index of [second.build(), first.build(), createIndex(scratch.columns)]) {
          expect(index.columns).toEqual(scratch.columns);
          expect(index.causes).toEqual(scratch.causes);
          expect(index.effects).toEqual(scratch.effects);
          expect(index.edgeCounts).toEqual(scratch.edgeCounts);
          expect(createOrder(index).display).toEqual(createOrder(scratch).display);
        }
      }),
      { seed: 20_260_101, numRuns: 150 },
    );
  });

  it('G4 R18 the graph and the order on screen are the same for any order of lines', () => {
    const describeGraph = (events: readonly HindcastEvent[]): unknown => {
      const index = eventsToIndex(events);
      const ids = Array.from({ length: index.count }, (_, i) => index.id(i));
      return {
        edges: ids
          .flatMap((_, i) =>
            index.causesOf(i).map(({ from, as, grade, rule }) => [ids[from], ids[i], as, grade, rule].join()),
          )
          .sort(),
        dangling: index.dangling.map(({ cause, effect }) => `${cause} ${ids[effect] ?? ''}`).sort(),
        display: [...createOrder(index).display].map((i) => ids[i]),
      };
    };
    fc.assert(
      fc.property(
        manyEvents.chain((events) => {
          const distinct = [...new Map(events.map((event) => [event.id, event])).values()];
          return fc.tuple(fc.constant(distinct), fc.shuffledSubarray(distinct, { minLength: distinct.length }));
        }),
        ([events, shuffled]) => {
          expect(describeGraph(shuffled)).toEqual(describeGraph(events));
        },
      ),
      { seed: 20_260_102, numRuns: 150 },
    );
  });
});
