import { describe, expect, it } from 'vitest';
import { eventId } from '../../core/model/index.ts';
import { misfitsToSentence, orphansToSentence } from './result-words.ts';

function orphan(path: string, id: string) {
  const name = 'tickets.create';
  return { path, kind: 'write', name, reasons: [], effects: [{ event: eventId(id), kind: 'ticket', id }] };
}

describe('effects the world has', () => {
  const both = [orphan('/write:a#0', '9107'), orphan('/write:b#0', '9108')];

  it('R45 are told apart: where the branch waits, and what it has not reached or does not ask for', () => {
    expect(orphansToSentence(both, new Set(['/write:a#0']), false)).toBe(
      'The world has ticket 9107, recorded of tickets.create: the branch asks for that otherwise, and waits there. The world has ticket 9108, and the branch has not reached it. No replay takes that back.',
    );
    expect(orphansToSentence(both, new Set(), true)).toBe(
      'The world has ticket 9107, ticket 9108, and the branch does not ask for them. No replay takes that back.',
    );
  });
});

describe('supplied answers that fit nothing recorded', () => {
  it('are counted and named, those that fit are not', () => {
    const warnings = [
      'The supplied value for /read:a#0: "x" is missing. Checked against the schema.',
      'Another thing.',
    ];
    const supply = [{ path: '/read:a#0' }, { path: '/read:a' }, { path: '/read:b#0' }];
    expect(misfitsToSentence({ warnings }, supply)).toBe(
      '1 supplied answer does not fit what is recorded of such answers: /read:a#0. Why stands under “Assumed”.',
    );
    expect(misfitsToSentence({ warnings: [] }, supply)).toBeUndefined();
  });
});
