/** What goes into a copy of a trace in which two runs number alike. */
import { describe, expect, it } from 'vitest';
import { drawIndex } from '../causal/testing/drawn.ts';
import { branchId } from '../model/index.ts';
import { selectPositions } from './selection.ts';

describe('a copy of a branch', () => {
  it('G6 takes along the record that it forks at, of its own run', () => {
    const run = (n: number) => `worker/w${n} run=${n}:\n  told tool_call.completed\n  next step.started`;
    const { index, branches } = drawIndex(`
${run(1)}
${run(2)}
hindcast run=2 branch=b-1 notime noseq:
  b-1:0 branch.created {"parent":"main","fork":"told","frontier":{"minus":["told"]}}`);
    const selection = { branches: [branchId('b-1')], scope: { kind: 'all' } } as const;
    expect([...selectPositions(index, branches, selection)].map((position) => index.id(position))).toContain('told~2');
  });
});
