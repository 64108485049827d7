import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/base/json.ts';
import { eventsToChanges, partsToReading } from './facts.ts';

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
    const withheld = started({ program_after: { name: 'p', source: { $hole: 'h1' } } });
    expect(eventsToChanges([first, withheld]).program).toEqual({ name: 'p', source: { $hole: 'h1' } });
  });
});

it('reading ends with an error too: what could not be read is not waited for, and not “not recorded”', () => {
  const [read, waiting] = [
    { isPending: false, error: null },
    { isPending: true, error: null },
  ];
  const error = new Error('The disk is gone.');
  expect(partsToReading([read, read])).toEqual({ isLoading: false, problem: null });
  expect(partsToReading([read, waiting])).toEqual({ isLoading: true, problem: null });
  expect(partsToReading([waiting, { isPending: false, error }])).toEqual({ isLoading: false, problem: error });
});
