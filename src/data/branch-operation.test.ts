import { describe, expect, it } from 'vitest';
import type { TraceId } from './index.ts';
import { linesToOperation } from './branch-operation.ts';

const started = {
  type: 'replay.started',
  data: {
    operation: {
      kind: 'edit',
      run: 'r',
      base_branch: 'main',
      targets: [{ path: '/read:a#0', record: 'w:7', replacement: { outcome: { value: { ok: 1 } } } }],
      supplies: [{ path: '/model:b#0', replacement: { outcome: { error: { name: 'E', message: 'm' } } } }],
      input: { value: [1] },
      program_after: { name: 'p', source: 'text' },
      policies: { world: 'lenient' },
      actor: { id: 'Ada', kind: 'human' },
      reason: 'why',
      at: '2026-01-01T00:00:00Z',
    },
  },
};
const completed = { type: 'replay.completed', data: { counts: { reused: 3, note: 'x' } } };

describe('the operation of a stored branch (R41)', () => {
  const operation = linesToOperation(['{"type":"branch.created"}', JSON.stringify(started), JSON.stringify(completed)]);

  it('tells who, why, when and what', () => {
    expect(operation).toMatchObject({
      base: 'main',
      actor: 'Ada',
      reason: 'why',
      at: '2026-01-01T00:00:00Z',
      changed: ['/read:a#0', 'the input', 'the program'],
      supplied: ['/model:b#0'],
      counts: { reused: 3 },
    });
  });

  it('gives the request that makes the same branch again', () => {
    // Cast: a brand for the test.
    expect(operation?.request('t' as TraceId)).toEqual({
      trace: 't',
      run: 'r',
      base: 'main',
      edits: [
        { target: { event: 'w:7' }, value: { ok: 1 } },
        { target: { input: true }, value: [1] },
      ],
      supply: [{ path: '/model:b#0', error: { name: 'E', message: 'm' } }],
      program: 'text',
      reason: 'why',
      world: 'lenient',
    });
  });
});

it('knows nothing of a branch whose lines carry no operation', () => {
  expect(linesToOperation(['{"type":"branch.created"}', '{'])).toBeUndefined();
});
