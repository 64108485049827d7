import { describe, expect, it } from 'vitest';
import { branchId, eventId } from '../../core/model/index.ts';
import { marksToOverlay, previewToOverlay, reasonsToText } from './overlay.ts';

const id = eventId;
const previewed: Parameters<typeof previewToOverlay>[0] = {
  items: [],
  events: [
    { event: id('told'), status: 'edited' },
    { event: id('think'), status: 'falls', because: { event: id('told'), as: 'consumed' } },
    { event: id('send'), status: 'falls', because: { event: id('think'), as: 'selected_by' } },
    { event: id('note'), status: 'may-fall', because: { event: id('send'), as: 'informed_by' } },
    { event: id('dark'), status: 'unknown' },
  ],
  holding: [{ event: id('child'), because: { event: id('think'), as: 'inside' } }],
};
const all = ['early', 'told', 'think', 'send', 'child', 'note', 'dark', 'late'].map(id);
const preview = previewToOverlay(previewed, { ids: all, total: 8 });

describe('the overlay of a preview', () => {
  it('R39 tells fall, may fall and unknown apart by sign and word, and what stands keeps a tick', () => {
    const seen = ['told', 'think', 'note', 'dark', 'else'].map((event) => preview.markOf(id(event)));
    expect(seen.map((mark) => mark?.word)).toEqual(['edited', 'falls', 'may fall', 'unknown', 'stands']);
    expect(new Set(seen.map((mark) => mark?.sign)).size).toBe(5);
    expect(seen.map((mark) => mark?.look)).toEqual(['edited', 'fallen', 'maybe', 'maybe', 'kept']);
    expect(preview.markOf(undefined)).toBeUndefined();
  });

  it('a sub-agent that starts as before and falls in part does not simply stand', () => {
    expect(preview.markOf(id('child'))?.word).toBe('falls in part');
    expect(preview.reasonsOf(id('child')).map(({ event }) => event)).toEqual(['think', 'told']);
    expect(preview.groups.at(-2)?.events).toEqual(['child']);
  });

  it('R39 counts every event under the word it bears, and the counts add up to all events of the branch', () => {
    const words = preview.groups.map(({ mark, count }) => `${mark.word} ${count}`);
    expect(words).toEqual(['edited 1', 'falls 2', 'may fall 1', 'unknown 1', 'falls in part 1', 'stands 2']);
    for (const { mark, events } of preview.groups) for (const event of events) expect(preview.markOf(event)).toBe(mark);
    // Of a long run only the first events are at hand.
    const long = previewToOverlay(previewed, { ids: all.slice(0, 2), total: 1000 });
    expect(long.groups.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
  });

  it('has no sentence where the edit equals the record: nothing is supposed', () => {
    expect(preview.sentence).toBeDefined();
    expect(previewToOverlay({ items: [], events: [], holding: [] }, { ids: all, total: 8 }).sentence).toBeUndefined();
  });

  it('an edited start that falls in part is told as edited', () => {
    const edited = { ...previewed, holding: [{ event: id('told'), because: { event: id('think'), as: 'inside' } }] };
    expect(previewToOverlay(edited, { ids: all, total: 8 }).markOf(id('told'))?.word).toBe('edited');
  });

  it('walks from an event to the edit, and says the way in words', () => {
    const reasons = preview.reasonsOf(id('note'));
    expect(reasons.map(({ event }) => event)).toEqual(['send', 'think', 'told']);
    expect(reasonsToText(reasons, (event) => event)).toBe(
      'was informed by “send”, which was selected by “think”, which used “told”',
    );
    expect(preview.reasonsOf(id('else'))).toEqual([]);
  });

  it('counts what it skips of a long way', () => {
    const events = Array.from({ length: 9 }, (_, at) => ({
      event: id(`e${at}`),
      status: 'falls' as const,
      ...(at === 0 ? {} : { because: { event: id(`e${at - 1}`), as: 'consumed' } }),
    }));
    expect(
      reasonsToText(
        previewToOverlay({ items: [], events, holding: [] }, { ids: [], total: 0 }).reasonsOf(id('e8')),
        (event) => event,
      ),
    ).toBe('used “e7”, which used “e6”, which used “e5”, … 4 more steps …, which used “e0”');
  });
});

describe('the overlay of a branch', () => {
  const marks = {
    parent: branchId('main'),
    onBranch: [
      { event: id('b:1'), status: 'superseded' as const },
      { event: id('kept'), status: 'reused' as const },
    ],
    onParent: [
      { event: id('told'), status: 'superseded' as const },
      { event: id('think'), status: 'changed' as const },
      { event: id('gone'), status: 'removed' as const },
    ],
  };

  it('R42 marks each side with its own words, and the rest as inherited', () => {
    const branch = marksToOverlay(marks, 'branch');
    expect(['b:1', 'kept', 'early'].map((event) => branch.markOf(id(event))?.word)).toEqual([
      'superseded',
      'reused',
      'inherited',
    ]);
    const parent = marksToOverlay(marks, 'parent');
    expect(['told', 'think', 'gone', 'early'].map((event) => parent.markOf(id(event))?.look)).toEqual([
      'edited',
      'fallen',
      'fallen',
      'kept',
    ]);
  });
});
