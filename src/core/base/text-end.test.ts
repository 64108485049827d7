import { expect, it } from 'vitest';
import { behindLast, startOfEndDigits, withoutEnd } from './text-end.ts';

it('takes marks away at the end and nowhere else', () => {
  expect(withoutEnd('a.b. . ', '. ')).toBe('a.b');
  expect(withoutEnd('...', '.')).toBe('');
  expect(withoutEnd('', '.')).toBe('');
  expect(withoutEnd('a', '')).toBe('a');
});

it('gives what stands behind the last of several marks, or all of it', () => {
  expect(behindLast('codex.turn_context', '._')).toBe('context');
  expect(behindLast('context', '._')).toBe('context');
  expect(behindLast('context.', '._')).toBe('');
});

it('finds where the digits at the end begin', () => {
  expect(startOfEndDigits('log:12')).toBe(4);
  expect(startOfEndDigits('2024')).toBe(0);
  expect(startOfEndDigits('9-a')).toBe(3);
  expect(startOfEndDigits('')).toBe(0);
});
