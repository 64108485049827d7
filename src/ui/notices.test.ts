import { renderHook } from '@testing-library/react';
import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { dismissNoticesAbout, notify, useNotices } from './notices.ts';

describe('notices', () => {
  it('about a trace go with its view, and no others', () => {
    const { result } = renderHook(() => useNotices());
    act(() => {
      notify('“a” has 4 problems.', { about: 'a' });
      notify('“b” has 1 problem.', { about: 'b' });
      notify('Saved.');
      dismissNoticesAbout('a');
    });
    expect(result.current.shown.map(({ text }) => text)).toEqual(['“b” has 1 problem.', 'Saved.']);
  });
});
