import { describe, expect, it } from 'vitest';
import { branchId, mainBranch } from '../../core/model/index.ts';
import type { TraceId } from '../../data/index.ts';
import { emptyDraft } from '../../state/replay-draft.ts';
import {
  draftToRequest,
  isSameOperation,
  requestToPreview,
  requestToStanding,
  textToReplacement,
  underName,
} from './draft-request.ts';

// Cast: a brand for the test.
const place = { trace: 't' as TraceId, run: 'r', base: mainBranch };

describe('a draft as a request', () => {
  it('carries every change, and leaves out what was left empty', () => {
    const { request, problems, changes } = draftToRequest(
      {
        ...emptyDraft,
        steps: { 'w:1': { as: 'value', text: '{"a": 1}' }, 'w:2': { as: 'error', text: '{"name":"E","message":"m"}' } },
        input: '[1]',
        supplies: [{ path: '/read:a#0', as: 'value', text: '2', evidence: 'w:9' }],
        reason: ' why ',
      },
      place,
    );
    expect([...problems]).toEqual([]);
    expect(changes).toBe(4);
    expect(request).toEqual({
      ...place,
      edits: [
        { target: { event: 'w:1' }, value: { a: 1 } },
        { target: { event: 'w:2' }, error: { name: 'E', message: 'm' } },
        { target: { input: true }, value: [1] },
      ],
      supply: [{ path: '/read:a#0', value: 2, evidence: 'w:9' }],
      reason: 'why',
    });
  });

  it('is no request while a text is not usable, and says which', () => {
    const { request, problems } = draftToRequest(
      { ...emptyDraft, steps: { 'w:1': { as: 'value', text: '{' } }, input: '', program: ' ' },
      place,
    );
    expect(request).toBeUndefined();
    expect([...problems.keys()]).toEqual(['w:1', 'input', 'program']);
  });

  it('previews the edits alone', () => {
    const { request } = draftToRequest(
      { ...emptyDraft, supplies: [{ path: '/a#0', as: 'value', text: '1' }], program: 'x', lenient: true, reason: 'y' },
      place,
    );
    expect(request && requestToPreview(request)).toEqual({ ...place, edits: [], supply: [], program: 'x' });
  });
});

it('takes an error only with name and message', () => {
  expect(textToReplacement({ as: 'error', text: '{"name":"E"}' }).ok).toBe(false);
  expect(textToReplacement({ as: 'error', text: '"E"' }).ok).toBe(false);
});

it('knows the same operation whoever ran it and why', () => {
  const request = { ...place, edits: [], supply: [] };
  expect(isSameOperation({ ...request, reason: 'a' }, { reason: 'b', ...request })).toBe(true);
  expect(isSameOperation(underName(request, ' Ada  Park '), request)).toBe(true);
  expect([underName(request, ' Ada Park ').person, underName(request, undefined)]).toEqual(['Ada Park', request]);
  expect(isSameOperation(request, { ...request, program: 'x' })).toBe(false);
});

describe('a result beside what is on the left', () => {
  const edited = draftToRequest({ ...emptyDraft, steps: { 'w:1': { as: 'value', text: '1' } } }, place);
  const empty = draftToRequest(emptyDraft, place);
  const unedited = { ...place, edits: [], supply: [] };

  it('is the answer to the very operation alone, whether or not anything is changed now', () => {
    const made = edited.request ?? unedited;
    expect(requestToStanding(made, place, edited)).toBe('current');
    expect(requestToStanding(made, place, empty)).toBe('old');
    expect(requestToStanding(unedited, place, empty)).toBe('current');
    expect(requestToStanding(unedited, place, edited)).toBe('old');
    const broken = draftToRequest({ ...emptyDraft, input: '{' }, place);
    expect(requestToStanding(unedited, place, broken)).toBe('old');
  });

  it('takes a verification under either policy of reads for the same, and a supplied value never', () => {
    expect(requestToStanding(unedited, place, draftToRequest({ ...emptyDraft, lenient: true }, place))).toBe('current');
    const supplied = { ...unedited, supply: [{ path: '/read:a#0', value: 1 }] };
    expect(requestToStanding(supplied, place, empty)).toBe('old');
  });

  it('stands on its base branch and run', () => {
    const { run: _run, ...unnamed } = unedited;
    expect(requestToStanding(unnamed, place, empty)).toBe('current');
    expect(requestToStanding({ ...unedited, run: 'other' }, place, empty)).toBe('elsewhere');
    expect(requestToStanding(unedited, { ...place, base: branchId('b-1') }, empty)).toBe('elsewhere');
  });
});
