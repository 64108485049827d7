import { describe, expect, it } from 'vitest';
import type { Opened } from '../testing/opening.ts';
import { byType, edges, expectSound, openValue } from '../testing/platforms.ts';

async function openShepherd(value: unknown): Promise<Opened> {
  const opened = await openValue(value);
  expectSound(opened);
  expect([opened.result?.format, opened.counts.problems]).toEqual(['shepherd', 0]);
  return opened;
}

function storyOf({ events }: Opened): readonly unknown[] {
  return events.map(({ event: { id, type, data } }) => [id.slice(id.indexOf('/') + 1), type, data]);
}

describe('Shepherd', () => {
  const durable = (events: readonly object[], edgesBetween: readonly (readonly string[])[] = []): object => ({
    trace_runtime: 'shepherd',
    run_ref: 'r',
    events,
    causal_edges: edgesBetween,
    owner_paths: { scope: ['a'] },
  });

  it('durable events: what became of a thing, with a point or an underscore; decisions, models, files, times', async () => {
    const opened = await openShepherd(
      durable(
        [
          { id: 'a', kind: 'step.started', name: 'draft', timestamp: 1_780_000_001 },
          { id: 'b', kind: 'subtask_completed', body: { name: 'draft' } },
          { id: 'c', kind: 'check.failed', name: 'first try' },
          { id: 'd', kind: 'check.violation', check: 'must mention API' },
          { id: 'e', kind: 'supervisor.decision', decision: 'denied', op: 'FileCreate', path: 'x' },
          { id: 'f', kind: 'model.call', model: 'm', tokens_out: 12 },
          { id: 'g', kind: 'FileCreate', path: 'x' },
          { id: 'h', kind: 'state.checkpoint', name: 'good' },
          { id: 'i', kind: 'revert.requested', name: 'back' },
        ],
        [['a', 'b']],
      ),
    );
    expect(storyOf(opened).slice(1)).toMatchObject([
      ['a', 'step.started', { name: 'draft' }],
      ['b', 'step.completed', { name: 'draft', result: {} }],
      ['c', 'step.completed', { name: 'first try', error: { name: 'check.failed', message: 'first try' } }],
      ['d', 'step.completed', { error: { message: 'must mention API' } }],
      ['e', 'approval.denied', { name: 'FileCreate', granted: false, by: 'supervisor' }],
      ['f', 'model_call.completed', { response_model: 'm', usage: { output_tokens: 12 } }],
      ['g', 'artifact.produced', { name: 'x' }],
      ['h', 'checkpoint.written', { name: 'good' }],
      ['i', 'shepherd.revert.requested', { record: { name: 'back' } }],
    ]);
    expect(byType(opened, 'step.started')[0]).toMatchObject({ time: '2026-05-28T20:26:41.000Z', agent: 'scope' });
    expect(edges(opened)).toContain('a -caused_by-> b');
  });

  it('a run failed where its transition says so, also where its work was only discarded', async () => {
    const end = (transition: string, terminal_status: string): object =>
      durable([{ id: 'z', kind: 'run.lifecycle', transition, terminal_status }]);
    expect(byType(await openShepherd(end('failed', 'discarded')), 'run.failed')[0]?.data).toMatchObject({
      error: { name: 'failed' },
    });
    expect(byType(await openShepherd(end('finished', 'discarded')), 'run.completed')[0]?.data).toEqual({
      result: 'discarded',
    });
  });

  const effect = (_sequence: number, effect_type: string, more: object = {}): object => ({
    _sequence,
    _scope_depth: 0,
    effect_type,
    timestamp: 1_780_000_000 + _sequence,
    ...more,
  });

  it('effects: prompts, words, calls that were refused or failed, counts once, steps that failed, requests outside', async () => {
    const opened = await openShepherd([
      effect(0, 'task_started', { task_name: 'Fix', inputs: { bug: 1 } }),
      effect(1, 'prompt_sent', { system_prompt: 'rules', user_prompt: 'go', model_id: 'm' }),
      effect(2, 'agent_thinking', { content: 'hm' }),
      effect(3, 'agent_message', { content: 'I read' }),
      effect(4, 'tool_call_started', { tool_call_id: 'a', tool_name: 'read_file', params: { path: 'x' } }),
      effect(5, 'tool_call_started', { tool_call_id: 'b', tool_name: 'edit_file', params: {} }),
      effect(6, 'tool_call_completed', { tool_call_id: 'a', tool_name: 'read_file', success: false, output: 'gone' }),
      effect(7, 'tool_call_rejected', { tool_call_id: 'b', tool_name: 'edit_file', reason: 'read only' }),
      effect(8, 'llm_response_received', { input_tokens: 7, output_tokens: 2, cost_usd: 0.5, model_id: 'm2' }),
      effect(9, 'step_failed', { step_name: 'plan', error: 'no plan', error_type: 'PlanError' }),
      effect(10, 'external_api_call', { method: 'POST', endpoint: '/pay', status_code: 402, response_body: 'no' }),
      effect(11, 'artifact_written', { filename: 'out.txt', caused_by: 'a' }),
      effect(12, 'task_started', { task_name: 'Inner', parent_scope_id: 's' }),
      effect(13, 'task_failed', { task_name: 'Inner', parent_scope_id: 's', error: 'inner', error_type: 'X' }),
      effect(14, 'task_completed', { task_name: 'Fix', outputs: { done: true } }),
    ]);
    expect(byType(opened, 'message.sent').map(({ data }) => data)).toMatchObject([
      { role: 'system', content: 'rules' },
      { role: 'user', content: 'go' },
    ]);
    expect(byType(opened, 'model_call.completed').map(({ data }) => data)).toMatchObject([
      {
        request_model: 'm',
        response_model: 'm2',
        usage: { input_tokens: 7, output_tokens: 2 },
        cost: { amount: 0.5 },
        output_messages: [{ parts: [{ type: 'reasoning' }, { type: 'text', content: 'I read' }, {}, {}] }],
      },
    ]);
    expect(byType(opened, 'tool_call.failed').map(({ data }) => data)).toMatchObject([
      { call_id: 'a', error: { message: 'gone' } },
      { call_id: 'b', executed: false, error: { name: 'Rejected', message: 'read only' } },
      { tool: 'POST /pay', status: 402, error: { name: 'HTTP 402', message: 'no' } },
    ]);
    expect(byType(opened, 'step.completed').map(({ data }) => data)).toMatchObject([
      { name: 'plan', error: { name: 'PlanError', message: 'no plan' } },
      { name: 'Inner', error: { name: 'X', message: 'inner' } },
    ]);
    expect(byType(opened, 'artifact.produced')[0]?.data).toMatchObject({ name: 'out.txt' });
    expect(byType(opened, 'run.started')).toHaveLength(1);
    expect(byType(opened, 'run.failed')).toEqual([]);
    expect(byType(opened, 'run.completed')[0]?.data).toEqual({ result: { done: true } });
    expect(edges(opened)).toEqual(expect.arrayContaining(['call:a -caused_by-> 11', 'call:b -result_of-> result:b']));
  });

  it('R18 pieces of a message are one text, in the order of their numbers whatever that of the list is', async () => {
    const effects = [
      effect(0, 'prompt_sent', { user_prompt: 'read it' }),
      effect(1, 'agent_message', { content: 'I ', is_partial: true }),
      effect(2, 'agent_message', { content: 'read', is_partial: true }),
      effect(3, 'prompt_sent', { user_prompt: 'and again' }),
      effect(4, 'agent_message', { content: 'I did' }),
    ];
    const straight = await openShepherd(effects);
    expect(byType(straight, 'model_call.completed').map(({ data }) => data?.['output_messages'])).toEqual([
      [{ role: 'assistant', parts: [{ type: 'text', content: 'I read' }] }],
      [{ role: 'assistant', parts: [{ type: 'text', content: 'I did' }] }],
    ]);
    const reversed = await openShepherd([...effects].reverse());
    expect(edges(reversed)).toEqual(edges(straight));
    expect(reversed.problems.map(({ code }) => code)).toEqual(straight.problems.map(({ code }) => code));
    const dataOf = ({ events }: Opened): unknown => new Map(events.map(({ event }) => [event.id, event.data]));
    expect(dataOf(reversed)).toEqual(dataOf(straight));
  });

  it('the outcome of a case of the kernel ends its run; one that waits has none', async () => {
    const trace = [
      { record_type: 'EffectDeclaration', ref: 'd', program_ref: 'p' },
      { record_type: 'EffectCapture', ref: 'c', selection_ref: 'd' },
    ];
    const outcomes = [
      { type: 'Completed', value: 7 },
      { type: 'Suspended', effect_kind: 'e' },
      { type: 'Failed', message: 'no' },
    ];
    const cases = outcomes.map((outcome, n) => ({
      case: `c${n}`,
      outcome,
      continuation_root_refs: [],
      trace,
    }));
    const opened = await openShepherd({ schema_version: 3, cases });
    expect(byType(opened, 'run.completed').map(({ data }) => data)).toEqual([{ result: 7 }]);
    expect(byType(opened, 'run.failed').map(({ data }) => data)).toMatchObject([
      { error: { name: 'Failed', message: 'no' } },
    ]);
    const types = opened.events.filter(({ event: { session } }) => session === 'c2').map(({ event: { type } }) => type);
    expect(types.at(-1)).toBe('run.failed');
    expect(edges(opened).filter((edge) => edge === 'd -caused_by-> c')).toHaveLength(3);
  });
});
