import { expect, it } from 'vitest';
import { drawView } from '../testing/drawn-view.ts';
import { stepToWords } from './step-words.ts';

it.each([
  ['plan', 'step plan'],
  ['/step:open-ticket#0', 'step open-ticket'],
  ['step-zzkz', 'step-zzkz'],
  ['stepwise', 'step stepwise'],
])('the step %s is told as %s', (step, words) => {
  expect(stepToWords(drawView(`worker step=${step}:\n  a decision.made {"chosen":1}`), 0)).toBe(words);
});
