import { expect, it } from 'vitest';
import { valueToLine, valueToShown } from './shown-value.ts';

it('a text and the value it spells look different side by side', () => {
  expect(['5', 5, 'null', null, '', 'a\nb'].map(valueToShown)).toEqual(['"5"', '5', '"null"', 'null', '""', '"a\nb"']);
  expect(['5', 5, ''].map((value) => valueToLine(value, 60))).toEqual(['"5"', '5', '""']);
  expect(valueToLine('x'.repeat(90), 60)).toBe(`"${'x'.repeat(59)}…"`);
});
