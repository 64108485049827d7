import { describe, expect, it } from 'vitest';
import { listTraces, openFiles, traceToSource, whereFound } from '../testing/opening.ts';
import { byType, edges, expectSound, graphOf, openLines, openValue } from '../testing/platforms.ts';

const trace = {
  object: 'trace',
  id: 'trace_cacc43f3725d44749d03a8bba5e5249b',
  workflow_name: 'Travel',
  group_id: 'g',
  metadata: { user: 'u' },
};
function span(
  id: string,
  parent: string | null,
  from: number,
  to: number,
  data: object,
  error: object | null = null,
): object {
  return {
    object: 'trace.span',
    id,
    trace_id: trace.id,
    parent_id: parent,
    started_at: `2026-01-01T00:00:${String(from).padStart(2, '0')}.000Z`,
    ended_at: `2026-01-01T00:00:${String(to).padStart(2, '0')}.000Z`,
    span_data: data,
    error,
  };
}
const message = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'pay', arguments: '{"usd":1}' } }],
};
const lines = [
  trace,
  span('g1', 'a', 1, 2, {
    type: 'generation',
    model: 'm',
    input: [{ role: 'user', content: 'pay' }],
    output: [
      { id: 'r', model: 'm-1', choices: [{ message, finish_reason: 'tool_calls' }], usage: { prompt_tokens: 4 } },
    ],
  }),
  span(
    'f',
    'a',
    3,
    4,
    { type: 'function', name: 'pay', input: '{"usd":1}', output: 'no' },
    { message: 'declined', data: { code: 1 } },
  ),
  span('h', 'a', 5, 5, { type: 'handoff', from_agent: 'Travel agent', to_agent: 'Billing agent' }),
  span('p', 'a', 6, 6, { type: 'guardrail', name: 'safe', triggered: false }),
  span('r', 'b', 7, 8, { type: 'response', response_id: 'resp_1' }),
  span('b', 'a', 6, 9, { type: 'agent', name: 'Billing agent', tools: [] }),
  span('a', null, 0, 10, { type: 'agent', name: 'Travel agent', handoffs: ['Billing agent'] }),
];

describe('OpenAI Agents', () => {
  it('tells calls, failures, hand-offs, guardrails and nested agents', async () => {
    const opened = await openLines(lines);
    expectSound(opened);
    expect(opened.counts).toEqual({ input: 8, mapped: 8, merged: 0, problems: 0 });
    const told = edges(opened);
    expect(told).toContain('g1:decision -selected_by~call-by-arguments-> f:start');
    expect(told).toContain('a:start -caused_by-> b:start');
    expect(byType(opened, 'tool_call.failed')[0]).toMatchObject({
      agent: 'Travel agent',
      data: { tool: 'pay', error: { message: 'declined', data: { code: 1 } } },
    });
    expect(byType(opened, 'agent.handed_off')[0]?.data).toMatchObject({ from: 'Travel agent', to: 'Billing agent' });
    expect(byType(opened, 'policy.evaluated')[0]?.data).toMatchObject({ policy: 'safe', result: false });
    expect(byType(opened, 'agent.spawned').map(({ data }) => data)).toMatchObject([
      { to: 'Travel agent' },
      { from: 'Travel agent', to: 'Billing agent' },
    ]);
    expect(byType(opened, 'model_call.requested').find(({ agent }) => agent === 'Billing agent')?.command?.path).toBe(
      '/child:Billing agent=b/model:response=r',
    );
    expect(opened.result?.replayGrade).toBe('per call');
  });

  it('gives the same graph in any order and inside {traces: [{spans}]}', async () => {
    const graph = graphOf(await openLines(lines));
    expect(graphOf(await openLines([...lines].reverse()))).toEqual(graph);
    const nested = await openValue({ traces: [{ ...trace, spans: lines.slice(1) }] });
    expect(graphOf(nested)).toEqual(graph);
    expect(nested.counts).toEqual({ input: 8, mapped: 8, merged: 0, problems: 0 });
  });

  it('start and end records of the Ruby port are one span; an unfinished one stays open', async () => {
    const ruby = (event: string, id: string, end: string | null, attributes: object, status = 'ok'): object => ({
      event,
      timestamp: '2026-01-01T00:00:01Z',
      span: {
        span_id: id,
        trace_id: 'trace_1',
        parent_id: null,
        name: 'tool.calc',
        kind: 'tool',
        start_time: '2026-01-01T00:00:01Z',
        end_time: end,
        attributes,
        events: [],
        status,
      },
    });
    const opened = await openLines([
      ruby('start', 't', null, { 'tool.name': 'calc' }),
      ruby('end', 't', '2026-01-01T00:00:02Z', { 'tool.name': 'calc', 'tool.result': '3' }),
      ruby('start', 'u', null, { 'tool.name': 'calc' }),
    ]);
    expect(opened.counts).toEqual({ input: 3, mapped: 2, merged: 1, problems: 0 });
    expect(byType(opened, 'tool_call.dispatched')).toHaveLength(2);
    expect(byType(opened, 'tool_call.completed')[0]?.data).toMatchObject({ tool: 'calc', result: '3' });
  });
});

const files = [
  ...listTraces('openai-agents').filter((name) => /dazzaji_traces|raaf/.test(name)),
  ...listTraces('generated').filter((name) => name.includes('openai_agents')),
];

describe.skipIf(files.length === 0)(`real OpenAI Agents traces${whereFound(files)}`, () => {
  it.each(files)('%s opens whole', async (name) => {
    const opened = await openFiles([traceToSource(name)]);
    expectSound(opened);
    expect(opened.result?.format).toBe('openai-agents');
    expect(opened.counts.problems).toBe(0);
  });
});
