import { expect, it } from 'vitest';
import { eventId } from '../model/index.ts';
import { entryToKey } from './protection.ts';

const path = '/write:open#0';

function sent(idempotencyKey: string): Parameters<typeof entryToKey>[0] {
  return { path, attempts: [{ event: eventId('e'), incarnation: 'w1', attempt: 1, idempotencyKey }] };
}

it('R80 a key made by the runtime from run and path is none the program gave; what a branch says of its program wins', () => {
  expect(entryToKey(sent(`bd1c7cdeada7${path}`))).toBeUndefined();
  expect(entryToKey(sent('case-1'))).toBe('case-1');
  expect(entryToKey({ ...sent('case-1'), programKey: null })).toBeUndefined();
  expect(entryToKey({ ...sent(`x${path}`), programKey: 'case-2' })).toBe('case-2');
});
