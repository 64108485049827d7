import { expect, it } from 'vitest';
import { kindToFamily, kindToWords } from './kinds.ts';

it('knows its kinds, and shows any other as it is written', () => {
  expect([kindToFamily('model'), kindToWords('write')]).toEqual(['model', 'external effect']);
  for (const kind of ['constructor', '__proto__']) {
    expect([kindToFamily(kind), kindToWords(kind)]).toEqual(['unknown', kind]);
  }
});
