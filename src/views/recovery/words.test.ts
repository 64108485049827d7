/** What the head of a trial says it was. */
import { expect, test } from 'vitest';
import { trialToText } from './words.ts';

const control = { arm: 'control', armBasis: 'inferred', design: 'sweep', designBasis: 'inferred' } as const;

test('a control has no design of kills; what was struck has one, and where', () => {
  const none = { placements: [], faults: [], repeat: undefined };
  expect(trialToText({ ...control, ...none })).toBe('control, no fault (inferred)');
  expect(trialToText({ ...control, ...none, arm: 'faulted', armBasis: 'recorded', repeat: 2 })).toBe(
    'faulted · one kill, placed on purpose (inferred) · repeat 2 · no fault on record',
  );
});
