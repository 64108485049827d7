import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CausalEdge,
  bitsToPositions,
  computeClosure,
  computeComponents,
  computeSlice,
  createOrder,
} from './index.ts';
import { drawIndex, eventsToIndex } from './testing/drawn.ts';
import { manyEvents } from './testing/many.ts';
import { chainEvents, fanEvents } from './testing/long.ts';

/** A cause that puts its effect after it: not one by clock alone. */
function isOrder({ grade }: CausalEdge): boolean {
  return grade !== 'clock-only';
}

function display(drawing: string): string[] {
  const { index, order } = drawIndex(drawing);
  return [...order.display].map((i) => index.id(i));
}

describe('order', () => {
  const two = `
    worker:
      a1  step.started
      a2  step.started
      a3  step.started <- b1
    tickets:
      b1  step.started <- a1
      b2  step.started
  `;

  it('G16 R32 comes from edges and from numbers within a log', () => {
    const { order, at } = drawIndex(two);
    expect(order.precedes(at('a1'), at('a3'))).toBe(true);
    expect(order.precedes(at('a1'), at('b2'))).toBe(true);
    expect(order.precedes(at('b2'), at('a1'))).toBe(false);
    expect(order.precedes(at('a1'), at('a1'))).toBe(false);
  });

  it('G18 R34 leaves events without a way between them concurrent, whatever their times', () => {
    const { order, at } = drawIndex(two);
    expect(order.isConcurrent(at('a2'), at('b1'))).toBe(true);
    expect(order.isConcurrent(at('a3'), at('b2'))).toBe(true);
    expect(order.isConcurrent(at('a1'), at('b2'))).toBe(false);
    expect(order.isConcurrent(at('a1'), at('a1'))).toBe(false);
  });

  it('G18 takes an edge by clock alone for the screen, and for no order: neither alone nor on a way', () => {
    const drawing = `
      worker:
        a  step.started noseq notime
      tickets:
        b  step.started noseq notime <- c?
        c  step.started noseq notime <- a?
      other:
        d  step.started noseq notime <- b
    `;
    const { order, at } = drawIndex(drawing);
    expect(order.isConcurrent(at('a'), at('c'))).toBe(true);
    expect(order.isConcurrent(at('c'), at('d'))).toBe(true);
    expect(order.precedes(at('b'), at('d'))).toBe(true);
    expect(display(drawing)).toEqual(['a', 'c', 'b', 'd']);
  });

  it('G18 an edge by clock alone that closes a circle is left out, and makes no circle of it', () => {
    const { order, at, codes } = drawIndex(`
      worker:
        a  step.started <- b?
        b  step.started
    `);
    expect(order.cycles).toEqual([]);
    expect(order.precedes(at('a'), at('b'))).toBe(true);
    expect(codes()).not.toContain('cause-cycle');
  });

  it('G17 never takes order within a log for cause', () => {
    const { index, at, names } = drawIndex(two);
    expect(names(computeClosure(index, [at('a1')]))).toEqual(['a1', 'a3', 'b1']);
    expect(index.edgeCounts.recorded).toBe(2);
  });

  it('G16 orders equal numbers with the others of the log but not with each other', () => {
    const { order, at } = drawIndex(`
      a  step.started seq=1
      b  step.started seq=2
      c  step.started seq=2
      d  step.started seq=3
      e  step.started seq=3
    `);
    expect(order.isConcurrent(at('b'), at('c'))).toBe(true);
    for (const [before, after] of [
      ['a', 'b'],
      ['a', 'c'],
      ['a', 'e'],
      ['b', 'd'],
      ['c', 'd'],
      ['b', 'e'],
      ['c', 'e'],
    ] as const) {
      expect(order.precedes(at(before), at(after))).toBe(true);
    }
  });

  it('G16 numbers records of a branch by their ids', () => {
    const { order, at } = drawIndex(`
      b-1:2   step.started branch=b-1 noseq notime
      b-1:10  step.started branch=b-1 noseq notime
    `);
    expect(order.precedes(at('b-1:2'), at('b-1:10'))).toBe(true);
  });

  it('G19 R32 extends the order, a clock an hour ahead notwithstanding', () => {
    const drawing = (hour: string): string => `
      worker:
        ask   step.started time=2026-01-01T00:00:01Z
        done  step.started time=2026-01-01T00:00:03Z <- made
      tickets clock=other:
        made  step.started time=2026-01-01T${hour}:00:02Z <- ask
    `;
    expect(display(drawing('00'))).toEqual(['ask', 'made', 'done']);
    expect(display(drawing('01'))).toEqual(['ask', 'made', 'done']);
  });

  it('G19 takes the earliest time among free events, then log, number and id', () => {
    expect(
      display(`
        z:
          late  step.started time=2026-01-01T00:00:09Z
        y:
          e10  step.started noseq time=2026-01-01T00:00:01Z
          e9   step.started noseq time=2026-01-01T00:00:01Z
        x:
          first  step.started time=2026-01-01T00:00:01Z
      `),
    ).toEqual(['first', 'e9', 'e10', 'late']);
  });

  it('G19 places records of a branch by what they replace, not by the time of the replay', () => {
    expect(
      display(`
        a  step.started
        b  model_call.completed <- a
        c  step.started <- b
        hindcast branch=b-1 noseq:
          b-1:0  branch.created notime {"parent":"main","frontier":{"minus":["b"]}}
          b-1:1  replay.started time=2026-05-05T00:00:00Z
          b-1:2  model_call.completed notime supersedes=b <- a
      `).indexOf('b-1:2'),
    ).toBeLessThan(5);
  });

  it('G19 the beginning of a branch whose fork was left out stands before what it replaced, not before the run', () => {
    expect(
      display(`
        a  step.started
        b  model_call.completed <- a
        hindcast branch=b-1 noseq:
          b-1:0  branch.created notime {"parent":"main","frontier":{"minus":["b"]}}
          b-1:1  replay.started notime
          b-1:2  model_call.completed notime supersedes=b <- a
      `),
    ).toEqual(['a', 'b-1:0', 'b-1:1', 'b-1:2', 'b']);
  });

  it('G19 shows events of a cycle after what leads into it and before what it leads to', () => {
    const drawing = `
      a  step.started noseq
      x  step.started noseq <- a, z
      y  step.started noseq <- x
      z  step.started noseq <- y
      e  step.started noseq time=2026-01-01T00:00:00Z <- z
    `;
    expect(display(drawing)).toEqual(['a', 'x', 'y', 'z', 'e']);
    const { order, at, names } = drawIndex(drawing);
    expect(order.cycles.map(names)).toEqual([['x', 'y', 'z']]);
    expect(order.precedes(at('a'), at('e'))).toBe(true);
    expect(order.isConcurrent(at('x'), at('y'))).toBe(true);
  });
});

describe('properties', () => {
  it('G16 G19 the display order extends precedes, which agrees with a plain search', () => {
    fc.assert(
      fc.property(manyEvents, (events) => {
        const index = eventsToIndex(events);
        const order = createOrder(index);
        expect([...order.display].sort((a, b) => a - b)).toEqual(Array.from({ length: index.count }, (_, i) => i));
        for (let a = 0; a < index.count; a++) {
          const isBefore = order.beforeAny([a]);
          const isAfter = order.afterAny([a]);
          for (let b = 0; b < index.count; b++)
            expect([isBefore(b), isAfter(b)]).toEqual([order.precedes(b, a), order.precedes(a, b)]);
        }
        if (order.cycles.length > 0) return;
        for (let a = 0; a < index.count; a++) {
          const reached = new Set<number>();
          const stack = [a];
          for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
            for (let b = 0; b < index.count; b++) {
              const sameLog =
                index.logNumber(at) === index.logNumber(b) && (index.seq(at) ?? Infinity) < (index.seq(b) ?? -1);
              if (reached.has(b) || !(sameLog || index.causesOf(b).some((edge) => isOrder(edge) && edge.from === at)))
                continue;
              reached.add(b);
              stack.push(b);
            }
          }
          for (let b = 0; b < index.count; b++) {
            expect(order.precedes(a, b)).toBe(reached.has(b));
            if (reached.has(b)) expect(order.placeOf[a]).toBeLessThan(order.placeOf[b] ?? -1);
          }
        }
      }),
      { seed: 20_260_103, numRuns: 120 },
    );
  });

  it('P4 components are the sets that reach each other', () => {
    fc.assert(
      fc.property(manyEvents, (events) => {
        const index = eventsToIndex(events);
        const { cycles } = computeComponents(index.effects, index.count);
        const closures = Array.from({ length: index.count }, (_, i) =>
          computeClosure(
            index,
            index.effectsOf(i).map(({ to }) => to),
          ),
        );
        const reaches = (a: number, b: number): boolean =>
          [...bitsToPositions(closures[a] ?? { size: 0, words: new Uint32Array() })].includes(b);
        const circular = Array.from({ length: index.count }, (_, i) => i).filter((i) => reaches(i, i));
        expect(cycles.flat().sort((a, b) => a - b)).toEqual(circular);
        for (const cycle of cycles) for (const a of cycle) for (const b of cycle) expect(reaches(a, b)).toBe(true);
      }),
      { seed: 20_260_104, numRuns: 80 },
    );
  });
});

describe('G20 G21 slices', () => {
  const drawing = `
    a  step.started
    b  decision.made <- a:informed_by
    c  tool_call.dispatched <- b:selected_by
    d  tool_call.completed <- c:result_of
    e  step.started
  `;

  it('hold what leads to an event, and what it leads to', () => {
    const { index, at, names } = drawIndex(drawing);
    expect(names(computeSlice(index, [at('c')]))).toEqual(['a', 'b', 'c']);
    expect(names(computeClosure(index, [at('b')]))).toEqual(['b', 'c', 'd']);
  });

  it('can be kept to kinds and to a set', () => {
    const { index, at, names, branches } = drawIndex(drawing);
    expect(names(computeSlice(index, [at('d')], { kinds: ['result_of', 'selected_by'] }))).toEqual(['b', 'c', 'd']);
    expect(names(computeClosure(index, [at('a')], { within: branches.visible(index.branch(0)) }))).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
    expect(
      names(computeClosure(index, [at('a')], { within: { size: index.count, words: new Uint32Array([0b1]) } })),
    ).toEqual(['a']);
  });
});

describe('G4 the display order of what nothing orders', () => {
  const at = 'time=2026-01-01T00:00:00Z';
  const sets: readonly (readonly [string, string, string])[] = [
    [`z step.started seq=1 ${at}`, `m step.started noseq ${at}`, `a step.started seq=2 ${at}`],
    [`w:9 step.started noseq ${at}`, `w:10 step.started noseq ${at}`, `w:1a step.started noseq ${at}`],
  ];

  it.each(sets)('is one, in whatever order the records were read: %s', (a, b, c) => {
    const orders = [
      [a, b, c],
      [a, c, b],
      [b, a, c],
      [b, c, a],
      [c, a, b],
      [c, b, a],
    ].map((lines) => display(`w:\n  ${lines.join('\n  ')}`).join(' '));
    expect(new Set(orders).size).toBe(1);
  });
});

describe('G8 size', () => {
  it('a chain of 200,000', () => {
    const index = eventsToIndex(chainEvents(200_000));
    const order = createOrder(index);
    expect(order.display[199_999]).toBe(199_999);
    expect(order.precedes(0, 199_999)).toBe(true);
    expect(bitsToPositions(computeSlice(index, [199_999]))).toHaveLength(200_000);
    expect(computeComponents(index.effects, index.count).cycles).toEqual([]);
  });

  it('a chain of 50,000 written backwards, closed to one circle', () => {
    const index = eventsToIndex(chainEvents(50_000, true).toReversed());
    const order = createOrder(index);
    expect(order.cycles.map(({ length }) => length)).toEqual([50_000]);
    expect(order.display).toHaveLength(50_000);
  });

  it('a fan-out of 100,000 in one log without numbers, and of 20,000 with one number for all', () => {
    for (const [width, seq] of [
      [100_000, undefined],
      [20_000, 7],
    ] as const) {
      const index = eventsToIndex(fanEvents(width, seq));
      const order = createOrder(index);
      expect(index.effectsOf(0)).toHaveLength(width);
      expect(order.isConcurrent(1, width)).toBe(true);
      expect(order.precedes(0, width)).toBe(true);
      expect(bitsToPositions(computeClosure(index, [0]))).toHaveLength(width + 1);
    }
  });
});
