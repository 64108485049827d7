import { expect, it } from 'vitest';
import { lookedToSentence } from './empty-words.ts';

it('calls the library empty only where it is', () => {
  expect([0, 1, 2].map((looked) => lookedToSentence(looked, true))).toEqual([
    'None of the chosen traces is in the library of this browser.',
    'The chosen trace holds none.',
    'None of the 2 chosen traces holds one.',
  ]);
  expect([0, 1, 2].map((looked) => lookedToSentence(looked, false))).toEqual([
    'The library of this browser is empty.',
    'The one trace in the library holds none.',
    'None of the 2 traces in the library holds one.',
  ]);
});
