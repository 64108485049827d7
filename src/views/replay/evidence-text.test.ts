import { expect, it } from 'vitest';
import { jsonToText } from '../../ui/json-text.ts';
import { recordToStart } from './evidence-text.ts';

it('starts from what the service recorded, and from nothing where it recorded none of it', () => {
  expect(recordToStart({ data: { effect: { id: 'e' }, response: { ok: true } } })).toBe(jsonToText({ ok: true }));
  expect(recordToStart({ data: { effect: { id: 'e' } } })).toBe(jsonToText({ id: 'e' }));
  expect(recordToStart({ data: { result: null } })).toBe('null');
  expect(recordToStart({ data: { idempotency_key: 'k' } })).toBe('');
  expect(recordToStart(undefined)).toBe('');
});
