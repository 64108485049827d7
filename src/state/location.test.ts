import { describe, expect, it } from 'vitest';
import { branchId, eventId, mainBranch } from '../core/model/ids.ts';
import { branchChange, changeLocation, leftExtra, traceLocation } from './location.ts';

describe('a change of the branch', () => {
  it('R42 lets go of the selected event and keeps it as the one that was left', () => {
    const at = { ...traceLocation('t'), branch: branchId('b-1'), event: eventId('b-1:3') };
    const to = changeLocation(at, branchChange(at, mainBranch));
    expect(to).toMatchObject({ branch: mainBranch, event: undefined, extra: { [leftExtra]: 'b-1:3' } });
    // Before the new selection is found another branch may be chosen.
    expect(changeLocation(to, branchChange(to, branchId('b-2'))).extra[leftExtra]).toBe('b-1:3');
  });

  it('is none where the branch is the one that is shown', () => {
    const at = { ...traceLocation('t'), event: eventId('e') };
    expect(changeLocation(at, branchChange(at, mainBranch))).toEqual(at);
  });
});
