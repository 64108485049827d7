/** Rates and latencies with faults: baseline, stable again, worst; files of others; and what is not computed. */
import { describe, expect, it } from 'vitest';
import { analyseSeries, type RateSeries, textToSeries } from './index.ts';

/** One sample a second. */
function series(values: readonly number[], marks: readonly number[], kind: 'rate' | 'latency' = 'rate'): RateSeries {
  return {
    name: 'r',
    unit: 'u',
    kind,
    better: kind === 'rate' ? 'high' : 'low',
    basis: 'test',
    points: values.map((value, i) => ({ at: i * 1000, value, event: `row ${i + 1}` })),
    marks: marks.map((at) => ({ at, label: 'kill', event: `mark at ${at}` })),
  };
}

describe('analyseSeries', () => {
  it('R95 R96 time to stable throughput runs from the mark to the first of the samples in a row, both told', () => {
    const { baseline, windows } = analyseSeries(series([10, 10, 10, 10, 2, 0, 9, 3, 9, 10, 11], [3500]));
    expect(baseline).toMatchObject({ n: 4, median: 10 });
    expect(windows).toMatchObject([
      {
        stableMs: 4500,
        mark: { event: 'mark at 3500' },
        stableAt: { event: 'row 9' },
        worst: { value: 0, event: 'row 6' },
        during: { n: 4, median: 2.5 },
        after: { n: 3, median: 10 },
      },
    ]);
  });

  it('R95 a latency is stable when it is low again, and its worst sample is the highest', () => {
    const { windows } = analyseSeries(series([5, 5, 5, 50, 20, 5, 6, 5], [2500], 'latency'));
    expect(windows[0]).toMatchObject({ stableMs: 2500, worst: { value: 50 }, during: { n: 2 } });
  });

  it('R102 R103 each fault has its own window, by number; samples of one never enter the other', () => {
    const { windows } = analyseSeries(series([10, 10, 10, 0, 10, 10, 10, 0, 0, 0, 10, 10, 10], [2500, 6500]));
    expect(windows.map(({ ordinal, stableMs }) => [ordinal, stableMs])).toEqual([
      [1, 1500],
      [2, 3500],
    ]);
  });

  it('a series that never becomes stable has no time, and one without samples before the fault no baseline', () => {
    const never = analyseSeries(series([10, 10, 10, 0, 10, 0, 10, 0], [2500]));
    expect(never.windows[0]).toMatchObject({ stableMs: undefined, after: undefined });
    expect(never.windows[0]?.whyNot).toContain('3 samples in a row');
    const early = analyseSeries(series([10, 10, 10], [1500]));
    expect(early.baseline).toBeUndefined();
    expect(early.note).toContain('no baseline');
    expect(early.windows[0]?.stableMs).toBeUndefined();
  });

  it('the definition is part of the result, and another one gives another number', () => {
    const loose = analyseSeries(series([10, 10, 10, 6, 6, 6, 10, 10, 10], [2500]), { tolerance: 0.5, hold: 3 });
    expect(loose.windows[0]?.stableMs).toBe(500);
    expect(loose.definition).toContain('at least 50 %');
    expect(analyseSeries(loose.series).windows[0]?.stableMs).toBe(3500);
  });
});

describe('textToSeries', () => {
  it('reads a CSV with a time, a value and a fault mark, and says which column it took for what', () => {
    const read = textToSeries('pods.csv', 'time_ms,throughput,fault\n0,10,\n1000,"1,000",\n');
    expect(read.ok ? '' : read.error).toContain('no column of numbers');
    const good = textToSeries('pods.csv', 'time_ms;throughput;fault\r\n0;10;\r\n1000;0;pod killed\r\n2000;9;0\r\n');
    expect(good).toMatchObject({
      ok: true,
      value: [
        {
          kind: 'rate',
          better: 'high',
          column: 'throughput',
          unit: undefined,
          points: [
            { at: 0, value: 10, event: 'row 1' },
            { at: 1000, value: 0 },
            { at: 2000, value: 9 },
          ],
          marks: [{ at: 1000, label: 'pod killed', event: 'row 2' }],
        },
      ],
    });
    expect(good.ok && good.value[0]?.basis).toContain('faults from "fault"');
  });

  it('R98 a column of a rate and one of a latency are two series under the same faults; a number of a row is none', () => {
    const read = textToSeries(
      'pods.csv',
      'ordinal,seconds,records_per_s,latency_ms,kill\n1,0,100,4,\n2,1,0,90,a pod\n',
    );
    expect(read.ok && read.value.map(({ column, unit, kind, marks }) => [column, unit, kind, marks.length])).toEqual([
      ['records_per_s', 'a second', 'rate', 1],
      ['latency_ms', 'ms', 'latency', 1],
    ]);
  });

  it('R103 a mark that lasts is one fault from its first row; another label, or the same after a pause, is another', () => {
    const read = textToSeries('x.csv', 't,v,fault\n0,1,\n1,0,kill\n2,0,kill\n3,1,\n4,0,kill\n5,0,partition\n');
    expect(read.ok && read.value[0]?.marks.map(({ at, label }) => [at, label])).toEqual([
      [1000, 'kill'],
      [4000, 'kill'],
      [5000, 'partition'],
    ]);
  });

  it('reads JSON rows, dates as times, and a latency by its name', () => {
    const rows = [
      { timestamp: '2026-01-01T00:00:00Z', p99_latency: 4, kill: false },
      { timestamp: '2026-01-01T00:00:01Z', p99_latency: 90, kill: true },
    ];
    const read = textToSeries('x.json', JSON.stringify({ samples: rows }));
    expect(read).toMatchObject({ ok: true, value: [{ kind: 'latency', marks: [{ label: 'true' }] }] });
    const points = read.ok ? (read.value[0]?.points ?? []) : [];
    expect((points[1]?.at ?? 0) - (points[0]?.at ?? 0)).toBe(1000);
  });

  it('R95 R98 a name that tells of times is a latency, one that tells of a rate is none, and of the rest it is said that nothing tells it', () => {
    const kindsOf = (...names: readonly string[]): readonly (readonly [string, string])[] =>
      names.map((name) => {
        const read = textToSeries('x.csv', `t,${name}\n0,5\n1,400\n`);
        return read.ok ? [read.value[0]?.kind ?? '', read.value[0]?.basis ?? ''] : ['', read.error];
      });
    const latencies = kindsOf('p99', 'p99.9', 'rtt_ms', 'consumer lag ms', 'e2e', 'wait_seconds', 'time to answer');
    expect(latencies.map(([kind]) => kind)).toEqual(latencies.map(() => 'latency'));
    const camel = kindsOf(
      ...[
        'processingTimeMs',
        'waitMs',
        'rttMs',
        'RTTMs',
        'requestTime',
        'queueTimeSeconds',
        'timeToFirstToken',
        'timePerRequest',
      ],
    );
    for (const one of camel) expect(one).toEqual(['latency', expect.stringContaining('a latency by its name')]);
    const perSecond = kindsOf('requestsPerSecond', 'delayedPerSec', 'successRate', 'opsPerS', 'RPS');
    for (const one of perSecond) expect(one).toEqual(['rate', expect.stringContaining('a rate by its name')]);
    // "per" within a word is none.
    const none = kindsOf('helpers', 'hyperSeconds', 'items');
    expect(none.map(([, basis]) => basis).join()).not.toContain('a rate by its name');
    const rates = kindsOf('responses_per_second', 'throughput', 'rows/s', 'qps', 'delayed_per_sec', 'hit_rate');
    expect(rates.map(([kind]) => kind)).toEqual(rates.map(() => 'rate'));
    expect(kindsOf('value')[0]?.[0]).toBe('unknown');
    expect(kindsOf('value')[0]?.[1]).toContain('read as if more were better');
    expect(kindsOf('p99')[0]?.[1]).toContain('a latency by its name');
  });

  it.each([
    ['a,b\n1,2', 'no column of times'],
    ['time,value\nsoon,2', '"soon" is no time'],
    ['{"time": 1', 'no JSON'],
    ['{"time": 1}', 'no column of numbers'],
    ['[1, 2]', 'no column of times'],
    ['{"time": 1, "value": 2}\n{"time": ]\n', 'no JSON'],
    ['{"time": 1, "value": 2}\n{"time": ]}\n', 'Line 2 is no JSON'],
  ])('refuses %j with a sentence', (text, sentence) => {
    const read = textToSeries('x', text);
    expect(read.ok ? '' : read.error).toContain(sentence);
  });
});
