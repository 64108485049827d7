import { expect, it } from 'vitest';
import { closedPolicy, valueClasses } from '../../core/redaction/index.ts';
import { policyToSummary } from './policy-words.ts';

it('calls a policy closed only where neither a class nor the times are kept', () => {
  const of = valueClasses.length + 1;
  expect(policyToSummary(closedPolicy)).toBe('closed: nothing is kept');
  expect(policyToSummary({ ...closedPolicy, times: 'keep' })).toBe(`1 of ${of} kept as recorded`);
  const [first] = valueClasses;
  const classes = { ...closedPolicy.classes, [first.id]: 'keep' as const };
  expect(policyToSummary({ ...closedPolicy, classes, times: 'keep' })).toBe(`2 of ${of} kept as recorded`);
});
