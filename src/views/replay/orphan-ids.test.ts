import { describe, expect, it } from 'vitest';
import { eventId } from '../../core/model/index.ts';
import type { OrphanEffect } from '../../core/replay/report-types.ts';
import { orphanIdsIn, orphanIdsToSentence } from './orphan-ids.ts';

function orphan(id: string): OrphanEffect {
  return {
    path: '/write:tickets.create#0',
    kind: 'write',
    name: 'tickets.create',
    reasons: [],
    effects: [{ event: eventId('e'), id }],
  };
}

describe('an answer that speaks of what the branch does not have', () => {
  it('names the effect by its id, as text or number, at any depth', () => {
    const orphans = [orphan('9107'), orphan('mail-301')];
    expect(orphanIdsIn({ ticket: '9107', of: [{ mail: 'mail-301' }] }, orphans)).toEqual(['mail-301', '9107']);
    expect(orphanIdsIn({ ticket: 9107 }, orphans)).toEqual(['9107']);
    expect(orphanIdsIn({ ticket: '9108', text: 'about 9107' }, orphans)).toEqual([]);
    expect(orphanIdsIn({ ticket: '9107' }, [])).toEqual([]);
  });

  it('is told as what it is', () => {
    expect(orphanIdsToSentence(['9107'])).toContain('It names 9107: an effect of the recorded request');
  });
});
