import { expect, it } from 'vitest';
import { expiryProblem } from './expires.ts';

it('refuses a day that is over, and takes the one that still runs', () => {
  const now = '2026-11-30T12:00:00.000Z';
  expect(expiryProblem('2026-11-29', now)).toContain('is over');
  expect(expiryProblem('2026-11-30', now)).toBeUndefined();
  expect(expiryProblem('', now)).toBeUndefined();
});
