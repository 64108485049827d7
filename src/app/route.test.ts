import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branchId, eventId, mainBranch } from '../core/model/index.ts';
import { type TraceLocation, changeLocation, panels, traceLocation, traceViews } from '../state/location.ts';
import { hashToLocation, locationToHash } from './route.ts';

const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((value) => value.isWellFormed());
const location: fc.Arbitrary<TraceLocation> = fc.record({
  kind: fc.constant('trace'),
  trace: text,
  view: fc.constantFrom(...traceViews),
  branch: fc.option(text.map(branchId), { nil: mainBranch }),
  event: fc.option(text.map(eventId), { nil: undefined }),
  filter: fc.string({ unit: 'grapheme' }),
  panel: fc.constantFrom(...panels),
  extra: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), text),
});

describe('addresses', () => {
  it('give back every location they were made from', () => {
    fc.assert(
      fc.property(location, (from) => {
        expect({ ...hashToLocation(locationToHash(from)) }).toEqual({ ...from, extra: { ...from.extra } });
      }),
      { seed: 20261129, numRuns: 300 },
    );
  });

  it('of the first version stay as they were written', () => {
    expect(hashToLocation('#/t/incident-1/explore?b=b-12ab&e=ev%2F7&q=type%3Atool&p=effects&x.tab=why')).toEqual({
      kind: 'trace',
      trace: 'incident-1',
      view: 'explore',
      branch: 'b-12ab',
      event: 'ev/7',
      filter: 'type:tool',
      panel: 'effects',
      extra: { tab: 'why' },
    });
  });

  it('without a fragment mean the library', () => {
    expect(hashToLocation('')).toEqual({ kind: 'library' });
    expect(hashToLocation('#/')).toEqual({ kind: 'library' });
  });

  it('name a source before or in the fragment', () => {
    expect(hashToLocation('', '?src=https://a.example/x.jsonl')).toEqual({
      kind: 'library',
      source: 'https://a.example/x.jsonl',
    });
    expect(hashToLocation('#/?src=./x.jsonl')).toEqual({ kind: 'library', source: './x.jsonl' });
    // A link that lost its address on the way is answered, not passed over.
    expect(hashToLocation('#/?src=')).toEqual({ kind: 'library', source: '' });
  });

  it('carry a share untouched', () => {
    for (const fragment of ['#share=1.abc.def-_', '#Share=1.abc.def', '#KEY=1.abc'])
      expect(hashToLocation(fragment)).toEqual({ kind: 'received', fragment });
  });

  it('that lost something on their way are said to be none, and never show the library instead', () => {
    for (const fragment of ['#share', '#share%3D1.abc', '#Share-File', '#key'])
      expect(hashToLocation(fragment)).toMatchObject({
        kind: 'unknown',
        reason: expect.stringContaining('ask the sender'),
      });
    expect(hashToLocation('#other\u202e')).toEqual({
      kind: 'unknown',
      reason: 'Nothing here has the address “#other\\u202e”.',
    });
    expect(hashToLocation('#')).toEqual({ kind: 'library' });
  });

  it('name recovery trials, of some traces or of the library', () => {
    for (const to of [
      { kind: 'recovery', traces: [], extra: {} },
      { kind: 'recovery', traces: ['a/1', 'b&2'], extra: { trial: 'r-1' } },
    ] as const) {
      expect(hashToLocation(locationToHash(to))).toEqual(to);
    }
    expect(locationToHash({ kind: 'recovery', traces: [], extra: {} })).toBe('#/recovery');
  });

  it('from a later version are refused with a sentence', () => {
    expect(hashToLocation('#/t/a/explore?v=2')).toEqual({
      kind: 'unknown',
      reason: expect.stringContaining('later version'),
    });
  });

  it.each(['#/x', '#/t', '#/t/', '#/t/%', '#/t/a/nowhere', '#/t/a/explore?v=x'])('say why %s leads nowhere', (hash) => {
    expect(hashToLocation(hash)).toEqual({ kind: 'unknown', reason: expect.stringMatching(/\w.*\.$/) });
  });

  it('change in part', () => {
    const from = { ...traceLocation('a'), extra: { tab: 'why', other: '1' } };
    const to = changeLocation(from, { event: eventId('e'), extra: { tab: undefined } });
    expect(to).toEqual({ ...from, event: 'e', extra: { other: '1' } });
  });
});
