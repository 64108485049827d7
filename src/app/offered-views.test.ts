import { describe, expect, it } from 'vitest';
import { offeredViews } from './offered-views.ts';

describe('the views of a trace', () => {
  const of = (format: string | undefined, holdsTrial: boolean, isCopy = false) =>
    offeredViews({ isCopy, holdsTrial, record: format === undefined ? undefined : { format } });

  it('R106 offer recovery for a trial of any format, and until the library has told what it is for none', () => {
    expect(of('hindcast', true)).toContain('recovery');
    expect(of(undefined, true)).toContain('recovery');
    expect(of(undefined, false)).not.toContain('recovery');
  });

  it("R100 offer recovery for engines' own tables, which hold no trial", () => {
    expect(of('recovery-lab', false)).toContain('recovery');
  });

  it('R106 offer none for a stream without a trial, nor for a copy', () => {
    expect(of('hindcast', false)).not.toContain('recovery');
    expect(of('claude-code', false)).toEqual(expect.arrayContaining(['explore', 'replay', 'share']));
    expect(of('hindcast', true, true)).toEqual(['explore']);
  });
});
