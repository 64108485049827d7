import { describe, expect, it } from 'vitest';
import { textToPreferences, toggleSavedFilter, usePreferences } from './preferences.ts';

const defaults = { theme: 'system', letterKeys: true, splits: {}, folded: {}, savedFilters: [] };

describe('preferences', () => {
  it('reads back what it wrote', () => {
    const written = {
      theme: 'dark',
      letterKeys: false,
      splits: { panes: 0.3 },
      folded: { headline: true },
      savedFilters: ['status:failed'],
    };
    expect(textToPreferences(JSON.stringify(written))).toEqual(written);
  });

  it.each(['', '{', 'null', '7', '[]', '{"theme":"pink","splits":{"a":7},"folded":{"a":"yes"},"letterKeys":null}'])(
    'takes the defaults for %j',
    (text) => {
      expect(textToPreferences(text)).toEqual(defaults);
    },
  );

  it('keeps a filter until it is let go', () => {
    toggleSavedFilter('agent:a');
    toggleSavedFilter('agent:b');
    expect(usePreferences.getState().savedFilters).toEqual(['agent:b', 'agent:a']);
    toggleSavedFilter('agent:b');
    expect(usePreferences.getState().savedFilters).toEqual(['agent:a']);
  });

  it('starts with the defaults', () => {
    expect(textToPreferences(undefined)).toEqual(defaults);
  });
});
