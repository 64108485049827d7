/** Streams of agents that run without a screen: as lines, as a list, one record alone, and what Cursor and Gemini print. */
import { describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../../model/index.ts';
import { openFiles, textToSource } from '../testing/opening.ts';

const session = { session_id: 's1' };
const usage = { input_tokens: 3, output_tokens: 5, cache_read_input_tokens: 2 };

function said(id: string, uuid: string, block: object, parent: string | null = null): object {
  const message = { id, role: 'assistant', model: 'claude', content: [block], usage };
  return { type: 'assistant', message, parent_tool_use_id: parent, ...session, uuid };
}

function told(uuid: string, content: unknown, parent: string | null = null): object {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: parent, ...session, uuid };
}

function call(id: string, name: string): object {
  return { type: 'tool_use', id, name, input: { prompt: 'p' } };
}

function result(id: string, more: object): object {
  return { type: 'tool_result', tool_use_id: id, ...more };
}

const stream = [
  { type: 'system', subtype: 'init', ...session, model: 'claude', tools: ['Bash'], uuid: 'u0' },
  said('m1', 'u1', { type: 'text', text: 'Looking.' }),
  said('m1', 'u2', call('t1', 'Bash')),
  told('u3', [result('t1', { content: 'no', is_error: true })]),
  said('m2', 'u4', call('t2', 'Task')),
  told('u5', [{ type: 'text', text: 'p' }], 't2'),
  said('m3', 'u6', { type: 'text', text: 'found' }, 't2'),
  told('u7', [result('t2', { content: [{ type: 'text', text: 'found' }] })]),
  said('m4', 'u8', { type: 'text', text: 'Done.' }),
  {
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'Done.',
    usage: { input_tokens: 99 },
    ...session,
    uuid: 'u9',
  },
];

async function open(text: string): Promise<readonly HindcastEvent[]> {
  const opened = await openFiles([textToSource('out.txt', text)]);
  expect(opened.error).toBeUndefined();
  expect(opened.result?.format).toBe('agent-stream');
  const { input, mapped, merged, problems } = opened.counts;
  expect([input, problems]).toEqual([mapped + merged, 0]);
  return opened.events.map(({ event }) => event);
}

function lines(...records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

function ofType(events: readonly HindcastEvent[], type: string): readonly HindcastEvent[] {
  return events.filter((event) => event.type === type);
}

describe('streams of Claude Code (R5, R6)', () => {
  it('are a run with answers, calls, failures, a sub-agent and its end, as lines and as a list', async () => {
    const events = await open(lines(...stream));
    const answers = ofType(events, 'model_call.completed');
    expect(answers.map(({ data }) => (data?.['usage'] as { output_tokens?: number }).output_tokens)).toEqual([
      5, 5, 5, 5,
    ]);
    expect(answers.map(({ agent }) => agent)).toEqual(['main', 'main', 'agent:t2', 'main']);
    expect(ofType(events, 'tool_call.failed')[0]?.data).toMatchObject({ call_id: 't1', error: { message: 'no' } });
    const [spawned] = ofType(events, 'agent.spawned');
    const [words] = ofType(events, 'message.sent');
    expect(words?.causes).toContainEqual({ event: spawned?.id, as: 'caused_by' });
    const [joined] = ofType(events, 'agent.joined');
    expect(joined?.causes?.[0]).toEqual({ event: spawned?.id, as: 'result_of' });
    expect(ofType(events, 'run.completed')[0]?.data).toEqual({ result: 'Done.' });
    expect(ofType(events, 'input.received')).toHaveLength(0);
    const listed = await open(JSON.stringify(stream, null, 2));
    expect(listed.map(({ id, type }) => `${id} ${type}`)).toEqual(events.map(({ id, type }) => `${id} ${type}`));
  });

  it('tell a run that failed, and one record alone', async () => {
    const failed = { type: 'result', subtype: 'error_max_turns', is_error: true, ...session, uuid: 'u9' };
    const events = await open(JSON.stringify(failed, null, 2));
    expect(ofType(events, 'run.failed')[0]?.data).toMatchObject({ error: { name: 'error_max_turns' } });
  });
});

describe('streams of other agents (R5)', () => {
  it('Cursor: calls in records of their own, told once', async () => {
    const tool = (subtype: string, more: object): object => ({
      type: 'tool_call',
      subtype,
      call_id: 'c',
      tool_call: { shellToolCall: { args: { command: 'ls' }, ...more } },
      ...session,
    });
    const events = await open(
      lines(
        { type: 'system', subtype: 'init', ...session, model: 'x' },
        told('u1', [{ type: 'text', text: 'go' }]),
        tool('started', {}),
        tool('completed', { result: { success: { stdout: 'a', exitCode: 1 } } }),
        { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'ok' }] }, ...session },
      ),
    );
    expect(ofType(events, 'tool_call.dispatched')).toHaveLength(1);
    expect(ofType(events, 'tool_call.completed')[0]?.data).toMatchObject({ tool: 'shell', exit_code: 1 });
    expect(ofType(events, 'input.received')).toHaveLength(1);
  });

  it('Gemini CLI: deltas are one answer, a failed call says why', async () => {
    const events = await open(
      lines(
        { type: 'init', timestamp: '2026-01-01T00:00:00.000Z', session_id: 's1', model: 'gemini' },
        { type: 'message', role: 'user', content: 'go', timestamp: '2026-01-01T00:00:01.000Z' },
        { type: 'message', role: 'assistant', content: 'I ', delta: true, timestamp: '2026-01-01T00:00:02.000Z' },
        { type: 'message', role: 'assistant', content: 'look.', delta: true, timestamp: '2026-01-01T00:00:02.100Z' },
        {
          type: 'tool_use',
          tool_name: 'read',
          tool_id: 'c',
          parameters: { p: 1 },
          timestamp: '2026-01-01T00:00:03.000Z',
        },
        { type: 'tool_result', tool_id: 'c', status: 'error', error: { type: 'NotFound', message: 'no file' } },
        { type: 'result', status: 'success', stats: { total_tokens: 9 } },
      ),
    );
    const [answer, another] = ofType(events, 'model_call.completed');
    expect(another).toBeUndefined();
    expect(answer?.data).toMatchObject({
      output_messages: [{ parts: [{ content: 'I ' }, { content: 'look.' }, { name: 'read' }] }],
    });
    expect(ofType(events, 'tool_call.failed')[0]?.data).toMatchObject({
      error: { name: 'NotFound', message: 'no file' },
    });
    expect(ofType(events, 'run.completed')).toHaveLength(1);
  });
});
