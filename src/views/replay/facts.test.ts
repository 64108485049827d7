import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/base/json.ts';
import { eventsToChanges } from './facts.ts';

function started(operation: JsonObject): { readonly event: JsonObject } {
  return { event: { type: 'replay.started', data: { operation } } };
}

describe('what the replays of a branch changed about its run', () => {
  it('is the last program and the last input, and nothing where none changed them', () => {
    expect(eventsToChanges([])).toEqual({ program: undefined, input: undefined });
    const first = started({ program_after: { name: 'p', source: 'one' }, input: { value: { case: 1 } } });
    const second = started({ program_after: { name: 'p', source: 'two' } });
    const third = started({ program_after: { name: 'p', digest: 'sha256:0' }, supplies: [] });
    expect(eventsToChanges([first, second, third])).toEqual({
      program: { name: 'p', source: 'two' },
      input: { case: 1 },
    });
  });
});
