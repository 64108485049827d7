import { describe, expect, it } from 'vitest';
import { checkAgainstSchema, checkAgainstSeen } from './shape.ts';

const schema = {
  type: 'object',
  required: ['ticket', 'status'],
  properties: {
    ticket: { type: 'integer' },
    status: { enum: ['queued', 'done'] },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

describe('against a recorded schema', () => {
  it('finds nothing in a value that fits, and says what it checked', () => {
    const check = checkAgainstSchema({ ticket: 1, status: 'queued', tags: ['a'] }, schema, 'tickets.create');
    expect(check).toEqual({ basis: 'the schema recorded for tickets.create', problems: [] });
  });

  it('names the place of a wrong type, a missing member and a wrong choice', () => {
    expect(checkAgainstSchema({ ticket: 'x', status: 'queued', tags: ['a', 2] }, schema, 't').problems).toEqual([
      '/ticket is text; the schema wants a whole number.',
      '/tags/1 is a whole number; the schema wants text.',
    ]);
    expect(checkAgainstSchema({ ticket: 1 }, schema, 't').problems).toEqual([
      'The value has no “status”, which the schema requires.',
    ]);
    expect(checkAgainstSchema({ ticket: 1, status: 'lost' }, schema, 't').problems).toEqual([
      '/status is none of "queued", "done".',
    ]);
  });

  it('says what it does not understand', () => {
    expect(checkAgainstSchema('a', { type: 'string', pattern: '^b' }, 't').basis).toContain('not checked: pattern');
  });
});

describe('against the shapes seen', () => {
  const seen = [
    { until: '2025', extended: false, list: [{ a: 1 }] },
    { until: '2026', list: [] },
  ];

  it('accepts what was seen, and members that only some values have', () => {
    expect(checkAgainstSeen({ until: '2027', list: [{ a: 2.5 }] }, seen, 'x').problems).toEqual([]);
  });

  it('names another type, a member that is always there, and one that never is', () => {
    expect(checkAgainstSeen({ until: 2027, list: [{ a: '1' }], more: true }, seen, 'x').problems).toEqual([
      'The value has “more”, which no recorded value has.',
      '/list/0/a is text; on record it is a number.',
      '/until is a number; on record it is text.',
    ]);
    expect(checkAgainstSeen({ until: '2027' }, seen, 'x').problems).toEqual([
      'The value has no “list”, which every recorded value has.',
    ]);
  });

  it('says that no schema was recorded', () => {
    expect(checkAgainstSeen(1, [2], 'x').basis).toBe('the one value seen of x; no schema was recorded');
  });
});
