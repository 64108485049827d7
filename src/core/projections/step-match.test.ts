import { describe, expect, it } from 'vitest';
import { mainBranch } from '../model/index.ts';
import { parseFilter } from './filter.ts';
import { drawReader } from './testing/drawn-reader.ts';

const reader = drawReader(`
  worker agent=a:
    step=/step:open-ticket#0:
      first  note.made
      ask    tool_call.dispatched
    step=/step:open-ticket#1:
      again  note.made
    step=/step:close#0:
      last   note.made
    rest   note.made
`);

function shown(text: string): readonly string[] {
  const filter = parseFilter(text);
  if (!filter.ok) throw new Error(text);
  return reader.rows(mainBranch, filter.value, 0, 9).rows.map(({ id }) => id);
}

describe('a step in the filter', () => {
  it('is found by the name that the page shows, alone', () => {
    expect(shown('step:open-ticket')).toEqual(['first', 'ask']);
    expect(shown('step:"open-ticket (2)"')).toEqual(['again']);
  });

  it('is found by its id, and by the beginning of its name', () => {
    expect(shown('step:/step:open-ticket#1')).toEqual(['again']);
    expect(shown('step:Open')).toEqual(['first', 'ask', 'again']);
    expect(shown('step:ticket')).toEqual([]);
  });

  it('may be the one that is not meant', () => {
    expect(shown('-step:open')).toEqual(['last', 'rest']);
  });

  it('is offered by that name; what stands in no step is counted as none', () => {
    expect(reader.summary().steps).toEqual([
      { name: 'open-ticket', count: 2 },
      { name: 'close', count: 1 },
      { name: 'open-ticket (2)', count: 1 },
    ]);
  });
});
