import { describe, expect, it } from 'vitest';
import { branchId, eventId, mainBranch } from '../model/index.ts';
import { drawReader } from './testing/drawn-reader.ts';

const replayed = `
  worker agent=a step=1:
    ask    tool_call.dispatched path=/read:fact#0
    told   tool_call.completed path=/read:fact#0 <- ask:result_of
    other  tool_call.completed path=/read:other#0
    think  model_call.requested path=/model:plan#0 <- told:consumed
    says   model_call.completed path=/model:plan#0 <- think:result_of
    gone   message.sent <- says:consumed
  hindcast branch=b-1 notime noseq:
    b-1:0  branch.created {"parent":"main","fork":"told","frontier":{"minus":["told","think","says","gone"]}}
    b-1:1  tool_call.completed path=/read:fact#0 supersedes=told origin=supplied & {"principal":{"id":"maya","kind":"human"}}
    b-1:2  observation.reused {"path":"/read:other#0","event":"other","rule":"M1"}
    b-1:3  model_call.requested path=/model:plan#0 supersedes=think origin=replayed
    b-1:4  model_call.completed path=/model:plan#0 origin=supplied & {"principal":{"id":"maya","kind":"human"}}
    b-1:5  replay.completed {"status":"complete","counts":{},"digests":{},"blocked":[]}
  hindcast branch=b-2 notime noseq:
    b-2:0  branch.created {"parent":"main","fork":"told","frontier":{"minus":["told","think","says","gone"]}}
    b-2:1  tool_call.completed path=/read:fact#0 supersedes=told origin=supplied & {"principal":{"id":"maya","kind":"human"}}
`;

describe('the counterpart of an event', () => {
  const reader = drawReader(replayed);
  const on = (branch: string) => (event: string) =>
    reader.counterpart(branch === 'main' ? mainBranch : branchId(branch), eventId(event));

  it('R42 on the original is what it supersedes, what it reuses, or the record of its command', () => {
    expect(['b-1:1', 'b-1:2', 'b-1:3', 'b-1:4', 'ask'].map(on('main'))).toEqual([
      'told',
      'other',
      'think',
      'says',
      'ask',
    ]);
  });

  it('R42 on a branch is what supersedes it, or the record of its command', () => {
    expect(['told', 'think', 'says', 'ask'].map(on('b-1'))).toEqual(['b-1:1', 'b-1:3', 'b-1:4', 'ask']);
    expect(['b-2:1'].map(on('b-1'))).toEqual(['b-1:1']);
  });

  it('is none where the branch has nothing in its place, and for an id that no record has', () => {
    expect(['gone', 'b-1:0', 'nowhere'].map((event) => on(event === 'gone' ? 'b-1' : 'main')(event))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
