import { describe, expect, it } from 'vitest';
import { mainBranch } from '../model/index.ts';
import { emptyFilter } from './matching.ts';
import { drawReader } from './testing/drawn-reader.ts';

describe('lanes of the overview', () => {
  it('names lanes as short as tells them apart, and no process like an agent', () => {
    const labels = (drawing: string): readonly string[] =>
      drawReader(drawing)
        .overview(mainBranch, emptyFilter, 9)
        .lanes.map(({ label }) => label);
    expect(labels('helm/helm-a/1:\n a step.started\nhelm/helm-a/1 agent=helm:\n b step.started')).toEqual([
      'helm',
      'helm (process)',
    ]);
    // However it is written; and two agents that are called nearly alike say whose they are.
    expect(labels('weather-agent:\n a step.started\nw/w/1 agent=WeatherAgent:\n b step.started')).toEqual([
      'WeatherAgent',
      'weather-agent (process)',
    ]);
    expect(labels('control agent=helm-agent:\n a step.started\nhelm_agent agent=helm_agent:\n b step.started')).toEqual(
      ['helm-agent (of control)', 'helm_agent (of helm_agent)'],
    );
    expect(labels('w agent=a-b:\n a step.started\nw agent=a_b:\n b step.started')).toEqual(['a-b', 'a_b']);
    expect(labels('w/w-1/1:\n a step.started\nw/w-2/1:\n b step.started\nw/x/1:\n c step.started')).toEqual([
      'w x',
      'w-1',
      'w-2',
    ]);
  });

  it('marks where branches begin once, however many begin there', () => {
    const branch = (n: number): string =>
      `hindcast branch=b-${n} notime noseq:\n  b-${n}:0 branch.created {"parent":"main","fork":"b"}\n`;
    const marksOf = (count: number) =>
      drawReader(
        `w:\n a step.started\n b step.completed\n${Array.from({ length: count }, (_, n) => branch(n)).join('')}`,
      )
        .overview(mainBranch, emptyFilter, 9)
        .marks.map(({ kind, event, label }) => [kind, event, label]);
    expect(marksOf(1)).toEqual([['fork', 'b', 'b-0']]);
    expect(marksOf(5)).toEqual([['fork', 'b', '5 branches from here: b-0; b-1; b-2; 2 more']]);
  });

  it('counts the calls of a lane that were open at once, from record to result', () => {
    const drawing = `
      w agent=a:
        a1 tool_call.dispatched path=/x#0
        a2 tool_call.dispatched path=/x#1
        lost tool_call.dispatched path=/x#2
        a3 model_call.requested path=/x#3
      w agent=b:
        b1 tool_call.dispatched path=/y#0
      w agent=a:
        e2 tool_call.completed path=/x#1 <- a2:result_of
        e1 tool_call.failed path=/x#0 <- a1:result_of {"error":{"name":"E","message":"no"}}
        e3 model_call.completed path=/x#3 <- a3:result_of
        a4 tool_call.dispatched path=/x#4
        e4 tool_call.completed path=/x#4 <- a4:result_of
      w agent=b:
        e5 tool_call.completed path=/y#0 <- b1:result_of
    `;
    const reader = drawReader(drawing);
    const openIn = (rows?: { readonly from: number; readonly to: number }): unknown =>
      reader
        .overview(mainBranch, emptyFilter, 12, rows)
        .lanes.map(({ bins }) => bins.flatMap(({ first, atOnce }) => (atOnce === undefined ? [] : [[first, atOnce]])));
    const inA = [['a2', 2], ['lost', 2], ['a3', 3], ['e2', 3], ['e1', 2]]; // prettier-ignore
    expect(openIn()).toEqual([inA, []]);
    // A part knows of what began before it.
    expect(openIn({ from: 5, to: 12 })).toEqual([inA.slice(3), []]);
    // What a filter hides is not counted.
    const models = { ...emptyFilter, types: ['model_call.requested', 'model_call.completed'] };
    expect(
      reader.overview(mainBranch, models, 12).lanes.flatMap(({ bins }) => bins.map(({ atOnce }) => atOnce)),
    ).toEqual([undefined, undefined]);
  });
});
