import { expect, it } from 'vitest';
import { titleToRead } from './title.ts';

it('parts a recorded value from what happened, and leaves sentences whole', () => {
  expect(titleToRead('customers.lookup returned: {id: "C-1"}')).toEqual({
    name: 'customers.lookup returned',
    value: '{id: "C-1"}',
  });
  expect(titleToRead('run completed: [1, 2]').name).toBe('run completed');
  expect(titleToRead('mail failed: no route')).toEqual({ name: 'mail failed: no route', value: undefined });
});
