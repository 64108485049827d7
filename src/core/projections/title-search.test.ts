/** Free text against the titles that events are shown under, beside what their records hold. */
import { describe, expect, it } from 'vitest';
import { hasBit } from '../causal/index.ts';
import { viewToTitle } from './agent-names.ts';
import { parseFilter } from './filter.ts';
import { drawView } from './testing/drawn-view.ts';
import { viewToTitleSearch } from './title-search.ts';
import type { TraceView } from './trace-view.ts';

const calls = `
  worker/w1/1 agent=planner:
    ask  model_call.requested  path=/m#0 attempt=1  {"request_model":"m"}
    out  tool_call.dispatched  path=/w#0 attempt=1  {"tool":"tickets.create","args":{"text":"was returned broken"}}
    back  tool_call.completed  path=/w#0 attempt=1 delivered=1  <- out:result_of  {"tool":"tickets.create","result":{"id":8421}}
    look  tool_call.dispatched  path=/r#0 attempt=2  {"tool":"customers.lookup"}
    found  tool_call.completed  path=/r#0 attempt=1 delivered=2  <- look:result_of  {"tool":"customers.lookup","result":"Ines"}
`;

function matched(view: TraceView, text: string): readonly string[] {
  const filter = parseFilter(text);
  if (!filter.ok) throw new Error(filter.error.message);
  const bits = view.matching(filter.value);
  return [...view.positions].filter((position) => hasBit(bits, position)).map((position) => view.index.id(position));
}

describe('words of a title', () => {
  // With the titles of a sample alone, as where there are many events.
  it.each([undefined, 0])(
    'find the event, all of them, in either case, beside what its record holds (limit %s)',
    (limit) => {
      const view = drawView(calls);
      viewToTitleSearch(view, limit);
      expect(matched(view, 'customers.lookup returned')).toEqual(['found']);
      expect(matched(view, 'Tickets.create RETURNED')).toEqual(['out', 'back']);
      expect(matched(view, 'tickets.create returned 8421')).toEqual(['back']);
      expect(matched(view, 'planner asked')).toEqual(['ask']);
      expect(matched(view, '"lookup, attempt 2"')).toEqual(['look']);
      expect(matched(view, 'returned Ines nowhere')).toEqual([]);
      expect(matched(view, '"lookup returned: Ines"')).toEqual(['found']);
      // A quoted phrase stays one; of words without quotes each may stand anywhere.
      expect(matched(view, '"broken returned"')).toEqual([]);
      expect(matched(view, 'broken returned')).toEqual(['out']);
    },
  );

  it('cost no title where their type adds no such word to its records, or where all titles of it have it', () => {
    const view = drawView(calls);
    viewToTitleSearch(view, 0);
    let read = 0;
    const counted = viewToTitleSearch({ ...view, event: (position) => (read++, view.event(position)) }, 0);
    const sampled = read;
    expect(view.positions.map((position) => (counted.has(position, 'returned') ? 1 : 0)).join('')).toBe('00101');
    expect(view.positions.some((position) => counted.has(position, 'nowhere'))).toBe(false);
    expect(read).toBe(sampled);
    expect(view.positions.map((position) => (counted.has(position, 'customers.lookup,') ? 1 : 0)).join('')).toBe(
      '00010',
    );
  });

  it('cost no title for a word of the record that stands before a sign in the title, as where a title is cut', () => {
    const words = Array.from({ length: 60 }, (_, n) => `word${String(n)}`);
    const view = drawView(`
      worker/w1/1 agent=planner:
        back  tool_call.completed  path=/w#0 attempt=1  {"tool":"t","result":"${words.join(' ')}"}
    `);
    const title = viewToTitle(view, 0);
    const cut = /(\w+)…/.exec(title)?.[1] ?? 'not cut';
    expect(words.join(' '), title).toContain(cut);
    let read = 0;
    const counted = viewToTitleSearch({ ...view, event: (position) => (read++, view.event(position)) }, 0);
    const sampled = read;
    expect(counted.has(0, `${cut} word`)).toBe(false);
    expect(read).toBe(sampled);
    expect(counted.has(0, `${cut}…`)).toBe(true);
  });
});
