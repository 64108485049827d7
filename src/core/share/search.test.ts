import { describe, expect, it } from 'vitest';
import { findInTexts, leavesToTexts } from './search.ts';

function find(values: object, sought: string, around: readonly string[] = []) {
  return findInTexts(leavesToTexts({ text: `${JSON.stringify(values)}\n`, around }), sought);
}

describe('a text looked for in what leaves', () => {
  it('is found where JSON escapes it, in names, numbers and base64, and in title and note', () => {
    for (const [value, sought] of [
      ['C:\\Users\\bob', 'C:\\Users\\bob'],
      ['say "hi"', 'say "hi"'],
      ['one\ntwo', 'one\ntwo'],
      [{ 'müller "x"': 1 }, 'MÜLLER "X"'],
      [8421, '842'],
      [btoa('the secret of bob'), 'secret of Bob'],
      ['a\u2028b', 'a\u2028b'],
      ['token-k7(q]d', 'TOKEN-k7(q]D'],
    ] as const) {
      expect(find({ data: [value] }, sought).count, sought).toBe(1);
    }
    expect(find({}, 'for Bob', ['Copy for bob', 'a note']).matches).toEqual([
      { path: [], before: 'Copy ', text: 'for bob', after: '' },
    ]);
    expect(find({ a: { b: 1 } }, '{"b":1}').count).toBe(1);
    expect(find({ a: 'x.y' }, 'x?y').count).toBe(0);
  });

  it('shows what was found in its place, whatever stands before it', () => {
    expect(find({ a: 'İİİ the token' }, 'TOKEN').matches).toEqual([
      { path: ['a'], before: 'İİİ the ', text: 'token', after: '' },
    ]);
  });

  it('says in which record and member each was found, so that a person can judge it', () => {
    const record = { id: 'e-1', type: 'tool_call.completed' };
    const found = find({ ...record, mono: 668421, data: { result: [{ ticket: 'no 8421' }], t8421: true } }, '8421');
    expect(found.matches.map(({ path, isName, record: of }) => [path?.join('.'), isName, of?.id])).toEqual([
      ['data.t8421', true, 'e-1'],
      ['data.result.ticket', undefined, 'e-1'],
      ['mono', undefined, 'e-1'],
    ]);
    const [across] = find({ ...record, a: { b: 1 } }, '{"b":1}').matches;
    expect([across?.record, across?.path]).toEqual([record, undefined]);
  });

  it('counts up to a limit and keeps a few', () => {
    const found = find({ a: 'x'.repeat(5000) }, 'x');
    expect([found.count, found.isMore, found.matches.length]).toEqual([1000, true, 5]);
    expect(find({ a: 'yes' }, 'no')).toEqual({ count: 0, isMore: false, matches: [] });
  });
});
