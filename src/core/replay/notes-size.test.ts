/** B6, B7: many notes. A search for each of them among all reads too often, or is far out of the time given. */
import { describe, expect, it } from 'vitest';
import { type EventId, type HindcastEvent, eventId, parseEvent } from '../model/index.ts';
import { drawnRun } from '../model/testing/trace.ts';
import { computeDependents, matchNotes } from './notes.ts';

const run = drawnRun(1);

function event(seq: number, fields: Readonly<Record<string, unknown>>): HindcastEvent {
  const source = { component: 'worker' };
  const parsed = parseEvent({ v: 1, id: `e${seq}`, run, branch: 'main', seq, source, data: {}, ...fields });
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

describe('notes in great number', () => {
  it('B7 a chain is left out to its end, and its causes are read once, whichever end of it was written first', () => {
    const length = 2000;
    let read = 0;
    const visible = Array.from({ length }, (_, n): HindcastEvent => {
      const before = n === 0 ? {} : { causes: [{ event: `e${n - 1}`, as: 'caused_by' }] };
      const made = event(n, { type: 'message.sent', ...before });
      const { causes } = made;
      return Object.defineProperty({ ...made }, 'causes', {
        get: () => {
          read++;
          return causes;
        },
      });
    });
    const minus: ReadonlySet<EventId> = new Set([eventId('e0')]);
    for (const lines of [visible, visible.toReversed()])
      expect(computeDependents({ run, visible: lines, journals: [] }, minus).size).toBe(length);
    expect(read).toBeLessThan(10 * length);
  });

  it('B6 of 100,000 equal notes each is that of the record of its place', () => {
    const length = 100_000;
    const visible = Array.from({ length }, (_, n) => event(n, { type: 'message.sent' }));
    const note = { type: 'message.sent', data: {}, uses: [], scope: '' };
    const made = Array.from({ length }, (_, act) => ({ note, act }));
    const notes = matchNotes({ run, visible, infos: [], lineage: ['main'] }, [made]);
    expect(notes.counts).toEqual({ same: length, added: 0, missing: 0 });
    expect(notes.made[0]?.findIndex(({ record }, n) => record?.id !== `e${n}`)).toBe(-1);
  }, 20_000);
});
