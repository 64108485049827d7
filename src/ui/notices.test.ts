import { render, renderHook } from '@testing-library/react';
import { act, createElement } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Notices } from './Notices.tsx';
import { dismissNoticesAbout, notify, useNotices } from './notices.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('notices', () => {
  it('about a trace go with its view, and no others', () => {
    const { result, unmount } = renderHook(() => useNotices());
    act(() => {
      notify('“a” has 4 problems.', { about: 'a' });
      notify('“b” has 1 problem.', { about: 'b' });
      notify('Saved.');
      dismissNoticesAbout('a');
    });
    expect(result.current.shown.map(({ text }) => text)).toEqual(['“b” has 1 problem.', 'Saved.']);
    unmount();
  });

  it('go by themselves, but not while their button has the focus', () => {
    vi.useFakeTimers();
    const page = render(createElement(Notices));
    act(() => {
      notify('Opened.', { action: { label: 'Show it', run: () => undefined } });
    });
    const button = page.getByRole('button', { name: 'Show it' });
    act(() => {
      button.focus();
    });
    act(() => {
      vi.advanceTimersByTime(60_000);
    });
    expect(page.queryByRole('button', { name: 'Show it' })).not.toBeNull();
    act(() => {
      button.blur();
    });
    act(() => {
      vi.advanceTimersByTime(60_000);
    });
    expect(page.queryByRole('button', { name: 'Show it' })).toBeNull();
    page.unmount();
  });
});
