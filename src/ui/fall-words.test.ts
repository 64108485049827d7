import { describe, expect, it } from 'vitest';
import { fallenToSentence, itemToTag } from './fall-words.ts';

type Item = Parameters<typeof fallenToSentence>[0]['items'][number];

function item(status: Item['status'], path = '/model:a#0'): Item {
  return { event: 'e', status, path };
}

describe('what falls, in a sentence', () => {
  it('counts commands and events, each with its unit', () => {
    const items = [item('edited'), item('falls'), item('falls'), item('may-fall'), item('stands'), item('stands')];
    const events = [item('edited'), ...Array.from({ length: 5 }, () => item('falls')), item('may-fall')];
    expect(fallenToSentence({ items, events, holding: [] })).toBe(
      '2 of 6 commands fall (5 events), 1 may fall (1 event), 1 is edited, 2 stand',
    );
  });

  it('tells events that fall without a command, and one command as one', () => {
    const holding: readonly { readonly event: string }[] = [];
    expect(fallenToSentence({ items: [item('edited'), item('falls')], events: [item('falls')], holding })).toBe(
      '1 of 2 commands falls (1 event), 1 is edited, 0 stand',
    );
    expect(fallenToSentence({ items: [item('edited')], events: [item('unknown'), item('unknown')], holding })).toBe(
      '0 of 1 command fall, 0 cannot be told (2 events), 1 is edited, 0 stand',
    );
  });

  it('a trace without commands has events alone', () => {
    const items = [item('edited', ''), item('falls', ''), item('unknown', ''), item('stands', '')];
    expect(fallenToSentence({ items, events: items.slice(0, 3), holding: [] })).toBe(
      '1 of 4 events falls, 1 cannot be told, 1 is edited, 1 stands',
    );
  });
});

describe('a sub-agent that begins as recorded', () => {
  it('R39 falls in part, whether or not its answer falls; the edit itself does not', () => {
    const holding = new Set(['start']);
    expect(itemToTag({ event: 'start', status: 'falls' }, holding)).toBe('inside');
    expect(itemToTag({ event: 'start', status: 'stands' }, holding)).toBe('inside');
    expect(itemToTag({ event: 'start', status: 'edited' }, holding)).toBe('edited');
    expect(itemToTag({ event: 'other', status: 'falls' }, holding)).toBe('falls');
  });

  it('is counted once in the sentence: what falls, what falls in part, what stands and the edit are all there is', () => {
    const items = [item('edited'), item('falls'), item('stands')];
    const inside = (['falls', 'stands'] as const).map((status) => ({ ...item(status), event: 'start' }));
    const holding = [{ event: 'start' }];
    expect(fallenToSentence({ items: [...items, ...inside], events: [], holding })).toBe(
      '1 of 5 commands falls, 2 fall in part, 1 is edited, 1 stands',
    );
  });
});
