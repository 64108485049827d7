/** The overview as a list is made when it is opened, and not with each move of the pointer over the canvas. */
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { eventId, mainBranch } from '../../core/model/index.ts';
import type { Overview } from '../../core/projections/trace-reader.ts';
import type { TraceId } from '../../data/index.ts';
import { type Explorer, noFilter } from './explorer.ts';
import { OverviewList } from './OverviewList.tsx';

afterEach(cleanup);

function unused(): never {
  throw new Error('not used by this test');
}

describe('OverviewList', () => {
  it('counts no bins before it is opened', () => {
    let counted = 0;
    const overview: Overview = {
      ...{ length: 4, buckets: 2, hidden: 0 },
      marks: [{ kind: 'kill', bucket: 1, label: 'worker w1 was killed', event: eventId('k') }],
      lanes: [
        {
          ...{ id: 'a', label: 'planner', kind: 'agent' },
          get bins() {
            counted++;
            return [{ bucket: 0, count: 3, family: 'tool', errors: 0, effects: 1, first: eventId('e') }] as const;
          },
        },
      ],
    };
    const explorer: Explorer = {
      // Cast: the brand factory is in platform/storage, which views do not import.
      ...{ trace: 't-1' as TraceId, branch: mainBranch, filter: noFilter, event: undefined, isChoosing: false },
      ...{ finding: undefined, edit: undefined, edited: undefined, overlay: undefined },
      select: unused,
      clearFilter: unused,
      showPanel: unused,
      showFinding: unused,
      takeEditFocus: () => false,
      titleOf: (id) => id,
    };
    const list = <OverviewList overview={overview} explorer={explorer} />;
    render(list).rerender(list);
    expect(screen.getByRole('button', { name: 'Overview as a list' })).toBeDefined();
    expect(counted).toBe(0);
  });
});
