import { describe, expect, it } from 'vitest';
import { eventId } from '../../core/model/index.ts';
import type { ChainLink } from '../../core/projections/trace-reader.ts';
import { findOwnLink } from './chain-place.ts';

const here = eventId('here');

function chain(...links: readonly ChainLink[]): readonly ChainLink[] {
  return [
    ...links,
    { what: 'step', value: '/step:a#0', event: here, basis: 'recorded' },
    { what: 'session', value: 's', event: here, basis: 'recorded' },
    { what: 'run', value: 'r', basis: 'recorded' },
  ];
}

describe('R21 the station of the selected event', () => {
  it('is the effect, the call or the decision that it is', () => {
    const dispatched = chain(
      { what: 'effect', basis: 'not recorded' },
      { what: 'tool call', event: here, basis: 'recorded' },
    );
    expect(findOwnLink(dispatched, { id: here, type: 'tool_call.dispatched' })).toBe(1);
  });

  it('is the step or the run only of their own records: other events merely name them', () => {
    expect(findOwnLink(chain(), { id: here, type: 'step.started' })).toBe(0);
    expect(findOwnLink(chain(), { id: here, type: 'run.completed' })).toBe(2);
    expect(findOwnLink(chain(), { id: here, type: 'model.completed' })).toBe(-1);
  });
});
