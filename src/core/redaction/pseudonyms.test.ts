import { describe, expect, it } from 'vitest';
import { createPseudonyms } from './pseudonyms.ts';

describe('pseudonyms', () => {
  it('R73 of different names are different, also where their first letters would be the same', () => {
    // Of four letters out of 27 about twenty of so many names are the same.
    const names = Array.from({ length: 5000 }, (_, n) => `name-${String(n)}`);
    const { of } = createPseudonyms('a secret');
    const given = names.map((name) => of('tools', 'tool', name));
    expect(new Set(given).size).toBe(names.length);
    expect(given.some((label) => label.length > 'tool-abcd'.length)).toBe(true);
    expect(names.map((name) => of('tools', 'tool', name))).toEqual(given);
    const other = createPseudonyms('another secret');
    expect(names.filter((name, n) => other.of('tools', 'tool', name) === given[n]).length).toBeLessThan(3);
  });
});
