import { expect, it } from 'vitest';
import { typedToPerson, whyNotReplay, whyNotVerify } from './run-rules.ts';

it('says why nothing can be run: a replay that runs before a change that is missing', () => {
  const ready = { hasProgram: true, isRunning: false, changes: 1, isUsable: true };
  expect(whyNotReplay(ready)).toBeUndefined();
  expect(whyNotReplay({ ...ready, changes: 0 })).toBe('nothing is changed');
  expect(whyNotReplay({ ...ready, isUsable: false })).toBe('something typed is not a value');
  for (const state of [ready, { ...ready, changes: 0 }]) {
    expect(whyNotVerify(state)).toBeUndefined();
    expect(whyNotVerify({ ...state, isRunning: true })).toBe('a replay is running');
    expect(whyNotReplay({ ...state, isRunning: true })).toBe('a replay is running');
    expect(whyNotVerify({ ...state, hasProgram: false })).toBe('this trace has no control program');
  }
});

it('keeps a name as the access log does: cleaned, and none that it refuses', () => {
  expect(typedToPerson('  Ada Park ', '')).toBe('Ada Park');
  expect(typedToPerson('Ada Park ', 'Ada Park')).toBeUndefined();
  expect(typedToPerson('', 'Ada Park')).toBe('');
  expect(typedToPerson('x'.repeat(1000), '')).toBeUndefined();
});
