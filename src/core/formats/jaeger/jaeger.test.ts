import { describe, expect, it } from 'vitest';
import { addsUp, dataOf, edges, shorten, story } from '../genai/testing/otlp.ts';
import { listTraces, openFiles, textToSource, traceToSource, whereFound } from '../testing/opening.ts';

const traceID = '0123456789abcdef0123456789abcdef';

function span(id: string, parent: string | undefined, tags: readonly object[] = [], more: object = {}): object {
  const references = parent === undefined ? [] : [{ refType: 'CHILD_OF', traceID, spanID: parent }];
  const startTime = 1_700_000_000_000_000;
  return {
    traceID,
    spanID: id,
    operationName: 'op',
    references,
    startTime,
    duration: 500,
    tags,
    logs: [],
    processID: 'p1',
    ...more,
  };
}

const processes = { p1: { serviceName: 'shop', tags: [{ key: 'pid', type: 'int64', value: '7' }] } };
const model = [
  { key: 'gen_ai.operation.name', type: 'string', value: 'chat' },
  { key: 'gen_ai.request.model', type: 'string', value: 'm' },
  { key: 'gen_ai.usage.input_tokens', type: 'int64', value: '7' },
  { key: 'otel.scope.name', type: 'string', value: 'lib' },
  { key: 'error', type: 'bool', value: true },
];
const logs = [
  {
    timestamp: 1_700_000_000_000_400,
    fields: [
      { key: 'event', type: 'string', value: 'exception' },
      { key: 'exception.type', type: 'string', value: 'Timeout' },
      { key: 'exception.message', type: 'string', value: 'late' },
    ],
  },
];
const spans = [span('a', undefined), span('b', 'a', model, { logs, warnings: ['w'] })];

async function open(value: unknown, spaces = 0) {
  return openFiles([textToSource('x', JSON.stringify(value, null, spaces))]);
}

describe('Jaeger', () => {
  const shapes: Readonly<Record<string, unknown>> = {
    'an answer of the query service': { data: [{ traceID, spans, processes, warnings: null }], total: 0, errors: null },
    'one trace': { traceID, spans, processes },
    'a trace inside data': { id: 'x', data: { traceID, spans, processes }, state: 'DONE' },
  };
  for (const [name, shape] of Object.entries(shapes)) {
    it(`${name}, on one line or printed over many`, async () => {
      for (const spaces of [0, 2]) {
        const opened = await open(shape, spaces);
        expect(opened.result?.format).toBe('jaeger');
        expect(story(opened)).toEqual([
          'a step.started',
          'a:end step.completed',
          'b model_call.requested',
          'b:end model_call.failed',
          'run run.started',
          'run:end run.completed',
          'stream stream.declared',
        ]);
        expect(edges(opened)).toContain('a -caused_by-> b');
        expect(dataOf(opened, 'b:end')).toMatchObject({
          usage: { input_tokens: 7 },
          error: { name: 'Timeout', message: 'late' },
        });
        const told = opened.events.find(({ event }) => shorten(event.id) === 'b')?.event;
        expect(told).toMatchObject({ source: { component: 'shop' }, time: '2023-11-14T22:13:20.000000000Z' });
        expect(told?.imported?.extra).toMatchObject({ warnings: ['w'], scope: { name: 'lib' } });
        expect(opened.counts).toEqual({ input: 2, mapped: 2, merged: 0, problems: 0 });
      }
    });
  }

  it('a list of spans with their processes inside, and other references as links', async () => {
    const follows = [{ refType: 'FOLLOWS_FROM', traceID, spanID: 'a' }];
    const list = [
      span('a', undefined),
      span('c', undefined, [], { references: follows, process: { serviceName: 'mail' } }),
    ];
    const opened = await open(list, 1);
    expect(edges(opened)).toContain('a -caused_by-> c');
    expect(opened.events.find(({ event }) => shorten(event.id) === 'c')?.event.source.component).toBe('mail');
  });

  it('tags by their types, as a list or an object; what counts as failed; how long it took', async () => {
    const told = async (tags: unknown, more: object = {}) => {
      const opened = await open([span('a', undefined, [], { tags, ...more })]);
      return opened.events.filter(({ event }) => event.type.startsWith('step.')).map(({ event }) => event);
    };
    const [begun, ended] = await told([
      { key: 'n', type: 'int64', value: '7' },
      { key: 'yes', type: 'bool', value: 'true' },
      { key: 'error', type: 'string', value: 'false' },
      { key: 'text', type: 'string', value: '7' },
    ]);
    expect(JSON.stringify(begun)).toMatch(/"n":7,"yes":true,"error":"false","text":"7"/);
    expect(ended?.time).toBe('2023-11-14T22:13:20.000500000Z');
    expect(JSON.stringify(ended?.data)).not.toContain('"error":{');
    const [, failed] = await told({ 'otel.status_code': 'ERROR', 'otel.status_description': 'late' });
    expect(failed?.data).toMatchObject({ error: { message: 'late' } });
  });

  it('references to another trace, of another kind and to a second span are links, in any order of them', async () => {
    const of = (refType: string, spanID: string, trace = traceID) => ({ refType, traceID: trace, spanID });
    const far = 'f'.repeat(32);
    const references = [
      of('CHILD_OF', 'e', far),
      of('FOLLOWS_FROM', 'b'),
      of('CHILD_OF', 'a'),
      of('CHILD_OF', 'a'),
      of('CHILD_OF', 'b'),
    ];
    const opened = await open([span('a', undefined), span('b', undefined), span('c', undefined, [], { references })]);
    const into = edges(opened).filter((edge) => edge.endsWith('-> c'));
    expect(into.filter((edge) => edge.startsWith('a '))).toHaveLength(1);
    const begun = opened.events.find(({ event }) => shorten(event.id) === 'c')?.event;
    expect(into).toContain('a -caused_by-> c');
    expect(JSON.stringify(begun)).toContain('FOLLOWS_FROM');
    expect(JSON.stringify(begun)).toContain(far);
  });

  it('spans as a search engine stores them, in the order of the file', async () => {
    const opened = await open([{ _source: span('b', undefined) }, { _source: span('a', undefined) }]);
    expect(opened.counts).toEqual({ input: 2, mapped: 2, merged: 0, problems: 0 });
    const steps = opened.events.filter(({ event }) => event.type === 'step.started');
    expect(steps.map(({ event }) => shorten(event.id))).toEqual(['b', 'a']);
  });

  it('a list that is cut off keeps what is whole', async () => {
    const text = JSON.stringify([span('a', undefined), span('b', 'a'), span('c', 'b')], null, 1);
    const opened = await openFiles([textToSource('x', text.slice(0, -60))]);
    expect(opened.counts).toEqual({ input: 3, mapped: 2, merged: 0, problems: 1 });
  });
});

const real = listTraces('jaeger');

describe.skipIf(real.length === 0)(`real files${whereFound(real)}`, () => {
  for (const name of real) {
    it(`${name}: every record once`, { timeout: 60_000 }, async () => {
      const opened = await openFiles([traceToSource(name)]);
      expect(opened.result?.format).toBe('jaeger');
      expect(addsUp(opened)).toBe(true);
      expect(opened.counts.problems).toBe(0);
    });
  }

  it('an agent of kagent: two calls of the model, one tool between them, usage once', { timeout: 60_000 }, async () => {
    const opened = await openFiles([traceToSource('jaeger/agentevals_helm.json')]);
    const calls = opened.events.filter(({ event }) => event.type === 'model_call.completed');
    expect(calls).toHaveLength(2);
    expect(calls.map(({ event }) => event.data)).toMatchObject([
      { usage: { input_tokens: 1820 } },
      { usage: { input_tokens: 1956 } },
    ]);
    const told = edges(opened);
    expect(told).toContain('6c728e555894414d:decision -selected_by-> 75cdce51ad52a7c8');
    expect(told).toContain('75cdce51ad52a7c8:end -consumed-> e813c1b43582a58e');
  });
});
