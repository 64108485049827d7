import { describe, expect, it } from 'vitest';
import type { JsonRecord } from './canonical.ts';
import { eventsToPast } from './past.ts';

describe('what earlier lives left', () => {
  it('G1 the next position is above all that were given, whatever was written last', () => {
    const call = (id: string, command: JsonRecord): JsonRecord => ({
      id,
      type: 'tool_call.dispatched',
      command,
      data: {},
    });
    const events: readonly JsonRecord[] = [
      { id: 'w:0', type: 'run.started', run: '1', data: {} },
      call('w:1', { path: '/write:a#0', kind: 'write', issued: 0, attempt: 1 }),
      call('w:2', { path: '/write:b#0', kind: 'write', issued: 1, attempt: 1 }),
      {
        id: 'w:3',
        type: 'tool_call.completed',
        command: { path: '/write:b#0', delivered: 2, vt: 1 },
        data: { result: 1 },
      },
      // Another attempt has the position of its command.
      call('w:4', { path: '/write:a#0', kind: 'write', issued: 0, attempt: 2 }),
    ];
    expect(eventsToPast(events).nextPosition).toBe(3);
    expect(eventsToPast(events.slice(0, 3)).nextPosition).toBe(2);
    expect(eventsToPast([]).nextPosition).toBe(0);
    expect(eventsToPast(events).commands.get('/write:a#0')).toMatchObject({ issued: 0, attempts: 2 });
  });
});
