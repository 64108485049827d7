import { describe, expect, it } from 'vitest';
import { createSeenIds, fingerprint } from './seen.ts';

describe('seen ids', () => {
  it('R68 tells new, same and other records of many ids', () => {
    const seen = createSeenIds();
    const count = 50_000;
    let fresh = 0;
    for (let n = 0; n < count; n++) {
      if (seen.add(`id-${n}`, `text ${n}`, { file: 0, line: n + 1 }).kind === 'new') fresh++;
    }
    expect(fresh).toBe(count);
    for (let n = 0; n < count; n += 997) {
      expect(seen.add(`id-${n}`, `text ${n}`, { file: 1, line: 1 })).toEqual({
        kind: 'same',
        first: { file: 0, line: n + 1 },
      });
      expect(seen.add(`id-${n}`, 'else', { file: 1, line: 1 })).toEqual({
        kind: 'other',
        first: { file: 0, line: n + 1 },
      });
    }
  });

  it('a text that differs in any one place, or in its end, is another', () => {
    const seen = createSeenIds();
    const text = 'the quick brown fox jumps over the lazy dog';
    seen.add('id', text, { file: 0, line: 1 });
    const changed = Array.from(text, (_char, at) => `${text.slice(0, at)}#${text.slice(at + 1)}`);
    for (const other of [...changed, `${text}\0`, text.slice(0, -1), text.slice(1)]) {
      expect(seen.add('id', other, { file: 0, line: 2 }).kind).toBe('other');
    }
    expect(seen.add('id', `${text.slice(0, 9)}${text.slice(9)}`, { file: 0, line: 2 }).kind).toBe('same');
  });

  it('fingerprints differ for texts that differ little', () => {
    const prints = new Set(Array.from({ length: 20_000 }, (_, n) => fingerprint(`{"n":${n}}`)));
    expect(prints.size).toBe(20_000);
  });
});
