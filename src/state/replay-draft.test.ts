import { expect, it } from 'vitest';
import { changeReplayDraft, draftToStep, emptyDraft, takeUpReplayDraft } from './replay-draft.ts';

it('keeps what is changed on each run of a trace apart, whichever way the run came to be shown', () => {
  const read = (branch: string) => changeReplayDraft('t', branch, (draft) => draft);
  const type = (input: string) => changeReplayDraft('t', 'main', (draft) => ({ ...draft, input }));
  type('1');
  takeUpReplayDraft('t', 'main', 'a');
  expect(read('main').input).toBe('1');
  takeUpReplayDraft('t', 'main', 'b');
  expect(read('main')).toEqual(emptyDraft);
  type('2');
  takeUpReplayDraft('t', 'main', 'b');
  expect(read('main').input).toBe('2');
  takeUpReplayDraft('t', 'main', 'a');
  expect(read('main').input).toBe('1');
  takeUpReplayDraft('t', 'b-1', 'b');
  expect(read('b-1')).toEqual(emptyDraft);
});

it('holds no edit of an event whose id every object has a member for', () => {
  for (const id of ['constructor', '__proto__']) expect(draftToStep(emptyDraft, id)).toBeUndefined();
  const value = { as: 'value', text: '1' } as const;
  expect(draftToStep({ steps: { constructor: value } }, 'constructor')).toBe(value);
});
