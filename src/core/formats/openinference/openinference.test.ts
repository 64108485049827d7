import { describe, expect, it } from 'vitest';
import { dataOf, edges, story } from '../genai/testing/otlp.ts';
import { openFiles, textToSource } from '../testing/opening.ts';

const trace_id = '0123456789abcdef0123456789abcdef';

function span(id: string, kind: string, parent: string | null, attributes: object, more: object = {}): object {
  return {
    id: `U3Bhbjo${id}`,
    name: kind.toLowerCase(),
    context: { trace_id, span_id: id.padStart(16, '0') },
    span_kind: kind,
    parent_id: parent?.padStart(16, '0') ?? null,
    start_time: '2025-01-02T03:04:05.000001+00:00',
    end_time: '2025-01-02T03:04:06+00:00',
    status_code: 'OK',
    status_message: '',
    attributes,
    events: [],
    ...more,
  };
}

const flat = {
  'llm.model_name': 'm',
  'llm.input_messages.0.message.role': 'user',
  'llm.input_messages.0.message.content': 'hi',
  'llm.output_messages.0.message.role': 'assistant',
  'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
  'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'call_subagent',
  'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"to":"Pay"}',
  'llm.tools.0.tool.json_schema': '{"name":"call_subagent"}',
  'llm.token_count.prompt': 5,
};
const nested = {
  llm: {
    model_name: 'm',
    input_messages: [{ message: { role: 'user', content: 'hi' } }],
    output_messages: [
      {
        message: {
          role: 'assistant',
          tool_calls: [{ tool_call: { id: 'c1', function: { name: 'call_subagent', arguments: '{"to":"Pay"}' } } }],
        },
      },
    ],
    tools: [{ tool: { json_schema: '{"name":"call_subagent"}' } }],
    token_count: { prompt: 5 },
  },
};

function spans(attributes: object): readonly object[] {
  return [
    span('1', 'AGENT', null, { 'agent.name': 'Main' }),
    span('2', 'LLM', '1', attributes),
    span('3', 'TOOL', '1', {
      'tool.name': 'call_subagent',
      'tool_call.id': 'c1',
      'input.value': '{"to":"Pay"}',
      'output.value': 'paid',
    }),
    span('4', 'AGENT', '3', { 'agent.name': 'Pay' }, { status_code: 'ERROR', status_message: 'declined' }),
    span('5', 'RETRIEVER', '4', { 'input.value': 'q', 'retrieval.documents.0.document.content': 'd' }),
  ];
}

async function openText(text: string) {
  return openFiles([textToSource('x', text)]);
}

describe('Phoenix', () => {
  const texts: Readonly<Record<string, string>> = {
    'a list with flat attributes': JSON.stringify(spans(flat)),
    'a printed list with nested attributes': JSON.stringify(spans(nested), null, 2),
    'one a line': spans(flat)
      .map((one) => JSON.stringify(one))
      .join('\n'),
    'a page of its interface': JSON.stringify({ data: spans(flat), next_cursor: null }, null, 1),
    'an object of lists': JSON.stringify({ suggestions: spans(flat).slice(0, 2), more: spans(flat).slice(2) }, null, 1),
  };
  for (const [name, text] of Object.entries(texts)) {
    it(`${name}: the sub-agent below its tool, chosen by the call`, async () => {
      const opened = await openText(text);
      expect(opened.result?.format).toBe('openinference');
      expect(opened.counts).toEqual({ input: 5, mapped: 5, merged: 0, problems: 0 });
      expect(edges(opened)).toEqual(
        expect.arrayContaining([
          '2:decision -selected_by-> 3',
          '3 -caused_by-> 4',
          '4:end -caused_by ~ended-inside-> 3:end',
        ]),
      );
      expect(dataOf(opened, '2')).toMatchObject({
        request_model: 'm',
        input_messages: [{ role: 'user', parts: [{ content: 'hi' }] }],
        tool_definitions: [{ name: 'call_subagent' }],
      });
      expect(dataOf(opened, '3')['args']).toEqual({ to: 'Pay' });
      expect(dataOf(opened, '4:end')).toMatchObject({ from: 'Pay', error: { message: 'declined' } });
      expect(dataOf(opened, '5:end')['result']).toEqual([{ content: 'd' }]);
      expect(story(opened)).toContain('2:end model_call.completed');
    });
  }

  it('rows of a data frame, with UUIDs for ids and times without a zone', async () => {
    const row = {
      name: 'llm',
      span_kind: 'LLM',
      parent_id: null,
      start_time: '2023-11-07T22:45:52.208000',
      end_time: '2023-11-07T22:45:53',
      status_code: 'OK',
      'attributes.llm.model_name': 'm',
      'attributes.llm.input_messages': [{ 'message.role': 'user', 'message.content': 'hi' }],
      'context.span_id': '1111aaaa-0000-4000-8000-000000000001',
      'context.trace_id': '2222bbbb-0000-4000-8000-000000000001',
    };
    const opened = await openText(`${JSON.stringify(row)}\n`);
    const asked = opened.events.find(({ event }) => event.type === 'model_call.requested')?.event;
    expect(asked).toMatchObject({ run: '2222bbbb000040008000000000000001', time: '2023-11-07T22:45:52.208000000Z' });
    expect(asked?.data).toMatchObject({ input_messages: [{ role: 'user', parts: [{ content: 'hi' }] }] });
    expect(asked?.imported?.extra).toMatchObject({ start_time: '2023-11-07T22:45:52.208000' });
    expect(opened.problems.map(({ code }) => code)).toEqual(expect.arrayContaining(['time-without-zone', 'odd-id']));
  });
});
