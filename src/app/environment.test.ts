import { expect, it } from 'vitest';
import { environmentToLimitations } from './environment.ts';
import { resolveTheme } from './theme.ts';

it('explains what a place takes away, and nothing where it takes nothing', () => {
  expect(environmentToLimitations({ isSecureContext: true, hasDatabase: true })).toEqual([]);
  const both = environmentToLimitations({ isSecureContext: false, hasDatabase: false });
  expect(both.map(({ id }) => id)).toEqual(['insecure', 'no-database']);
  expect(both[0]?.text).toContain('no share can be made or opened');
});

it('follows the system unless the person chose', () => {
  expect([resolveTheme('system', true), resolveTheme('system', false), resolveTheme('light', true)]).toEqual([
    'dark',
    'light',
    'light',
  ]);
});
