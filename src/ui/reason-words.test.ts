import { describe, expect, it } from 'vitest';
import { reasonToWords, reasonsToSteps } from './reason-words.ts';

describe('reasons in words', () => {
  it('R39 a step of a child, and the last step of a path that was cut, read as words', () => {
    expect(reasonToWords('inside')).toBe('holds');
    expect(reasonToWords('consumed (1 step before it is left out)')).toBe('(1 step before it is left out) used');
    expect(reasonToWords('consumed (36 steps before it are left out)')).toBe('(36 steps before it are left out) used');
    expect(reasonToWords('some_other-word')).toBe('some other word');
  });
});

it('a path is never empty: the answer to a request is a step where it is all that is told', () => {
  expect(reasonsToSteps([{ as: 'result_of' }, { as: 'used' }, { as: 'result_of' }, { as: 'input' }])).toEqual([
    { as: 'used' },
    { as: 'input' },
  ]);
  expect(reasonsToSteps([{ as: 'result_of' }])).toEqual([{ as: 'result_of' }]);
});
