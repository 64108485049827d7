import { describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../../model/index.ts';
import { openFiles, type Opened, textToSource } from '../testing/opening.ts';

let clock = 0;

function tls(tid: number, kind: 'WRITE/SEND' | 'READ/RECV', data: string): string {
  const timestamp = ++clock;
  return JSON.stringify({
    id: `e${String(timestamp)}`,
    source: 'ssl',
    timestamp,
    data: { comm: 'node', pid: 7, tid, function: kind, data, len: data.length, timestamp_ns: timestamp },
  });
}

function post(path: string, body: object): string {
  const text = JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\nHost: api\r\nContent-Length: ${String(text.length)}\r\n\r\n${text}`;
}

/** An Anthropic stream in chunks, cut anywhere. */
function streamed(...events: readonly object[]): readonly string[] {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/event-stream\r\n\r\n';
  const chunks = events.map((event) => {
    const text = `event: x\ndata: ${JSON.stringify(event)}\n\n`;
    return `${text.length.toString(16)}\r\n${text}\r\n`;
  });
  return [head, ...chunks, '0\r\n\r\n'];
}

const command = 'ls -la /tmp/work';
const answer = streamed(
  {
    type: 'message_start',
    message: { id: 'm1', role: 'assistant', model: 'claude', usage: { input_tokens: 9, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I look' } },
  { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't1', name: 'Bash', input: {} } },
  {
    type: 'content_block_delta',
    index: 1,
    delta: { type: 'input_json_delta', partial_json: JSON.stringify({ command }) },
  },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 12 } },
);
const asked = { model: 'claude', system: 'be good', messages: [{ role: 'user', content: 'look' }] };
const next = {
  model: 'claude',
  messages: [
    { role: 'user', content: 'look' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'a.txt' }] },
  ],
};

function lines(): readonly string[] {
  return [
    tls(1, 'WRITE/SEND', post('/v1/messages', asked)),
    tls(2, 'WRITE/SEND', post('/v1/rgstr', { telemetry: 1 })),
    ...answer.map((text) => tls(1, 'READ/RECV', text)),
    tls(2, 'READ/RECV', 'HTTP/1.1 204 No Content\r\n\r\n'),
    JSON.stringify({
      source: 'process',
      timestamp: ++clock,
      data: { event: 'EXEC', pid: 8, ppid: 7, full_command: `/bin/bash -c ${command}` },
    }),
    JSON.stringify({ source: 'process', timestamp: ++clock, data: { event: 'EXIT', pid: 8, exit_code: 0 } }),
    tls(1, 'WRITE/SEND', post('/v1/messages', next)),
    tls(
      1,
      'READ/RECV',
      `HTTP/1.1 529 Overloaded\r\n\r\n${JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } })}`,
    ),
  ];
}

function byType({ events }: Opened, type: string): readonly HindcastEvent[] {
  return events.map(({ event }) => event).filter((event) => event.type === type);
}

describe('AgentSight', () => {
  it('reads and writes of a thread are put together to model calls, others stay apart', async () => {
    const opened = await openFiles([textToSource('x', lines().join('\n'))]);
    expect(opened.result?.format).toBe('agentsight');
    const { counts } = opened;
    expect(counts.mapped + counts.merged + counts.problems).toBe(counts.input);
    expect(byType(opened, 'model_call.completed')[0]?.data).toMatchObject({
      response_id: 'm1',
      usage: { input_tokens: 9, output_tokens: 12 },
      finish_reasons: ['tool_use'],
      output_messages: [{ parts: [{ content: 'I look' }, { id: 't1', arguments: { command } }] }],
      input_messages: [{ role: 'user' }],
      http_status: 200,
    });
    expect(byType(opened, 'agentsight.http')).toHaveLength(1);
    expect(byType(opened, 'model_call.failed')[0]?.data).toMatchObject({
      http_status: 529,
      error: { name: 'HTTP 529' },
    });
  });

  it('a result in the next request answers the call, and a process is joined to the call whose command it runs', async () => {
    const opened = await openFiles([textToSource('x', lines().join('\n'))]);
    const [call] = byType(opened, 'tool_call.dispatched');
    const [result] = byType(opened, 'tool_call.completed');
    expect(result?.causes).toMatchObject([{ event: call?.id, as: 'result_of' }]);
    const [started] = byType(opened, 'agentsight.process.exec');
    expect(started?.causes).toMatchObject([
      { event: call?.id, as: 'caused_by', grade: 'inferred', rule: 'command-of-call' },
    ]);
    expect(byType(opened, 'agentsight.process.exit')[0]?.causes?.some(({ event }) => event === call?.id)).toBe(false);
  });

  it('two calls that run the same command: no guess', async () => {
    const twice = streamed(
      { type: 'message_start', message: { id: 'm2', role: 'assistant', model: 'claude' } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'u1', name: 'Bash', input: { command } },
      },
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'u2', name: 'Bash', input: { command } },
      },
    );
    const text = [
      tls(1, 'WRITE/SEND', post('/v1/messages', asked)),
      ...twice.map((part) => tls(1, 'READ/RECV', part)),
      tls(1, 'WRITE/SEND', post('/v1/x', {})),
      JSON.stringify({
        source: 'process',
        timestamp: 99,
        data: { event: 'EXEC', pid: 8, full_command: `bash -c ${command}` },
      }),
    ].join('\n');
    const opened = await openFiles([textToSource('x', text)]);
    expect(byType(opened, 'agentsight.process.exec')[0]?.causes?.some(({ rule }) => rule === 'command-of-call')).toBe(
      false,
    );
  });

  const deltas = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I look' } },
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't1', name: 'Bash', input: {} } },
    {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: JSON.stringify({ command }) },
    },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { input_tokens: 9, output_tokens: 12 } },
  ];
  const entry = (type: string, more: object): object => ({ type, timestamp: ++clock, tid: 1, body: '', ...more });
  const chunkOf = (event: object): object => {
    const text = `event: x\ndata: ${JSON.stringify(event)}\n\n`;
    return { timestamp: ++clock, raw_data: `${text.length.toString(16)}\r\n${text}\r\n`, sse_events: [] };
  };

  it('a processed recording: requests and answers of a thread are paired, chunks are the answer, telemetry stands apart', async () => {
    const request = (path: string, json_body: object): object =>
      entry('request', { method: 'POST', path, body: JSON.stringify(json_body), json_body });
    const data_timeline = [
      request('/v1/messages', asked),
      request('/v1/rgstr', { telemetry: 1 }),
      entry('response', { status_code: 202, status_text: 'Accepted', body: '{}', json_body: {} }),
      entry('response', { status_code: 200, status_text: 'OK', body: 'I look', sse_raw_chunks: deltas.map(chunkOf) }),
      request('/v1/messages', next),
      entry('response', { status_code: 529, status_text: 'x', body: '{"error":{"message":"busy"}}' }),
      request('/v1/messages', next),
    ];
    const document = { analysis_metadata: { generator_version: '1.0.0' }, summary: {}, data_timeline };
    const opened = await openFiles([textToSource('x', JSON.stringify(document))]);
    expect(opened.result?.format).toBe('agentsight');
    expect(opened.counts).toMatchObject({ input: 8, problems: 0 });
    expect(byType(opened, 'model_call.completed').map(({ data }) => data)).toMatchObject([
      {
        request_model: 'claude',
        http_status: 200,
        usage: { input_tokens: 9, output_tokens: 12 },
        finish_reasons: ['tool_use'],
        output_messages: [
          {
            parts: [
              { type: 'text', content: 'I look' },
              { type: 'tool_call', id: 't1' },
            ],
          },
        ],
      },
    ]);
    expect(byType(opened, 'tool_call.completed').map(({ data }) => data)).toMatchObject([
      { call_id: 't1', result: 'a.txt' },
    ]);
    expect(byType(opened, 'model_call.failed').map(({ data }) => data)).toMatchObject([
      { http_status: 529, error: { name: 'HTTP 529', message: expect.stringContaining('busy') as string } },
      { error: { name: 'no answer seen' } },
    ]);
    const others = opened.events.map(({ event }) => event).filter(({ type }) => (type as string) === 'agentsight.http');
    expect(others.map(({ data }) => data)).toMatchObject([
      { request: { line: 'POST /v1/rgstr HTTP/1.1' }, response: { line: 'HTTP/1.1 202 Accepted' } },
    ]);
  });

  it('a processed recording whose chunks are lost still holds the words of the answer', async () => {
    const timeline = [
      entry('request', { method: 'POST', path: '/v1/messages', body: JSON.stringify(asked) }),
      entry('response', {
        status_code: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: 'I look',
        sse_raw_chunks: [],
      }),
    ];
    const opened = await openFiles([textToSource('x', JSON.stringify({ analysis_metadata: {}, timeline }))]);
    expect(byType(opened, 'model_call.completed').map(({ data }) => data?.['output_messages'])).toMatchObject([
      [{ parts: [{ type: 'text', content: 'I look' }] }],
    ]);
  });

  it('events of the analyzers: a head, its stream, a whole answer, and the process that a call started', async () => {
    const parsed = (data: object): string =>
      JSON.stringify({ timestamp: ++clock, source: 'http_parser', pid: 7, comm: 'node', data: { tid: 1, ...data } });
    const stream = { type: 'message_start', message: { id: 'm1', role: 'assistant', model: 'claude', usage: {} } };
    const events = [stream, ...deltas, { type: 'message_stop' }].map((parsed_data) => ({ event: 'x', parsed_data }));
    const rows = [
      parsed({ message_type: 'request', method: 'POST', path: '/v1/messages', body: JSON.stringify(asked) }),
      parsed({ message_type: 'response', status_code: 200, headers: { 'content-type': 'text/event-stream' } }),
      JSON.stringify({ timestamp: ++clock, source: 'sse_processor', pid: 7, data: { tid: 1, sse_events: events } }),
      JSON.stringify({
        source: 'process',
        timestamp: ++clock,
        data: { event: 'EXEC', pid: 8, full_command: `/bin/bash -c ${command}` },
      }),
      parsed({ message_type: 'request', method: 'POST', path: '/v1/messages', body: JSON.stringify(next) }),
      parsed({
        message_type: 'response',
        status_code: 200,
        body: JSON.stringify({ id: 'm2', role: 'assistant', content: [{ type: 'text', text: 'done' }] }),
      }),
    ];
    const opened = await openFiles([textToSource('x', rows.join('\n'))]);
    expect(opened.counts).toMatchObject({ input: 6, problems: 0 });
    expect(byType(opened, 'model_call.completed').map(({ data }) => data?.['response_id'])).toEqual(['m1', 'm2']);
    const [call] = byType(opened, 'tool_call.dispatched');
    expect(call?.data).toMatchObject({ tool: 'Bash', args: { command } });
    const exec = opened.events.find(({ event: { type } }) => (type as string) === 'agentsight.process.exec')?.event;
    expect(exec?.causes).toMatchObject([{ event: call?.id, rule: 'command-of-call' }]);
  });

  it('an error status is a failure whatever the body; a process that two calls may have started is joined to none', async () => {
    const parsed = (data: object): string =>
      JSON.stringify({ timestamp: ++clock, source: 'http_parser', pid: 7, data: { tid: 1, ...data } });
    const asks = (...ids: readonly string[]): string =>
      JSON.stringify({
        id: ids.join(''),
        role: 'assistant',
        content: ids.map((id) => ({ type: 'tool_use', id, name: 'Bash', input: { command } })),
      });
    const request = (): string =>
      parsed({ message_type: 'request', method: 'POST', path: '/v1/messages', body: JSON.stringify(asked) });
    const rows = [
      request(),
      parsed({ message_type: 'response', status_code: 500, body: asks('a') }),
      request(),
      parsed({ message_type: 'response', status_code: 200, body: asks('b', 'c') }),
      JSON.stringify({ source: 'process', timestamp: ++clock, data: { event: 'EXEC', pid: 8, full_command: command } }),
    ];
    const opened = await openFiles([textToSource('x', rows.join('\n'))]);
    expect(byType(opened, 'model_call.failed').map(({ data }) => data?.['http_status'])).toEqual([500]);
    expect(byType(opened, 'model_call.completed').map(({ data }) => data?.['response_id'])).toEqual(['bc']);
    const exec = opened.events.find(({ event: { type } }) => (type as string) === 'agentsight.process.exec')?.event;
    expect(exec?.causes?.some(({ rule }) => rule === 'command-of-call')).toBe(false);
  });
});
