/** Sub-agents that were started, with and without records of what they did; for tests only. */
import { drawnRun } from '../../model/testing/trace.ts';
import { spawned } from './drawn-runs.ts';

export const drawnChildren = [
  { name: 'one that nothing tells of', trace: spawned('', '{"to":"ag"}'), count: 1 },
  { name: 'one whose name no record gives', trace: spawned('', '{}'), count: 1 },
  {
    name: 'one with records under its name',
    trace: spawned('x step.started agent=ag {"name":"x"}', '{"to":"ag"}'),
    count: 0,
  },
  { name: 'one with a record that it caused', trace: spawned('x step.started <- sp {"name":"x"}', '{}'), count: 0 },
  {
    name: 'one whose commands stand below its path',
    trace: spawned('x model_call.requested path=/child:a#0/model:m#0 {}', '{"child":{"scope":"/child:a#0"}}'),
    count: 0,
  },
  {
    name: 'one whose steps stand below its path',
    trace: spawned('x step.started step=/child:a#0/step:x#0 {"name":"x"}', '{"child":{"scope":"/child:a#0"}}'),
    count: 0,
  },
  {
    name: 'one whose run was opened, with a path of its own in it',
    trace: spawned('x step.started run=2 {"name":"x"}', `{"child":{"run":"${drawnRun(2)}","scope":"/child:a#0"}}`),
    count: 0,
  },
  {
    name: 'one whose path only begins like that of others',
    trace: spawned(
      `x model_call.requested path=/child:a#01/model:m#0 {}
    y model_call.requested path=/child:a#0x {}
    z model_call.requested run=2 path=/child:a#0/model:m#0 {}`,
      '{"child":{"scope":"/child:a#0"}}',
    ),
    count: 1,
  },
  {
    name: 'one that ended in the journal of its program and asked for nothing',
    trace: spawned(
      'x agent.joined path=/child:a#0 delivered=1 <- sp:result_of {"result":1}',
      '{"child":{"scope":"/child:a#0"}}',
    ).replace('agent.spawned', 'agent.spawned path=/child:a#0 issued=0'),
    count: 0,
  },
  {
    name: 'one whose run was opened beside it',
    trace: spawned('x step.started run=2 {"name":"x"}', `{"child":{"run":"${drawnRun(2)}"}}`),
    count: 0,
  },
  {
    name: 'one whose run is another than those opened',
    trace: spawned('x step.started run=2 {"name":"x"}', `{"child":{"run":"${drawnRun(3)}"}}`),
    count: 1,
  },
  {
    name: 'one that names the run it was started in',
    trace: spawned('', `{"child":{"run":"${drawnRun(1)}"}}`),
    count: 1,
  },
  { name: 'one that was refused', trace: spawned('x approval.denied <- sp {"granted":false}', '{}'), count: 0 },
  {
    name: 'one that ended in an error',
    trace: spawned('x agent.joined <- sp:result_of {"error":{"name":"ToolError","message":"no such agent"}}', '{}'),
    count: 0,
  },
];
