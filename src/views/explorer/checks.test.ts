import { describe, expect, it } from 'vitest';
import type { Finding } from '../../core/projections/trace-reader.ts';
import { checkedToWords, checksToRows, nextFindingOf } from './checks.ts';

const checked = ['twice', 'key', 'gap', 'late'].map((rule) => ({ rule, title: rule, looksFor: `${rule}.` }));

function finding(rule: string, severity: Finding['severity'], subject: string): Finding {
  const id = `${rule}:${subject}`;
  return { id, rule, severity, title: id, text: id, evidence: [], known: [], unknown: [] };
}

describe('what was checked', () => {
  it('says of every rule what it found, those that found something first, gravest first', () => {
    const found = [finding('late', 'notice', 'a'), finding('gap', 'gap', 'b'), finding('gap', 'notice', 'c')];
    expect(checksToRows(checked, found).map(({ rule, found: ids, severity }) => [rule, ids, severity])).toEqual([
      ['gap', ['gap:b', 'gap:c'], 'gap'],
      ['late', ['late:a'], 'notice'],
      ['twice', [], undefined],
      ['key', [], undefined],
    ]);
  });

  it('leads from one finding of a rule to the next, and round', () => {
    expect(['x', 'a', 'b', undefined].map((shown) => nextFindingOf(['a', 'b'], shown))).toEqual(['a', 'b', 'a', 'a']);
  });
});

it('R74 says of a part of a branch how many checks it can decide, and never that the others ran', () => {
  const rule = (isOpen?: true) => ({ rule: 'r', title: 't', looksFor: 'l', isOpen });
  expect(checkedToWords([rule(), rule()])).toBe('2 checks ran');
  expect(checkedToWords([rule(true), rule(true)])).toBe('2 checks not decidable');
  expect(checkedToWords([rule(true), rule()])).toBe('1 of 2 checks decidable');
});
