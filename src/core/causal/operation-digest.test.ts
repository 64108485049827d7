/** Writer and check share the rule, so that a change of it is seen here: branches that were stored before would all be told as others. */
import { describe, expect, it } from 'vitest';
import { drawTrace } from '../model/testing/trace.ts';
import { digestBase, digestEvent, digestOperation } from './operation-digest.ts';

describe('B1 P16 the digests of an operation and of its base', () => {
  it('are what they were when the first branches were stored', () => {
    const operation = { op_id: 'sha256:x', kind: 'edit', actor: { id: 'ada' }, reason: 'because', at: '2024-01-01' };
    expect(digestOperation(operation)).toBe(digestOperation({ kind: 'edit' }));
    expect(digestOperation(operation)).toBe('sha256:0a5b2f4641189c7f87bea068d7e0e85399e4f1d9a2f6a4ef533a0f496847b798');
    const { events } = drawTrace('w:\n  b step.started\n  a step.completed');
    const rows = events.map((event) => [event.id, digestEvent(event)] as const);
    expect(digestBase(rows)).toBe(digestBase(rows.toReversed()));
    expect(digestBase(rows)).toBe('sha256:29ac0b98f3e5a842ab8e5363c62b1febe7a529559f16197cb7e4a514bc4f24f3');
  });
});
