import { describe, expect, it } from 'vitest';
import { eventId } from '../../core/model/index.ts';
import { type StripItem, countBeyond, itemsToStrip, labelWidth, laneHeight, mostNodes } from './strip-layout.ts';

function item(path: string, stands: boolean, from?: string): StripItem {
  return {
    key: path,
    path,
    events: [path],
    stands,
    reasons:
      from === undefined
        ? []
        : [
            { event: eventId('elsewhere'), as: 'consumed' },
            { event: eventId(from), as: 'result_of' },
          ],
  };
}

describe('the strip', () => {
  const items = [
    item('/read:a#0', true),
    item('/par:x/read:b#0', false),
    item('/par:y/read:c#0', true),
    item('/read:d#0', false, '/par:x/read:b#0'),
  ];
  const strip = itemsToStrip(items, 1000);

  it('counts what stands outside the part that is shown, by side, also what is cut at its edge', () => {
    const nodes = [10, 60, 110, 160].map((x) => ({ key: String(x), x, y: 0 }));
    expect(countBeyond(nodes, 0, 400)).toEqual({ left: 1, right: 0 });
    expect(countBeyond(nodes, 55, 120)).toEqual({ left: 2, right: 2 });
  });

  it('has a lane for every line of work', () => {
    expect(strip.lanes.map(({ label }) => label)).toEqual(['main line', 'x', 'y']);
    expect(strip.height).toBe(3 * laneHeight);
  });

  it('draws the path of reasons to the nearest item on it (R39)', () => {
    expect(strip.edges.map(({ from, to }) => [from.key, to.key])).toEqual([['/par:x/read:b#0', '/read:d#0']]);
  });

  it('draws the frontier before the first that falls of each lane, and behind everything where a lane is kept', () => {
    const step = 44;
    expect(strip.frontier.map(({ x }) => (x - labelWidth) / step)).toEqual([3, 3, 1, 1, 4, 4]);
  });

  it('draws no frontier where nothing falls', () => {
    expect(itemsToStrip([item('/read:a#0', true)], 500).frontier).toEqual([]);
  });

  it('counts what it does not draw', () => {
    const many = Array.from({ length: mostNodes + 7 }, (_, n) => item(`/read:a#${n}`, true));
    const layout = itemsToStrip(many, 500);
    expect([layout.nodes.length, layout.hidden]).toEqual([mostNodes, 7]);
  });
});
