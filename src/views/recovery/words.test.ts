/** What the head of a trial says it was. */
import { expect, test } from 'vitest';
import type { Placement } from '../../core/recovery/index.ts';
import { killsToText, trialToText } from './words.ts';

const control = { arm: 'control', armBasis: 'inferred', design: 'sweep', designBasis: 'inferred' } as const;

test('a control has no design of kills; what was struck has one, and where', () => {
  const none = { placements: [], faults: [], repeat: undefined };
  expect(trialToText({ ...control, ...none })).toBe('control, no fault (inferred)');
  expect(trialToText({ ...control, ...none, arm: 'faulted', armBasis: 'recorded', repeat: 2 })).toBe(
    'faulted · one kill, placed on purpose (inferred) · repeat 2 · no fault on record',
  );
});

test('R109 a kill that is labelled otherwise than the records show is told with both', () => {
  const placement: Placement = {
    ordinal: 1,
    recordedOrdinal: undefined,
    claimed: '3',
    point: '4',
    candidates: [],
    verdict: 'contradicted',
    effect: '/write:x#0',
    effectBasis: 'inferred',
    alsoStruck: [],
    text: '',
    gap: { interval: '', lastRecord: undefined, expected: undefined, wording: 'absent', filledBy: [] },
    duringModelCall: false,
    signal: undefined,
    life: undefined,
    injected: 'e1',
    exited: undefined,
    events: [],
  };
  const told = (...placements: readonly Partial<Placement>[]): string =>
    killsToText({ arm: 'faulted', placements: placements.map((over) => ({ ...placement, ...over })), faults: [] });
  expect(told({})).toBe('kill labelled 3, records show 4 (acknowledged, not durable)');
  expect(told({ claimed: '4' })).toBe('kill labelled in two ways, records show 4 (acknowledged, not durable)');
  expect(told({ point: undefined })).toBe('kill labelled 3, records show another point');
  expect(told({ verdict: 'verified' }, { ordinal: 2 })).toBe(
    'killed at 4 (acknowledged, not durable), labelled 3, records show 4 (acknowledged, not durable)',
  );
});
