import { describe, expect, it } from 'vitest';
import { branchId, eventFamily, eventId, knownEventTypes } from '../../core/model/index.ts';
import { branchStatuses } from '../../ui/Chip.tsx';
import { legendIds } from '../../ui/Legend.tsx';
import { drawnMarks } from './drawn-marks.ts';
import { marksToOverlay } from './overlay.ts';

const eventFamilies = [...new Set(knownEventTypes.map(eventFamily)), 'unknown'];

describe('the legend', () => {
  it.each(Object.entries(drawnMarks))('has every mark of %s', (_, table) => {
    for (const id of Object.values(table)) expect(legendIds).toContain(id);
  });

  it('has every family of events, and every status of a record on a branch, inherited ones too', () => {
    for (const family of eventFamilies) expect(legendIds).toContain(`family:${family}`);
    for (const status of branchStatuses) expect(legendIds).toContain(`branch:${status}`);
    const overlay = marksToOverlay({ parent: branchId('main'), onBranch: [], onParent: [] }, 'branch');
    expect(legendIds).toContain(`branch:${overlay.markOf(eventId('any'))?.word ?? ''}`);
  });

  it('shows nothing that is not drawn', () => {
    const drawn = new Set([
      ...Object.values(drawnMarks).flatMap((table) => Object.values(table)),
      ...eventFamilies.map((family) => `family:${family}`),
      ...branchStatuses.map((status) => `branch:${status}`),
      'branch:inherited',
    ]);
    for (const id of legendIds) expect(drawn).toContain(id);
  });
});
