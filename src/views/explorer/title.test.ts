import { expect, it } from 'vitest';
import { titleOverText, titleToRead } from './title.ts';

it('parts a recorded value from what happened, and leaves sentences whole', () => {
  expect(titleToRead('customers.lookup returned: {id: "C-1"}')).toEqual({
    name: 'customers.lookup returned',
    value: '{id: "C-1"}',
  });
  expect(titleToRead('run completed: [1, 2]').name).toBe('run completed');
  expect(titleToRead('mail failed: no route')).toEqual({ name: 'mail failed: no route', value: undefined });
});

it('leaves to the text what the title says of it, and keeps what stands behind', () => {
  const long = 'I help you create an app by breaking it into parts.';
  expect(titleOverText('finch answered: I help you create an… (16 tokens in, 2 out)', long)).toBe(
    'finch answered (16 tokens in, 2 out)',
  );
  expect(titleOverText('user said: Plan it', '## Plan\n  it, and build it')).toBe('user said');
  expect(titleOverText('finch answered: It works (now)', 'assistant: It works (now)')).toBe('finch answered');
  expect(titleOverText('prompt received: /orchestrate x', '<command-name>/orchestrate')).toBe(
    'prompt received: /orchestrate x',
  );
  expect(titleOverText('mail returned: {id: 1}', '{"id": 1}')).toBe('mail returned');
  expect(titleOverText('step plan started', 'plan')).toBe('step plan started');
  // Of an answer with a value in it the amounts stay too.
  expect(titleOverText('finch answered: It says: {a: 1} (16 tokens in, 2 out)', 'It says: {a: 1}')).toBe(
    'finch answered (16 tokens in, 2 out)',
  );
  expect(titleOverText('finch answered: {a: 1} (16 tokens in, 2 out)', '{a: 1}')).toBe(
    'finch answered (16 tokens in, 2 out)',
  );
});
