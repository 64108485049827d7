import { describe, expect, it } from 'vitest';
import { effectToKill } from './kill-way.ts';

const event = { command: { kind: 'write', path: '/write:tickets.create#0' } };

describe('the way to a simulated kill', () => {
  it('is open at a write of a trace that can be replayed, and closed with the reason in one that cannot', () => {
    expect(effectToKill(event, [], false)).toEqual({ path: '/write:tickets.create#0', missing: [] });
    expect(effectToKill(event, ['control program'], false)?.missing).toEqual(['control program']);
    expect(effectToKill(event, ['control program'], true)?.missing).toEqual([]);
  });

  it('is nowhere else, and not before it is known what the trace has', () => {
    expect(effectToKill({ command: { kind: 'read', path: '/read:x#0' } }, [], false)).toBeUndefined();
    expect(effectToKill({}, [], false)).toBeUndefined();
    expect(effectToKill(event, undefined, false)).toBeUndefined();
  });
});
