import { describe, expect, it } from 'vitest';
import { isJudgeable } from './judgeable.ts';

describe('judging as a recovery trial', () => {
  it('R106 is offered for a stream with a trial, and for one of which nobody noted whether it has one', () => {
    expect(isJudgeable({ format: 'hindcast', holdsTrial: true })).toBe(true);
    expect(isJudgeable({ format: 'hindcast' })).toBe(true);
  });

  it('R106 is not offered for a stream without a trial, nor for a format that has none', () => {
    expect(isJudgeable({ format: 'hindcast', holdsTrial: false })).toBe(false);
    expect(isJudgeable({ format: 'claude-code' })).toBe(false);
    expect(isJudgeable(undefined)).toBe(false);
  });

  it("R100 is offered for engines' own tables, which hold no trial", () => {
    expect(isJudgeable({ format: 'recovery-lab', holdsTrial: false })).toBe(true);
  });
});
