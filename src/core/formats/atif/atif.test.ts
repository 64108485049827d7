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

  it('R67 a cut document gives every whole step', async () => {
    const text = JSON.stringify(parent, null, 2);
    const opened = await openFiles([textToSource('x', text.slice(0, text.indexOf('"done"')))]);
    expect(opened.error).toBeUndefined();
    expect(byType(opened, 'model_call.completed')).toHaveLength(1);
    expect(opened.problems.map(({ code }) => code)).toContain('truncated-document');
  });
});
