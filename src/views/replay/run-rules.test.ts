import { expect, it } from 'vitest';
import { typedToPerson, whyNotReplay, whyNotVerify } from './run-rules.ts';

it('says why nothing can be run: a replay that runs before a change that is missing', () => {
  const facts = { isLoading: false, problem: null };
  const ready = { hasProgram: true, facts, isRunning: false, changes: 1, isUsable: true };
  expect(whyNotReplay(ready)).toBeUndefined();
  expect(whyNotReplay({ ...ready, changes: 0 })).toBe('nothing is changed');
  expect(whyNotReplay({ ...ready, isUsable: false })).toBe('something typed is not a value');
  for (const state of [ready, { ...ready, changes: 0 }]) {
    expect(whyNotVerify(state)).toBeUndefined();
    expect(whyNotVerify({ ...state, isRunning: true })).toBe('a replay is running');
    expect(whyNotReplay({ ...state, isRunning: true })).toBe('a replay is running');
    expect(whyNotVerify({ ...state, hasProgram: false })).toBe('this trace has no control program');
    const unread = { ...state, hasProgram: false, facts: { isLoading: true, problem: null } };
    expect(whyNotVerify(unread)).toBe('the run is being read');
    const failed = { isLoading: false, problem: new Error('The disk is gone.') };
    expect(whyNotReplay({ ...unread, facts: failed })).toBe('the run could not be read');
  }
});

it('keeps a name as the access log does: cleaned, and cut where it is too long', () => {
  expect(typedToPerson('  Ada Park ', '')).toBe('Ada Park');
  expect(typedToPerson('Ada Park ', 'Ada Park')).toBeUndefined();
  expect(typedToPerson('', 'Ada Park')).toBe('');
  expect(typedToPerson('x'.repeat(20_034), '')).toBe(`${'x'.repeat(199)}…`);
  expect(typedToPerson('x'.repeat(20_034), `${'x'.repeat(199)}…`)).toBeUndefined();
});
