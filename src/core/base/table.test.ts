import { describe, expect, test } from 'vitest';
import { createTable } from './table.ts';

describe('a table asked by names from outside', () => {
  test('holds its own rows', () => {
    expect(createTable({ tool: 1 })['tool']).toBe(1);
  });

  test.each(['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty'])('has no row "%s"', (name) => {
    expect(createTable({ tool: 1 })[name]).toBeUndefined();
  });

  test('cannot be changed', () => {
    const table = createTable({ tool: 1 });
    expect(Reflect.set(table, 'other', 2)).toBe(false);
  });
});
