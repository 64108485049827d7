import { describe, expect, it } from 'vitest';
import { computeProblemList, type ImportProblem } from './problem-rows.ts';

describe('R67 the list of problems', () => {
  it('tells damage of an archive before the damaged lines that come of it, and notices last', () => {
    const problem = (code: string, severity: ImportProblem['severity'] = 'problem'): ImportProblem => {
      return { code, message: code, severity };
    };
    const told = [problem('utf-16', 'notice'), problem('damaged-line'), problem('archive-damaged')];
    expect(computeProblemList(told, []).map(({ code }) => code)).toEqual(['archive-damaged', 'damaged-line', 'utf-16']);
  });
});
