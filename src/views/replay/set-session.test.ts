import { expect, it } from 'vitest';
import type { TraceId } from '../../data/index.ts';
import { textToChosen } from './set-session.ts';

it('the runs that the address names are chosen, those that are gone are left out', () => {
  // Cast: ids of the library, as the address has them.
  const traces = ['t-a', 't-b', 't-c'].map((id) => ({ id: id as TraceId }));
  expect([...(textToChosen('t-c t-a t-gone', traces) ?? [])]).toEqual(['t-a', 't-c']);
  expect(textToChosen(undefined, traces)).toBeUndefined();
});
