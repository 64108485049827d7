import { describe, expect, it } from 'vitest';
import { findTerm, glossary } from './glossary.ts';

describe('the glossary', () => {
  it('finds the first term of a text, as it is written there', () => {
    const text = 'process-kill injected at kill point 3, result uncertain';
    const found = findTerm(text);
    expect(found?.entry.term).toBe('kill point');
    expect(text.slice(found?.from, found?.to)).toBe('kill point 3');
    expect(findTerm('digest of arguments')?.entry.term).toBe('digest');
    expect(findTerm('nothing to explain')).toBeUndefined();
  });

  it('finds every term by its own pattern', () => {
    for (const { term, pattern } of glossary) {
      if (term === 'domain') continue;
      expect(pattern.test(term), term).toBe(true);
    }
  });
});
