/**
 * What the page remembers on this machine and a link should not carry: theme, keys, sizes and folds of panes.
 *
 * Invariant: losing it loses nothing but comfort, so damaged or foreign content of the store is dropped in silence, and
 * a refused write (private mode, full disk) is no failure. Versioned like everything that outlives a page.
 */
import { create } from 'zustand';

export type Theme = 'system' | 'light' | 'dark';

export interface Preferences {
  readonly theme: Theme;
  /** Single-letter keys; the palette and keys with Ctrl or Cmd always work. */
  readonly letterKeys: boolean;
  /** Share of a split that its first pane takes, 0 to 1, by the name of the split. */
  readonly splits: Readonly<Record<string, number>>;
  /** Parts that are folded away, by name. */
  readonly folded: Readonly<Record<string, boolean>>;
  /** Texts of the filter box that the person keeps, the latest first. */
  readonly savedFilters: readonly string[];
}

const defaults: Preferences = { theme: 'system', letterKeys: true, splits: {}, folded: {}, savedFilters: [] };
/** The oldest goes when one more is kept. */
const mostSavedFilters = 30;
const storageKey = 'hindcast.preferences.v1';

function isRecordOf<T>(value: unknown, isMember: (member: unknown) => member is T): value is Record<string, T> {
  return typeof value === 'object' && value !== null && Object.values(value).every(isMember);
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < 1;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

/** Stored text to preferences; what is missing or of the wrong shape becomes the default. */
export function textToPreferences(text: string | undefined): Preferences {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? '{}');
  } catch {
    return defaults; // Another program's text under our key: comfort only, nothing to report.
  }
  if (typeof stored !== 'object' || stored === null) return defaults;
  const field = (name: string): unknown => new Map<string, unknown>(Object.entries(stored)).get(name);
  const theme = field('theme');
  const splits = field('splits');
  const folded = field('folded');
  const savedFilters = field('savedFilters');
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    letterKeys: field('letterKeys') !== false,
    splits: isRecordOf(splits, isShare) ? splits : {},
    folded: isRecordOf(folded, isFlag) ? folded : {},
    savedFilters: Array.isArray(savedFilters) ? savedFilters.filter(isText).slice(0, mostSavedFilters) : [],
  };
}

function load(): Preferences {
  try {
    return textToPreferences(globalThis.localStorage.getItem(storageKey) ?? undefined);
  } catch {
    return defaults; // Storage is switched off for this page.
  }
}

function save(preferences: Preferences): void {
  try {
    globalThis.localStorage.setItem(storageKey, JSON.stringify(preferences));
  } catch {
    // Storage is switched off or full: the choice holds until the page is closed.
  }
}

export const usePreferences = create<Preferences>(() => load());
usePreferences.subscribe(save);

export function setTheme(theme: Theme): void {
  usePreferences.setState({ theme });
}

export function setLetterKeys(letterKeys: boolean): void {
  usePreferences.setState({ letterKeys });
}

export function setSplit(name: string, share: number): void {
  usePreferences.setState(({ splits }) => ({ splits: { ...splits, [name]: Math.min(0.95, Math.max(0.05, share)) } }));
}

export function setFolded(name: string, isFolded: boolean): void {
  usePreferences.setState(({ folded }) => ({ folded: { ...folded, [name]: isFolded } }));
}

/** Keeps a filter, or lets go of one that is kept. */
export function toggleSavedFilter(filter: string): void {
  usePreferences.setState(({ savedFilters }) => ({
    savedFilters: savedFilters.includes(filter)
      ? savedFilters.filter((saved) => saved !== filter)
      : [filter, ...savedFilters].slice(0, mostSavedFilters),
  }));
}
