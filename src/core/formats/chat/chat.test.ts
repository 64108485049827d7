import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../base/json.ts';
import { valueToRequest, valueToResponse } from './api.ts';
import { comparable, messagesToAnswers, messagesToCalls, messageToText } from './calls.ts';
import { objectToMessage, valueToMessages } from './messages.ts';
import { valueToUsage } from './usage.ts';

const call = { type: 'tool_call', id: 'c1', name: 'look', arguments: { at: 'x' } };
const text = { type: 'text', content: 'hm' };

/** One answer, "hm" and a call of look({at: x}), in every form. */
const forms: readonly (readonly [string, JsonValue])[] = [
  [
    'OpenAI chat',
    {
      role: 'assistant',
      content: 'hm',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"x"}' } }],
    },
  ],
  [
    'Anthropic',
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'hm' },
        { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'x' } },
      ],
    },
  ],
  ['GenAI conventions', { role: 'assistant', parts: [text, call] }],
  [
    'Vercel AI',
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'hm' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { at: 'x' } },
      ],
    },
  ],
  [
    'LangChain, serialised',
    {
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'AIMessage'],
      kwargs: { content: 'hm', tool_calls: [{ name: 'look', args: { at: 'x' }, id: 'c1' }] },
    },
  ],
  [
    'LangChain, dictionary',
    {
      type: 'ai',
      data: { content: 'hm', tool_calls: [{ name: 'look', args: { at: 'x' }, id: 'c1', type: 'tool_call' }] },
    },
  ],
  [
    'Inspect',
    { role: 'assistant', content: 'hm', tool_calls: [{ id: 'c1', function: 'look', arguments: { at: 'x' } }] },
  ],
];

describe('messages', () => {
  it.each(forms)('of %s have one form', (_name, message) => {
    const [read, ...more] = valueToMessages(message, 'user');
    expect(more).toEqual([]);
    expect(read?.role).toBe('assistant');
    expect(read?.parts.map(({ type }) => type)).toEqual(['text', 'tool_call']);
    expect(messagesToCalls(read === undefined ? [] : [read])).toEqual([{ id: 'c1', name: 'look', args: { at: 'x' } }]);
    expect(read === undefined ? '' : messageToText(read)).toBe('hm');
  });

  it('of Gemini have neither ids nor types', () => {
    const [asked, answered] = valueToMessages(
      [
        {
          role: 'model',
          parts: [
            { text: 'why', thought: true },
            { functionCall: { name: 'look', args: { at: 'x' } }, thoughtSignature: 's' },
          ],
        },
        { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'seen' } } }] },
      ],
      'user',
    );
    expect(asked).toEqual({
      role: 'assistant',
      parts: [
        { type: 'reasoning', content: 'why' },
        { type: 'tool_call', name: 'look', arguments: { at: 'x' }, thoughtSignature: 's' },
      ],
    });
    expect(messagesToAnswers(answered === undefined ? [] : [answered])).toEqual([
      { id: undefined, response: { output: 'seen' }, isError: false },
    ]);
  });

  it('of the Responses API stand beside calls and reasoning; `call_id` names the call', () => {
    const read = valueToMessages(
      [
        { role: 'user', content: 'where' },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'so' }], id: 'rs' },
        { type: 'function_call', id: 'fc', call_id: 'c1', name: 'look', arguments: '{"at":"x"}', status: 'completed' },
        { type: 'function_call_output', call_id: 'c1', output: 'seen' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'there', annotations: [] }] },
      ],
      'user',
    );
    expect(read.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant', 'tool', 'assistant']);
    expect(messagesToCalls(read)).toEqual([{ id: 'c1', name: 'look', args: { at: 'x' } }]);
    expect(messagesToAnswers(read)).toEqual([{ id: 'c1', response: 'seen', isError: false }]);
    expect(read[1]).toMatchObject({ parts: [{ type: 'reasoning', content: 'so' }], id: 'rs' });
  });

  it('keep what has no place, and a call named twice once', () => {
    const message = {
      role: 'assistant',
      content: 'hm',
      refusal: 'no',
      tool_calls: [{ id: 'c1', function: { name: 'look', arguments: 'not json' }, index: 0 }],
      additional_kwargs: { tool_calls: [{ id: 'c1', function: { name: 'look', arguments: '{}' } }], cost: 2 },
    };
    expect(objectToMessage(message, 'user')).toEqual({
      role: 'assistant',
      parts: [text, { type: 'tool_call', id: 'c1', name: 'look', arguments: 'not json', index: 0 }],
      refusal: 'no',
      additional_kwargs: { cost: 2 },
    });
  });

  it('written as text of the content are calls; other lists in text are text', () => {
    const calls = JSON.stringify([{ function: { name: 'look', arguments: '{"at":"x"}' }, id: 'c1', type: 'function' }]);
    expect(messagesToCalls(valueToMessages([{ role: 'tool', content: calls }], 'user'))).toHaveLength(1);
    expect(messagesToCalls(valueToMessages([{ role: 'user', content: '[{"a":"function"}]' }], 'user'))).toEqual([]);
  });

  it('of a batch, a holder, or a bare text', () => {
    expect(
      valueToMessages(
        [
          [
            { role: 'user', content: 'a' },
            { role: 'user', content: 'b' },
          ],
        ],
        'user',
      ),
    ).toHaveLength(2);
    expect(valueToMessages({ messages: [{ role: 'user', content: 'a' }] }, 'user')).toHaveLength(1);
    expect(valueToMessages('a', 'system')).toEqual([{ role: 'system', parts: [{ type: 'text', content: 'a' }] }]);
    expect(
      valueToMessages(
        [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
        'assistant',
      ),
    ).toHaveLength(1);
  });
});

describe('raw bodies', () => {
  it('of requests: system, messages, tools, parameters', () => {
    const request = valueToRequest({
      model: 'm',
      system: 's',
      messages: [{ role: 'user', content: 'a' }],
      tools: [],
      max_tokens: 5,
    });
    expect(request).toMatchObject({ model: 'm', system: 's', tools: [], parameters: { max_tokens: 5 } });
  });

  it('of responses of three providers', () => {
    const openai = valueToResponse({
      id: 'r',
      model: 'm',
      choices: [{ message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } },
    });
    expect(openai).toMatchObject({
      id: 'r',
      finishReasons: ['stop'],
      usage: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 1, prompt_tokens: 1 },
    });
    const anthropic = valueToResponse({
      id: 'r',
      role: 'assistant',
      content: [{ type: 'text', text: 'a' }],
      stop_reason: 'end_turn',
    });
    expect(anthropic?.messages.map(messageToText)).toEqual(['a']);
    const responses = valueToResponse({
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a' }] }],
      status: 'completed',
    });
    expect(responses).toMatchObject({ finishReasons: ['completed'], messages: [{ role: 'assistant' }] });
    expect(valueToResponse({ answer: 1 })).toBeUndefined();
  });

  it('of usage are never summed', () => {
    expect(valueToUsage({ input: 3, total: 9 })).toEqual({ input: 3, total: 9, input_tokens: 3 });
    expect(valueToUsage({})).toBeUndefined();
  });
});

it('values written in different ways compare equal, different ones do not', () => {
  expect(comparable('{"b":1,"a":2}')).toBe(comparable({ a: 2, b: 1 }));
  expect(comparable([{ type: 'text', text: 'sun ' }])).toBe(comparable('sun'));
  expect(comparable({ content: [{ type: 'text', text: 'sun' }] })).toBe(comparable('sun'));
  expect(comparable({ content: 'sun', city: 'x' })).not.toBe(comparable('rain'));
});
