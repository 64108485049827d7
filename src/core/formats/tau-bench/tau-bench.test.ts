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

it('τ²-bench: a simulation is a run with times, counts and costs; what the customer did by itself is no act of the agent', async () => {
  const at = (second: number): string => `2026-01-01T00:00:0${String(second)}`;
  const messages = [
    { role: 'assistant', content: 'Hi!', tool_calls: null, timestamp: at(1), cost: 0, usage: null },
    {
      role: 'user',
      content: null,
      tool_calls: [{ id: 'u', name: 'toggle', arguments: {}, requestor: 'user' }],
      timestamp: at(2),
    },
    { id: 'u', role: 'tool', content: 'on', requestor: 'user', error: false, timestamp: at(3) },
    { role: 'user', content: 'cancel', timestamp: at(4) },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', name: 'get_user', arguments: { id: 'x' }, requestor: 'assistant' }],
      timestamp: at(5),
      cost: 0.5,
      usage: { prompt_tokens: 7, completion_tokens: 2 },
    },
    { id: 'c', role: 'tool', content: 'none', requestor: 'assistant', error: true, timestamp: at(6) },
  ];
  const reward_info = { reward: 0.5 };
  const simulation = { id: 's', task_id: '0', trial: 0, termination_reason: 'user_stop', reward_info, messages };
  const stopped = { ...simulation, trial: 1, termination_reason: 'max_steps' };
  const opened = await openValue({ info: { git: 'x' }, tasks: [{ id: '0' }], simulations: [simulation, stopped] });
  expectSound(opened);
  expect(opened.counts).toEqual({ input: 3, mapped: 2, merged: 1, problems: 0 });
  expect(byType(opened, 'message.sent')[0]?.data).toMatchObject({ role: 'greeting' });
  const [answer] = byType(opened, 'model_call.completed');
  expect(answer).toMatchObject({ time: `${at(5)}Z`, data: { usage: { input_tokens: 7 }, cost: { amount: 0.5 } } });
  expect(byType(opened, 'tool_call.dispatched').map(({ data }) => data?.['tool'])).toEqual(['get_user', 'get_user']);
  expect(byType(opened, 'tool_call.failed')[0]?.data).toMatchObject({ call_id: 'c', error: { message: 'none' } });
  expect(byType(opened, 'tau_bench.customer_tool')).toHaveLength(2);
  expect(byType(opened, 'run.completed')[0]?.data).toMatchObject({ evaluation: { reward: 0.5 } });
  expect(byType(opened, 'run.failed')[0]?.data).toMatchObject({ error: { message: 'max_steps' } });
  expect(opened.problems.map(({ code }) => code)).toEqual(['time-without-zone']);
});
