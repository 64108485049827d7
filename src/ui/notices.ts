/**
 * What the page says by itself: short notices on screen, and the same and more in the polite live region.
 *
 * Invariant: nothing here asks for a decision and nothing here is the only place where a fact can be read.
 */
import { useSyncExternalStore } from 'react';

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: 'info' | 'problem';
  /** The trace it speaks of: it goes when the view of that trace is left. */
  readonly about?: string | undefined;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
  /** The page on which it was said, counted from the first. */
  readonly page: number;
}

interface Notices {
  readonly shown: readonly Notice[];
  readonly spoken: string;
}

const listeners = new Set<() => void>();
let state: Notices = { shown: [], spoken: '' };
let nextId = 1;
let page = 0;

function set(next: Notices): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Said to screen readers only: counts, progress, where the selection went. */
export function announce(text: string): void {
  if (text !== state.spoken) set({ ...state, spoken: text });
}

/** Shown for a while, a problem until dismissed, and said once. At most four are on screen; the oldest goes. */
export function notify(
  text: string,
  more: { readonly tone?: Notice['tone']; readonly about?: string; readonly action?: Notice['action'] } = {},
): number {
  const notice: Notice = {
    id: nextId,
    text,
    tone: more.tone ?? 'info',
    about: more.about,
    action: more.action,
    page,
  };
  nextId += 1;
  set({ shown: [...state.shown.filter((other) => other.text !== text), notice].slice(-4), spoken: text });
  return notice.id;
}

export function dismissNotice(id: number): void {
  set({ ...state, shown: state.shown.filter((notice) => notice.id !== id) });
}

export function dismissNoticesAbout(trace: string): void {
  if (state.shown.some(({ about }) => about === trace))
    set({ ...state, shown: state.shown.filter(({ about }) => about !== trace) });
}

/**
 * Another page is shown. What was said on the one before may be the answer to what led here, and stays; what was said earlier goes. A
 * problem stays until it is dismissed.
 */
export function dismissNoticesOfPagesBefore(): void {
  page += 1;
  const left = state.shown.filter((notice) => notice.tone === 'problem' || notice.page >= page - 1);
  if (left.length < state.shown.length) set({ ...state, shown: left });
}

export function useNotices(): Notices {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
