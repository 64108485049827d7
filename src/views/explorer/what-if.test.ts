import { expect, it } from 'vitest';
import { emptyDraft } from '../../state/replay-draft.ts';
import { isUsable } from './what-if.ts';

it('a draft is usable where everything typed is a value, and an error has a name and a message', () => {
  const step = (as: 'value' | 'error', text: string) => isUsable({ ...emptyDraft, steps: { 'w:1': { as, text } } });
  expect(isUsable(emptyDraft)).toBe(true);
  expect(step('value', '{"a": [1]}')).toBe(true);
  expect(step('value', '{"a": [1')).toBe(false);
  expect(step('value', '')).toBe(false);
  expect(step('error', '{"name":"E","message":"m"}')).toBe(true);
  expect(step('error', '{"name":"E"}')).toBe(false);
  expect(isUsable({ ...emptyDraft, input: '1 2' })).toBe(false);
});
