import { describe, expect, it } from 'vitest';
import { addsUp, dataOf, edges, shorten, story } from '../genai/testing/otlp.ts';
import { listTraces, openFiles, textToSource, traceToSource, whereFound } from '../testing/opening.ts';

function span(id: string, service: string, more: object): object {
  return {
    traceId: '89abcdef01234567',
    id,
    name: 'get',
    timestamp: 1_700_000_000_000_000,
    duration: 40,
    localEndpoint: { serviceName: service },
    ...more,
  };
}

/** a calls b, which stores: the halves of the call share an id. */
const spans = [
  span('0000000000000001', 'a', { kind: 'CLIENT' }),
  span('0000000000000001', 'b', { kind: 'SERVER', shared: true, tags: { error: 'no stock' } }),
  span('0000000000000002', 'b', {
    parentId: '0000000000000001',
    kind: 'CLIENT',
    annotations: [{ timestamp: 1_700_000_000_000_005, value: 'sent' }],
  }),
];

async function open(value: unknown, spaces = 0) {
  return openFiles([textToSource('x', JSON.stringify(value, null, spaces))]);
}

describe('Zipkin', () => {
  it('knows spans by id and kind, and gives a child to the half of its own service (rule shared-span-half)', async () => {
    for (const list of [spans, [...spans].reverse()]) {
      const opened = await open(list, 2);
      expect(story(opened).filter((line) => line.includes('started'))).toEqual([
        '1/client step.started',
        '1/server step.started',
        '2/client step.started',
        'run run.started',
      ]);
      expect(edges(opened)).toEqual(
        expect.arrayContaining(['1/client -caused_by-> 1/server', '1/server -caused_by-> 2/client']),
      );
      expect(dataOf(opened, '1/server:end')).toMatchObject({ error: { message: 'no stock' } });
      expect(dataOf(opened, '2/client:event:0')).toMatchObject({ name: 'sent' });
      expect(opened.counts).toEqual({ input: 3, mapped: 3, merged: 0, problems: 0 });
      expect(opened.problems.map(({ code }) => code)).toEqual(['short-trace-id']);
    }
  });

  it('a tag of failure says what failed; one that says it did not is none', async () => {
    const tags = ['no stock', '', 'true', 'false'];
    const list = tags.map((error, n) => span(`000000000000000${String(n + 1)}`, 'a', { tags: { error } }));
    const opened = await open(list);
    expect(tags.map((_, n) => dataOf(opened, `${String(n + 1)}:end`))).toMatchObject([
      { error: { message: 'no stock' } },
      { error: {} },
      { error: {} },
      {},
    ]);
    expect(dataOf(opened, '4:end')).not.toHaveProperty('error');
  });

  it('spans without a time or an end stay open and have none', async () => {
    const opened = await open([span('0000000000000001', 'a', { timestamp: undefined, duration: undefined })]);
    const [started] = opened.events.filter(({ event }) => event.type === 'step.started');
    expect(started?.event.time).toBeUndefined();
    expect(story(opened)).not.toContain('1:end step.completed');
  });

  it('version 1, a single span, and a list of traces', async () => {
    const endpoint = { serviceName: 'old' };
    const old = {
      traceId: '1',
      id: '2',
      name: 'x',
      annotations: [{ timestamp: 1, value: 'cs', endpoint }],
      binaryAnnotations: [{ key: 'k', value: 'v', endpoint }],
    };
    const opened = await open([old]);
    expect(opened.events.find(({ event }) => shorten(event.id) === '2/client')?.event.source.component).toBe('old');
    expect((await open(spans[0])).counts.mapped).toBe(1);
    expect((await open([spans])).counts.mapped).toBe(3);
  });
});

describe('Zipkin version 1', () => {
  const said = (value: string, timestamp: number, serviceName: string): object => ({
    value,
    timestamp: 1_700_000_000_000_000 + timestamp,
    endpoint: { serviceName },
  });
  const half = (annotations: readonly object[], more: object = {}): object => ({
    traceId: '89abcdef01234567',
    id: '0000000000000001',
    name: 'get',
    annotations,
    binaryAnnotations: [],
    ...more,
  });

  it('annotations say which half of a call a span is, when it began and how long it took', async () => {
    const opened = await open([
      half([said('cs', 0, 'a'), said('cr', 40, 'a')]),
      half([said('sr', 10, 'b'), said('ss', 30, 'b'), said('error', 20, 'b')]),
    ]);
    expect(opened.counts).toEqual({ input: 2, mapped: 2, merged: 0, problems: 0 });
    expect(edges(opened)).toContain('1/client -caused_by-> 1/server');
    const times = opened.events.filter(({ event: { type } }) => type.startsWith('step.'));
    expect(Object.fromEntries(times.map(({ event: { id, time } }) => [shorten(id), time?.slice(20, 26)]))).toEqual({
      '1/client': '000000',
      '1/client:end': '000040',
      '1/server': '000010',
      '1/server:end': '000030',
    });
    expect(dataOf(opened, '1/server:end')).toHaveProperty('error');
    expect(dataOf(opened, '1/client:end')).not.toHaveProperty('error');
  });

  it('a recorded time and duration win; a span with both halves is one', async () => {
    const both = [said('cs', 0, 'a'), said('sr', 10, 'b'), said('ss', 30, 'b'), said('cr', 40, 'a')];
    const opened = await open([half(both, { timestamp: 1_700_000_000_000_001, duration: 7 })]);
    expect(opened.events.find(({ event }) => shorten(event.id) === '1/client:end')?.event.time?.slice(20, 26)).toBe(
      '000008',
    );
    expect(opened.counts.mapped).toBe(1);
  });
});

const real = listTraces('zipkin');

describe.skipIf(real.length === 0)(`real files${whereFound(real)}`, () => {
  for (const name of real) {
    it(`${name}: every record once`, { timeout: 60_000 }, async () => {
      const opened = await openFiles([traceToSource(name)]);
      expect(opened.result?.format).toBe('zipkin');
      expect(addsUp(opened)).toBe(true);
      expect(opened.counts.problems).toBe(0);
      expect(new Set(opened.events.map(({ event }) => event.id)).size).toBe(opened.events.length);
    });
  }

  it('clocks that disagree are told and not repaired', async () => {
    const opened = await openFiles([traceToSource('zipkin/skew.json')]);
    expect(opened.problems.map(({ code }) => code)).toContain('clock-skew');
    const server = opened.events.find(({ event }) => shorten(event.id) === '74280ae0c10d8062/server')?.event;
    expect(server?.time).toBe('2016-08-02T15:00:04.008761000Z');
  });
});
