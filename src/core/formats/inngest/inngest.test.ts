import { describe, expect, it } from 'vitest';
import { openFiles, textToSource } from '../testing/opening.ts';
import {
  byType,
  edges,
  expectNoNewEdges,
  expectSound,
  graphOf,
  openLines,
  openValue,
  rulesOf,
} from '../testing/platforms.ts';
import { rules } from './rules.ts';

const [first, second] = ['ee0811a3-dc43-4577-86aa-5d9b6ee28aee', '4360a3a3-efe1-4f58-91a4-11d79545a20c'];

function row(id: number, type: string, groupID: string | undefined, more: object = {}): object {
  const createdAt = `2026-01-01T00:00:${String(id).padStart(2, '0')}.000-04:00`;
  return {
    attempt: 0,
    cancel: null,
    createdAt,
    groupID,
    id: `01HA${String(id).padStart(2, '0')}`,
    type,
    stepName: null,
    ...more,
  };
}

/** A step that fails once, a wait that is answered, the end. */
const rows: readonly object[] = [
  row(1, 'FunctionStarted', first),
  row(2, 'StepStarted', first, { stepName: 'step' }),
  row(3, 'StepErrored', first, { result: { errorCode: 'Busy' } }),
  row(4, 'StepStarted', first, { attempt: 1 }),
  row(5, 'StepCompleted', first, { attempt: 1, stepName: 'wait for it', url: 'http://x' }),
  row(6, 'StepWaiting', first, {
    stepName: 'wait for it',
    waitForEvent: { eventName: 'app/go', timeout: '2026-01-02T00:00:00Z' },
  }),
  row(7, 'StepCompleted', first, { waitResult: { eventID: 'e1', timeout: false } }),
  row(8, 'StepScheduled', second, { stepName: 'b' }),
  row(9, 'StepStarted', second),
  row(10, 'StepCompleted', second, { stepName: 'b' }),
  row(11, 'FunctionCompleted', second),
];

function span(spanID: string, name: string, more: object = {}): object {
  const times = {
    queuedAt: '2026-01-01T00:00:01Z',
    startedAt: '2026-01-01T00:00:02Z',
    endedAt: '2026-01-01T00:00:03Z',
  };
  return {
    name,
    status: 'COMPLETED',
    attempts: 0,
    ...times,
    spanID,
    stepID: null,
    stepOp: null,
    stepInfo: null,
    response: null,
    childrenSpans: [],
    ...more,
  };
}

const answer = { response: { statusCode: 206 } };
const tree = {
  run: {
    id: '01RUN',
    status: 'COMPLETED',
    trace: span('00000000000000a1', 'Run', {
      isRoot: true,
      childrenSpans: [
        span('00000000000000a2', 'pay', {
          stepID: 's1',
          stepOp: 'RUN',
          attempts: 1,
          childrenSpans: [
            span('00000000000000a3', 'Attempt 0', { status: 'FAILED', stepOp: 'RUN' }),
            span('00000000000000a4', 'Attempt 1', { stepOp: 'RUN', ...answer }),
          ],
        }),
        span('00000000000000a5', 'pay', { stepID: 's1', stepOp: 'RUN' }),
        span('00000000000000a6', 'sub', {
          stepID: 's2',
          stepOp: 'INVOKE',
          status: 'FAILED',
          parentStepIDs: ['s1'],
          stepInfo: { functionID: 'child', runID: '01CHILD' },
        }),
        span('00000000000000a7', 'nap', {
          stepID: 's3',
          stepOp: 'SLEEP',
          status: 'RUNNING',
          endedAt: null,
          stepInfo: { sleepUntil: '2026-01-01T00:01:00Z' },
        }),
      ],
    }),
  },
};

describe('Inngest', () => {
  it('tells calls of the function, their attempts, waits; groups are joined by the clock alone', async () => {
    const opened = await openValue(rows);
    expectSound(opened);
    expect(opened.result).toMatchObject({ format: 'inngest', replayGrade: 'none' });
    expect(opened.counts).toEqual({ input: 11, mapped: 11, merged: 0, problems: 0 });
    for (const rule of rulesOf(opened)) expect(rules).toHaveProperty(rule);
    const told = edges(opened);
    for (const edge of [
      '01HA02 -result_of-> 01HA03',
      '01HA04 -result_of-> 01HA05',
      '01HA06 -result_of-> 01HA07',
      '01HA07 -caused_by~row-before-> 01HA08',
    ])
      expect(told).toContain(edge);
    expect(byType(opened, 'step.completed')[0]?.data).toMatchObject({
      error: { name: 'Busy' },
      attempt: 1,
      final: false,
    });
    expect(byType(opened, 'signal.received')[0]?.data).toMatchObject({ name: 'wait for it', event_id: 'e1' });
    const scheduled = opened.events.find(({ event: { id } }) => id.endsWith('01HA08'))?.event;
    expect(scheduled?.causes).toMatchObject([{ grade: 'clock-only' }]);
  });

  it('rows of one millisecond stand in the order of their times, else of what began what; calls have the name of what they ran', async () => {
    const at = (id: string, micros: number, type: string, more: object = {}): object =>
      row(0, type, first, { id: `01HAZDBCTK${id}`, createdAt: `2026-01-01T00:00:00.739${micros}-04:00`, ...more });
    const close = [
      at('WEB', 287, 'FunctionStarted'),
      at('S8W', 918, 'StepStarted', { stepName: 'step' }),
      at('R00', 919, 'StepCompleted', { stepName: 'First step' }),
      at('A00', 920, 'FunctionCompleted', { groupID: second }),
    ];
    const opened = await openValue(close);
    expect(edges(opened)).toContain('01HAZDBCTKWEB -caused_by~first-row-of-group-> 01HAZDBCTKS8W');
    expect(byType(opened, 'step.started')[0]?.data).toEqual({ name: 'First step', attempt: 1 });
    expect(byType(opened, 'run.started')[0]?.causes ?? []).toEqual([]);
    const coarse = close.map((one) => ({ ...one, createdAt: '2026-01-01T00:00:00.739-04:00' }));
    expect(edges(await openValue(coarse))).toEqual(edges(opened));
    const planned = [row(1, 'FunctionStarted', first), row(2, 'StepScheduled', second, { stepName: 'b' })];
    const failed = [...planned, row(3, 'StepStarted', second), row(4, 'StepFailed', second, { stepName: 'step' })];
    const told = await openValue(failed);
    expect(byType(told, 'step.started')[0]?.data).toMatchObject({ name: 'b' });
    expect(byType(told, 'step.completed')[0]?.data).toMatchObject({ name: 'b', final: true });
  });

  it('a wait in which nothing came was given up', async () => {
    const waited = [
      ...rows.slice(0, 6),
      row(7, 'StepCompleted', first, { waitResult: { eventID: null, timeout: true } }),
    ];
    const opened = await openValue(waited);
    expect(byType(opened, 'signal.received')).toEqual([]);
    expect(byType(opened, 'signal.cancelled')[0]?.data).toMatchObject({ name: 'wait for it', timed_out: true });
  });

  it('reads any order, lines, and other spellings as one story', async () => {
    const graph = graphOf(await openValue(rows));
    expect(graphOf(await openValue([...rows].reverse()))).toEqual(graph);
    expect(graphOf(await openLines(rows))).toEqual(graph);
    const held = await openValue({ data: { functionRun: { status: 'COMPLETED', output: 'x', history: rows } } });
    expect(held.counts).toEqual({ input: 12, mapped: 11, merged: 1, problems: 0 });
    expect(edges(held)).toEqual(edges(await openValue(rows)));
    const database = rows.map((item) => {
      const { groupID, createdAt, stepName, ...rest } = item as Readonly<Record<string, unknown>>;
      return { ...rest, group_id: groupID, created_at: createdAt, step_name: stepName, run_id: '01RUN' };
    });
    expect(edges(await openValue(database))).toEqual(edges(await openValue(rows)));
  });

  it('tells a trace: steps with attempts, invocations, open sleeps; a span told twice is told once', async () => {
    const opened = await openValue(tree);
    expectSound(opened);
    expect(opened.counts).toEqual({ input: 5, mapped: 4, merged: 1, problems: 0 });
    expect(byType(opened, 'tool_call.dispatched')).toHaveLength(1);
    expect(byType(opened, 'tool_call.completed')[0]?.data).toMatchObject({ tool: 'pay', attempt: 2 });
    expect(byType(opened, 'tool_call.completed')[0]?.data).not.toHaveProperty('result');
    expect(byType(opened, 'step.completed').map(({ data }) => 'error' in (data ?? {}))).toEqual([false, true]);
    expect(byType(opened, 'agent.joined')[0]?.data).toMatchObject({ error: { name: 'FAILED' } });
    expect(byType(opened, 'agent.spawned')[0]?.data).toMatchObject({ to: 'child', child: { run_id: '01CHILD' } });
    expect(byType(opened, 'timer.started')).toHaveLength(1);
    expect(byType(opened, 'timer.fired')).toHaveLength(0);
    expect(edges(opened)).toContain('00000000000000a2 -consumed-> 00000000000000a6:start');
  });

  it('a step that failed for good is a failed call', async () => {
    const failed = span('00000000000000a2', 'pay', { stepID: 's1', stepOp: 'RUN', status: 'FAILED' });
    const root = span('00000000000000a1', 'Run', { isRoot: true, status: 'FAILED', childrenSpans: [failed] });
    const opened = await openValue({ run: { id: '01RUN', status: 'FAILED', trace: root } });
    expect(byType(opened, 'tool_call.failed').map(({ data }) => data)).toMatchObject([
      { tool: 'pay', error: { name: 'FAILED' } },
    ]);
    expect(byType(opened, 'run.failed')).toHaveLength(1);
  });

  it('R67, R68 invents nothing for cut and doubled files, and survives wrong types', async () => {
    for (const value of [rows, tree]) {
      const text = JSON.stringify(value);
      const whole = await openFiles([textToSource('a', text)]);
      const cut = await openFiles([textToSource('b', text.slice(0, Math.floor(text.length * 0.7)))]);
      expectSound(cut);
      expectNoNewEdges(cut, whole);
      const doubled = await openFiles([textToSource('a', text), textToSource('b', text)]);
      expectSound(doubled);
      expect(doubled.events).toHaveLength(whole.events.length);
    }
    for (const wrong of [null, 5, '', [], {}, [[]]]) {
      const odd = await openValue([
        ...rows,
        row(12, 'StepWaiting', second, { waitForEvent: wrong, id: '01HA12', attempt: wrong }),
        wrong,
      ]);
      expectSound(odd);
      const broken = span('00000000000000b1', 'odd', {
        stepID: wrong,
        childrenSpans: wrong,
        stepInfo: wrong,
        parentStepIDs: wrong,
        startedAt: wrong,
      });
      expectSound(
        await openValue({ run: { trace: span('00000000000000a1', 'Run', { childrenSpans: [broken, wrong] }) } }),
      );
    }
  });
});
