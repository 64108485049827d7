/** Which edges the preview follows, and what each says of the record at its end (I6). */
import { describe, expect, it } from 'vitest';
import { drawTrace } from '../model/testing/trace.ts';
import { computeJournal } from './journal.ts';
import { computePreview } from './preview.ts';
import { previewEdits } from './testing/preview.ts';
import { record, testRun } from './testing/record.ts';

describe('I6 R39 edges of the preview', () => {
  it('I6 a transition falls with the one that made the version it consumed, though it names no cause', async () => {
    const program = `async function main(ctx) {
      const order = await ctx.read('order', {});
      ctx.state('case', order, { uses: [order] });
      ctx.state('other', 'new');
      ctx.state('case', 'closed');
      ctx.state('case', 'filed');
      return 1;
    }`;
    const events = await record(program, { handlers: { read: () => ({ ok: { state: 'open' } }) } });
    const transitions = events.filter(({ type }) => type === 'state.transitioned');
    expect(transitions.map(({ causes }) => causes?.length ?? 0)).toEqual([1, 0, 0, 0]);
    const preview = previewEdits(events, { edits: [{ target: { path: '/read:order#0' }, value: {} }], supply: [] });
    if (!preview.ok) throw new Error(preview.error);
    const { items } = preview.value;
    expect(items.map(({ path, status }) => `${path} ${status}`)).toEqual([
      '/read:order#0 edited',
      '/state:case#0 falls',
      '/state:other#0 unknown',
      '/state:case#1 falls',
      '/state:case#2 falls',
    ]);
    const [first, , second] = transitions;
    expect(items[4]?.reasons.slice(0, 2)).toEqual([
      { event: second?.id, as: 'from_version' },
      { event: first?.id, as: 'from_version' },
    ]);
  });

  it('I6 what is reached through informed_by alone may fall, and so does all behind it; any other way, it falls', () => {
    const { events, id } = drawTrace(`
      agent=planner:
        seen  model_call.completed
        told  message.sent          <- seen:informed_by
        act   tool_call.dispatched  <- told:caused_by
        both  decision.made         <- seen:informed_by,seen:consumed
        late  decision.made         <- act:informed_by,both:consumed
    `);
    const journal = computeJournal([], { run: testRun, segment: 0 });
    const { items, events: marked, counts } = computePreview(events, journal, new Set([id('seen')]));
    expect(items.map(({ event, status }) => `${event} ${status}`)).toEqual([
      'seen edited',
      'told may-fall',
      'act may-fall',
      'both falls',
      'late falls',
    ]);
    expect(counts).toMatchObject({ falls: 2, 'may-fall': 2 });
    expect(marked.map(({ event, status }) => `${event} ${status}`)).toEqual(
      items.map(({ event, status }) => `${event} ${status}`),
    );
    expect(items.map(({ reasons }) => reasons.map(({ as }) => as))).toEqual([
      [],
      ['informed_by'],
      ['caused_by', 'informed_by'],
      ['consumed'],
      ['consumed', 'consumed'],
    ]);
  });
});
