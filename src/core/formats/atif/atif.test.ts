import { describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../../model/index.ts';
import { openFiles, type Opened, textToSource } from '../testing/opening.ts';

const agent = { name: 'terminus', version: '2.0', model_name: 'gpt' };
const parent = {
  schema_version: 'ATIF-v1.5',
  session_id: 'p',
  agent,
  steps: [
    { step_id: 1, timestamp: '2026-01-01T00:00:00Z', source: 'user', message: 'do it' },
    {
      step_id: 2,
      timestamp: '2026-01-01T00:00:05Z',
      source: 'agent',
      message: 'I ask another',
      reasoning_content: 'hm',
      tool_calls: [{ tool_call_id: 'c', function_name: 'helper', arguments: { task: 'x' } }],
      observation: {
        results: [{ source_call_id: 'c', content: 'found', subagent_trajectory_ref: [{ session_id: 'k' }] }],
      },
      metrics: { prompt_tokens: 5, completion_tokens: 2, cached_tokens: 1, cost_usd: 0.5 },
    },
    { step_id: 3, source: 'agent', message: 'done', odd: 1 },
  ],
  final_metrics: { total_prompt_tokens: 5 },
};
const child = {
  schema_version: 'ATIF-v1.5',
  session_id: 'k',
  agent,
  steps: [
    { step_id: 1, source: 'user', message: 'do it', is_copied_context: true },
    { step_id: 2, source: 'agent', message: 'found' },
  ],
};

function byType({ events }: Opened, type: string): readonly HindcastEvent[] {
  return events.map(({ event }) => event).filter((event) => event.type === type);
}

describe('ATIF', () => {
  it('steps are answers with their calls, results and counts; totals are never added', async () => {
    const opened = await openFiles([textToSource('x', JSON.stringify(parent, null, 2))]);
    expect(opened.result?.format).toBe('atif');
    expect(opened.counts).toEqual({ input: 4, mapped: 4, merged: 0, problems: 0 });
    const [first, second] = byType(opened, 'model_call.completed');
    expect(first).toMatchObject({
      time: '2026-01-01T00:00:05Z',
      data: {
        output_messages: [
          {
            parts: [
              { type: 'reasoning', content: 'hm' },
              { type: 'text', content: 'I ask another' },
              { type: 'tool_call', id: 'c', name: 'helper', arguments: { task: 'x' } },
            ],
          },
        ],
      },
    });
    expect(first?.data).toMatchObject({
      usage: { input_tokens: 5, output_tokens: 2, cache_read_input_tokens: 1 },
      cost: { amount: 0.5 },
    });
    expect(second?.data).not.toHaveProperty('usage');
    expect(second?.imported?.extra).toMatchObject({ odd: 1 });
  });

  it('a sub-trajectory is joined to the call whose result names it, and copied context is not told twice', async () => {
    const opened = await openFiles([textToSource('x', JSON.stringify({ parent, child }))]);
    expect(byType(opened, 'run.started')).toHaveLength(2);
    const [spawned] = byType(opened, 'agent.spawned');
    const started = byType(opened, 'run.started').find(({ session }) => session === 'k');
    expect(started?.causes).toMatchObject([{ event: spawned?.id, as: 'caused_by' }]);
    expect(byType(opened, 'artifact.used')).toHaveLength(1);
    expect(byType(opened, 'input.received')).toHaveLength(1);
  });

  it('sub-agents inside the document of the agent that asked them are runs of their own, below its calls', async () => {
    const inner = (id: string, more: object = {}): object => ({
      schema_version: 'ATIF-v1.7',
      trajectory_id: id,
      session_id: 'p',
      agent: { name: `helper ${id}`, version: '1' },
      steps: [
        { step_id: 1, source: 'user', message: `task ${id}` },
        { step_id: 2, source: 'agent', message: `found ${id}`, metrics: { prompt_tokens: 3, logprobs: [-0.1] } },
      ],
      ...more,
    });
    const calls = ['a', 'b'].map((id) => ({ tool_call_id: id, function_name: 'helper', arguments: { id } }));
    const results = ['a', 'b'].map((id) => ({
      source_call_id: id,
      content: `found ${id}`,
      subagent_trajectory_ref: [{ trajectory_id: id }],
    }));
    const document = {
      schema_version: 'ATIF-v1.7',
      session_id: 'p',
      agent,
      steps: [
        { step_id: 1, source: 'user', message: 'do it' },
        { step_id: 2, source: 'agent', message: 'I ask two', tool_calls: calls },
        { step_id: 3, source: 'system', message: '', observation: { results } },
      ],
      subagent_trajectories: [inner('a'), inner('b', { subagent_trajectories: [inner('a')] })],
    };
    const opened = await openFiles([textToSource('x', JSON.stringify(document))]);
    expect(opened.counts).toEqual({ input: 13, mapped: 13, merged: 0, problems: 0 });
    expect(opened.result?.format).toBe('atif');
    const starts = byType(opened, 'run.started');
    expect(starts.map(({ session, data }) => [session, data?.['program']])).toMatchObject([
      ['p', { name: 'terminus' }],
      ['p/a', { name: 'helper a' }],
      ['p/b', { name: 'helper b' }],
      ['p/b/a', { name: 'helper a' }],
    ]);
    const spawned = byType(opened, 'agent.spawned');
    expect(starts.slice(1, 3).map(({ causes }) => causes?.[0]?.event)).toEqual(spawned.map(({ id }) => id));
    expect(starts[3]?.causes).toMatchObject([{ event: starts[2]?.id }]);
    // The task of a sub-agent comes from its agent; an observation without words is no message.
    expect(byType(opened, 'input.received')).toHaveLength(1);
    expect(byType(opened, 'message.sent')).toHaveLength(3);
    const [answer] = byType(opened, 'model_call.completed').slice(1);
    expect(answer?.data).toMatchObject({ usage: { input_tokens: 3 }, metrics: { logprobs: [-0.1] } });
    expect(answer?.data?.['usage']).not.toHaveProperty('logprobs');
  });

  it('a call failed where its result, or the step of its only result, says so', async () => {
    const call = (step_id: number, extra: object, result: object): object => ({
      step_id,
      source: 'agent',
      message: '',
      extra,
      tool_calls: [{ tool_call_id: `c${step_id}`, function_name: 'Bash', arguments: {} }],
      observation: { results: [{ source_call_id: `c${step_id}`, content: 'no such file', ...result }] },
    });
    const steps = [
      call(1, { tool_result_is_error: true }, {}),
      call(2, {}, { extra: { is_error: true } }),
      call(3, { tool_result_is_error: false }, {}),
      // Of two results nothing says which one failed.
      {
        step_id: 4,
        source: 'agent',
        message: '',
        extra: { tool_result_is_error: true },
        tool_calls: ['c4', 'c5'].map((tool_call_id) => ({ tool_call_id, function_name: 'Bash', arguments: {} })),
        observation: { results: ['c4', 'c5'].map((source_call_id) => ({ source_call_id, content: 'x' })) },
      },
    ];
    const opened = await openFiles([textToSource('x', JSON.stringify({ ...parent, steps }))]);
    expect(byType(opened, 'tool_call.failed').map(({ data }) => data)).toMatchObject([
      { call_id: 'c1', error: { name: 'ToolError', message: 'no such file' } },
      { call_id: 'c2' },
    ]);
    expect(byType(opened, 'tool_call.completed').map(({ data }) => data?.['call_id'])).toEqual(['c3', 'c4', 'c5']);
  });

  it('R67 a cut document gives every whole step', async () => {
    const text = JSON.stringify(parent, null, 2);
    const opened = await openFiles([textToSource('x', text.slice(0, text.indexOf('"done"')))]);
    expect(opened.error).toBeUndefined();
    expect(byType(opened, 'model_call.completed')).toHaveLength(1);
    expect(opened.problems.map(({ code }) => code)).toContain('truncated-document');
  });

  it('a step without a call of the model is an act of the program (llm_call_count 0)', async () => {
    const steps = [
      { step_id: 1, source: 'user', message: 'do it' },
      {
        step_id: 2,
        source: 'agent',
        message: 'Looking first.',
        llm_call_count: 0,
        tool_calls: [{ tool_call_id: 'c', function_name: 'look', arguments: {} }],
        observation: { results: [{ source_call_id: 'c', content: 'seen' }] },
      },
      { step_id: 3, source: 'agent', message: 'done', llm_call_count: 1 },
    ];
    const opened = await openFiles([textToSource('x', JSON.stringify({ ...parent, steps }))]);
    expect(byType(opened, 'model_call.completed')).toHaveLength(1);
    expect(byType(opened, 'decision.made')).toHaveLength(0);
    const [words] = byType(opened, 'message.sent');
    expect(words?.data).toMatchObject({ role: 'agent', content: 'Looking first.' });
    const [call] = byType(opened, 'tool_call.dispatched');
    expect(call?.causes).toEqual([{ event: words?.id, as: 'caused_by' }]);
    const [result] = byType(opened, 'tool_call.completed');
    expect(result?.causes?.[0]).toEqual({ event: call?.id, as: 'result_of' });
    const [answer] = byType(opened, 'model_call.completed');
    expect(answer?.causes?.map(({ event }) => event)).toContain(result?.id);
    expect(opened.result?.missingForReplay.join()).toContain('without a model');
  });
});
