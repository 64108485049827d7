import { expect, it } from 'vitest';
import { withoutEnd } from './text-end.ts';

it('takes marks away at the end and nowhere else', () => {
  expect(withoutEnd('a.b. . ', '. ')).toBe('a.b');
  expect(withoutEnd('...', '.')).toBe('');
  expect(withoutEnd('', '.')).toBe('');
  expect(withoutEnd('a', '')).toBe('a');
});
