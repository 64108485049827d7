import { describe, expect, it } from 'vitest';
import { addsUp, dataOf, edges, story } from '../genai/testing/otlp.ts';
import { listTraces, openFiles, textToSource, traceToSource, whereFound } from '../testing/opening.ts';

const trace = '0123456789abcdef0123456789abcdef';

function python(id: string, parent: string | null, end: string | null, more: object = {}): object {
  return {
    name: 'work',
    context: { trace_id: `0x${trace}`, span_id: `0x${id.padStart(16, '0')}`, trace_state: '[]' },
    kind: 'SpanKind.INTERNAL',
    parent_id: parent === null ? null : `0x${parent.padStart(16, '0')}`,
    start_time: '2025-01-02T03:04:05.000001Z',
    end_time: end,
    status: { status_code: 'UNSET' },
    attributes: {},
    events: [],
    links: [],
    resource: { attributes: { 'service.name': 'py' }, schema_url: '' },
    ...more,
  };
}

async function openText(text: string) {
  return openFiles([textToSource('x.log', text)]);
}

describe('dumps of the SDKs', () => {
  it('Python: printed objects one after another, each twice, the first without its end', async () => {
    const done = '2025-01-02T03:04:06Z';
    const failed = { status: { status_code: 'ERROR', description: 'no' } };
    const objects = [
      python('1', null, null),
      python('2', '1', done, failed),
      python('1', null, done),
      python('2', '1', done, failed),
    ];
    const opened = await openText(objects.map((one) => JSON.stringify(one, null, 4)).join('\n'));
    expect(opened.result?.format).toBe('otel');
    expect(story(opened).filter((line) => line.includes('step'))).toEqual([
      '1 step.started',
      '1:end step.completed',
      '2 step.started',
      '2:end step.completed',
    ]);
    expect(opened.counts).toEqual({ input: 4, mapped: 2, merged: 2, problems: 0 });
    expect(edges(opened)).toContain('1 -caused_by-> 2');
    expect(dataOf(opened, '2:end')).toMatchObject({ error: { message: 'no' } });
  });

  it('JavaScript: spans with contexts and times as pairs', async () => {
    const spans = ['1', '2'].map((id) => ({
      name: 'ai.toolCall',
      spanContext: { traceId: trace, spanId: id.padStart(16, '0') },
      parentSpanId: id === '2' ? '0000000000000001' : undefined,
      attributes: { 'ai.operationId': 'ai.toolCall', 'ai.toolCall.name': `t${id}`, 'ai.toolCall.args': '{"x":1}' },
      status: { code: 0 },
      startTime: [1_700_000_000, 5],
      endTime: [1_700_000_001, 0],
      events: [],
    }));
    const opened = await openText(JSON.stringify(spans, null, 2));
    expect(opened.result?.format).toBe('otel');
    expect(dataOf(opened, '2')).toEqual({ tool: 't2', args: { x: 1 } });
    expect(opened.events.find(({ event }) => event.type === 'tool_call.dispatched')?.event.time).toBe(
      '2023-11-14T22:13:20.000000005Z',
    );
  });

  it('JavaScript: what the console prints', async () => {
    const printed = (id: string): string => `{
  resource: { attributes: { 'service.name': 'web' } },
  traceId: '${trace}',
  parentId: undefined,
  name: "it's",
  id: '${id.padStart(16, '0')}',
  kind: 1,
  timestamp: 1700000000000000,
  duration: 1500,
  attributes: { 'http.method': 'GET', list: [ 1, 'two', ... 3 more items ], deep: [Object] },
  status: { code: 2, message: 'no\\nluck' },
  events: [],
  links: []
}`;
    const opened = await openText(`${printed('1')}\n${printed('2')}\n`);
    expect(opened.counts).toEqual({ input: 2, mapped: 2, merged: 0, problems: 0 });
    expect(dataOf(opened, '1')).toMatchObject({ name: "it's" });
    expect(dataOf(opened, '1:end')).toMatchObject({ error: { message: 'no\nluck' } });
    const [event] = opened.events.filter(({ event: { type } }) => type === 'step.started');
    expect(event?.event.source.component).toBe('web');
  });

  it('attributes by themselves', async () => {
    const map = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'w',
      'gen_ai.tool.call.id': '1',
      input: '{"a":1}',
      output: 'ok',
    };
    const opened = await openText(JSON.stringify(map, null, 2));
    expect(opened.events.find(({ event }) => event.type === 'tool_call.dispatched')?.event.data).toEqual({
      tool: 'w',
      call_id: '1',
      args: { a: 1 },
    });
    expect(opened.problems.map(({ code }) => code)).toEqual(['no-trace-id', 'no-span-id']);
  });
});

const real = listTraces('otel-sdk-dump');

describe.skipIf(real.length === 0)(`real files${whereFound(real)}`, () => {
  for (const name of real) {
    it(`${name}: every record once`, { timeout: 60_000 }, async () => {
      const opened = await openFiles([traceToSource(name)]);
      expect(opened.result?.format).toBe('otel');
      expect(addsUp(opened)).toBe(true);
      expect(opened.counts.problems).toBe(0);
    });
  }

  it(
    'telemetry of Gemini CLI: each call once, its tools, and the call that was never answered',
    { timeout: 60_000 },
    async () => {
      const opened = await openFiles([traceToSource('otel-sdk-dump/gemini_cli_telemetry.log')]);
      const types = opened.events.map(({ event }) => event.type);
      const count = (type: string): number => types.filter((one) => one === type).length;
      expect([
        count('input.received'),
        count('model_call.requested'),
        count('model_call.completed'),
        count('tool_call.completed'),
      ]).toEqual([1, 4, 3, 3]);
      const chosen = edges(opened).filter((edge) => edge.includes('-selected_by ~tool-by-name-and-arguments->'));
      expect(chosen).toHaveLength(3);
    },
  );
});
