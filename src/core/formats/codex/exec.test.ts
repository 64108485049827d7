/** The streams of `codex exec --json`, new and old, and rollouts from before there were envelopes. */
import { describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../../model/index.ts';
import { openFiles, textToSource } from '../testing/opening.ts';

async function open(...records: readonly object[]): Promise<readonly HindcastEvent[]> {
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const opened = await openFiles([textToSource('out.txt', text)]);
  expect(opened.error).toBeUndefined();
  expect(opened.result?.format).toBe('codex');
  const { input, mapped, merged, problems } = opened.counts;
  expect([input, problems]).toEqual([mapped + merged, 0]);
  return opened.events.map(({ event }) => event);
}

function ofType(events: readonly HindcastEvent[], type: string): readonly HindcastEvent[] {
  return events.filter((event) => event.type === type);
}

function item(told: string, id: string, type: string, more: object): object {
  return { type: `item.${told}`, item: { id, type, ...more } };
}

describe('codex exec --json (R5, R6)', () => {
  it('is a thread with answers, calls told once, results, failures and the counts of a turn', async () => {
    const events = await open(
      { type: 'thread.started', thread_id: 'th' },
      { type: 'turn.started' },
      item('completed', 'i0', 'reasoning', { text: 'hm' }),
      item('started', 'i1', 'command_execution', { command: 'ls', aggregated_output: '', status: 'in_progress' }),
      item('completed', 'i1', 'command_execution', {
        command: 'ls',
        aggregated_output: 'a',
        exit_code: 2,
        status: 'failed',
      }),
      item('completed', 'i2', 'mcp_tool_call', {
        server: 's',
        tool: 't',
        arguments: { a: 1 },
        error: { message: 'no' },
      }),
      item('completed', 'i3', 'agent_message', { text: 'Done.' }),
      { type: 'turn.completed', usage: { input_tokens: 5, output_tokens: 2 } },
      { type: 'turn.started' },
      { type: 'error', message: 'cut' },
      { type: 'turn.failed', error: { message: 'cut' } },
    );
    expect(events[0]).toMatchObject({ type: 'run.started', session: 'th' });
    const calls = ofType(events, 'tool_call.dispatched');
    expect(calls.map(({ data }) => [data?.['tool'], data?.['args']])).toEqual([
      ['shell', { command: 'ls' }],
      ['s.t', { a: 1 }],
    ]);
    const [ran] = ofType(events, 'tool_call.completed');
    expect(ran?.data).toMatchObject({ result: 'a', exit_code: 2 });
    expect(ran?.causes?.[0]).toEqual({ event: calls[0]?.id, as: 'result_of' });
    expect(ofType(events, 'tool_call.failed')[0]?.data).toMatchObject({ error: { message: 'no' } });
    const answers = ofType(events, 'model_call.completed');
    expect(answers.map(({ data }) => data?.['usage'] !== undefined)).toEqual([false, false, true]);
    expect(ofType(events, 'model_call.failed')).toHaveLength(1);
    expect(ofType(events, 'run.failed')[0]?.data).toMatchObject({ error: { message: 'cut' } });
  });

  it('reads the events of older versions', async () => {
    const msg = (type: string, more: object): object => ({ id: '0', msg: { type, ...more } });
    const events = await open(
      { model: 'gpt-5', workdir: '/x' },
      { prompt: 'do it' },
      msg('task_started', {}),
      msg('agent_reasoning', { text: 'hm' }),
      msg('exec_command_begin', { call_id: 'c', command: ['ls'] }),
      msg('exec_command_end', { call_id: 'c', aggregated_output: 'a', exit_code: 0 }),
      msg('patch_apply_begin', { call_id: 'p', changes: { a: {} } }),
      msg('patch_apply_end', { call_id: 'p', success: false, stderr: 'no room' }),
      msg('agent_message', { message: 'done' }),
    );
    expect(ofType(events, 'input.received')[0]?.data).toMatchObject({ value: 'do it' });
    expect(ofType(events, 'tool_call.completed')[0]?.data).toMatchObject({ tool: 'shell', result: 'a', exit_code: 0 });
    expect(ofType(events, 'tool_call.failed')[0]?.data).toMatchObject({
      tool: 'apply_patch',
      error: { message: 'no room' },
    });
    expect(ofType(events, 'model_call.completed')).toHaveLength(3);
  });
});

describe('bare rollouts of Codex (R5)', () => {
  it('begin with their session and hold items without envelopes', async () => {
    const events = await open(
      { id: 'old', timestamp: '2025-05-07T17:24:21.123Z', instructions: 'be good', git: null },
      { record_type: 'state' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
      { type: 'function_call', name: 'shell', call_id: 'c', arguments: '{"command":["ls"]}' },
      { type: 'function_call_output', call_id: 'c', output: '{"output":"a","metadata":{"exit_code":0}}' },
    );
    expect(events[0]).toMatchObject({ type: 'run.started', session: 'old', data: { system_instructions: 'be good' } });
    const [answer] = ofType(events, 'model_call.completed');
    expect(answer?.data).toMatchObject({ output_messages: [{ parts: [{ content: 'hm' }, { name: 'shell' }] }] });
    expect(ofType(events, 'tool_call.completed')[0]?.data).toMatchObject({ call_id: 'c', exit_code: 0 });
  });
});
