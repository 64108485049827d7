import { describe, expect, it } from 'vitest';
import { controlsToEscapes, lineToShown, nameProblem, nameToShown, passageToShown } from './shown-text.ts';

const longestName = 200;

describe('text that others wrote', () => {
  it('shows what would be obeyed, and nothing else is changed', () => {
    expect(controlsToEscapes('a\u001b[2Jb\tc\nd\u202egpj.exe\u2066x\u200f')).toBe(
      'a\\u001b[2Jb\tc\nd\\u202egpj.exe\\u2066x\\u200f',
    );
    for (const fine of ['Zürich · “run” 7', 'שלום', '👩‍💻 run', '実行']) expect(nameToShown(fine)).toBe(fine);
    expect(lineToShown('a\r\nb\u2028c')).toBe('a b c');
  });

  it('cuts a name at its longest, between characters', () => {
    expect(nameToShown(`  ${'n'.repeat(longestName)} `)).toBe('n'.repeat(longestName));
    expect(nameToShown('👩'.repeat(1_000_000))).toBe(`${'👩'.repeat(longestName - 1)}…`);
    expect(nameProblem('👩'.repeat(longestName))).toBeUndefined();
    expect(nameProblem('n'.repeat(1_200))).toBe('A name has at most 200 characters; this one has 1,200.');
  });

  it('R145 R146 cuts a line and a passage of megabytes between characters, and keeps the end that tells paths apart', () => {
    const line = lineToShown(`/write:${'👩'.repeat(1_000_000)}#0`);
    expect(line).toMatch(/^\/write:👩+…👩+#0$/u);
    expect(line.length).toBeLessThanOrEqual(1500);
    expect(lineToShown('p'.repeat(1500))).toBe('p'.repeat(1500));
    const passage = passageToShown(`a\n\u202e${'x'.repeat(9_000_000)}\u202eend`);
    expect(passage).toMatch(/^a\n\\u202ex+…x+\\u202eend$/);
    expect(passage.length).toBeLessThan(4100);
  });
});
