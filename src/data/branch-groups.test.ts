import { describe, expect, it } from 'vitest';
import { mainBranch } from '../core/model/index.ts';
import type { Edit, Supply, TraceId } from './index.ts';
import { type BranchEntry, groupBranches, recordsToLines } from './branch-groups.ts';

/** Cast: the brand factory is in platform/storage, which views do not import. */
const trace = 't-1' as TraceId;
const edit: Edit = { target: { path: '/read:a#0' }, value: 1 };

function answer(path: string, value = 'yes'): Supply {
  return { path, value };
}

function entry(id: string, created: string, supply: readonly Supply[], edits: readonly Edit[] = [edit]): BranchEntry {
  return {
    id,
    created,
    operation: {
      base: mainBranch,
      run: undefined,
      kind: 'edit',
      actor: undefined,
      reason: id,
      at: created,
      changed: [],
      supplied: [],
      counts: {},
      request: () => ({ trace, base: mainBranch, edits, supply, reason: id }),
    },
  };
}

function grouped(entries: readonly BranchEntry[]): readonly (readonly string[])[] {
  return groupBranches(entries, trace).map(({ last, earlier }) => [last.id, ...earlier.map(({ id }) => id)]);
}

describe('branches of one line of work', () => {
  it('a continued replay is one group under its last stop, newest first', () => {
    const stops = [
      entry('b-1', '1', []),
      entry('b-2', '2', [answer('/x')]),
      entry('b-3', '3', [answer('/x'), answer('/y')]),
    ];
    expect(grouped(stops)).toEqual([['b-3', 'b-2', 'b-1']]);
  });

  it('another answer to the same question begins a line of its own; what came before belongs to the newest', () => {
    const stops = [
      entry('b-1', '1', []),
      entry('b-2', '2', [answer('/x', 'yes')]),
      entry('b-3', '3', [answer('/x', 'no')]),
    ];
    expect(grouped(stops)).toEqual([['b-3', 'b-1'], ['b-2']]);
  });

  it('another edit is never put under a branch, with however many answers', () => {
    const other: Edit = { ...edit, value: 2 };
    expect(grouped([entry('b-1', '1', [], [other]), entry('b-2', '2', [answer('/x')])])).toEqual([['b-2'], ['b-1']]);
  });

  it('a replay run later with fewer answers is no stop on the way: it stands by itself', () => {
    expect(grouped([entry('b-1', '2', []), entry('b-2', '1', [answer('/x')])])).toEqual([['b-1'], ['b-2']]);
  });

  it('branches whose operation is not recorded stay apart', () => {
    const unknown = (id: string): BranchEntry => ({ id, created: '', operation: undefined });
    expect(grouped([unknown('b-1'), unknown('b-2')])).toEqual([['b-1'], ['b-2']]);
  });
});

it('a stored branch knows the latest of its line, and the latest its stops', () => {
  const supply = (n: number) =>
    Array.from({ length: n }, (_, at) => ({ path: `/x#${at}`, replacement: { outcome: { value: at } } }));
  const record = (branch: string, n: number, base = 'main') => ({
    trace,
    branch,
    label: 'edit of a',
    status: 'blocked',
    created: `2026-01-01T00:00:0${n}Z`,
    lines: [
      JSON.stringify({ type: 'replay.started', data: { operation: { base_branch: base, supplies: supply(n) } } }),
    ],
  });
  const lines = recordsToLines([record('b-1', 0), record('b-2', 1), record('b-3', 2), record('b-4', 2, 'b-1')], trace);
  expect([...lines.latestOf]).toEqual([
    ['b-2', 'b-3'],
    ['b-1', 'b-3'],
  ]);
  expect(lines.stopsOf.get('b-3')).toEqual(['b-2', 'b-1']);
  expect(lines.stopsOf.get('b-4')).toEqual([]);
});
