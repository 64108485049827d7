import { describe, expect, it } from 'vitest';
import type { Finding } from '../projections/trace-reader.ts';
import { drawView } from '../projections/testing/drawn-view.ts';
import { type CheckReport, computeCheckReport, createReading } from './index.ts';

function reportOf(drawing: string, problems = 0, more: readonly Finding[] = []): CheckReport {
  const reading = createReading(drawView(drawing));
  return computeCheckReport({ findings: [...reading.findings(), ...more], effects: reading.effects(), problems });
}

const ask =
  'a1 tool_call.dispatched path=/write:ticket#0 attempt=1 <- start:selected_by {"tool":"ticket.create","effect":"external"}';
function trace(...lines: string[]): string {
  return `
  worker:
    start run.started {"input":1}
    ${ask}
    ${lines.join('\n    ')}`;
}
const done = [
  'e1 tool_call.completed path=/write:ticket#0 attempt=1 delivered=1 <- a1:result_of {"result":1}',
  'end run.completed {}',
];

describe('the exit code', () => {
  it('is 0 for a clean run, whatever notices there are', () => {
    const report = reportOf(trace(...done));
    expect([report.exitCode, report.gaps, report.reasons]).toEqual([0, [], []]);
    expect(report.effects.noServiceRecords.map(({ command }) => command)).toEqual(['/write:ticket#0']);
    expect(report.effects.executedOnce).toHaveLength(1);
  });

  it.each([
    ['a problem', trace(...done), 1],
    ['a gap', trace('x step.started {}'), 0],
    ['an uncertain effect', trace('f tool_call.timed_out <- a1:result_of {}', 'end run.completed {}'), 0],
    [
      'a second execution',
      `${trace(...done)}\n  svc:\n    c1 effect.committed <- a1:result_of {"effect":{"id":1}}\n    c2 effect.committed <- a1:result_of {"effect":{"id":2}}`,
      0,
    ],
    ['a missing effect', `${trace(...done)}\n  svc:\n    q effect.requested <- a1:result_of {}`, 0],
  ])('is 1 for %s', (_, drawing, problems) => {
    expect(reportOf(drawing, problems).exitCode).toBe(1);
  });
});

describe('items', () => {
  it('R26 R27 a gap names its command, interval, what is known and unknown, and its events', () => {
    const { gaps, effects } = reportOf(trace('x step.started {}'));
    expect(gaps).toEqual([
      {
        command: '/write:ticket#0',
        interval: 'between the dispatch and its acknowledgement',
        known: ['Worker dispatched it without an idempotency key.'],
        unknown: [
          'Acknowledgement of worker: absent from the records.',
          'Whether this request was executed: no records of the service are in this trace.',
        ],
        events: ['a1'],
      },
    ]);
    expect(effects.uncertain.map(({ interval }) => interval)).toEqual(['between the dispatch and its acknowledgement']);
  });

  it('R125 a saved answer is listed, and one execution is not two', () => {
    const { effects } = reportOf(
      `${trace(...done)}\n  svc:\n    c1 effect.committed <- a1:result_of {"effect":{"id":1}}\n    d1 effect.deduplicated <- a1:result_of {"effect":{"id":1}}`,
    );
    expect([effects.deduplicated.length, effects.executedTwice.length]).toEqual([1, 0]);
    expect(effects.deduplicated[0]?.events).toEqual(expect.arrayContaining(['a1', 'c1', 'd1', 'e1']));
  });
});
