import { describe, expect, it } from 'vitest';
import { recordToOtlpAttributes } from '../../model/otlp-attributes.ts';
import { drawTrace } from '../../model/testing/trace.ts';
import { addsUp, dataOf, edges, keyValues, open, request, span, story, trace } from '../genai/testing/otlp.ts';
import {
  bytesToSource,
  listTraces,
  openFiles,
  readTrace,
  textToSource,
  traceToSource,
  whereFound,
} from '../testing/opening.ts';
import { otlp } from './otlp.ts';

const plain = [
  '1 step.started',
  '1:end step.completed',
  'run run.started',
  'run:end run.completed',
  'stream stream.declared',
];
const other = 'fedcba9876543210fedcba9876543210';

async function openText(text: string) {
  return openFiles([textToSource('a.bin', text)]);
}

describe('envelopes and spellings', () => {
  const body = request(span({ id: '1' }));
  const inner = body.slice(1, -1);
  const spellings: Readonly<Record<string, string>> = {
    'a request a line': `${body}\n`,
    'one pretty-printed document': JSON.stringify(JSON.parse(body), null, 2),
    'a list of requests': `[${body}]`,
    'Tempo: batches of instrumentation libraries': body
      .replace('resourceSpans', 'batches')
      .replace('scopeSpans', 'instrumentationLibrarySpans')
      .replace('"scope"', '"instrumentationLibrary"'),
    'Jaeger: inside a result': `{"result":{${inner}}}`,
    'Tempo 2: inside a trace': JSON.stringify({ trace: JSON.parse(body) as object }, null, 1),
    'names with underscores': body
      .replaceAll('resourceSpans', 'resource_spans')
      .replaceAll('scopeSpans', 'scope_spans')
      .replaceAll('traceId', 'trace_id')
      .replaceAll('spanId', 'span_id')
      .replaceAll('startTimeUnixNano', 'start_time_unix_nano')
      .replaceAll('endTimeUnixNano', 'end_time_unix_nano')
      .replaceAll('stringValue', 'string_value'),
    'ids in upper case': body.replace(trace, trace.toUpperCase()),
    'ids in base64': body.replace(trace, 'ASNFZ4mrze8BI0VniavN7w==').replace('0000000000000001', 'AAAAAAAAAAE='),
    'numbers for times': body.replaceAll(/"(\d{19})"/g, '$1'),
  };
  for (const [name, text] of Object.entries(spellings)) {
    it(name, async () => {
      const opened = await openText(text);
      expect(story(opened)).toEqual(plain);
      expect(opened.counts).toEqual({ input: 1, mapped: 1, merged: 0, problems: 0 });
      const [first] = opened.events.filter(({ event }) => event.type === 'step.started');
      expect(first?.event).toMatchObject({
        run: trace,
        span: '0000000000000001',
        time: '2023-11-14T22:13:20.000000000Z',
        source: { component: 'shop' },
      });
    });
  }

  it('states as numbers and as names; kinds as numbers and as names', async () => {
    const opened = await open(
      request(
        span({ id: '1', more: { status: { code: 'STATUS_CODE_ERROR', message: 'no' }, kind: 'SPAN_KIND_CLIENT' } }),
        span({ id: '2', more: { status: { code: 2 }, kind: 3 } }),
        span({ id: '3', more: { status: { code: 1 } } }),
      ),
    );
    expect(dataOf(opened, '1:end')['error']).toEqual({ name: 'Error', message: 'no' });
    expect(dataOf(opened, '2:end')['error']).toBeDefined();
    expect(dataOf(opened, '3:end')['error']).toBeUndefined();
    const kinds = opened.events
      .map(({ event }) => event.imported?.extra?.['kind'])
      .filter((kind) => kind !== undefined);
    expect(kinds).toEqual(['client', 'client', 'internal']);
  });

  it('numbers beyond 2^53, lists, maps and bytes stay what they are; unknown fields are kept', async () => {
    const attributes = [
      { key: 'big', value: { intValue: '9223372036854775807' } },
      { key: 'list', value: { arrayValue: { values: [{ intValue: 1 }, { boolValue: true }] } } },
      { key: 'map', value: { kvlistValue: { values: [{ key: 'x', value: { doubleValue: 0.5 } }] } } },
      { key: 'bytes', value: { bytesValue: 'AAE=' } },
    ];
    const opened = await open(request(span({ id: '1', more: { attributes, future: { a: [1] }, traceState: 's' } })));
    const extra = opened.events.find(({ event }) => event.type === 'step.started')?.event.imported?.extra;
    expect(extra).toMatchObject({
      future: { a: [1] },
      traceState: 's',
      attributes: { big: { $num: '9223372036854775807' }, list: [1, true], map: { x: 0.5 }, bytes: 'AAE=' },
    });
  });
});

describe('damage and copies', () => {
  it('a span written twice is one, and the one with its end is used', async () => {
    const begun = span({ id: '1', name: 'n', more: { endTimeUnixNano: undefined } });
    const ended = span({ id: '1', name: 'n' });
    for (const lines of [
      [request(begun), request(ended)],
      [request(ended), request(begun), request(ended)],
    ]) {
      const opened = await open(...lines);
      expect(story(opened)).toEqual(plain);
      expect(opened.counts).toEqual({ input: lines.length, mapped: 1, merged: lines.length - 1, problems: 0 });
      expect(opened.problems.map(({ code }) => code)).toEqual(['same-record']);
    }
  });

  it('one id for two different spans: both stay, and it is a problem', async () => {
    const opened = await open(request(span({ id: '1', name: 'a' }), span({ id: '1', name: 'b', at: 5 })));
    expect(story(opened).filter((line) => line.includes('step.started'))).toHaveLength(2);
    expect(opened.problems).toMatchObject([{ code: 'conflicting-id', severity: 'problem' }]);
  });

  it('a document that is cut short gives all spans before the cut, and one problem', async () => {
    const text = request(span({ id: '1' }), span({ id: '2' }), span({ id: '3', attributes: { a: 1, b: 2, c: 3 } }));
    for (const whole of [text, JSON.stringify(JSON.parse(text), null, 2)]) {
      const opened = await openText(whole.slice(0, whole.lastIndexOf('"traceId"') + 40));
      expect(opened.counts).toEqual({ input: 3, mapped: 2, merged: 0, problems: 1 });
      // Cut in the attributes of the last: half a span is no span.
      const later = await openText(whole.slice(0, whole.lastIndexOf('"attributes"') + 60));
      expect(later.counts).toEqual({ input: 3, mapped: 2, merged: 0, problems: 1 });
      expect(opened.problems[0]).toMatchObject({
        code: 'truncated-last-line',
        place: { line: expect.any(Number) as number },
      });
    }
  });

  it('a damaged line, a record that is no request, and JSON that is no object', async () => {
    const opened = await open(
      request(span({ id: '1' })),
      '{"resourceSpans": [',
      '{"hello":1}',
      '42',
      request(span({ id: '2' })),
    );
    expect(opened.counts).toEqual({ input: 5, mapped: 3, merged: 0, problems: 2 });
    expect(story(opened).filter((line) => line.includes('started'))).toContain('2 step.started');
    expect(opened.events.find(({ event }) => event.type.startsWith('otlp.unknown'))?.event.data).toEqual({
      record: { hello: 1 },
    });
  });

  it('the order of spans changes nothing but the order of events', async () => {
    const spans = [
      span({ id: '1', to: 60 }),
      span({ id: '2', parent: '1', at: 5 }),
      span({ id: '3', parent: '2', at: 6 }),
    ];
    const forth = await open(...spans.map((one) => request(one)));
    const back = await open(...spans.reverse().map((one) => request(one)));
    expect(edges(back)).toEqual(edges(forth));
    expect(story(back)).toEqual(story(forth));
  });

  it('parents that are not here, links, circles and clocks that disagree are told', async () => {
    const links = [{ traceId: other, spanId: '00000000000000ff' }];
    const opened = await open(
      request(
        span({ id: '1', parent: '9', at: 50, more: { links } }),
        span({ id: '2', parent: '1', at: 20 }),
        span({ id: '4', parent: '5' }),
        span({ id: '5', parent: '4' }),
      ),
    );
    expect(edges(opened)).toEqual(
      expect.arrayContaining(['9 -caused_by-> 1', 'ff -caused_by-> 1', '1 -caused_by-> 2']),
    );
    const told = opened.problems.map(({ code, message }) => `${code} ${message}`).join('\n');
    expect(told).toContain('clock-skew Begin before their parents: 1 span, by up to 30 ms.');
    expect(told).toContain('parent-not-here Name a parent that is in none of the files: ');
    expect(opened.counts.mapped).toBe(4);
  });

  it('a chain of 4,000 spans and a fan-out of 4,000', { timeout: 60_000 }, async () => {
    const chain = Array.from({ length: 4000 }, (_, n) =>
      request(span({ id: (n + 1).toString(16), parent: n === 0 ? undefined : n.toString(16), at: 1 })),
    );
    const fan = Array.from({ length: 4000 }, (_, n) =>
      request(span({ id: (n + 5000).toString(16), parent: '1', at: 2 })),
    );
    const opened = await open(...chain, ...fan);
    expect(opened.counts).toEqual({ input: 8000, mapped: 8000, merged: 0, problems: 0 });
  });
});

describe('several traces in one file', () => {
  it('168 traces are listed, and one of them can be read alone', async () => {
    const lines = Array.from({ length: 168 }, (_, n) => {
      const id = (n + 1).toString(16).padStart(32, '0');
      return request(span({ id: '1', trace: id, name: `job ${n}` }), span({ id: '2', parent: '1', trace: id }));
    });
    const file = textToSource('a.json', lines.join('\n'));
    const list = (await otlp.list?.([file], {})) ?? [];
    expect(list).toHaveLength(168);
    expect(list[3]).toEqual({
      key: '4'.padStart(32, '0'),
      title: 'job 3 (shop)',
      records: 2,
      startedAt: '2023-11-14T22:13:20.000000000Z',
    });
    const opened = await openFiles([file], { trace: '4'.padStart(32, '0') });
    expect(opened.counts).toEqual({ input: 2, mapped: 2, merged: 0, problems: 0 });
    expect(new Set(opened.events.map(({ event }) => event.run))).toEqual(new Set(['4'.padStart(32, '0')]));
  });

  it('traces that a link joins are one entry', async () => {
    const links = [{ traceId: other, spanId: '0000000000000001' }];
    const text = request(
      span({ id: '1', more: { links } }),
      span({ id: '1', trace: other }),
      span({ id: '1', trace: '1'.padStart(32, 'a') }),
    );
    const file = textToSource('a.json', text);
    const list = (await otlp.list?.([file], {})) ?? [];
    expect(list.map(({ key, records }) => [key, records])).toEqual([
      [trace, 2],
      ['1'.padStart(32, 'a'), 1],
    ]);
    const opened = await openFiles([file], { trace });
    expect(opened.counts.mapped).toBe(2);
  });
});

describe('events carried whole in extension attributes', () => {
  const { lines } = drawTrace(`
    worker:
      one  step.started  {"name":"first"}
      two  step.completed  <- one  {"name":"first"}
  `);
  const events = lines.map((line, n) => {
    const attributes = Object.fromEntries(
      recordToOtlpAttributes(JSON.parse(line) as Parameters<typeof recordToOtlpAttributes>[0]),
    );
    return {
      name: 'hindcast',
      timeUnixNano: '1700000000000000000',
      attributes: keyValues({ ...attributes, 'hindcast.event.exact': true, 'hindcast.event.order': lines.length - n }),
    };
  });

  it('come back as they were, in their order, and the carrier is no event', async () => {
    const carrier = span({ id: '1', attributes: { 'hindcast.carrier': true }, more: { events } });
    const opened = await open(request(carrier));
    expect(opened.events.map(({ event }) => event)).toEqual(
      [...lines].reverse().map((line) => JSON.parse(line) as object),
    );
    expect(opened.counts).toEqual({ input: 1, mapped: 1, merged: 0, problems: 0 });
  });

  it('a span that is not made for it is told as well, as a step', async () => {
    const [first] = events;
    const own = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' };
    const opened = await open(request(span({ id: '1', attributes: own, more: { events: [first] } })));
    expect(story(opened).filter((line) => line.startsWith('1'))).toEqual(['1 step.started', '1:end step.completed']);
    expect(opened.events).toHaveLength(3);
    expect(addsUp(opened)).toBe(true);
  });
});

const real = [
  ...listTraces('otlp-json'),
  ...listTraces('otlp-jsonl'),
  ...listTraces('generated').filter((name) => name.includes('otlp')),
];

describe.skipIf(real.length === 0)(`real files${whereFound(real)}`, () => {
  for (const name of real) {
    it(`${name}: under a wrong name, doubled, with CRLF: every record once`, { timeout: 60_000 }, async () => {
      const once = await openFiles([bytesToSource('x.png', readTrace(name))]);
      expect(once.error).toBeUndefined();
      expect(once.result?.format).toBe('otlp');
      expect(addsUp(once)).toBe(true);
      expect(once.counts.problems).toBe(0);
      expect(new Set(once.events.map(({ event }) => event.id)).size).toBe(once.events.length);
      const twice = await openFiles([traceToSource(name), bytesToSource('copy', readTrace(name))]);
      expect(edges(twice)).toEqual(edges(once));
      expect(twice.counts).toEqual({
        ...once.counts,
        input: once.counts.input * 2,
        merged: once.counts.merged + once.counts.input,
      });
    });
  }

  it('spans and logs of one run: messages in the calls, the sub-agent below its tool, the declined card', async () => {
    const opened = await openFiles(real.filter((name) => name.includes('official')).map(traceToSource));
    expect(opened.counts).toEqual({ input: 44, mapped: 16, merged: 28, problems: 0 });
    expect(opened.result?.replayGrade).toBe('per call');
    const told = edges(opened);
    expect(told).toContain('5ea047d7c72a5fc9:decision -selected_by-> f306326bdd1bdc5f');
    expect(told).toContain('18df5b192aec915c -caused_by-> f293558111538192');
    expect(told).toContain('808584c9c35fa92:end -consumed-> 67e432beb679d671');
    expect(dataOf(opened, '43f955121acf096a:end')).toMatchObject({
      tool: 'charge_card',
      error: { message: expect.stringContaining('PaymentDeclined') as string },
    });
    expect(dataOf(opened, '35c9edaf3eab3b36:end')).toMatchObject({ error: { name: 'InternalServerError' } });
  });
});
