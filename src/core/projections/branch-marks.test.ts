import { describe, expect, it } from 'vitest';
import { branchId, mainBranch } from '../model/index.ts';
import { drawReader } from './testing/drawn-reader.ts';

const replayed = `
  worker agent=a step=1:
    ask    tool_call.dispatched path=/read:fact#0
    told   tool_call.completed path=/read:fact#0 <- ask:result_of
    other  tool_call.completed path=/read:other#0
    think  model_call.completed path=/model:plan#0 <- told:consumed
    send   tool_call.dispatched path=/write:mail#0 <- think:selected_by
    gone   tool_call.dispatched path=/write:gone#0 <- think:selected_by
  service:
    sent   effect.committed <- gone:result_of {"effect":{"kind":"mail","id":"m-1"}}
  hindcast branch=b-1 notime noseq:
    b-1:0  branch.created {"parent":"main","fork":"told","frontier":{"minus":["told","think","send","gone"]}}
    b-1:1  tool_call.completed path=/read:fact#0 supersedes=told origin=supplied & {"principal":{"id":"maya","kind":"human"}}
    b-1:2  observation.reused {"path":"/read:other#0","event":"other","rule":"M1"}
    b-1:3  model_call.requested path=/model:plan#0 supersedes=think origin=replayed
    b-1:4  model_call.completed path=/model:plan#0 origin=supplied & {"principal":{"id":"maya","kind":"human"}}
    b-1:5  tool_call.dispatched path=/write:mail#0 supersedes=send origin=replayed
    b-1:6  tool_call.dispatched path=/write:new#0 origin=replayed
    b-1:7  tool_call.completed path=/write:new#0 origin=supplied & {"principal":{"id":"maya","kind":"human"}}
    b-1:8  replay.completed {"status":"blocked","counts":{},"digests":{},"blocked":[{"path":"/write:mail#0","reason":"changed"}]}
`;

describe('marks of a branch', () => {
  const reader = drawReader(replayed);

  it('R42 say what a replay made of each event, on the branch and on its parent', () => {
    const marks = reader.branchMarks(branchId('b-1'));
    expect(marks?.parent).toBe('main');
    expect(Object.fromEntries((marks?.onBranch ?? []).map(({ event, status }) => [event, status]))).toEqual({
      'b-1:1': 'superseded',
      other: 'reused',
      'b-1:3': 'changed',
      'b-1:4': 'changed',
      'b-1:5': 'pending',
      'b-1:6': 'inserted',
      'b-1:7': 'inserted',
      sent: 'orphan effect',
    });
    expect(Object.fromEntries((marks?.onParent ?? []).map(({ event, status }) => [event, status]))).toEqual({
      told: 'superseded',
      think: 'changed',
      send: 'changed',
      gone: 'not reached',
      sent: 'orphan effect',
    });
  });

  it('R42 call gone what a branch that ended does not ask for, and only not reached what one that waits has not come to', () => {
    const ended = drawReader(replayed.replace('"status":"blocked"', '"status":"complete"'));
    const status = (of: typeof reader): string | undefined =>
      of.branchMarks(branchId('b-1'))?.onParent.find(({ event }) => event === 'gone')?.status;
    expect([status(reader), status(ended)]).toEqual(['not reached', 'removed']);
  });

  it('R42 tell the end of the run as changed where the branch has an end of its own', () => {
    const marks = drawReader(`
      worker agent=a:
        ask  tool_call.dispatched path=/read:fact#0
        end  run.completed <- ask:caused_by {"result":1}
      hindcast branch=b-1 notime noseq:
        b-1:0  branch.created {"parent":"main","fork":"ask","frontier":{"minus":["end"]}}
        b-1:1  run.completed origin=replayed {"result":2}
        b-1:2  replay.completed {"status":"complete","counts":{},"digests":{},"blocked":[]}
    `).branchMarks(branchId('b-1'));
    expect(marks?.onParent).toEqual([{ event: 'end', status: 'changed' }]);
  });

  it('D9 call open what the branch asked for and its run ended before an answer: a sub-agent left running, and what it was at', () => {
    const left = `
      worker agent=a:
        start  agent.spawned path=/child:work#0 issued=1
        ask    tool_call.dispatched path=/child:work#0/read:x#0 issued=2
        told   tool_call.completed path=/child:work#0/read:x#0 delivered=3 <- ask:result_of
        back   agent.completed path=/child:work#0 delivered=4 <- start:result_of
      hindcast branch=b-1 notime noseq:
        b-1:0  branch.created {"parent":"main","fork":"start","frontier":{"minus":["back"]}}
        b-1:1  agent.spawned path=/child:work#0 issued=1 supersedes=start origin=replayed
        b-1:2  tool_call.dispatched path=/read:new#0 issued=2 origin=replayed
        b-1:3  tool_call.completed path=/read:new#0 delivered=3 origin=supplied & {"principal":{"id":"maya","kind":"human"}}
        b-1:4  observation.reused {"path":"/child:work#0/read:x#0","event":"told","rule":"M1"}
        b-1:5  replay.completed {"status":"complete","counts":{},"digests":{},"blocked":[]}
    `;
    const read = (drawing: string) => {
      const marks = drawReader(drawing).branchMarks(branchId('b-1'));
      return [marks?.onBranch, marks?.onParent].map((list = []) =>
        Object.fromEntries(list.map(({ event, status }) => [event, status])),
      );
    };
    expect(read(left)).toEqual([
      { 'b-1:1': 'open', 'b-1:2': 'inserted', 'b-1:3': 'inserted', told: 'open' },
      { start: 'open', told: 'open', back: 'open' },
    ]);
    // As long as the branch waits it may still be answered.
    const waits = left.replace('"status":"complete"', '"status":"blocked"');
    expect(read(waits)[0]).toMatchObject({ 'b-1:1': 'changed', told: 'reused' });
  });

  it('are not given for the original, nor for a branch that is not there', () => {
    expect(reader.branchMarks(mainBranch)).toBeUndefined();
    expect(reader.branchMarks(branchId('b-9'))).toBeUndefined();
  });
});
