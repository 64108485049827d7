import { expect, it } from 'vitest';
import { eventToTitle } from '../../projections/index.ts';
import { conversationRules } from '../chat/conversation.ts';
import { byType, edges, expectSound, graphOf, openLines, openValue, rulesOf } from '../testing/platforms.ts';

const log = {
  question: 'where?',
  ground_truth: 'here',
  mistake_agent: 'Surfer',
  mistake_step: '2',
  mistake_reason: 'clicked',
  question_ID: 'q',
  history: [
    { role: 'human', content: 'where?' },
    { role: 'Orchestrator (-> Surfer)', content: 'go' },
    { role: 'Surfer', content: 'clicked' },
    { role: 'user', name: 'Expert', content: 'no' },
    { role: 'Orchestrator (thought)', content: 'hm' },
  ],
};

it('Who&When: speakers, order, and the ground truth as annotations on the message it names', async () => {
  const opened = await openValue(log);
  expectSound(opened);
  for (const rule of rulesOf(opened)) expect(conversationRules).toHaveProperty(rule);
  expect(opened.counts).toEqual({ input: 6, mapped: 6, merged: 0, problems: 0 });
  expect(byType(opened, 'message.sent').map(({ agent }) => agent)).toEqual([
    'Orchestrator',
    'Surfer',
    'Expert',
    'Orchestrator',
  ]);
  expect(byType(opened, 'message.sent').map((event) => eventToTitle(event))).toEqual([
    'Orchestrator (-> Surfer) said: go',
    'Surfer said: clicked',
    'Expert said: no',
    'Orchestrator (thought) said: hm',
  ]);
  expect(byType(opened, 'message.sent')[0]?.data).toMatchObject({ from: 'Orchestrator', to: 'Surfer' });
  expect(edges(opened)).toContain('m2 -caused_by-> mistake');
  expect(edges(opened)).toContain('m1 -caused_by~message-order-> m2');
  expect(byType(opened, 'annotation.made').map(({ data }) => data)).toMatchObject([
    { label: 'decisive mistake', body: { agent: 'Surfer', reason: 'clicked' } },
    { label: 'expected answer', body: 'here' },
  ]);
});

it('Who&When: a role of nothing but brackets is a speaker like another', { timeout: 4000 }, async () => {
  const role = '('.repeat(100_000);
  const history = [
    { role, content: 'go' },
    { role: 'A (x) (-> B) ', content: 'go' },
  ];
  const opened = await openValue({ ...log, history });
  expect(byType(opened, 'message.sent').map(({ agent }) => agent)).toEqual([role, 'A (x)']);
  expect(byType(opened, 'message.sent')[1]?.data).toMatchObject({ from: 'A (x)', to: 'B' });
});

it('Who&When: a list of logs is a log each', async () => {
  const opened = await openValue([log, { ...log, question_ID: 'r', question: 'when?' }]);
  expectSound(opened);
  expect(opened.counts).toEqual({ input: 12, mapped: 12, merged: 0, problems: 0 });
  expect(byType(opened, 'run.started')).toHaveLength(2);
});

it('AgentChat: answers with counts, calls with their results by id, order, and the stop of a TaskResult', async () => {
  const message = (
    id: string,
    source: string,
    type: string,
    content: unknown,
    models_usage: object | null = null,
  ): object => ({
    id,
    source,
    type,
    content,
    models_usage,
    created_at: `2026-01-01T00:00:0${id}Z`,
  });
  const usage = { prompt_tokens: 5, completion_tokens: 3 };
  const messages = [
    message('1', 'user', 'TextMessage', 'go'),
    message('2', 'helper', 'ToolCallRequestEvent', [{ id: 'c', name: 'calc', arguments: '{"a":1}' }], usage),
    message('3', 'helper', 'ToolCallExecutionEvent', [{ call_id: 'c', name: 'calc', content: 'no', is_error: true }]),
    message('4', 'helper', 'TextMessage', 'Done.', usage),
  ];
  const opened = await openValue({ messages, stop_reason: 'said so' });
  expectSound(opened);
  expect(opened.result?.format).toBe('autogen-agentchat');
  expect(opened.counts).toEqual({ input: 5, mapped: 5, merged: 0, problems: 0 });
  for (const rule of rulesOf(opened)) expect(conversationRules).toHaveProperty(rule);
  expect(byType(opened, 'model_call.completed').map(({ data }) => data?.['usage'])).toMatchObject([
    { input_tokens: 5, output_tokens: 3 },
    { input_tokens: 5, output_tokens: 3 },
  ]);
  const [call] = byType(opened, 'tool_call.dispatched');
  expect(call?.data).toMatchObject({ tool: 'calc', args: { a: 1 } });
  const [failed] = byType(opened, 'tool_call.failed');
  expect(failed?.causes).toEqual([{ event: call?.id, as: 'result_of' }]);
  expect(failed?.data).toMatchObject({ tool: 'calc', error: { message: 'no' } });
  expect(byType(opened, 'run.completed')[0]?.data).toEqual({ stop_reason: 'said so' });
  expect((await openValue(messages)).counts).toMatchObject({ input: 4, mapped: 4 });
});

const chat = [
  { content: 'What is 2+2?', role: 'assistant', name: 'user_proxy' },
  {
    content: null,
    tool_calls: [{ id: 'c', function: { arguments: '{"a":2}', name: 'add' }, type: 'function' }],
    role: 'user',
    name: 'helper',
  },
  {
    content: '4',
    tool_responses: [{ tool_call_id: 'c', role: 'tool', content: '4' }],
    role: 'tool',
    name: 'user_proxy',
  },
  { content: 'It is 4.', role: 'user', name: 'helper' },
];

it('R5 AutoGen 0.2: a chat history is told by who spoke, with calls, results and the summary', async () => {
  const opened = await openValue({ chat_id: 1, chat_history: chat, summary: 'It is 4.', cost: {}, human_input: [] });
  expectSound(opened);
  expect(opened.result?.format).toBe('autogen-agentchat');
  expect(opened.counts).toEqual({ input: 5, mapped: 5, merged: 0, problems: 0 });
  expect(opened.events.map(({ event: { type, agent, data } }) => [type, agent, data])).toMatchObject([
    ['run.started', undefined, { program: { name: 'AutoGen' } }],
    ['message.sent', 'user_proxy', { content: 'What is 2+2?' }],
    ['model_call.completed', 'helper', {}],
    ['decision.made', 'helper', { chosen: [{ tool: 'add', call_id: 'c' }] }],
    ['tool_call.dispatched', 'helper', { tool: 'add', args: { a: 2 } }],
    ['tool_call.completed', 'user_proxy', { tool: 'add', result: '4' }],
    ['message.sent', 'helper', { content: 'It is 4.' }],
    ['run.completed', undefined, { result: 'It is 4.' }],
  ]);
  expect(edges(opened)).toContain('m1:call0 -result_of-> m2');
});

it('R5 AutoGen 0.2: the messages as a list and as lines are the same chat', async () => {
  const listed = await openValue(chat);
  const lines = await openLines(chat);
  expect(listed.counts).toEqual({ input: 4, mapped: 4, merged: 0, problems: 0 });
  expect(graphOf(lines)).toEqual(graphOf(listed));
  expect(listed.result?.format).toBe('autogen-agentchat');
});

it('R5 AutoGen 0.2: a tool that could not be run has failed, and an older call without an id is joined to nothing', async () => {
  const opened = await openValue([
    { content: null, function_call: { name: 'add', arguments: '{}' }, role: 'assistant', name: 'helper' },
    { content: 'Error: no such function', role: 'function', name: 'add' },
  ]);
  expect(byType(opened, 'tool_call.failed')[0]).toMatchObject({
    data: { tool: 'add' },
    causes: [{ rule: 'message-order' }],
  });
});

it('a list of chat messages of which not every one names its speaker is no chat of AutoGen', async () => {
  for (const messages of [
    [chat[0], { role: 'user', content: 'x' }],
    [chat[0], { role: 'tool', content: 'x', name: 'add', tool_call_id: 'c' }],
    [chat[0], chat[0]],
  ])
    expect((await openValue(messages)).result?.format).not.toBe('autogen-agentchat');
});
