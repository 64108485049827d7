import { expect, it } from 'vitest';
import { endsOfLines } from './ends-of-lines.ts';

function ends(...parents: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    endsOfLines(
      parents.map(([child]) => child),
      new Map(parents),
    ),
  );
}

it('every member of a line has its end, in whatever order they are asked for', () => {
  const line = [
    ['c', 'b'],
    ['b', 'a'],
    ['d', 'b'],
  ] as const;
  expect(ends(...line)).toEqual({ a: 'a', b: 'a', c: 'a', d: 'a' });
  expect(ends(...line.toReversed())).toEqual({ a: 'a', b: 'a', c: 'a', d: 'a' });
  expect([...endsOfLines(['alone'], new Map())]).toEqual([['alone', 'alone']]);
});

it('a circle ends where it closes, for its members and for what leads into it', () => {
  const circle = [
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'a'],
  ] as const;
  const into = [
    ['x', 'b'],
    ['y', 'x'],
  ] as const;
  const expected = { a: 'c', b: 'a', c: 'b', x: 'a', y: 'a' };
  expect(ends(...circle, ...into)).toEqual(expected);
  expect(ends(...into.toReversed(), ...circle)).toEqual(expected);
  expect(ends(['own', 'own'])).toEqual({ own: 'own' });
});

class CountedMap extends Map<string, string> {
  asked = 0;

  override get(key: string): string | undefined {
    this.asked++;
    return super.get(key);
  }
}

it.each([
  ['a chain', 'child first', (n: number) => n - 1, (n: number) => -n],
  ['a chain', 'parent first', (n: number) => n - 1, (n: number) => n],
  ['a fan', 'child first', () => 0, (n: number) => -n],
])('of %s, %s, every member is looked at once', (_shape, _order, parentOf, rank) => {
  const count = 1000;
  const numbers = Array.from({ length: count }, (_, n) => n + 1).sort((a, b) => rank(a) - rank(b));
  const parents = new CountedMap(numbers.map((n) => [String(n), String(parentOf(n))]));
  const found = endsOfLines(numbers.map(String), parents);
  expect(new Set(found.values())).toEqual(new Set(['0']));
  expect(parents.asked).toBe(count + 1);
});
