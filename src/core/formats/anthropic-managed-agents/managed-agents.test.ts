import { expect, it } from 'vitest';
import { byType, edges, expectSound, graphOf, openLines, openValue, rulesOf } from '../testing/platforms.ts';
import { rules } from './session.ts';

function streamed(id: string, type: string, micro: number, more: object = {}): readonly unknown[] {
  return [
    'client.beta.sessions.events.stream',
    { id: `sevt_${id}`, type, processed_at: `2026-01-01T00:00:00.00000${micro}Z`, ...more },
  ];
}

const text = [{ type: 'text', text: 'hi' }];
const lines = [
  [
    'client.beta.sessions.create',
    { id: 'sesn_1', type: 'session', title: 'T', agent: { name: 'A', system: 's', model: { id: 'm' }, tools: [] } },
  ],
  ['client.beta.sessions.events.send', ['sesn_1', { events: [{ type: 'user.message', content: text }] }]],
  streamed('u', 'user.message', 1, { content: text }),
  streamed('q', 'span.model_request_start', 2),
  streamed('t', 'agent.mcp_tool_use', 3, { name: 'find', input: { q: 1 }, evaluated_permission: 'ask' }),
  streamed('e', 'span.model_request_end', 4, {
    model_request_start_id: 'sevt_q',
    is_error: false,
    model_usage: { input_tokens: 2 },
  }),
  streamed('c', 'user.tool_confirmation', 5, { tool_use_id: 'sevt_t', result: 'deny', deny_message: 'no' }),
  streamed('r', 'agent.mcp_tool_result', 6, { mcp_tool_use_id: 'sevt_t', is_error: true, content: text }),
  streamed('p', 'span.model_request_start', 7),
  streamed('x', 'session.odd', 8, { kept: 1 }),
];

it('managed agents: requests, permission asked and denied, the refused call, unknown events', async () => {
  const opened = await openLines(lines);
  expectSound(opened);
  expect(opened.counts).toEqual({ input: 10, mapped: 9, merged: 1, problems: 0 });
  for (const rule of rulesOf(opened)) expect(rules).toHaveProperty(rule);
  const told = edges(opened);
  expect(told).toContain('sevt_q -result_of-> sevt_e');
  expect(told).toContain('sevt_q -caused_by~within-request-> sevt_t');
  expect(told).toContain('sevt_c -authorized_by-> sevt_r');
  expect(told).toContain('sevt_r -consumed~since-last-request-> sevt_p');
  expect(byType(opened, 'tool_call.failed')[0]?.data).toMatchObject({ executed: false, error: { message: 'hi' } });
  expect(byType(opened, 'approval.denied')[0]?.data).toMatchObject({ reason: 'no', granted: false });
  expect(byType(opened, 'model_call.completed')[0]?.data).toMatchObject({
    usage: { input_tokens: 2 },
    output_messages: [{ parts: [{ type: 'tool_call', name: 'find' }] }],
  });
  expect(byType(opened, 'anthropic_managed_agents.session.odd')[0]?.data).toMatchObject({ kept: 1 });
  expect(graphOf(await openLines([...lines].reverse()))).toEqual(graphOf(opened));
});

it('managed agents: a page of events is the session of these, what stands around it kept with its beginning', async () => {
  const event = (id: string): object => ({ id, type: 'session.odd', processed_at: '2026-01-01T00:00:00Z' });
  const opened = await openValue({ data: [event('sevt_b'), event('sevt_a')], has_more: true });
  expectSound(opened);
  expect(opened.counts).toEqual({ input: 3, mapped: 2, merged: 1, problems: 0 });
  const [begin] = byType(opened, 'run.started');
  expect(begin).toMatchObject({
    session: 'session of sevt_a',
    imported: { extra: { documents: [{ has_more: true }] } },
  });
});
