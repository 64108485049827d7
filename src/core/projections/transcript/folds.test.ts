import { expect, it } from 'vitest';
import { isSettingOrCount } from './folds.ts';

it('a setting or a count is told by the last word of its type', () => {
  expect(['codex.turn_context', 'codex.event.token_count', 'inspect.summaries', 'LIMIT'].every(isSettingOrCount)).toBe(
    true,
  );
  expect(['codex.context.turn', 'count.', ''].some(isSettingOrCount)).toBe(false);
});

it('a type of very many letters is looked at once, from its end', () => {
  expect(isSettingOrCount(`${'a'.repeat(1_000_000)}.`)).toBe(false);
  expect(isSettingOrCount(`${'a'.repeat(1_000_000)}.count`)).toBe(true);
});
