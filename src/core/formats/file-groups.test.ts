import { describe, expect, it } from 'vitest';
import { type FileNames, groupFiles } from './file-groups.ts';

function file(names: string, seeks = ''): FileNames {
  const list = (text: string): Set<string> => new Set(text.split(' ').filter((part) => part !== ''));
  return { names: list(names), seeks: list(seeks) };
}

describe('files that belong together', () => {
  it('name one thing, or point at what another names, also over several files', () => {
    expect(groupFiles([file('a'), file('b'), file('a c'), file('d', 'c'), file('e', 'x')])).toEqual([
      [0, 2, 3],
      [1],
      [4],
    ]);
    expect(groupFiles([file('a', 'b'), file('c', 'd'), file('b', 'c'), file('d')])).toEqual([[0, 1, 2, 3]]);
  });

  it('a long chain of files is one group, in time that grows with its length', { timeout: 5000 }, () => {
    const chain = Array.from({ length: 50_000 }, (_, n) => file(`n${String(n)}`, `n${String(n + 1)}`));
    expect(groupFiles(chain)).toHaveLength(1);
    expect(groupFiles(chain.toReversed())).toHaveLength(1);
  });
});
