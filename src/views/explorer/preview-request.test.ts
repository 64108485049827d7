import { describe, expect, it } from 'vitest';
import { branchId, eventId, mainBranch } from '../../core/model/index.ts';
import { traceId } from '../../platform/storage/index.ts';
import { emptyDraft } from '../../state/replay-draft.ts';
import { draftToPreviewRequest, requestToSubject } from './preview-request.ts';

const place = { trace: traceId('t-1'), base: mainBranch, run: 'r' };

function ask(event: string, base = mainBranch, text?: string) {
  const draft = text === undefined ? emptyDraft : { ...emptyDraft, steps: { [event]: { as: 'value' as const, text } } };
  return draftToPreviewRequest(draft, { event: eventId(event), isInput: false }, { ...place, base });
}

describe('requestToSubject', () => {
  it('is the same while a value is typed, so that the last answer may stand', () => {
    expect(requestToSubject(ask('a', mainBranch, '1'))).toBe(requestToSubject(ask('a', mainBranch, '12')));
    expect(requestToSubject(ask('a'))).toBe(requestToSubject(ask('a', mainBranch, '1')));
  });

  it('differs for another event, branch or program: what falls there is not what falls here', () => {
    const here = requestToSubject(ask('a'));
    expect(requestToSubject(ask('b'))).not.toBe(here);
    expect(requestToSubject(ask('a', branchId('b-1')))).not.toBe(here);
    expect(requestToSubject(draftToPreviewRequest({ ...emptyDraft, program: '' }, undefined, place))).not.toBe(here);
    expect(requestToSubject(undefined)).not.toBe(here);
  });
});
