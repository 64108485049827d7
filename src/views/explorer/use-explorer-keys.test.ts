import { describe, expect, it } from 'vitest';
import { eventId, mainBranch } from '../../core/model/index.ts';
import type { EventRow, RowPage } from '../../core/projections/trace-reader.ts';
import { computeNeighbours } from './use-explorer-keys.ts';

function row(id: string): EventRow {
  return {
    id: eventId(id),
    type: 'worker.started',
    family: 'unknown',
    title: id,
    source: 'worker',
    branch: mainBranch,
    failed: false,
    effect: false,
    findings: 0,
    problems: 0,
  };
}

const page: RowPage = { total: 9, from: 4, rows: ['d', 'e', 'f'].map(row), hidden: 0 };

describe('computeNeighbours', () => {
  it('are the rows before and after the selected one', () => {
    expect(computeNeighbours(5, page)).toEqual({ previous: 'd', next: 'f' });
  });

  it('are none while the row of a new selection is being asked for: a key held down must not go back to the first event', () => {
    expect(computeNeighbours(undefined, { ...page, from: 0 })).toEqual({ previous: undefined, next: undefined });
    expect(computeNeighbours(5, undefined)).toEqual({ previous: undefined, next: undefined });
  });

  it('begin with the first row where nothing is selected', () => {
    expect(computeNeighbours(-1, { ...page, from: 0 })).toEqual({ previous: undefined, next: 'd' });
  });
});
