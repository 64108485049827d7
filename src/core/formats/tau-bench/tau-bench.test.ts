import { expect, it } from 'vitest';
import { openFiles, textToSource } from '../testing/opening.ts';
import { byType, edges, expectSound, openLines, openValue } from '../testing/platforms.ts';
import { tauBench } from './tau-bench.ts';

const traj = [
  { role: 'system', content: 'rules' },
  { role: 'user', content: 'cancel' },
  { role: 'assistant', content: null, tool_calls: [{ id: 'c', function: { name: 'find', arguments: '{"a":1}' } }] },
  { role: 'tool', tool_call_id: 'c', name: 'find', content: 'Error: none' },
  { role: 'assistant', content: 'sorry' },
];
const results = [0, 1].map((trial) => ({ task_id: 7, trial, reward: trial, info: { why: 'x' }, traj }));

it('tau-bench: each result is a run; calls and results are joined by call id', async () => {
  const opened = await openValue(results);
  expectSound(opened);
  expect(opened.counts).toEqual({ input: 2, mapped: 2, merged: 0, problems: 0 });
  expect(edges(opened)).toContain('m2:call0 -result_of-> m3');
  expect(edges(opened)).toContain('m3 -consumed~message-order-> m4');
  expect(byType(opened, 'tool_call.failed').map(({ data }) => data)).toMatchObject([
    { tool: 'find', error: { message: 'Error: none' } },
    { tool: 'find' },
  ]);
  expect(byType(opened, 'tool_call.dispatched')[0]).toMatchObject({
    command: { path: '/read:find=c', kind: 'read' },
    data: { effect: 'none' },
  });
  expect(byType(opened, 'run.completed').map(({ data }) => data)).toEqual([
    { evaluation: { reward: 0 } },
    { evaluation: { reward: 1 } },
  ]);
  const file = textToSource('x', JSON.stringify(results));
  expect(await tauBench.list?.([file], {})).toMatchObject([
    { key: 'task 7, trial 0', records: 1 },
    { key: 'task 7, trial 1' },
  ]);
  expect((await openFiles([file], { trace: 'task 7, trial 1' })).counts.input).toBe(1);
});

it('tau-bench: an exception in the harness ended the run, whatever the reward; what the reward is made of stands beside it', async () => {
  const info = { error: 'too long', traceback: 'Traceback:\n  x\nopenai.BadRequestError: too long\n' };
  const failed = await openValue([{ task_id: 1, trial: 0, reward: 0, info, traj: [] }]);
  expect(byType(failed, 'run.completed')).toEqual([]);
  expect(byType(failed, 'run.failed').map(({ data }) => data)).toMatchObject([
    { error: { name: 'BadRequestError', message: 'too long', data: { traceback: info.traceback } } },
  ]);
  const judged = [{ task_id: 1, reward: 1, info: { reward_info: { reward: 1, info: { r_actions: true } } }, traj }];
  expect(byType(await openValue(judged), 'run.completed')[0]?.data).toEqual({
    evaluation: { reward: 1, info: { reward: 1, info: { r_actions: true } } },
  });
});

it('tau-bench: results are joined to their calls by id, in any order; one without an id answers the first open call', async () => {
  const call = (id: string): object => ({ id, function: { name: id, arguments: '{}' } });
  const told = (content: string, more: object): object => ({ role: 'tool', content, ...more });
  const mixed = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: null, tool_calls: [call('a'), call('b'), call('c')] },
    told('of b', { tool_call_id: 'b' }),
    told('of a', {}),
    told('of c', {}),
  ];
  const opened = await openValue([{ task_id: 1, trial: 0, reward: 1, info: {}, traj: mixed }]);
  expect(byType(opened, 'tool_call.completed').map(({ data }) => [data?.['tool'], data?.['result']])).toEqual([
    ['b', 'of b'],
    ['a', 'of a'],
    ['c', 'of c'],
  ]);
});

it('tau-bench: few-shot text is split by role; a copy is merged', async () => {
  const shown = { messages_display: 'user: hi\nthere\nassistant: None\ntool: done\nassistant: None of it' };
  const opened = await openLines([shown, shown]);
  expect(opened.counts).toMatchObject({ input: 2, mapped: 1, merged: 1 });
  expect(opened.events.map(({ event }) => event.type)).toEqual([
    'run.started',
    'input.received',
    'model_call.completed',
    'tool_call.completed',
    'model_call.completed',
  ]);
  // The word is Python's for nothing where it stands alone.
  expect(byType(opened, 'model_call.completed').map(({ data }) => data?.['result'])).toEqual([
    [],
    [{ type: 'text', content: 'None of it' }],
  ]);
});
