import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/base/json.ts';
import { eventId } from '../../core/model/index.ts';
import { type ComparedRecord, compareBranches } from './compare-branches.ts';

function record(id: string, path: string | undefined, data: JsonObject): ComparedRecord {
  const command = path === undefined ? {} : { command: { path, kind: 'read', name: `name of ${path}` } };
  return { id: eventId(id), event: { type: 'x', data, ...command } };
}

describe('a branch beside its parent', () => {
  it('aligns by path: changed with its differences, only here, only there, and the same under other records', () => {
    const { rows } = compareBranches(
      [record('b:1', '/a', { result: 2 }), record('b:2', '/new', {}), record('b:3', '/same', { result: [1] })],
      [record('w:1', '/a', { result: 1 }), record('w:2', '/old', {}), record('w:3', '/same', { result: [1] })],
    );
    expect(rows.map(({ path, status }) => [path, status])).toEqual([
      ['/a', 'changed'],
      ['/new', 'only here'],
      ['/same', 'same'],
      ['/old', 'only there'],
    ]);
    expect(rows[0]?.differences).toEqual([{ pointer: '/result', recorded: 1, now: 2 }]);
    expect(rows[0]).toMatchObject({ name: 'name of /a', here: { event: 'b:1' }, there: { event: 'w:1' } });
  });

  it('puts the records of one command together: arguments from the first, answer from the last', () => {
    const { rows } = compareBranches(
      [record('b:1', '/a', { args: 1 }), record('b:2', '/a', { result: 'x' })],
      [record('w:1', '/a', { args: 2 }), record('w:2', '/a', { result: 'x' })],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.here).toMatchObject({ event: 'b:2', payload: { args: 1, result: 'x' } });
    expect(rows[0]?.differences.map(({ pointer }) => pointer)).toEqual(['/args']);
  });

  it('what only a recorder writes is no difference; an answer that one side lacks is', () => {
    const { rows } = compareBranches(
      [record('b:1', '/a', { args: 1 }), record('b:2', '/b', { args: 1 })],
      [record('w:1', '/a', { args: 1, budget: 9 }), record('w:2', '/b', { args: 1, result: 2 })],
    );
    expect(rows.map(({ path, status }) => [path, status])).toEqual([
      ['/a', 'same'],
      ['/b', 'changed'],
    ]);
    expect(rows[1]?.differences.map(({ pointer }) => pointer)).toEqual(['/result']);
  });

  it('counts what has no command instead of aligning it', () => {
    const { rows, apart } = compareBranches([record('b:0', undefined, {})], []);
    expect(rows).toEqual([]);
    expect(apart).toEqual({ here: 1, there: 0 });
  });
});
