import { describe, expect, it } from 'vitest';
import { branchId, mainBranch } from '../../core/model/index.ts';
import type { TraceId } from '../../data/index.ts';
import { branchesToOptions, defaultSides, placeToText, textToPlace } from './compare-places.ts';

// Cast: ids of the library, as the address has them.
const own = 't-own' as TraceId;
const other = 't-other' as TraceId;
const traces = [{ id: own }, { id: other }];
const a = branchId('b-a');
const b = branchId('b-b');
const branches = [
  { id: mainBranch, label: 'original', ownEvents: 9 },
  { id: a, label: 'a', ownEvents: 3, parent: mainBranch },
  { id: b, label: 'b', ownEvents: 2, parent: a },
];

describe('sides in the address', () => {
  it('read back as they were written, of this trace and of another', () => {
    for (const place of [
      { trace: own, branch: a, run: 'r' },
      { trace: other, branch: mainBranch },
    ]) {
      expect(textToPlace(placeToText(place, own), own, 'r', traces)).toEqual(place);
    }
  });

  it('are no place when the trace is gone or nothing is said', () => {
    expect(textToPlace('t-gone/main', own, 'r', traces)).toBeUndefined();
    expect(textToPlace(undefined, own, 'r', traces)).toBeUndefined();
  });
});

describe('sides nobody chose', () => {
  it('are the fresh result, else the branch shown, else the newest, each beside its parent', () => {
    expect(defaultSides(mainBranch, a, branches)).toEqual({ here: a, there: mainBranch });
    expect(defaultSides(b, undefined, branches)).toEqual({ here: b, there: a });
    expect(defaultSides(mainBranch, undefined, branches)).toEqual({ here: b, there: a });
    const dated = [
      { id: mainBranch, label: 'original', ownEvents: 9 },
      { id: a, label: 'a', ownEvents: 3, parent: mainBranch, at: '2026-06-02T10:00:00Z' },
      { id: b, label: 'b', ownEvents: 2, parent: a, at: '2026-06-01T10:00:00Z' },
    ];
    expect(defaultSides(mainBranch, undefined, dated)).toEqual({ here: a, there: mainBranch });
    expect(defaultSides(mainBranch, undefined, branches.slice(0, 1))).toEqual({ here: undefined, there: mainBranch });
  });
});

describe('branches to choose from', () => {
  it('stand by time, the original first and then the newest, each with the id that buttons call it by', () => {
    const at = (day: number): string => `2026-06-0${day}T10:00:00Z`;
    const made = [
      { id: a, label: 'edit', ownEvents: 1, at: at(1) },
      { id: b, label: 'edit', ownEvents: 1, at: at(3) },
      { id: mainBranch, label: 'original', ownEvents: 9 },
      { id: branchId('b-c'), label: 'c', ownEvents: 1, at: at(2) },
    ];
    expect(branchesToOptions(made, { 'b-c': 'mine' }, (time) => time.slice(8, 10)).map(({ label }) => label)).toEqual([
      'original',
      'edit · 03 · b-b',
      'mine · 02 · b-c',
      'edit · 01 · b-a',
    ]);
  });
});
