import { expect, it } from 'vitest';
import { ignoredOptions } from './usage.ts';

it('names the options a command does not take, and takes no inherited name for a command', () => {
  expect(ignoredOptions('check', ['run', 'json'])).toBe('check does not take --run. Leave it out.');
  expect(ignoredOptions('check', ['format'])).toBeUndefined();
  for (const word of ['constructor', '__proto__', 'toString']) expect(ignoredOptions(word, ['run'])).toBeUndefined();
});
