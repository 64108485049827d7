import { expect, it } from 'vitest';
import { holesToLines } from './withheld-words.ts';

it('R74 tells what is withheld by class and reason, the largest group first', () => {
  const hole = (cls: 'results' | 'messages', reason: string) => ({ class: cls, reason });
  const lines = holesToLines([
    hole('messages', 'detected: e-mail'),
    ...Array.from({ length: 3 }, () => hole('results', 'withheld by the policy')),
  ]);
  expect(lines).toEqual([
    { count: 3, what: 'Tool results', why: 'withheld by the policy' },
    { count: 1, what: 'Message text', why: 'detected: e-mail' },
  ]);
});
