/** A branch in the list, where it is one of a copy whose times are counted from zero. */
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { branchId, mainBranch } from '../../core/model/index.ts';
import { BranchRow } from './BranchRow.tsx';
import type { ReplaySession } from './session.ts';

afterEach(cleanup);

function unused(): never {
  throw new Error('not used by this test');
}

it('has no date made of zero', () => {
  const operation = {
    ...{ base: mainBranch, run: undefined, kind: 'edit', actor: undefined, reason: undefined },
    ...{ at: '1970-01-03T00:00:05Z', changed: [], supplied: [], counts: {}, request: unused },
  };
  render(
    <BranchRow
      entry={{
        ...{ branch: { id: branchId('b-1'), label: 'edit', ownEvents: 3 }, operation },
        ...{ id: branchId('b-1'), created: '', parent: undefined, name: undefined, record: undefined },
      }}
      // Cast: of the session the row looks at these two.
      session={{ branch: mainBranch, state: { status: 'idle' } } as ReplaySession}
      acts={{
        ...{ onOpen: unused, onBase: unused, onCompare: unused, onRename: unused, onSave: unused, onDelete: unused },
      }}
    />,
  );
  expect(screen.getByText('2 days and 00:00:05 from the beginning')).toBeDefined();
});
