import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rules } from './rules.ts';
import { addsUp, dataOf, edges, keyValues, log, logRequest, open, request, span, story } from './testing/otlp.ts';

const question = [{ role: 'user', parts: [{ type: 'text', content: 'weather?' }] }];
const answer = [
  {
    role: 'assistant',
    parts: [
      { type: 'text', content: 'looking' },
      { type: 'tool_call', id: 'c1', name: 'get_weather', arguments: { city: 'Bern' } },
    ],
  },
];
const usage = { input_tokens: 12, output_tokens: 3 };

/** One call, as each dialect writes it. */
const dialects: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'conventions from 1.37': {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'm',
    'gen_ai.input.messages': JSON.stringify(question),
    'gen_ai.output.messages': JSON.stringify(answer),
    'gen_ai.usage.input_tokens': 12,
    'gen_ai.usage.output_tokens': 3,
  },
  'indexed attributes': {
    'llm.request.type': 'chat',
    'gen_ai.system': 'openai',
    'gen_ai.request.model': 'm',
    'gen_ai.prompt.0.role': 'user',
    'gen_ai.prompt.0.content': 'weather?',
    'gen_ai.completion.0.role': 'assistant',
    'gen_ai.completion.0.content': 'looking',
    'gen_ai.completion.0.tool_calls.0.id': 'c1',
    'gen_ai.completion.0.tool_calls.0.name': 'get_weather',
    'gen_ai.completion.0.tool_calls.0.arguments': '{"city":"Bern"}',
    'gen_ai.usage.prompt_tokens': 12,
    'gen_ai.usage.completion_tokens': 3,
  },
  OpenInference: {
    'openinference.span.kind': 'LLM',
    'llm.provider': 'openai',
    'llm.model_name': 'm',
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': 'weather?',
    'llm.output_messages.0.message.role': 'assistant',
    'llm.output_messages.0.message.contents.0.message_content.type': 'text',
    'llm.output_messages.0.message.contents.0.message_content.text': 'looking',
    'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
    'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'get_weather',
    'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"city":"Bern"}',
    'llm.token_count.prompt': 12,
    'llm.token_count.completion': 3,
  },
  'AI SDK of Vercel': {
    'ai.operationId': 'ai.generateText.doGenerate',
    'ai.model.provider': 'openai',
    'ai.model.id': 'm',
    'ai.prompt.messages': '[{"role":"user","content":[{"type":"text","text":"weather?"}]}]',
    'ai.response.text': 'looking',
    'ai.response.toolCalls': '[{"toolCallId":"c1","toolName":"get_weather","input":"{\\"city\\":\\"Bern\\"}"}]',
    'ai.usage.promptTokens': 12,
    'ai.usage.completionTokens': 3,
  },
  Langfuse: {
    'langfuse.observation.type': 'generation',
    'gen_ai.system': 'openai',
    'langfuse.observation.model.name': 'm',
    'langfuse.observation.input': '[{"role":"user","content":"weather?"}]',
    'langfuse.observation.output':
      '{"role":"assistant","content":"looking","tool_calls":[{"id":"c1","type":"function","function":{"name":"get_weather","arguments":"{\\"city\\":\\"Bern\\"}"}}]}',
    'langfuse.observation.usage_details': '{"input":12,"output":3}',
  },
  LangSmith: {
    'langsmith.span.kind': 'llm',
    'gen_ai.system': 'openai',
    'gen_ai.request.model': 'm',
    'gen_ai.prompt': '{"messages":[{"role":"user","content":"weather?"}]}',
    'gen_ai.completion':
      '{"choices":[{"message":{"role":"assistant","content":"looking","tool_calls":[{"id":"c1","type":"function","function":{"name":"get_weather","arguments":"{\\"city\\":\\"Bern\\"}"}}]}}]}',
    'gen_ai.usage.input_tokens': 12,
    'gen_ai.usage.output_tokens': 3,
  },
  'Agent Development Kit': {
    'gen_ai.operation.name': 'generate_content',
    'gen_ai.system': 'openai',
    'gen_ai.request.model': 'm',
    'gcp.vertex.agent.llm_request': '{"model":"m","contents":[{"role":"user","parts":[{"text":"weather?"}]}]}',
    'gcp.vertex.agent.llm_response':
      '{"content":{"role":"model","parts":[{"text":"looking"},{"function_call":{"id":"c1","name":"get_weather","args":{"city":"Bern"}}}]}}',
    'gen_ai.usage.input_tokens': 12,
    'gen_ai.usage.output_tokens': 3,
  },
};

describe('one model call in every dialect', () => {
  for (const [name, attributes] of Object.entries(dialects)) {
    it(`${name}: messages, tool call and usage`, async () => {
      const opened = await open(request(span({ id: 'a', attributes })));
      expect(dataOf(opened, 'a')).toMatchObject({
        provider: 'openai',
        request_model: 'm',
        input_messages: [{ role: 'user', parts: [{ type: 'text', content: 'weather?' }] }],
      });
      const told = dataOf(opened, 'a:end');
      expect(told['usage']).toMatchObject(usage);
      expect(told['output_messages']).toMatchObject(answer);
      expect(told['result']).toMatchObject(answer[0]?.parts ?? []);
      expect(dataOf(opened, 'a:decision')['chosen']).toEqual([{ tool: 'get_weather', call_id: 'c1' }]);
      expect(opened.result?.replayGrade).toBe('per call');
      expect(opened.counts).toEqual({ input: 1, mapped: 1, merged: 0, problems: 0 });
    });
  }

  it('messages in log records before 1.37, written in any order and before the span', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Bern"}' } };
    const logs = logRequest(
      log('a', 9, 'gen_ai.choice', { index: 0, message: { content: 'looking', tool_calls: [call] } }),
      log('a', 1, 'gen_ai.user.message', { content: 'weather?' }),
    );
    const spans = request(
      span({ id: 'a', attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' } }),
    );
    const opened = await open(logs, spans);
    expect(dataOf(opened, 'a')['input_messages']).toEqual(question);
    expect(dataOf(opened, 'a:end')['output_messages']).toMatchObject(answer);
    expect(opened.counts).toEqual({ input: 3, mapped: 1, merged: 2, problems: 0 });
    const alone = await open(logs);
    expect(story(alone).filter((told) => !told.endsWith('env.read'))).toEqual([
      'a model_call.requested',
      'a:decision decision.made',
      'a:end model_call.completed',
      'run run.started',
      'stream stream.declared',
    ]);
    expect(alone.counts).toEqual({ input: 2, mapped: 1, merged: 1, problems: 0 });
    expect(alone.problems.map(({ code }) => code)).toEqual(['call-from-logs']);
  });
});

const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' };
const asks = {
  ...chat,
  'gen_ai.input.messages': JSON.stringify(question),
  'gen_ai.output.messages': JSON.stringify(answer),
};
const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'get_weather' };
const args = { 'gen_ai.tool.call.arguments': '{"city":"Bern"}' };
const given = JSON.stringify([
  ...question,
  ...answer,
  { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'rain' }] },
]);

describe('who called whom', () => {
  it('a tool was chosen by the answer with its call id, and its result was given to the next call', async () => {
    const opened = await open(
      request(
        span({ id: '3', parent: '1', at: 30, attributes: { ...chat, 'gen_ai.input.messages': given } }),
        span({
          id: '2',
          parent: '1',
          at: 20,
          attributes: { ...tool, ...args, 'gen_ai.tool.call.id': 'c1', 'gen_ai.tool.call.result': 'rain' },
        }),
        span({ id: '1a', parent: '1', at: 5, attributes: asks }),
        span({
          id: '1',
          to: 50,
          attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'Guide' },
        }),
      ),
    );
    expect(edges(opened)).toEqual(
      expect.arrayContaining([
        '1 -caused_by-> 1a',
        '1a:decision -selected_by-> 2',
        '1a:end -consumed-> 1a:decision',
        '2 -result_of-> 2:end',
        '2:end -consumed-> 3',
        'run -caused_by ~run-of-trace-> 1',
      ]),
    );
    expect(edges(opened).filter((edge) => edge.includes('by clock'))).toEqual([]);
    expect(dataOf(opened, '2')).toEqual({ tool: 'get_weather', call_id: 'c1', args: { city: 'Bern' } });
    const dispatched = opened.events.find(({ event }) => event.type === 'tool_call.dispatched')?.event;
    expect(dispatched?.command).toMatchObject({
      path: '/child:Guide=0000000000000001/tool:get_weather=c1',
      identity: 'derived',
    });
    expect(dispatched?.agent).toBe('Guide');
  });

  it('without call ids: rule tool-by-name-and-arguments, and answer-by-name', async () => {
    const named = given.replace('"id":"c1","response"', '"name":"get_weather","response"');
    const opened = await open(
      request(
        span({ id: '1a', at: 5, attributes: asks }),
        span({ id: '2', at: 20, attributes: { ...tool, ...args } }),
        span({ id: '3', at: 40, attributes: { ...chat, 'gen_ai.input.messages': named } }),
      ),
    );
    expect(edges(opened)).toEqual(
      expect.arrayContaining([
        '1a:decision -selected_by ~tool-by-name-and-arguments-> 2',
        '2:end -consumed ~answer-by-name-> 3',
      ]),
    );
  });

  it('without messages: nothing but the clock, and said so (rule sibling-before)', async () => {
    const opened = await open(
      request(
        span({ id: '1', to: 90 }),
        span({ id: '1a', parent: '1', at: 5, attributes: chat }),
        span({ id: '2', parent: '1', at: 20, attributes: tool }),
        span({ id: '3', parent: '1', at: 40, attributes: chat }),
      ),
    );
    expect(edges(opened).filter((edge) => edge.includes('sibling'))).toEqual([
      '1a:end -caused_by ~sibling-before by clock-> 2',
      '2:end -caused_by ~sibling-before by clock-> 3',
    ]);
    expect(opened.result?.replayGrade).toBe('none');
  });

  it('a sub-agent below a tool, its hand-off, and its failure', async () => {
    const exception = {
      name: 'exception',
      timeUnixNano: '1700000000020000000',
      attributes: [
        { key: 'exception.type', value: { stringValue: 'Declined' } },
        { key: 'exception.message', value: { stringValue: 'limit' } },
      ],
    };
    const opened = await open(
      request(
        span({ id: '1', to: 90, attributes: { 'openinference.span.kind': 'AGENT', 'agent.name': 'Main' } }),
        span({ id: '2', parent: '1', at: 1, to: 80, attributes: { ...tool, 'gen_ai.tool.name': 'transfer_to_Pay' } }),
        span({
          id: '3',
          parent: '2',
          at: 2,
          to: 70,
          name: 'invoke_agent Pay',
          attributes: { 'gen_ai.operation.name': 'invoke_agent' },
          more: { status: { code: 'STATUS_CODE_ERROR' }, events: [exception] },
        }),
      ),
    );
    expect(dataOf(opened, '2:handoff')).toMatchObject({ from: 'Main', to: 'Pay', rule: 'hand-off-by-name' });
    expect(dataOf(opened, '3')).toMatchObject({ from: 'Main', to: 'Pay' });
    expect(dataOf(opened, '3:end')).toMatchObject({
      from: 'Pay',
      to: 'Main',
      error: { name: 'Declined', message: 'limit' },
    });
    expect(edges(opened)).toContain('3:end -caused_by ~ended-inside-> 2:end');
  });
});

describe('usage is counted once', () => {
  const outer = {
    'ai.operationId': 'ai.generateText',
    'ai.model.id': 'm',
    'ai.usage.promptTokens': 12,
    'ai.prompt': '{"prompt":"x"}',
  };
  const inner = {
    ...outer,
    'ai.operationId': 'ai.generateText.doGenerate',
    'ai.prompt.messages': JSON.stringify(question),
  };

  function calls(opened: Awaited<ReturnType<typeof open>>): readonly string[] {
    return story(opened).filter((line) => line.includes('model_call'));
  }

  it('of parent and child the inner one is the call (rule one-call-two-spans)', async () => {
    const opened = await open(
      request(span({ id: '1', to: 50, attributes: outer }), span({ id: '2', parent: '1', attributes: inner })),
    );
    expect(calls(opened)).toEqual(['2 model_call.requested', '2:end model_call.completed']);
    expect(opened.problems.map(({ code }) => code)).toEqual(['one-call-two-spans']);
  });

  it('unless only the outer one has messages', async () => {
    const told = { ...chat, 'gen_ai.input.messages': JSON.stringify(question) };
    const opened = await open(
      request(span({ id: '1', to: 50, attributes: told }), span({ id: '2', parent: '1', attributes: chat })),
    );
    expect(calls(opened)).toEqual(['1 model_call.requested', '1:end model_call.completed']);
  });

  it('a tool between two model calls makes them two', async () => {
    const opened = await open(
      request(
        span({ id: '1', to: 50, attributes: chat }),
        span({ id: '2', parent: '1', attributes: tool }),
        span({ id: '3', parent: '2', attributes: chat }),
      ),
    );
    expect(calls(opened)).toHaveLength(4);
    expect(addsUp(opened)).toBe(true);
  });
});

describe('retries', () => {
  it('of one request under one parent are attempts (rule same-request-retried)', async () => {
    const told = { ...chat, 'gen_ai.input.messages': JSON.stringify(question) };
    const failed = { status: { code: 2, message: '500' } };
    const opened = await open(
      request(
        span({ id: '1', at: 0, attributes: told, more: failed }),
        span({ id: '2', at: 20, attributes: told }),
        span({ id: '3', at: 40, attributes: told }),
      ),
    );
    const commands = opened.events
      .filter(({ event }) => event.type === 'model_call.requested')
      .map(({ event }) => `${event.command?.path.slice(-2) ?? ''} ${event.command?.attempt ?? 0}`)
      .sort();
    expect(commands).toEqual(['01 1', '01 2', '03 1']);
    expect(dataOf(opened, '1:end')['error']).toEqual({ name: 'Error', message: '500' });
  });

  it('of one call id are attempts (rule same-call-id-retried)', async () => {
    const called = { ...tool, 'gen_ai.tool.call.id': 'c9' };
    const opened = await open(
      request(
        span({ id: '2', at: 20, attributes: called }),
        span({ id: '1', at: 0, attributes: called, more: { status: { code: 2 } } }),
      ),
    );
    const attempts = opened.events
      .filter(({ event }) => event.type === 'tool_call.dispatched')
      .map(({ event }) => event.command?.attempt);
    expect(attempts.sort()).toEqual([1, 2]);
    expect(new Set(opened.events.flatMap(({ event }) => event.command?.path ?? []))).toEqual(
      new Set(['/tool:get_weather=c9']),
    );
  });
});

describe('rules', () => {
  it('R62 are all described beside the code', () => {
    const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
    for (const rule of Object.keys(rules)) expect(readme).toContain(`| \`${rule}\``);
  });
});

describe('messages of a whole call in one record (R5)', () => {
  const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' };
  const held = { 'gen_ai.input.messages': question, 'gen_ai.output.messages': answer };
  const name = 'gen_ai.client.inference.operation.details';
  const isWhole = (opened: Awaited<ReturnType<typeof open>>): void => {
    addsUp(opened);
    expect(dataOf(opened, '1')).toMatchObject({ input_messages: question });
    expect(dataOf(opened, '1:end')).toMatchObject({ output_messages: answer });
  };

  it('as an event of its span', async () => {
    const event = { name, timeUnixNano: '1700000000005000000', attributes: keyValues(held) };
    isWhole(await open(request(span({ id: '1', attributes: chat, more: { events: [event] } }))));
  });

  it('as the body of a log', async () => {
    isWhole(await open(request(span({ id: '1', attributes: chat })), logRequest(log('1', 5, name, held))));
  });
});
