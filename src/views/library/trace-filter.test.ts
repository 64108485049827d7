import { expect, it } from 'vitest';
import { findTraces } from './trace-filter.ts';

const traces = [
  {
    name: 'Warranty desk',
    format: 'hindcast',
    formatLabel: 'Hindcast',
    origin: 'sample' as const,
    files: ['wrong.jsonl'],
  },
  {
    name: 'naive 3',
    format: 'recovery-lab',
    formatLabel: 'Recovery lab',
    origin: 'opened' as const,
    files: ['lab/naive-3.jsonl'],
  },
];

it.each([
  ['', 2],
  ['  ', 2],
  ['NAIVE', 1],
  ['recovery lab', 1],
  ['lab/ 3', 1],
  ['warranty naive', 0],
])('shows the traces that hold every word of "%s": %i', (sought, count) => {
  expect(findTraces(traces, sought)).toHaveLength(count);
});
