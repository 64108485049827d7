import { expect, it } from 'vitest';
import { branchId, mainBranch } from '../model/index.ts';
import { newestFirst } from './name-apart.ts';

it('lists the original first and then the newest, by the instant and not by how it is written', () => {
  const made = [
    { id: branchId('b-a'), at: '2026-06-01T10:00:02Z' },
    { id: branchId('b-b') },
    { id: branchId('b-c'), at: '2026-06-01T12:00:01+02:00' },
    { id: mainBranch },
    { id: branchId('b-d'), at: '2026-06-01T10:00:03Z' },
  ];
  expect(newestFirst(made).map(({ id }) => id)).toEqual([mainBranch, 'b-d', 'b-a', 'b-c', 'b-b']);
});
