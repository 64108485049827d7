/** Tables of durable engines opened alone, and what their clients return: workflows, steps, children, forks. */
import { describe, expect, it } from 'vitest';
import { listTraces, openFiles, readTrace, textToSource, traceToSource, whereFound } from '../testing/opening.ts';
import { byType, edges, expectSound, graphOf, openLines, openValue, problemsOf } from '../testing/platforms.ts';

const original = '132d579eb3294c2a932fff0f6f150f3f';
const fork = '17b15824866f4fe190ab07957533352f';

function status(id: string, more: object = {}): object {
  return { workflow_uuid: id, status: 'SUCCESS', name: 'trip', created_at: 1_795_963_065_000, ...more };
}

function step(id: string, n: number, name: string, more: object = {}): object {
  const at = 1_795_963_065_100 + n * 10;
  const times = { started_at_epoch_ms: at, completed_at_epoch_ms: at + 5 };
  return {
    workflow_uuid: id,
    function_id: n,
    function_name: name,
    output: `{"json":${n}}`,
    error: null,
    ...times,
    ...more,
  };
}

const trip = [
  status(original),
  step(original, 0, 'ask'),
  step(original, 1, 'pay', {
    output: null,
    error: '{"json":{"name":"Declined","message":"limit"},"__dbos_serializer":"superjson"}',
  }),
  step(original, 2, 'review', { output: null, child_workflow_id: 'child' }),
  status('child', { name: 'review', parent_workflow_id: original, completed_at: 1_795_963_065_200, output: '"ok"' }),
  step(original, 3, 'DBOS.getResult', { output: '"ok"', child_workflow_id: 'child' }),
  status(fork, { forked_from: original, queue_name: 'internal', started_at_epoch_ms: 1_795_963_066_500 }),
  step(fork, 0, 'ask'),
  step(fork, 1, 'pay', { started_at_epoch_ms: 1_795_963_067_000, completed_at_epoch_ms: 1_795_963_067_001 }),
];

describe('tables of DBOS', () => {
  it('R5 R12 tell the workflow, its steps with results and errors, its child and who waited for it', async () => {
    const opened = await openLines(trip.slice(0, 6));
    expectSound(opened);
    expect(opened.counts).toEqual({ input: 6, mapped: 6, merged: 0, problems: 0 });
    expect(new Set(opened.events.map(({ event }) => event.run))).toEqual(new Set([original]));
    expect(byType(opened, 'step.completed').map(({ data }) => data)).toMatchObject([
      { name: 'ask', result: { json: 0 } },
      { name: 'pay', error: { name: 'Declined', message: 'limit' } },
      { name: 'review', child_workflow: 'child' },
      { name: 'DBOS.getResult', result: 'ok' },
    ]);
    expect(edges(opened)).toEqual(
      [
        ...[0, 1, 2, 3].flatMap((n) => [
          `${original} -caused_by-> ${original}:${n}/start`,
          `${original}:${n}/start -result_of-> ${original}:${n}`,
        ]),
        `${original} -result_of-> ${original}/end`,
        `${original}:2 -caused_by-> child`,
        'child -result_of-> child/end',
        `child/end -consumed-> ${original}:3`,
      ].sort(),
    );
    expect(opened.result).toMatchObject({ replayGrade: 'original code only' });
    expect(problemsOf(opened)).toEqual([]);
  });

  it('R42 a fork is a branch of its original: the steps that it copied are those of the original', async () => {
    const opened = await openLines(trip);
    expect(opened.counts).toEqual({ input: 9, mapped: 8, merged: 1, problems: 0 });
    const own = opened.events.filter(({ event }) => event.branch === `fork-${fork}`).map(({ event }) => event);
    expect(new Set(own.map(({ run }) => run))).toEqual(new Set([original]));
    expect(own.map(({ id }) => id.slice(`dbos/${fork}`.length)).sort()).toEqual(
      ['', '/branch', '/dequeued', '/end', ':1', ':1/start'].sort(),
    );
    expect(byType(opened, 'branch.created')[0]?.data).toEqual({
      parent: 'main',
      fork: `dbos/${original}:0`,
      frontier: {
        base: 'main',
        minus: [
          `dbos/${original}/end`,
          ...[1, 2, 3].flatMap((n) => [`dbos/${original}:${n}`, `dbos/${original}:${n}/start`]),
        ],
      },
    });
    expect(problemsOf(opened)).toEqual([]);
  });

  it('R42 a fork of a fork shows the copies of copies as the first steps', async () => {
    const second = 'f'.repeat(32);
    const opened = await openLines([
      ...trip,
      status(second, { forked_from: fork }),
      step(second, 0, 'ask'),
      step(second, 1, 'pay', { started_at_epoch_ms: 1_795_963_068_000, completed_at_epoch_ms: 1_795_963_068_001 }),
    ]);
    expect(opened.counts).toEqual({ input: 12, mapped: 10, merged: 2, problems: 0 });
    const [, created] = byType(opened, 'branch.created');
    expect(created?.data).toMatchObject({ parent: `fork-${fork}`, fork: `dbos/${original}:0` });
    expect(problemsOf(opened)).toEqual([]);
  });

  it('R42 forks that name each other in a circle are workflows of their own', async () => {
    const opened = await openLines([
      status(original, { forked_from: fork }),
      status(fork, { forked_from: original }),
      step(fork, 0, 'ask'),
    ]);
    expect(new Set(opened.events.map(({ event }) => event.branch))).toEqual(new Set(['main']));
    expect(opened.counts).toEqual({ input: 3, mapped: 3, merged: 0, problems: 0 });
  });

  it('R68 rows in any order, and twice, make the same graph', async () => {
    const graph = graphOf(await openLines(trip));
    expect(graphOf(await openLines([...trip].reverse()))).toEqual(graph);
    const doubled = await openLines([...trip, ...trip]);
    expect(graphOf(doubled)).toEqual(graph);
    expect(doubled.counts).toEqual({ input: 18, mapped: 8, merged: 10, problems: 0 });
  });

  it('a workflow that ended in an error is a failure, also where no row has the error', async () => {
    const opened = await openLines([status(original, { status: 'ERROR' }), step(original, 0, 'ask')]);
    expect(byType(opened, 'dbos.workflow_ended')[0]?.data).toMatchObject({ error: { name: 'ERROR' } });
  });

  it('of two states of a row the later is told, and the other kept beside it', async () => {
    const before = status(original, { status: 'PENDING', updated_at: 1 });
    const opened = await openLines([before, status(original, { updated_at: 2 })]);
    expect(opened.counts).toEqual({ input: 2, mapped: 1, merged: 1, problems: 0 });
    expect(byType(opened, 'dbos.workflow_status')[0]?.data).toMatchObject({ status: 'SUCCESS', also: [before] });
  });

  it('two rows of one step that differ are both kept', async () => {
    const opened = await openLines([status(original), step(original, 0, 'ask'), step(original, 0, 'pay')]);
    expect(opened.counts).toEqual({ input: 3, mapped: 3, merged: 0, problems: 0 });
    expect(byType(opened, 'step.completed').map(({ data }) => data?.['name'])).toEqual(['ask', 'pay']);
  });

  it('what the client returns says the same under other names, and is united with the table', async () => {
    const steps = [{ functionID: 0, name: 'ask', output: { city: 'Rio' }, error: null, childWorkflowID: null }];
    const alone = await openValue({ [original]: steps });
    expect(alone.counts).toEqual({ input: 1, mapped: 1, merged: 0, problems: 0 });
    expect(alone.events[0]?.event).toMatchObject({
      id: `dbos/${original}:0`,
      run: original,
      data: { result: { city: 'Rio' } },
    });
    const both = await openFiles([
      textToSource('client', JSON.stringify({ [original]: steps })),
      textToSource('table', JSON.stringify([status(original), step(original, 0, 'ask', { output: null })])),
    ]);
    expect(both.counts).toEqual({ input: 3, mapped: 2, merged: 1, problems: 0 });
    expect(byType(both, 'step.completed')[0]?.data).toMatchObject({ result: { city: 'Rio' }, also: steps });
  });

  it('R67 a list of steps that is cut off keeps its whole steps', async () => {
    const steps = [0, 1].map((n) => ({ functionID: n, name: 'ask', output: null, error: null, childWorkflowID: null }));
    const text = JSON.stringify({ [original]: steps });
    const opened = await openFiles([textToSource('cut', text.slice(0, -20))]);
    expect(opened.counts).toEqual({ input: 2, mapped: 1, merged: 0, problems: 1 });
  });

  it('holds 200,000 rows of one step', async () => {
    const row = JSON.stringify({ workflow_uuid: original, function_id: 0, function_name: 'ask' });
    const text = Array.from({ length: 200_000 }, () => row).join(',');
    const opened = await openFiles([textToSource('x', `[${text}]`)]);
    expect(opened.counts).toEqual({ input: 200_000, mapped: 1, merged: 199_999, problems: 0 });
  });

  it('R42 holds a chain of 20,000 forks, each with the step that the one before had copied', async () => {
    const chain = Array.from({ length: 20_000 }, (_, n) => [
      status(`f${n}`, n === 0 ? {} : { forked_from: `f${n - 1}` }),
      step(`f${n}`, 0, 'ask'),
    ]).flat();
    const opened = await openLines(chain);
    expect(opened.counts).toEqual({ input: 40_000, mapped: 20_001, merged: 19_999, problems: 0 });
    expect(byType(opened, 'branch.created').at(-1)?.data).toMatchObject({ parent: 'fork-f19998', fork: 'dbos/f0:0' });
    expect(new Set(opened.events.map(({ event }) => event.run)).size).toBe(1);
  });

  it('R42 what a fork started, and what that started, is of the branch of the fork', async () => {
    const opened = await openLines([
      ...trip,
      status('own', { parent_workflow_id: fork }),
      status('its own', { parent_workflow_id: 'own' }),
    ]);
    const branches = ['own', 'its own'].map((id) => opened.events.find(({ event }) => event.id === `dbos/${id}`));
    expect(branches.map((found) => found?.event.branch)).toEqual([`fork-${fork}`, `fork-${fork}`]);
  });

  it('of many states of a row the members of all are told, each as the latest that has it tells it', async () => {
    const states = [1, 2, 3].map((at) => status(original, { updated_at: at, [`only_${at}`]: at, several: at }));
    const opened = await openLines(states);
    expect(byType(opened, 'dbos.workflow_status')[0]?.data).toMatchObject({
      updated_at: 3,
      several: 3,
      only_1: 1,
      only_2: 2,
      only_3: 3,
      also: [states[1], states[0]],
    });
  });

  it('a fork without its original says which steps it copied', async () => {
    const steps = [0, 1].map((n) => ({ functionID: n, name: 'ask', output: n, error: null, childWorkflowID: null }));
    const workflow = { workflowID: fork, status: 'SUCCESS', workflowName: 'trip', forkedFrom: original };
    const opened = await openValue({ forked_from: original, start_step: 1, workflow, steps });
    expect(opened.counts).toEqual({ input: 3, mapped: 3, merged: 0, problems: 0 });
    expect(byType(opened, 'step.completed').map(({ data }) => data?.['copied_from'])).toEqual([original, undefined]);
    expect(byType(opened, 'dbos.workflow_status')[0]?.data).toMatchObject({ around: { start_step: 1 } });
  });
});

describe('tables of Restate', () => {
  const entry = (index: number, kind: string, json: object, more: object = {}) => ({
    id: 'inv_a',
    index,
    entry_type: kind,
    entry_json: JSON.stringify(json),
    ...more,
  });
  const bytes = (value: unknown): readonly number[] => [...new TextEncoder().encode(JSON.stringify(value))];
  const target = { Service: { name: 'Reviewer', handler: 'review' } };
  const journal = [
    entry(0, 'Command: Input', { Command: { Input: { payload: bytes({ ask: 'go' }) } } }),
    entry(1, 'Command: Call', {
      Command: {
        Call: {
          request: { invocation_id: 'inv_b', invocation_target: target, parameter: bytes('x') },
          result_completion_id: 2,
        },
      },
    }),
    entry(2, 'Notification: Call', {
      Notification: { Completion: { Call: { completion_id: 2, result: { Success: bytes('fine') } } } },
    }),
    entry(3, 'Command: Output', { Command: { Output: { result: { Failure: { code: 500, message: 'no' } } } } }),
  ];
  const invocation = (id: string, more: object) => ({
    id,
    target: 'T/run',
    target_service_name: 'T',
    status: 'completed',
    ...more,
  });

  it('R5 R12 tell what came in, who was called with what, what came back and what failed', async () => {
    const opened = await openValue({ rows: journal });
    expectSound(opened);
    expect(opened.events.map(({ event }) => [event.type, event.data])).toMatchObject([
      ['restate.command_input', { input: { ask: 'go' } }],
      ['restate.command_call', { name: 'Reviewer/review', args: 'x', invocation: 'inv_b' }],
      ['restate.notification_call', { name: 'Reviewer/review', result: 'fine' }],
      ['restate.command_output', { error: { name: 'Failure', message: 'no', data: { code: 500 } } }],
    ]);
    expect(edges(opened)).toEqual(['inv_a:1 -result_of-> inv_a:2']);
  });

  it('an invocation was started by the call that names it, and is part of the run of its caller', async () => {
    const opened = await openFiles([
      textToSource('journal', JSON.stringify(journal)),
      textToSource(
        'invocations',
        JSON.stringify([
          invocation('inv_a', {}),
          invocation('inv_b', {
            invoked_by_id: 'inv_a',
            completed_at: '2026-11-29T14:37:09.930Z',
            completion_failure: '[500] no',
          }),
        ]),
      ),
    ]);
    expect(edges(opened)).toContain('inv_a:1 -caused_by-> inv_b');
    expect(new Set(opened.events.map(({ event }) => event.run)).size).toBe(1);
    expect(byType(opened, 'restate.invocation_ended')[0]?.data).toMatchObject({ error: { message: '[500] no' } });
    expect(problemsOf(opened)).toEqual([]);
  });
});

const files = listTraces('generated').filter((name) => /\/(?:dbos|restate)_/.test(name));

describe(`real tables of engines${whereFound(files)}`, () => {
  it.each(files)('R12 %s opens alone, with no record unread', async (name) => {
    const opened = await openFiles([traceToSource(name)]);
    expectSound(opened);
    expect(opened.error).toBeUndefined();
    expect(opened.counts.problems).toBe(0);
    for (const { event } of opened.events) expect(event.type).not.toMatch(/^(?:effect|run|tool_call)\./);
  });

  it.runIf(files.length > 0)(
    'R12 R42 all of DBOS together: five workflows in three runs, one of them with a fork',
    async () => {
      const names = files.filter((name) => name.includes('/dbos_'));
      const opened = await openFiles(names.map(traceToSource));
      expect(opened.counts).toEqual({ input: 72, mapped: 35, merged: 37, problems: 0 });
      expect(new Set(opened.events.map(({ event }) => event.run)).size).toBe(3);
      const failed = opened.events
        .filter(({ event }) => event.data?.['error'] !== undefined)
        .map(({ event }) => [event.type, event.data?.['name']]);
      expect(failed).toEqual([
        ['step.completed', 'tool:charge_card'],
        ['step.completed', 'llm_call'],
        ['dbos.workflow_ended', 'TravelAgent'],
      ]);
      expect(byType(opened, 'branch.created')).toHaveLength(1);
      expect(problemsOf(opened)).toEqual([]);
      const backwards = await openFiles([...names].reverse().map(traceToSource));
      expect(edges(backwards)).toEqual(edges(opened));
    },
  );

  it.runIf(files.length > 0)(
    'R12 all of Restate together: three invocations from outside, and one that one of them called',
    async () => {
      const opened = await openFiles(files.filter((name) => name.includes('/restate_')).map(traceToSource));
      expect(opened.counts).toEqual({ input: 42, mapped: 42, merged: 0, problems: 0 });
      expect(new Set(opened.events.map(({ event }) => event.run)).size).toBe(3);
      expect(problemsOf(opened)).toEqual([]);
    },
  );

  it.runIf(files.length > 0)('R67 a table of lines keeps every other line where one is damaged', async () => {
    const lines = new TextDecoder()
      .decode(readTrace('generated/dbos_table_operation_outputs.jsonl'))
      .trimEnd()
      .split('\n');
    const opened = await openFiles([textToSource('x', lines.with(3, '{"workflow_uuid":').join('\n'))]);
    expect(opened.counts).toEqual({ input: 30, mapped: 29, merged: 0, problems: 1 });
  });
});
