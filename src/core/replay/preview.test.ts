/** The preview of a long run: what it tells of each record does not grow with the run. */
import { describe, expect, it } from 'vitest';
import { type HindcastEvent, eventId, parseEvent } from '../model/index.ts';
import { computeJournal } from './journal.ts';
import { computePreview } from './preview.ts';
import { mostSteps } from './reason.ts';

function drawChain(length: number): readonly HindcastEvent[] {
  return Array.from({ length }, (_, n) => {
    const event = parseEvent({
      v: 1,
      id: `e${n}`,
      type: 'message.sent',
      run: 'a'.repeat(32),
      branch: 'main',
      source: { component: 'worker' },
      data: {},
      ...(n === 0 ? {} : { causes: [{ event: `e${n - 1}`, as: 'caused_by' }] }),
    });
    if (!event.ok) throw new Error(event.error.message);
    return event.value;
  });
}

describe('a chain', () => {
  const events = drawChain(3000);
  const { items, counts } = computePreview(
    events,
    computeJournal(events, { run: 'a'.repeat(32), segment: 0 }),
    new Set([eventId('e0')]),
  );

  it('R39 each record is told the way to the edit, a long one with its end and the count of what is between', () => {
    expect(counts).toMatchObject({ edited: 1, falls: 2999 });
    expect(items[1]?.reasons).toEqual([{ event: 'e0', as: 'caused_by' }]);
    expect(items[mostSteps]?.reasons).toHaveLength(mostSteps);
    expect(items[mostSteps]?.reasons.at(-1)).toEqual({ event: 'e0', as: 'caused_by' });
    expect(items[mostSteps + 1]?.reasons.at(-1)).toEqual({
      event: 'e0',
      as: 'caused_by (1 step before it is left out)',
    });
    expect(items[2999]?.reasons.at(-1)).toEqual({ event: 'e0', as: 'caused_by (2975 steps before it are left out)' });
  });

  it('R39 the way ends at the edit that is nearest, whatever that one would fall with', () => {
    const few = drawChain(4);
    const preview = computePreview(
      few,
      computeJournal(few, { run: 'a'.repeat(32), segment: 0 }),
      new Set([eventId('e0'), eventId('e2')]),
    );
    expect(preview.items.map(({ status, reasons }) => [status, reasons.map(({ event }) => event)])).toEqual([
      ['edited', []],
      ['falls', ['e0']],
      ['edited', []],
      ['falls', ['e2']],
    ]);
  });

  it('no way is longer than a person reads', () => {
    expect(Math.max(...items.map(({ reasons }) => reasons.length))).toBe(mostSteps);
  });
});
