import { describe, expect, it } from 'vitest';
import { textToPreferences } from './preferences.ts';

describe('preferences', () => {
  it('reads back what it wrote', () => {
    const written = { theme: 'dark', letterKeys: false, splits: { panes: 0.3 }, folded: { headline: true } };
    expect(textToPreferences(JSON.stringify(written))).toEqual(written);
  });

  it.each(['', '{', 'null', '7', '[]', '{"theme":"pink","splits":{"a":7},"folded":{"a":"yes"},"letterKeys":null}'])(
    'takes the defaults for %j',
    (text) => {
      expect(textToPreferences(text)).toEqual({ theme: 'system', letterKeys: true, splits: {}, folded: {} });
    },
  );

  it('starts with the defaults', () => {
    expect(textToPreferences(undefined)).toEqual({ theme: 'system', letterKeys: true, splits: {}, folded: {} });
  });
});
