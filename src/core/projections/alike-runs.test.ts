/** Causal G6: two runs that number alike, opened together. An id in a record means the record of that record's own run. */
import { describe, expect, it } from 'vitest';
import { type HindcastEvent, branchId, eventId, mainBranch } from '../model/index.ts';
import { drawTrace } from '../model/testing/trace.ts';
import { computeCounterpart } from './counterpart.ts';
import { emptyFilter } from './matching.ts';
import { computeStateLines } from './states/states.ts';
import { eventsToReader } from './testing/drawn-reader.ts';
import { drawView, eventsToView } from './testing/drawn-view.ts';
import type { BranchMark } from './trace-reader.ts';
import { computeNesting } from './transcript/nesting.ts';

const maya = '& {"principal":{"id":"maya","kind":"human"}}';

function run(n: number): string {
  return `
  worker/w${n} run=${n} agent=a step=s${n}:
    begun  step.started
    ask    tool_call.dispatched path=/read:fact#0
    told   tool_call.completed path=/read:fact#0 <- ask:result_of
    other  tool_call.completed path=/read:other#0
    send   tool_call.dispatched path=/write:mail#0 <- told:selected_by
    gone   tool_call.dispatched path=/write:gone#0 <- told:selected_by
    end    run.completed {"result":1}
  service/v${n} run=${n}:
    sent   effect.committed <- gone:result_of {"effect":{"kind":"mail","id":"m-${n}"}}`;
}

const second = drawTrace(`${run(2)}
  hindcast run=2 branch=b-1 notime noseq:
    b-1:0  branch.created {"parent":"main","fork":"told","frontier":{"minus":["told","send","gone","end"]}}
    b-1:1  tool_call.completed path=/read:fact#0 supersedes=told origin=supplied ${maya}
    b-1:2  observation.reused {"path":"/read:other#0","event":"other","rule":"M1","delivered":3}
    b-1:3  tool_call.dispatched path=/write:mail#0 supersedes=send origin=replayed
    b-1:4  tool_call.completed path=/write:mail#0 origin=supplied ${maya}
    b-1:5  run.completed origin=replayed {"result":2}
    b-1:6  replay.completed {"status":"complete","counts":{},"digests":{},"blocked":[]}
  review run=2:
    n1  annotation.made {"annotator":{"id":"maya","kind":"human"},"target":"told","label":"wrong"}`).events;
const first = drawTrace(run(1)).events;
const branch = branchId('b-1');

/** Both orders of reading, with what the ids of the second run are shown as in it. */
const orders: readonly (readonly [string, readonly HindcastEvent[], string])[] = [
  ['the run of the branch read last', [...first, ...second], '~2'],
  ['the run of the branch read first', [...second, ...first], ''],
];

describe.each(orders)('two runs that number alike, %s', (_, events, mark) => {
  const reader = eventsToReader(events);
  const view = (of: string) => eventsToView(events, of);
  const other = mark === '' ? '~2' : '';

  it('G6 R42 the counterpart is the record of the run that the branch is of', () => {
    const on = (of: string, id: string) => computeCounterpart(view(of), eventId(id));
    expect(['b-1:1', 'b-1:2', 'b-1:3'].map((id) => on('main', id))).toEqual([
      `told${mark}`,
      `other${mark}`,
      `send${mark}`,
    ]);
    expect(on('b-1', `told${mark}`)).toBe('b-1:1');
    expect(on('b-1', `told${other}`)).toBe(`told${other}`);
  });

  it('G6 a line of the branch stands in the step of the record whose place it takes', () => {
    const shown = view('b-1');
    const { parentOf } = computeNesting(shown);
    expect(shown.index.id(parentOf(shown.index.find('b-1:1')))).toBe(`begun${mark}`);
  });

  it('G6 R42 marks stand on the records of the run of the branch', () => {
    const marks = reader.branchMarks(branch);
    const toStatuses = (list: readonly BranchMark[] = []): Readonly<Record<string, string>> =>
      Object.fromEntries(list.map(({ event, status }) => [event, status]));
    expect(toStatuses(marks?.onBranch)).toEqual({
      'b-1:1': 'superseded',
      [`other${mark}`]: 'reused',
      'b-1:3': 'changed',
      'b-1:4': 'changed',
      'b-1:5': 'changed',
      [`sent${mark}`]: 'orphan effect',
    });
    expect(toStatuses(marks?.onParent)).toEqual({
      [`told${mark}`]: 'superseded',
      [`send${mark}`]: 'changed',
      [`gone${mark}`]: 'removed',
      [`end${mark}`]: 'changed',
      [`sent${mark}`]: 'orphan effect',
    });
  });

  it('G6 the branch leaves its parent at the record of its own run', () => {
    expect(reader.summary().branches.find(({ id }) => id === branch)?.fork).toBe(`told${mark}`);
    const forks = reader.overview(mainBranch, emptyFilter, 9).marks.filter(({ kind }) => kind === 'fork');
    expect(forks.map(({ event }) => event)).toEqual([`told${mark}`]);
  });

  it('G6 R83 a note is about the record of its own run', () => {
    const notesOf = (id: string) => reader.inspect(mainBranch, eventId(id))?.notes.listed.map((row) => row.id);
    expect([`told${mark}`, `told${other}`].map(notesOf)).toEqual([['n1'], []]);
  });
});

describe('states of two runs that number alike', () => {
  it('G6 R6 a version that was put in has the value of its own record', () => {
    const state = (n: number) =>
      `w${n}/a run=${n}:\n  s state.transitioned origin=supplied {"name":"x","from":0,"to":1,"args":{"n":${n}}} ${maya}`;
    const lines = computeStateLines(drawView(`${state(1)}\n${state(2)}`));
    expect(lines.map(({ versions }) => versions.map(({ value }) => value))).toEqual([[{ n: 1 }], [{ n: 2 }]]);
  });
});
