/** The language of breakpoints: what it reads, what it refuses and where, what it means. */
import { describe, expect, it } from 'vitest';
import { type DebugFact, meets, parseCondition } from './condition.ts';

const fact: DebugFact = {
  act: 'delivered',
  kind: 'read',
  type: 'tool_call.completed',
  name: 'customers.lookup',
  tool: 'customers.lookup',
  path: '/par:a/read:customers.lookup#0',
  args: { id: '42', tags: ['vip', 3], 'a-b': true },
  value: { total: 12.5, items: [{ sku: 'x' }], none: null },
};

function isMet(text: string): boolean {
  const parsed = parseCondition(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return meets(parsed.value, fact);
}

describe('conditions', () => {
  it.each([
    ['kind = read', true],
    ['kind=read', true],
    ['kind != read', false],
    ['tool = "customers.lookup"', true],
    ['path starts /par:a/', true],
    ['path contains lookup', true],
    ['path starts lookup', false],
    ['args.id = 42', true],
    ['args.id = "42"', true],
    ['args.id = 43', false],
    ['args.tags contains vip', true],
    ['args.tags contains 3', true],
    ['args.a-b = true', true],
    ['value.total > 12', true],
    ['value.total >= 12.5', true],
    ['value.total < 12.5', false],
    ['value.total <= 12.5', true],
    ['value.items.0.sku = x', true],
    ['value.items.1 exists', false],
    ['value.none = null', true],
    ['value.none exists', true],
    ['value.missing != x', false],
    ['value.toString exists', false],
    ['error exists', false],
    ['kind = write or kind = read and act = delivered', true],
    ['kind = read and act = issued or kind = write', false],
    ['kind = read or kind = write and act = issued', true],
    ['name = "a and b" or kind = read', true],
  ])('R36 %s', (text, met) => {
    expect(isMet(text)).toBe(met);
  });

  it.each([
    ['', 0, 'A condition is expected'],
    ['color = red', 0, 'There is no field color'],
    ['kind = read and color = red', 16, 'There is no field color'],
    ['kind', 4, 'An operator is expected after kind'],
    ['kind is read', 5, 'An operator is expected after kind'],
    ['kind = ', 7, 'A value is expected'],
    ['kind = read then', 12, 'Here stands then'],
    ['kind = read and', 15, 'A condition is expected'],
    ['kind.x = 1', 0, 'has no members'],
    ['args..x = 1', 0, 'A name is missing'],
    ['name = "open', 7, 'no closing quotation mark'],
    ['name = "\\q"', 7, 'not a JSON text'],
    ['name containsx', 5, 'An operator is expected'],
    ['constructor = 1', 0, 'There is no field'],
  ])('refuses %j at %i', (text, at, message) => {
    const parsed = parseCondition(text);
    expect(parsed).toMatchObject({ ok: false, error: { at, message: expect.stringContaining(message) as string } });
  });
});
