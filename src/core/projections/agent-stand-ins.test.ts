import { describe, expect, it } from 'vitest';
import { branchId } from '../model/index.ts';
import { drawReader } from './testing/drawn-reader.ts';

const replayed = `
  desk agent=desk:
    ask    tool_call.dispatched path=/read:fact#0
    told   tool_call.completed path=/read:fact#0 <- ask:result_of
    spawn  agent.spawned path=/agent:account#0 <- told:consumed
  desk agent=account:
    look   tool_call.dispatched path=/agent:account#0/read:orders#0 <- spawn:caused_by
    found  tool_call.completed path=/agent:account#0/read:orders#0 <- look:result_of
  hindcast branch=b-1 notime noseq:
    b-1:0  branch.created {"parent":"main","fork":"told","frontier":{"minus":["told","spawn","look","found"]}}
    b-1:1  tool_call.completed path=/read:fact#0 supersedes=told origin=supplied & {"principal":{"id":"maya","kind":"human"}}
    b-1:2  tool_call.dispatched path=/agent:account#0/read:orders#0 origin=replayed
    b-1:3  tool_call.dispatched path=/agent:account#0/read:new#0 origin=replayed
    b-1:4  tool_call.dispatched path=/agent:other#0/read:new#0 origin=replayed
`;

describe('what a replay wrote', () => {
  const reader = drawReader(replayed);
  const branch = branchId('b-1');
  const none = { types: [], families: [], agents: [], steps: [], branches: [], text: '' };

  it('R42 is shown with the agent of its command, else of its scope; where neither is recorded with none', () => {
    const agents = reader.rows(branch, none, 0, 20).rows.map(({ id, agent }) => [id, agent]);
    expect(Object.fromEntries(agents)).toMatchObject({
      'b-1:1': 'desk',
      'b-1:2': 'account',
      'b-1:3': 'account',
      'b-1:4': undefined,
    });
  });

  it('R42 stands in the lane of that agent', () => {
    const { lanes } = reader.overview(branch, none, 20);
    const counts = lanes.map(({ label, bins }) => [label, bins.reduce((sum, { count }) => sum + count, 0)]);
    // The record of the branch itself, and what no recorded scope explains, stay with the engine (drawn as "noseq").
    expect(Object.fromEntries(counts)).toEqual({ desk: 2, account: 2, noseq: 2 });
  });
});
