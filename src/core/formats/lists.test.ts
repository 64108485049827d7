import { expect, it } from 'vitest';
import { pushAll, pushTo } from './lists.ts';

it('a list of a map grows where it is, and is not copied to hold one more', () => {
  const lists = new Map<string, number[]>();
  pushTo(lists, 'a', 1);
  const first = lists.get('a');
  pushTo(lists, 'a', 2);
  pushTo(lists, 'b', 3);
  expect([...lists]).toEqual([
    ['a', [1, 2]],
    ['b', [3]],
  ]);
  expect(lists.get('a')).toBe(first);
});

it('takes more items at once than a call takes arguments', () => {
  const list = [-1];
  pushAll(
    list,
    Array.from({ length: 500_000 }, (_, n) => n),
  );
  expect([list.length, list[1], list.at(-1)]).toEqual([500_001, 0, 499_999]);
});
