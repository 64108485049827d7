import { render, renderHook } from '@testing-library/react';
import { act, createElement } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Notices } from './Notices.tsx';
import { dismissNoticesAbout, dismissNoticesOfPagesBefore, notify, useNotices } from './notices.ts';

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

  it('go with the page after the one they were said on; a problem stays', () => {
    const { result, unmount } = renderHook(() => useNotices());
    act(() => {
      notify('Saved on the first page.');
      notify('Not saved.', { tone: 'problem' });
      dismissNoticesOfPagesBefore();
      notify('Opened.');
      dismissNoticesOfPagesBefore();
    });
    const texts = result.current.shown.map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['Not saved.', 'Opened.']));
    expect(texts).not.toContain('Saved on the first page.');
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
