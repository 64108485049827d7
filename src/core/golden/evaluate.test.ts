import { expect, it } from 'vitest';
import { evaluateProperty } from './evaluate.ts';

it('L6 L7 R82 what may differ and was not reached is not decided; a run that ended has decided it', () => {
  const seen = {
    commands: [],
    command: () => undefined,
    countSame: () => 0,
    state: () => undefined,
    stateNames: () => [],
    transitions: () => [],
  };
  const status = (ended: boolean): string =>
    evaluateProperty(
      { id: 'd', kind: 'decision', target: '/decide:act#0', expected: 1 },
      { seen: { ...seen, ended }, findings: [], exempt: new Set(['d']) },
    ).status;
  expect([status(false), status(true)]).toEqual(['not-decided', 'exempt']);
});
