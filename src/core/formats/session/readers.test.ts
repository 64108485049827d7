/** What single formats of the engine make of small files of theirs. */
import { describe, expect, it } from 'vitest';
import type { HindcastEvent } from '../../model/index.ts';
import { openFiles, type Opened, textToSource } from '../testing/opening.ts';

async function openAs(format: string, ...values: readonly unknown[]): Promise<Opened> {
  const opened = await openFiles([textToSource('x', values.map((value) => JSON.stringify(value)).join('\n'))]);
  expect(opened.result?.format).toBe(format);
  const { counts } = opened;
  expect(counts.mapped + counts.merged + counts.problems).toBe(counts.input);
  return opened;
}

function byType({ events }: Opened, type: string): readonly HindcastEvent[] {
  return events.map(({ event }) => event).filter((event) => event.type === type);
}

function causesOf(event: HindcastEvent | undefined): readonly string[] {
  return (event?.causes ?? []).map(({ event: from, as }) => `${as} ${from.slice(from.indexOf('/') + 1)}`);
}

describe('Gemini CLI lines', () => {
  const header = { sessionId: 's', projectHash: 'h', startTime: '2026-01-01T00:00:00Z' };
  const asked = {
    id: 'g',
    type: 'gemini',
    timestamp: '2026-01-01T00:00:02Z',
    content: 'I try',
    model: 'm',
    tokens: { input: 4, output: 2 },
  };
  const call = { id: 'c', name: 'run_shell_command', args: { command: 'x' } };

  it('a message written again when its calls ended is one answer, its counts told once', async () => {
    const ended = {
      ...asked,
      toolCalls: [
        { ...call, status: 'error', result: [{ functionResponse: { response: { error: 'no such file' } } }] },
      ],
    };
    const opened = await openAs(
      'gemini-cli',
      header,
      { id: 'u', type: 'user', content: 'go' },
      { ...asked, toolCalls: [call] },
      ended,
      { $set: { lastUpdated: 'x' } },
    );
    const [answer, another] = byType(opened, 'model_call.completed');
    expect(another).toBeUndefined();
    expect(answer?.data).toMatchObject({
      usage: { input_tokens: 4, output_tokens: 2 },
      output_messages: [{ parts: [{ content: 'I try' }, { id: 'c' }] }],
    });
    expect(byType(opened, 'tool_call.dispatched')).toHaveLength(1);
    expect(byType(opened, 'tool_call.failed')[0]?.data).toMatchObject({ error: { message: 'no such file' } });
  });
});

describe('OpenCode hooks', () => {
  const event = (type: string, properties: object) => ['event', { event: { type, properties } }];
  const part = (more: object, time: number) =>
    event('message.part.updated', { part: { messageID: 'a', sessionID: 's', ...more }, time });

  it('parts told many times are one answer: the last telling counts, a user part is the prompt', async () => {
    const tool = { id: 'p2', type: 'tool', callID: 'c', tool: 'bash' };
    const opened = await openAs(
      'opencode',
      event('session.created', { sessionID: 's', info: { id: 's', time: { created: 1_700_000_000_000 } } }),
      [
        'chat.message',
        { sessionID: 's' },
        {
          message: { id: 'u', sessionID: 's', time: { created: 1_700_000_000_001 } },
          parts: [{ type: 'text', text: 'go' }],
        },
      ],
      event('message.part.updated', {
        part: { id: 'p0', messageID: 'u', sessionID: 's', type: 'text', text: 'go' },
        time: 1_700_000_000_002,
      }),
      part({ id: 'p1', type: 'text', text: '' }, 1_700_000_000_003),
      event('message.part.delta', { sessionID: 's', messageID: 'a', partID: 'p1', delta: 'hel' }),
      part({ id: 'p1', type: 'text', text: 'hello' }, 1_700_000_000_004),
      part({ ...tool, state: { status: 'pending', input: {} } }, 1_700_000_000_005),
      part({ ...tool, state: { status: 'running', input: { command: 'ls' } } }, 1_700_000_000_006),
      part({ ...tool, state: { status: 'error', input: { command: 'ls' }, error: 'denied' } }, 1_700_000_000_007),
      part({ id: 'p3', type: 'step-finish', tokens: { input: 3, output: 5 } }, 1_700_000_000_008),
      event('message.updated', {
        sessionID: 's',
        info: {
          id: 'a',
          role: 'assistant',
          sessionID: 's',
          tokens: { input: 3, output: 5 },
          modelID: 'm',
          time: { created: 1_700_000_000_003 },
        },
      }),
    );
    const [answer, another] = byType(opened, 'model_call.completed');
    expect(another).toBeUndefined();
    expect(answer?.data).toMatchObject({
      usage: { input_tokens: 3, output_tokens: 5 },
      output_messages: [{ parts: [{ content: 'hello' }, { id: 'c', arguments: { command: 'ls' } }] }],
    });
    expect(byType(opened, 'input.received')).toHaveLength(1);
    expect(byType(opened, 'tool_call.failed')[0]?.data).toMatchObject({ error: { message: 'denied' } });
  });
});

describe('OpenHands version 1', () => {
  const base = { timestamp: '2026-01-01T00:00:00.5', source: 'agent' };
  const action = (id: string, call: string) => ({
    ...base,
    id,
    kind: 'ActionEvent',
    llm_response_id: 'r',
    tool_name: 'terminal',
    tool_call_id: call,
    tool_call: { id: call, arguments: '{"command":"x"}' },
  });
  const files = [
    {
      ...base,
      id: 'u',
      kind: 'MessageEvent',
      source: 'user',
      llm_message: { role: 'user', content: [{ type: 'text', text: 'go' }] },
    },
    action('a1', 't1'),
    action('a2', 't2'),
    {
      ...base,
      id: 'o1',
      kind: 'ObservationEvent',
      source: 'environment',
      action_id: 'a1',
      tool_call_id: 't1',
      observation: { content: 'fine' },
    },
    {
      ...base,
      id: 'o2',
      kind: 'AgentErrorEvent',
      source: 'environment',
      action_id: 'a2',
      tool_call_id: 't2',
      error: 'no such tool',
    },
  ];
  const log = {
    messages: [{ role: 'user', content: 'go' }],
    tools: [{ name: 'terminal' }],
    kwargs: { temperature: 0 },
    cost: 0.1,
    response: {
      id: 'r',
      model: 'm',
      choices: [{ message: { role: 'assistant', content: 'both' } }],
      usage: { prompt_tokens: 7, completion_tokens: 1 },
    },
  };

  it('event files are one conversation, parallel calls one answer, and the log of the call is joined to it', async () => {
    const sources = [...files, log].map((value, n) =>
      textToSource(`events/event-${String(n).padStart(5, '0')}.json`, JSON.stringify(value)),
    );
    const opened = await openFiles([...sources].reverse());
    expect(opened.result).toMatchObject({ format: 'openhands', replayGrade: 'needs its program' });
    const [answer, another] = byType(opened, 'model_call.completed');
    expect(another).toBeUndefined();
    expect(answer?.data).toMatchObject({
      input_messages: [{ role: 'user' }],
      usage: { input_tokens: 7 },
      cost: { amount: 0.1 },
    });
    expect(byType(opened, 'decision.made')[0]?.data).toMatchObject({ chosen: [{}, {}] });
    expect(causesOf(byType(opened, 'tool_call.failed')[0])).toContain('result_of call:a2');
    expect(opened.problems.map(({ code }) => code)).toContain('time-without-zone');
  });
});

describe('mini-swe-agent', () => {
  it('an exception of the API is a failed call and the end of the run; version 1 reads its commands from the text', async () => {
    const failed = {
      info: { exit_status: 'Timeout' },
      trajectory_format: 'mini-swe-agent-1.1',
      messages: [
        { role: 'user', content: 'fix' },
        { role: 'exit', content: '', extra: { exit_status: 'Timeout', exception_str: 'litellm.Timeout: slow' } },
      ],
    };
    const first = await openAs('mini-swe-agent', failed);
    expect(byType(first, 'model_call.failed')).toHaveLength(1);
    expect(causesOf(byType(first, 'run.failed')[0]).some((cause) => cause.startsWith('caused_by model:'))).toBe(true);
    const said = [
      { role: 'system', content: 'You run commands.' },
      { role: 'user', content: 'fix it' },
      { role: 'assistant', content: 'I look\n```mswea_bash_command\nls\n```' },
      { role: 'user', content: '<returncode>2</returncode>\n<output>none</output>' },
    ];
    const second = await openAs('mini-swe-agent', said);
    expect(byType(second, 'tool_call.dispatched')[0]?.data).toMatchObject({ args: { command: 'ls' } });
    expect(byType(second, 'tool_call.completed')[0]?.data).toMatchObject({ exit_code: 2 });
    expect(byType(second, 'input.received')).toHaveLength(1);
  });

  const bash = (id: string, text: string, name = 'bash'): object => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  });
  const task = [
    { role: 'system', content: 'You run commands.' },
    { role: 'user', content: 'fix it' },
  ];
  const asV2 = (...messages: readonly object[]): object => ({
    info: { mini_version: '2.2.0' },
    trajectory_format: 'mini-swe-agent-1.1',
    messages: [...task, ...messages],
  });
  const commandsOf = (opened: Opened): unknown =>
    byType(opened, 'tool_call.dispatched').map(({ data }) => data?.['args']);

  it('an answer that the agent refused ran no command: no JSON, no command, another tool, two blocks of code', async () => {
    const refused = [
      bash('c', '{"command":'),
      bash('c', '{"cmd":"ls"}'),
      bash('c', '{"command":"ls"}', 'python'),
      { id: 'c', type: 'function' },
    ];
    for (const call of refused) {
      const answer = { role: 'assistant', content: 'x', tool_calls: [bash('d', '{"command":"ls"}'), call] };
      const opened = await openAs('mini-swe-agent', asV2(answer, { role: 'user', content: 'No such call.' }));
      expect(commandsOf(opened)).toEqual([]);
      expect(byType(opened, 'input.received')).toHaveLength(2);
    }
    const noted = { role: 'assistant', tool_calls: [bash('c', '{"command":"ls"}')], extra: { actions: [] } };
    expect(commandsOf(await openAs('mini-swe-agent', asV2(noted)))).toEqual([]);
    const two = { role: 'assistant', content: '```bash\nls\n```\n```bash\nrm x\n```' };
    const told = { role: 'user', content: 'Found 2 actions.' };
    const first = await openAs('mini-swe-agent', asV2(two, told));
    expect(commandsOf(first)).toEqual([]);
    expect(byType(first, 'input.received')).toHaveLength(2);
    const marked = { role: 'assistant', content: '```mswea_bash_command\nls\n```\nas in\n```bash\nrm x\n```' };
    expect(commandsOf(await openAs('mini-swe-agent', asV2(marked)))).toEqual([{ command: 'ls' }]);
  });

  it('an answer that stands in the words about it is an answer with its count and cost, and what they answer', async () => {
    const response = {
      id: 'r',
      model: 'm',
      choices: [{ message: { role: 'assistant', content: 'hm', tool_calls: [bash('c', '{')] } }],
      usage: { prompt_tokens: 4, completion_tokens: 2 },
    };
    const about = { interrupt_type: 'FormatError', cost: 0.25, response };
    const opened = await openAs('mini-swe-agent', asV2({ role: 'user', content: 'No JSON.', extra: about }));
    expect(byType(opened, 'model_call.completed')[0]?.data).toMatchObject({
      usage: { input_tokens: 4, output_tokens: 2 },
      cost: { amount: 0.25 },
      result: [response.choices[0]?.message],
    });
    expect(commandsOf(opened)).toEqual([]);
    expect(causesOf(byType(opened, 'input.received')[1])).toContain('informed_by model:r');
    const text = { interrupt_type: 'FormatError', n_actions: 0, model_response: 'I think.' };
    const second = await openAs('mini-swe-agent', asV2({ role: 'user', content: 'None.', extra: text }));
    expect(byType(second, 'model_call.completed')[0]?.data).toMatchObject({
      result: [{ role: 'assistant', content: 'I think.' }],
    });
    const bare = { role: 'user', content: 'None.', extra: { interrupt_type: 'FormatError' } };
    const third = await openAs('mini-swe-agent', asV2(bare));
    expect(byType(third, 'model_call.requested')).toHaveLength(1);
  });

  it('answers and outputs in the form of the Responses API', async () => {
    const opened = await openAs(
      'mini-swe-agent',
      asV2(
        {
          object: 'response',
          id: 'r',
          model: 'm',
          output: [
            { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look' }] },
            { type: 'function_call', id: 'f', call_id: 'c', name: 'bash', arguments: '{"command":"ls"}' },
          ],
          usage: { input_tokens: 3, output_tokens: 1 },
          extra: { actions: [{ command: 'ls', tool_call_id: 'c' }], cost: 0.5 },
        },
        { type: 'function_call_output', call_id: 'c', output: 'a.txt', extra: { raw_output: 'a.txt', returncode: 0 } },
      ),
    );
    expect(byType(opened, 'model_call.completed')[0]?.data).toMatchObject({
      usage: { input_tokens: 3 },
      output_messages: [
        {
          parts: [
            { type: 'text', content: 'I look' },
            { type: 'tool_call', id: 'c' },
          ],
        },
      ],
    });
    expect(byType(opened, 'tool_call.completed')[0]?.data).toMatchObject({
      call_id: 'c',
      result: 'a.txt',
      exit_code: 0,
    });
    expect(causesOf(byType(opened, 'tool_call.completed')[0])).toEqual(['result_of call:c']);
  });

  it('runs that begin with the same words are runs of their own, also opened together', async () => {
    const [one, other] = ['a', 'b'].map((word) => asV2({ role: 'assistant', content: word }));
    const runs = new Set<string>();
    for (const value of [one, other])
      for (const { event } of (await openAs('mini-swe-agent', value)).events) runs.add(event.run);
    expect(runs.size).toBe(2);
    const both = await openFiles([textToSource('a', JSON.stringify(one)), textToSource('b', JSON.stringify(other))]);
    expect(byType(both, 'run.started')).toHaveLength(2);
    expect(both.counts.merged).toBe(0);
  });
});

describe('SWE-agent', () => {
  it('what the history repeats is merged, and an output is not told twice', async () => {
    const step = { action: 'ls\n', observation: 'a.txt', response: 'look\nls', thought: 'look', state: '{"cwd":"/"}' };
    const history = [
      { role: 'system', content: 's' },
      { role: 'user', content: 'issue' },
      { role: 'assistant', content: 'look\nls' },
      { role: 'user', content: 'a.txt\n$' },
    ];
    const opened = await openAs('swe-agent', {
      environment: 'e',
      trajectory: [step],
      history,
      info: { exit_status: 'submitted', submission: 'diff' },
    });
    expect(opened.counts).toEqual({ input: 6, mapped: 4, merged: 2, problems: 0 });
    expect(byType(opened, 'model_call.completed')[0]?.imported?.extra).toMatchObject({ shown_after: '\n$' });
    expect(byType(opened, 'state.transitioned')[0]?.data).toMatchObject({ value: { cwd: '/' } });
    expect(byType(opened, 'run.completed')[0]?.data).toMatchObject({ result: 'diff' });
  });
});

describe('dialects', () => {
  it('Qwen: a rewind starts a branch, and both branches keep their recorded parents', async () => {
    const line = (uuid: string, parentUuid: string | null, type: string, text: string) => ({
      uuid,
      parentUuid,
      sessionId: 's',
      type,
      timestamp: '2026-01-01T00:00:00Z',
      message: { role: type === 'user' ? 'user' : 'model', parts: [{ text }] },
    });
    const opened = await openAs(
      'other-cli',
      line('a', null, 'user', 'one'),
      line('b', 'a', 'assistant', 'left'),
      line('c', 'a', 'assistant', 'right'),
    );
    expect(byType(opened, 'model_call.completed').map((event) => causesOf(event)[0])).toEqual([
      'caused_by a',
      'caused_by a',
    ]);
  });

  it('Kimi: attempts of a step that never ended are a request, and each but the last a failure', async () => {
    const request = (attempt: string | undefined, time: number) => ({
      type: 'llm.request',
      provider: 'kimi',
      model: 'k',
      turnStep: '0.1',
      attempt,
      time,
    });
    const opened = await openAs(
      'other-cli',
      { type: 'metadata', protocol_version: '1.4', created_at: 1_700_000_000_000 },
      request(undefined, 1_700_000_000_001),
      request('2/10', 1_700_000_000_002),
      request('3/10', 1_700_000_000_003),
    );
    expect(byType(opened, 'model_call.requested')).toHaveLength(1);
    expect(byType(opened, 'model_call.failed')).toHaveLength(2);
    expect(byType(opened, 'model_call.completed')).toHaveLength(0);
  });

  it('Kimi: two turns whose ids are no text stay two, each named by what its id holds', async () => {
    const time = 1_700_000_000_000;
    const begin = (turnId: unknown): object => ({
      type: 'context.append_loop_event',
      event: { type: 'step.begin', turnId, step: 1 },
      time,
    });
    const end = (turnId: unknown): object => ({
      type: 'context.append_loop_event',
      event: { type: 'step.end', turnId, step: 1, messageId: 'm', finishReason: 'stop' },
      time,
    });
    const ids = [{ n: 1 }, { n: 2 }, 7, '8'];
    const lines = [
      { type: 'metadata', protocol_version: '1.4', created_at: time },
      ...ids.flatMap((id) => [begin(id), end(id)]),
    ];
    const opened = await openFiles([textToSource('a', lines.map((line) => JSON.stringify(line)).join('\n'))]);
    const paths = opened.events.flatMap(({ event }) => event.command?.path ?? []);
    expect(paths.filter((path) => path.includes('object Object'))).toEqual([]);
    expect(new Set(paths).size).toBe(4);
    expect(paths.join()).toContain('turn 7 step 1');
    expect(paths.join()).toContain('turn 8 step 1');
  });

  it('Kimi, Copilot, Pi, Droid, Qwen: a result that says it failed is a failure, with what came back', async () => {
    const time = 1_700_000_000_000;
    const timestamp = '2026-01-01T00:00:00Z';
    const kimi = (event: object): object => ({ type: 'context.append_loop_event', event, time });
    const shared = { sessionId: 's', uuid: 'u', parentUuid: null };
    const written: readonly (readonly object[])[] = [
      [
        { type: 'metadata', protocol_version: '1.4', created_at: time },
        kimi({ type: 'tool.call', turnId: '0', step: 1, toolCallId: 'c', name: 'Bash', args: {} }),
        kimi({ type: 'tool.result', toolCallId: 'c', result: { output: 'gone', isError: true } }),
      ],
      [
        { type: 'session.start', data: { sessionId: 's' }, id: 'a', parentId: null, timestamp },
        {
          type: 'tool.execution_complete',
          data: { toolCallId: 'c', success: false, result: { content: 'gone' } },
          id: 'b',
          parentId: 'a',
          timestamp,
        },
      ],
      [
        { type: 'session', id: 's', timestamp, cwd: '/w' },
        {
          type: 'message',
          id: 'm',
          parentId: 's',
          timestamp,
          message: { role: 'toolResult', toolCallId: 'c', toolName: 'x', content: 'gone', isError: true },
        },
      ],
      [
        { type: 'system', session_id: 's', id: 'i', timestamp, model: 'm', cwd: '/w' },
        { type: 'tool_call', session_id: 's', id: 't', toolCallId: 'c', toolName: 'Read', parameters: {}, timestamp },
        { type: 'tool_result', session_id: 's', id: 'r', toolCallId: 'c', isError: true, value: 'gone', timestamp },
      ],
      [
        { ...shared, type: 'user', message: { role: 'user', parts: [{ text: 'go' }] } },
        {
          ...shared,
          uuid: 'v',
          parentUuid: 'u',
          type: 'tool_result',
          message: {
            role: 'user',
            parts: [{ functionResponse: { id: 'c', name: 'x', response: { output: 'gone' } } }],
          },
          toolCallResult: { status: 'error' },
        },
      ],
    ];
    for (const records of written) {
      const opened = await openAs('other-cli', ...records);
      expect(byType(opened, 'tool_call.completed')).toEqual([]);
      expect(byType(opened, 'tool_call.failed').map(({ data }) => JSON.stringify(data?.['error']))).toEqual([
        expect.stringContaining('gone'),
      ]);
    }
  });

  it('Antigravity: what came back is joined to the one open call, and says so itself where none is open', async () => {
    const step = (type: string, more: object, source = 'MODEL'): object => ({
      step_index: 0,
      source,
      type,
      status: 'DONE',
      created_at: '2026-01-01T00:00:00Z',
      ...more,
    });
    const opened = await openAs(
      'other-cli',
      step('USER_INPUT', { content: '<USER_REQUEST>\nGo\n</USER_REQUEST>\n<X>y</X>' }, 'USER_EXPLICIT'),
      step('PLANNER_RESPONSE', { thinking: 'hm', tool_calls: [{ name: 'write_file', args: { path: '"a"', n: '2' } }] }),
      step('VIEW_FILE', { content: 'text' }),
      step('CODE_ACTION', { content: 'no room', status: 'ERROR' }),
      step('CHECKPOINT', { content: 'so far' }, 'SYSTEM'),
    );
    expect(byType(opened, 'input.received')[0]?.data).toMatchObject({ value: 'Go' });
    expect(byType(opened, 'tool_call.dispatched').map(({ data }) => data?.['args'])).toEqual([{ path: 'a', n: 2 }]);
    expect(byType(opened, 'tool_call.completed').map(({ data }) => data)).toMatchObject([
      { tool: 'view_file', result: 'text' },
    ]);
    expect(byType(opened, 'tool_call.failed').map(({ data }) => data)).toMatchObject([
      { tool: 'write_file', error: { name: 'ERROR', message: 'no room' } },
    ]);
    expect(byType(opened, 'history.compacted')).toHaveLength(1);
  });

  it('Hermes: a document is a session with its rules, its model and its messages', async () => {
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: '', tool_calls: [{ id: 'c', function: { name: 'sh', arguments: '{"a":1}' } }] },
      { role: 'tool', tool_call_id: 'c', tool_name: 'sh', content: 'x' },
      { role: 'session_meta' },
    ];
    const document = {
      session_id: 's',
      model: 'm',
      platform: 'cli',
      session_start: '2026-01-01T00:00:00',
      system_prompt: 'r',
      messages,
    };
    const opened = await openAs('other-cli', document);
    expect(byType(opened, 'run.started')[0]).toMatchObject({ session: 's', data: { program: { name: 'Hermes' } } });
    expect(byType(opened, 'message.sent').map(({ data }) => data?.['content'])).toEqual(['r']);
    expect(byType(opened, 'input.received')).toHaveLength(1);
    expect(byType(opened, 'model_call.completed')[0]?.data).toMatchObject({ request_model: 'm' });
    expect(byType(opened, 'tool_call.completed')[0]?.data).toMatchObject({ tool: 'sh', call_id: 'c', result: 'x' });
    expect(causesOf(byType(opened, 'tool_call.completed')[0])).toEqual(['result_of call:c']);
  });

  it('a record whose parent is the beginning of the session hangs on the beginning of its run', async () => {
    const message = { role: 'user', content: [{ type: 'text', text: 'go' }] };
    const written = [
      [
        { type: 'session_start', id: 'x' },
        { type: 'message', id: 'm', parentId: 'x', message },
      ],
      [
        {
          type: 'session.start',
          id: 'e1',
          parentId: null,
          timestamp: '2026-01-01T00:00:00Z',
          data: { sessionId: 's' },
        },
        { type: 'user.message', id: 'm', parentId: 'e1', timestamp: '2026-01-01T00:00:01Z', data: { content: 'go' } },
      ],
    ];
    for (const records of written) {
      const opened = await openAs('other-cli', ...records);
      expect(causesOf(byType(opened, 'input.received')[0])).toEqual(['caused_by run']);
    }
  });

  it('Grok: a tool that the provider ran itself says what it was asked and how it went', async () => {
    const ran = (status: string): object => ({
      type: 'backend_tool_call',
      kind: { tool_type: 'web_search', id: `w ${status}`, action: { query: 'q' }, status },
    });
    const opened = await openAs('other-cli', { type: 'system', content: 'x' }, ran('completed'), ran('failed'));
    expect(byType(opened, 'tool_call.completed').map(({ data }) => data)).toMatchObject([
      { tool: 'web_search', call_id: 'w completed', args: { query: 'q' } },
    ]);
    expect(byType(opened, 'tool_call.failed').map(({ data }) => data)).toMatchObject([
      { error: { message: 'failed' } },
    ]);
  });

  it('Copilot: a person who broke off is told with the reason; Qwen: a prompt is text', async () => {
    const at = { id: 'a', parentId: null, timestamp: '2026-01-01T00:00:00Z' };
    const copilot = await openAs(
      'other-cli',
      { type: 'session.start', data: { sessionId: 's' }, ...at },
      { type: 'abort', data: { reason: 'user' }, ...at, id: 'b', parentId: 'a' },
    );
    expect(byType(copilot, 'input.received').map(({ data }) => data)).toEqual([{ name: 'abort', value: 'user' }]);
    const qwen = await openAs('other-cli', {
      uuid: 'u',
      parentUuid: null,
      sessionId: 's',
      type: 'user',
      message: { role: 'user', parts: [{ text: 'go' }] },
    });
    expect(byType(qwen, 'input.received')[0]?.data).toMatchObject({ value: [{ type: 'text', content: 'go' }] });
  });

  it('Cursor: a result is joined to the one open call, by rule', async () => {
    const said = (role: string, ...content: readonly object[]) => ({ role, message: { content } });
    const opened = await openAs(
      'other-cli',
      said('user', { type: 'text', text: 'go' }),
      said('assistant', { type: 'tool_use', name: 'Read', input: {} }),
      said('user', { type: 'tool_result', tool_use_id: 't9', content: 'x' }),
    );
    expect(byType(opened, 'tool_call.completed')[0]?.causes).toMatchObject([
      { as: 'result_of', grade: 'inferred', rule: 'next-answer' },
    ]);
  });
});
