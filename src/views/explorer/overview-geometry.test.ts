import { describe, expect, it } from 'vitest';
import { eventId } from '../../core/model/index.ts';
import {
  binsToOverlaps,
  bucketToX,
  clampRange,
  markAt,
  nearestBin,
  overviewToNothing,
  placeMarks,
  placePart,
  rangeToRows,
  tickWidth,
  xToBucket,
  yToLane,
  zoomRange,
} from './overview-geometry.ts';

const geometry = { left: 100, width: 1000, top: 20, laneHeight: 16, range: { from: 50, to: 150 } };
const bin = { count: 1, family: 'tool', errors: 0, effects: 0, first: eventId('e') } as const;

describe('a long run', () => {
  const whole = { length: 1_000_000, buckets: 800, lanes: [], marks: [], hidden: 0 };

  it('can be looked at down to single events, and asks for no more than is near', () => {
    const per = whole.length / whole.buckets;
    const close = clampRange({ from: 400, to: 400 }, whole.buckets, per);
    expect((close.to - close.from) * per).toBeCloseTo(8);
    const rows = rangeToRows(close, whole);
    expect(rows).toBeDefined();
    expect(rows?.from).toBeLessThanOrEqual(close.from * per);
    expect(rows?.to).toBeGreaterThanOrEqual(close.to * per);
    expect((rows?.to ?? 0) - (rows?.from ?? 0)).toBeLessThan(64);
    expect(rangeToRows({ from: 0, to: 800 }, whole)).toBeUndefined();
    expect(rangeToRows({ from: 0, to: 4 }, { ...whole, length: 500, buckets: 500 })).toBeUndefined();
  });

  it('puts the bins of a part where the whole has them', () => {
    const lanes = [{ id: 'a', label: 'a', kind: 'agent', bins: [{ ...bin, bucket: 3 }] }] as const;
    const part = placePart({ ...whole, buckets: 10, lanes }, { from: 1250, to: 2500 }, whole);
    expect(part).toMatchObject({ from: 1, to: 2, width: 0.1 });
    expect(part.overview.lanes[0]?.bins[0]?.bucket).toBeCloseTo(1.3);
    expect(nearestBin(part.overview.lanes[0]?.bins ?? [], 1.34, 0.05, part.width)).toBeDefined();
    expect(nearestBin(part.overview.lanes[0]?.bins ?? [], 1.5, 0.05, part.width)).toBeUndefined();
  });
});

describe('nothing to draw', () => {
  it('is told apart: a branch that holds nothing, and a filter that hides all of it', () => {
    const none = { length: 0, buckets: 1, lanes: [], marks: [], hidden: 0 };
    expect(overviewToNothing(none)).toBe('This branch holds no event.');
    expect(overviewToNothing({ ...none, length: 9, hidden: 9 })).toBe(
      'No event passes the filter: all 9 events of this branch are hidden by it.',
    );
    const lanes = [{ id: 'a', label: 'a', kind: 'agent', bins: [] }] as const;
    expect(overviewToNothing({ ...none, length: 9, lanes })).toBeUndefined();
  });
});

describe('more marks than there is room for', () => {
  it('become one a place, which is the gravest and says how many', () => {
    const marks = Array.from({ length: 900 }, (_none, i) => ({
      kind: i === 450 ? ('kill' as const) : ('gap' as const),
      bucket: 50 + i / 9,
      label: i === 450 ? 'killed' : 'gap',
      event: eventId(`e${i}`),
    }));
    const placed = placeMarks(geometry, marks);
    expect(placed.length).toBeLessThan(100);
    const counts = placed.map(({ mark: { label } }) => Number(/^(\d+) marks/.exec(label)?.[1] ?? 1));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(900);
    expect(placed.filter(({ mark }) => mark.kind === 'kill')).toHaveLength(1);
    for (const [i, { x }] of placed.entries())
      if (i > 0) expect(x - (placed[i - 1]?.x ?? 0)).toBeGreaterThanOrEqual(13);
  });
});

describe('the overview', () => {
  it('maps buckets to pixels and back', () => {
    expect(bucketToX(geometry, 50)).toBe(100);
    expect(bucketToX(geometry, 150)).toBe(1100);
    expect(xToBucket(geometry, bucketToX(geometry, 77))).toBeCloseTo(77);
  });

  it('zooms around a bucket that stays where it is', () => {
    const range = zoomRange(geometry.range, 100, 0.5, 1000);
    expect(range).toEqual({ from: 75, to: 125 });
    expect(bucketToX({ ...geometry, range }, 100)).toBe(bucketToX(geometry, 100));
  });

  it('never leaves the run and never shows less than can be seen', () => {
    expect(clampRange({ from: -20, to: 30 }, 200)).toEqual({ from: 0, to: 50 });
    expect(clampRange({ from: 190, to: 240 }, 200)).toEqual({ from: 150, to: 200 });
    expect(clampRange({ from: 10, to: 11 }, 200)).toEqual({ from: 10, to: 18 });
    expect(clampRange({ from: 0, to: 900 }, 3)).toEqual({ from: 0, to: 3 });
  });

  it('finds the lane and the nearest bin within reach', () => {
    expect([
      yToLane(geometry, 19, 2),
      yToLane(geometry, 20, 2),
      yToLane(geometry, 51, 2),
      yToLane(geometry, 52, 2),
    ]).toEqual([-1, 0, 1, -1]);
    const bins = [
      { ...bin, bucket: 60 },
      { ...bin, bucket: 70 },
    ];
    expect(nearestBin(bins, 68, 4)?.bucket).toBe(70);
    expect(nearestBin(bins, 66, 0.5)).toBeUndefined();
  });

  it('draws ticks that can be seen however long the run is', () => {
    expect(tickWidth({ ...geometry, range: { from: 0, to: 1_000_000 } })).toBe(1);
    expect(tickWidth({ ...geometry, range: { from: 0, to: 8 } })).toBe(10);
  });

  it('sets marks of one place side by side, and finds each where it is drawn', () => {
    const marks = (['kill', 'gap', 'finding'] as const).map((kind) => ({
      kind,
      bucket: 60,
      label: kind,
      event: eventId(kind),
    }));
    const placed = placeMarks(geometry, marks);
    expect(placed[0]?.x).toBe(bucketToX(geometry, 60.5));
    expect(new Set(placed.map(({ x }) => x)).size).toBe(3);
    expect(placed.map(({ x }) => markAt(placed, x)?.kind)).toEqual(['kill', 'gap', 'finding']);
    const atEnd = placeMarks(
      geometry,
      marks.map((mark) => ({ ...mark, bucket: 149 })),
    );
    expect(atEnd.map(({ x }) => markAt(atEnd, x)?.kind)).toEqual(['kill', 'gap', 'finding']);
    for (const { x } of atEnd) expect(x + 6.5).toBeLessThanOrEqual(geometry.left + geometry.width);
    expect(
      placeMarks(
        geometry,
        marks.map((mark) => ({ ...mark, bucket: 900 })),
      ),
    ).toEqual([]);
  });
});

it('draws how many calls were open at once, stretch by stretch', () => {
  const at = (bucket: number, atOnce?: number) => ({ ...bin, bucket, atOnce });
  const bins = [at(0), at(1, 2), at(4, 3), at(5, 3), at(6, 2), at(7), at(8, 2)];
  expect(binsToOverlaps(bins)).toEqual([
    { from: 1, to: 4, atOnce: 2 },
    { from: 4, to: 6, atOnce: 3 },
    { from: 6, to: 7, atOnce: 2 },
    { from: 8, to: 9, atOnce: 2 },
  ]);
  expect(binsToOverlaps(bins.slice(6), 0.5)).toEqual([{ from: 8, to: 8.5, atOnce: 2 }]);
});
