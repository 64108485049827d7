/** The theme in use, written on the root element where the tokens read it. */
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { type Theme, setTheme, usePreferences } from '../state/preferences.ts';

const darkQuery = '(prefers-color-scheme: dark)';

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(darkQuery);
  query.addEventListener('change', listener);
  return () => {
    query.removeEventListener('change', listener);
  };
}

export function resolveTheme(theme: Theme, systemIsDark: boolean): 'light' | 'dark' {
  if (theme === 'system') return systemIsDark ? 'dark' : 'light';
  return theme;
}

/** Syncs the root element with the person's choice and the system's. */
export function useTheme(): { readonly shown: 'light' | 'dark'; readonly toggle: () => void } {
  const theme = usePreferences((preferences) => preferences.theme);
  const systemIsDark = useSyncExternalStore(subscribe, () => window.matchMedia(darkQuery).matches);
  const shown = resolveTheme(theme, systemIsDark);
  useEffect(() => {
    document.documentElement.dataset['theme'] = shown;
  }, [shown]);
  const toggle = useCallback(() => setTheme(shown === 'dark' ? 'light' : 'dark'), [shown]);
  return { shown, toggle };
}
