import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import {
  bytesToSource,
  listTraces,
  openFiles,
  readTrace,
  textToSource,
  traceToSource,
  whereFound,
} from '../testing/opening.ts';
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
import { eventToTitle } from '../../projections/index.ts';
import { failureToError } from './failure.ts';
import { rules } from './rules.ts';
import { temporal } from './temporal.ts';

const runId = '0197c192-e1ea-72ee-9435-c3625ba774b3';

function payload(value: unknown, encoding = 'json/plain'): object {
  return { metadata: { encoding: btoa(encoding) }, data: btoa(JSON.stringify(value)) };
}

function payloads(...values: readonly unknown[]): object {
  return { payloads: values.map((value) => payload(value)) };
}

/** An event at second `id` of one minute, in the spelling of the Web UI. */
function event(id: number, type: string, attributes: object, more: object = {}): object {
  const name = `${type.slice(0, 1).toLowerCase()}${type.slice(1)}EventAttributes`;
  const eventTime = `2026-01-01T00:00:${String(id).padStart(2, '0')}.000Z`;
  return { eventId: String(id), eventTime, eventType: type, ...more, [name]: attributes };
}

function started(more: object = {}, run = runId): object {
  return event(1, 'WorkflowExecutionStarted', {
    workflowType: { name: 'Desk' },
    workflowId: 'desk-1',
    input: payloads('hi'),
    originalExecutionRunId: run,
    firstExecutionRunId: run,
    attempt: 1,
    ...more,
  });
}

/** A whole workflow task, numbered from `first`. */
function task(first: number): readonly object[] {
  const [scheduledEventId, startedEventId] = [String(first), String(first + 1)];
  return [
    event(first, 'WorkflowTaskScheduled', { attempt: 1 }),
    event(first + 1, 'WorkflowTaskStarted', { scheduledEventId, requestId: 'r' }),
    event(first + 2, 'WorkflowTaskCompleted', { scheduledEventId, startedEventId }),
  ];
}

function scheduled(id: number, by: number, name: string, ...args: readonly unknown[]): object {
  return event(id, 'ActivityTaskScheduled', {
    activityId: `a${id}`,
    activityType: { name },
    input: payloads(...args),
    workflowTaskCompletedEventId: String(by),
  });
}

const request = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const answer = {
  choices: [
    {
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'pay', arguments: '{"usd":5}' } }],
      },
    },
  ],
  usage: { prompt_tokens: 3, completion_tokens: 2 },
};

/** A model call that asks for a payment, which fails once and then for good. */
const history: readonly object[] = [
  started(),
  ...task(2),
  scheduled(5, 4, 'ask', request),
  event(6, 'ActivityTaskStarted', { scheduledEventId: '5', attempt: 1 }),
  event(7, 'ActivityTaskCompleted', { scheduledEventId: '5', startedEventId: '6', result: payloads(answer) }),
  ...task(8),
  scheduled(11, 10, 'pay', '{"usd":5}'),
  event(12, 'ActivityTaskStarted', {
    scheduledEventId: '11',
    attempt: 3,
    lastFailure: { message: 'busy', applicationFailureInfo: { type: 'Busy' } },
  }),
  event(13, 'ActivityTaskFailed', {
    scheduledEventId: '11',
    startedEventId: '12',
    retryState: 'MaximumAttemptsReached',
    failure: {
      message: 'activity error',
      activityFailureInfo: { activityType: { name: 'pay' } },
      cause: { message: 'declined', applicationFailureInfo: { type: 'Declined', details: payloads({ code: 51 }) } },
    },
  }),
  ...task(14),
  event(17, 'WorkflowExecutionFailed', {
    workflowTaskCompletedEventId: '16',
    failure: { message: 'no money', applicationFailureInfo: {} },
  }),
];

function toSnake(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnake);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    toSnake(item),
  ]);
  return Object.fromEntries(entries) as object;
}

/** As the server's proto-JSON spells kinds. */
function toProto(value: object): object {
  const { eventType } = value as { readonly eventType: string };
  const words = eventType.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
  return { ...value, eventType: `EVENT_TYPE_${words}` };
}

describe('Temporal', () => {
  it('tells model calls, what they decided, the activity that ran it, its attempts and its chain of failures', async () => {
    const opened = await openValue({ events: history });
    expectSound(opened);
    // No history holds the code, so none replays in full, and the words beside what is missing say so.
    expect(opened.result).toMatchObject({
      format: 'temporal',
      replayGrade: 'needs its program',
      missingForReplay: ['the workflow code (histories never hold it)'],
    });
    expect(opened.counts).toEqual({ input: 17, mapped: 12, merged: 5, problems: 0 });
    for (const rule of rulesOf(opened)) expect(rules).toHaveProperty(rule);
    expect(byType(opened, 'run.started')[0]).toMatchObject({
      session: 'desk-1',
      data: { program: { name: 'Desk' }, input: 'hi', execution: { run_id: runId } },
    });
    expect(byType(opened, 'model_call.requested')[0]).toMatchObject({
      command: { path: '/model:ask#0', alias: 5, issued: 5 },
      data: { request_model: 'm', input_messages: [{ role: 'user' }], args: request },
    });
    expect(byType(opened, 'model_call.completed')[0]).toMatchObject({
      command: { delivered: 7, vt: Date.UTC(2026, 0, 1, 0, 0, 9) },
      data: { usage: { input_tokens: 3 }, finish_reasons: ['tool_calls'], result: answer },
    });
    const failed = byType(opened, 'tool_call.failed');
    expect(failed.map(({ data }) => data)).toMatchObject([
      {
        attempt: 3,
        retry_state: 'MaximumAttemptsReached',
        error: {
          name: 'ActivityError',
          message: 'activity error: declined',
          data: { chain: [{}, { name: 'Declined', message: 'declined', details: [{ code: 51 }] }] },
        },
      },
      { attempt: 2, earlier_attempts_not_recorded: 1, error: { name: 'Busy', message: 'busy' } },
    ]);
    expect(failed[1]?.command).not.toHaveProperty('delivered');
    expect(byType(opened, 'run.failed')[0]?.data).toMatchObject({ error: { message: 'no money' } });
    const told = edges(opened);
    for (const edge of [
      '4 -selected_by-> 5',
      '5 -result_of-> 7',
      '7 -consumed-> 7:decision',
      '7 -consumed~delivered-to-task-> 9',
      '9 -result_of-> 10',
      '7:decision -selected_by~call-by-arguments-> 11',
      '16 -caused_by-> 17',
    ])
      expect(told).toContain(edge);
    expect(byType(opened, 'tool_call.dispatched')[0]?.data).toMatchObject({
      tool: 'pay',
      call_id: 'c1',
      activity_id: 'a11',
    });
  });

  it('names agents by summaries, joins a call by the position of its arguments, and tells what the loop was set up with', async () => {
    const asked = {
      model: 'm',
      config: { systemInstruction: 'Help.' },
      contents: [{ role: 'user', parts: [{ text: 'Sun?' }] }],
    };
    const call = { functionCall: { id: null, name: 'weather', args: { city: 'Rome', day: 2 } } };
    const said = { partial: null, content: { role: 'model', parts: [call] }, usageMetadata: { promptTokenCount: 4 } };
    const summary = { userMetadata: { summary: payload('guide') } };
    const opened = await openValue({
      events: [
        started(),
        ...task(2),
        { ...scheduled(5, 4, 'invoke_model', asked), ...summary },
        event(6, 'ActivityTaskCompleted', { scheduledEventId: '5', result: payloads([said]) }),
        ...task(7),
        scheduled(10, 9, 'weather', 'Rome', 3),
        scheduled(11, 9, 'weather', 'Rome', 2),
      ],
    });
    expectSound(opened);
    const told = edges(opened);
    expect(told).toContain('6:decision -selected_by~call-by-arguments-> 11');
    expect(told).not.toContain('6:decision -selected_by~call-by-arguments-> 10');
    expect(byType(opened, 'model_call.completed')[0]).toMatchObject({
      agent: 'guide',
      data: { request_model: 'm', usage: { input_tokens: 4 }, output_messages: [{ role: 'assistant' }] },
    });
    // The decision is of the agent whose call it was, not of the workflow around it.
    expect(byType(opened, 'decision.made').map(({ agent }) => agent)).toEqual(['guide']);
    expect(byType(opened, 'env.read').map(eventToTitle)).toEqual([
      expect.stringMatching(/^read opening: .*\(worked out on opening\)$/),
      expect.stringMatching(/^read configuration: .*\(worked out on opening\)$/),
    ]);
    expect(byType(opened, 'env.read')).toMatchObject([
      {
        command: { path: '/read:opening#0', issued: '4.1' },
        data: { value: { agent: 'guide', contents: asked.contents } },
      },
      {
        command: { path: '/read:configuration=guide', issued: '4.2' },
        data: { value: { model: 'm', config: asked.config } },
      },
    ]);
    expect(told).toContain('5:configuration -consumed~configuration-of-request-> 5');
  });

  it('reads both spellings, any order, every envelope and lines of events as one story', async () => {
    const graph = graphOf(await openValue({ events: history }));
    expect(graphOf(await openValue([...history].reverse()))).toEqual(graph);
    expect(graphOf(await openValue({ events: history.map(toProto) }))).toEqual(graph);
    expect(graphOf(await openLines(history))).toEqual(graph);
    expect(graphOf(await openValue([{ history: { events: history } }]))).toEqual(graph);
    expect(graphOf(await openValue([{ events: history }, { events: history }]))).toEqual(graph);
    const snake = (await openValue({ history: { events: history.map(toSnake) } })).events.map(
      ({ event: { id, type, causes } }) => JSON.stringify({ id, type, causes }),
    );
    const plain = (await openValue({ events: history })).events.map(({ event: { id, type, causes } }) =>
      JSON.stringify({ id, type, causes }),
    );
    expect(snake).toEqual(plain);
    const page = await openValue({
      history: { events: history },
      rawHistory: [],
      nextPageToken: 'abc',
      archived: false,
    });
    expect(page.counts).toEqual({ input: 18, mapped: 12, merged: 6, problems: 0 });
    expect(page.problems.map(({ code }) => code)).toEqual(['history-has-more-pages']);
    expect(byType(page, 'run.started')[0]?.imported?.extra).toMatchObject({ documents: [{ nextPageToken: 'abc' }] });
  });

  it('decodes payloads, and keeps what is encrypted with a word about it', async () => {
    const sealed = { metadata: { encoding: btoa('binary/encrypted'), key: 'k' }, data: 'AAEC' };
    const values = [
      payload({ long: 1 }),
      { metadata: { encoding: btoa('binary/null') } },
      { metadata: { encoding: btoa('binary/plain') }, data: btoa('text') },
      { metadata: { encoding: btoa('binary/plain') }, data: 'AAEC' },
      { metadata: { encoding: 'json/protobuf', messageType: 'x' }, data: { a: 1 } },
      { bare: true },
    ];
    const result = { scheduledEventId: '5', startedEventId: '6', result: { payloads: [sealed] } };
    const open = await openValue({ events: [started({ input: { payloads: values } })] });
    expect(byType(open, 'run.started')[0]?.data).toHaveProperty('input', [
      { long: 1 },
      null,
      'text',
      { encoding: 'binary/plain', base64: 'AAEC' },
      { a: 1 },
      { bare: true },
    ]);
    const opened = await openValue({
      events: [started(), ...task(2), scheduled(5, 4, 'read', 1), event(6, 'ActivityTaskCompleted', result)],
    });
    const [end] = byType(opened, 'tool_call.completed');
    expect(end?.data).toMatchObject({ response: { payloads: [sealed] } });
    expect(end?.data).not.toHaveProperty('result');
    expect(opened.problems).toMatchObject([{ code: 'payload-not-readable', severity: 'notice' }]);
    expect(opened.problems[0]?.message).toContain('binary/encrypted');
    expect(opened.result).toMatchObject({ replayGrade: 'none' });
  });

  it('tells side effects, versions, local activities, timers, signals, updates and children', async () => {
    const detail = (name: string, details: object): object => ({
      markerName: name,
      details,
      workflowTaskCompletedEventId: '4',
    });
    const nested = { payloads: [payload(7)] };
    const child = { workflowId: 'w2', runId: 'aaaaaaaa-0000-4000-8000-000000000001' };
    const opened = await openValue({
      events: [
        started(),
        ...task(2),
        event(5, 'MarkerRecorded', detail('SideEffect', { 'side-effect-id': payloads(1), data: payloads('drawn') })),
        event(
          6,
          'MarkerRecorded',
          detail('MutableSideEffect', { data: { payloads: [payload('id'), payload(nested)] } }),
        ),
        event(
          7,
          'MarkerRecorded',
          detail('core_patch', { 'patch-data': payloads({ id: 'new-way', deprecated: false }) }),
        ),
        event(
          8,
          'MarkerRecorded',
          detail('core_local_activity', { data: payloads({ activity_type: 'echo', attempt: 1 }), result: payloads(3) }),
        ),
        event(9, 'TimerStarted', { timerId: '1', startToFireTimeout: '1.5s', workflowTaskCompletedEventId: '4' }),
        event(10, 'StartChildWorkflowExecutionInitiated', {
          workflowId: 'w2',
          workflowType: { name: 'Sub' },
          input: payloads('do'),
          workflowTaskCompletedEventId: '4',
        }),
        event(11, 'ChildWorkflowExecutionStarted', { initiatedEventId: '10', workflowExecution: child }),
        event(12, 'WorkflowExecutionSignaled', { signalName: 'go', input: payloads(1, 2), identity: 'me' }),
        event(13, 'TimerFired', { timerId: '1', startedEventId: '9' }),
        event(14, 'ChildWorkflowExecutionFailed', {
          initiatedEventId: '10',
          workflowExecution: child,
          failure: { message: 'child', applicationFailureInfo: { type: 'X' } },
        }),
        ...task(15),
        event(18, 'WorkflowExecutionUpdateAccepted', {
          acceptedRequest: { meta: { updateId: 'u1', identity: 'me' }, input: { name: 'set', args: payloads('x') } },
        }),
        event(19, 'WorkflowExecutionUpdateCompleted', {
          meta: { updateId: 'u1' },
          outcome: { success: payloads('ok') },
        }),
        event(20, 'SomethingNew', { scheduledEventId: '9', odd: { kept: true } }, { workerMayIgnore: true }),
      ],
    });
    expectSound(opened);
    expect(byType(opened, 'env.read').map(({ data }) => data)).toMatchObject([
      { name: 'side_effect', value: 'drawn' },
      { name: 'id', value: 7 },
    ]);
    expect(byType(opened, 'marker.recorded')[0]).toMatchObject({
      command: { path: 'marker:new-way' },
      data: { value: true },
    });
    expect(byType(opened, 'tool_call.completed')[0]?.data).toMatchObject({ tool: 'echo', result: 3, local: true });
    expect(byType(opened, 'timer.started')[0]?.data).toMatchObject({ args: { ms: 1500 } });
    expect(byType(opened, 'signal.received')[0]).toMatchObject({
      principal: { id: 'me' },
      data: { name: 'go', value: [1, 2] },
    });
    expect(byType(opened, 'agent.spawned')[0]?.data).toMatchObject({
      to: 'Sub',
      args: 'do',
      child: { run_id: child.runId },
    });
    expect(byType(opened, 'agent.joined')[0]?.data).toMatchObject({ error: { name: 'X', message: 'child' } });
    expect(byType(opened, 'message.sent')[0]?.data).toMatchObject({ content: 'ok', update_id: 'u1' });
    const other = opened.events.find(({ event: { type } }) => (type as string) === 'temporal.something_new')?.event;
    expect(other).toMatchObject({
      data: { record: { odd: { kept: true } } },
      imported: { extra: { workerMayIgnore: true } },
    });
    const told = edges(opened);
    for (const edge of [
      '9 -result_of-> 13',
      '10 -result_of-> 14',
      '18 -result_of-> 19',
      '9 -caused_by-> 20',
      '12 -consumed~delivered-to-task-> 16',
    ])
      expect(told).toContain(edge);
  });

  it('joins a chain of continue-as-new and a child over files, and lists strangers apart', async () => {
    const second = 'bbbbbbbb-0000-4000-8000-000000000002';
    const kid = 'cccccccc-0000-4000-8000-000000000003';
    const first = [
      started(),
      ...task(2),
      event(5, 'WorkflowExecutionContinuedAsNew', {
        newExecutionRunId: second,
        input: payloads({ n: 2 }),
        workflowTaskCompletedEventId: '4',
      }),
    ];
    const next = [
      started({ originalExecutionRunId: second, firstExecutionRunId: runId, continuedExecutionRunId: runId }),
      ...task(2),
    ];
    const child = [
      started({
        originalExecutionRunId: kid,
        firstExecutionRunId: kid,
        parentWorkflowExecution: { workflowId: 'desk-1', runId },
        parentInitiatedEventId: '4',
      }),
    ];
    const stranger = [
      started({ originalExecutionRunId: 'dddddddd-0000-4000-8000-000000000004', firstExecutionRunId: undefined }),
    ];
    const files = [next, child, first, stranger].map((events, n) =>
      textToSource(`${n}.json`, JSON.stringify({ events })),
    );
    const opened = await openFiles(files);
    expectSound(opened);
    expect(opened.counts.problems).toBe(0);
    const listed = await temporal.list?.(files, {});
    expect(listed?.map(({ records }) => records).sort()).toEqual([1, 10]);
    expect(byType(opened, 'run.rolled_over')[0]?.data).toMatchObject({ carried: { n: 2 }, next: { run_id: second } });
    expect(byType(opened, 'run.started').map(({ causes }) => causes?.[0]?.event)).toContain(`${runId.slice(0, 8)}/4`);
    expect(graphOf(await openFiles([...files].reverse()))).toEqual(graphOf(opened));
  });

  it('puts a reset beside its base on a branch, alone on the line it has', async () => {
    const newRunId = 'eeeeeeee-0000-4000-8000-000000000005';
    const base = [
      started(),
      ...task(2),
      scheduled(5, 4, 'read', 1),
      event(6, 'WorkflowExecutionTerminated', { reason: 'reset' }),
    ];
    const failed = event(4, 'WorkflowTaskFailed', {
      scheduledEventId: '2',
      startedEventId: '3',
      cause: 'ResetWorkflow',
      baseRunId: runId,
      newRunId,
    });
    const again = [started(), ...task(2).slice(0, 2), failed, ...task(5), scheduled(8, 7, 'write', 2)];
    const alone = await openValue({ events: again });
    expect(new Set(alone.events.map(({ event: { branch } }) => branch as string))).toEqual(new Set(['main']));
    const both = await openFiles([
      textToSource('new', JSON.stringify({ events: again })),
      textToSource('old', JSON.stringify({ events: base })),
    ]);
    expectSound(both);
    expect(both.counts).toMatchObject({ input: 14, problems: 0 });
    const [branch] = byType(both, 'branch.created');
    expect(branch).toMatchObject({
      branch: 'reset-eeeeeeee0000',
      data: { parent: 'main', fork: `${runId.slice(0, 8)}/3` },
    });
    expect(JSON.stringify(branch?.data)).toContain(`${runId.slice(0, 8)}/5`);
    expect(byType(both, 'run.started')).toHaveLength(1);
    expect(
      byType(both, 'tool_call.dispatched')
        .map(({ branch: of }) => of as string)
        .sort(),
    ).toEqual(['main', 'reset-eeeeeeee0000']);
  });

  it('joins a page without a start to the history it continues, and names what is missing', async () => {
    const pages = [history.slice(9), history.slice(0, 9)].map((events, n) =>
      textToSource(`${n}`, JSON.stringify({ events })),
    );
    expect(graphOf(await openFiles(pages))).toEqual(graphOf(await openValue({ events: history })));
    const alone = await openValue({ events: history.slice(9) });
    expect(alone.problems.map(({ code }) => code)).toEqual(['history-without-start']);
    const holed = await openValue({ events: history.filter((_, n) => n < 4 || n > 7) });
    expect(holed.problems.map(({ code, message }) => [code, message.includes('5 to 8')])).toEqual([
      ['events-missing', true],
    ]);
    expect(holed.result).toMatchObject({ replayGrade: 'none' });
  });

  it('counts a history opened twice once, and keeps another event of the same number as a problem', async () => {
    const file = textToSource('a', JSON.stringify({ events: history }));
    const twice = await openFiles([file, textToSource('b', JSON.stringify({ events: history.map(toProto) }))]);
    expect(twice.counts).toEqual({ input: 34, mapped: 12, merged: 22, problems: 0 });
    const other = await openValue({
      events: [...history, event(13, 'ActivityTaskCompleted', { scheduledEventId: '11' })],
    });
    expect(other.problems).toMatchObject([{ code: 'conflicting-id', severity: 'problem' }]);
    expect(other.counts).toMatchObject({ input: 18, problems: 1 });
  });
});

describe('hostile Temporal histories', () => {
  it('R67 flattens a chain of 10,000 causes, and a file with one deeper than JSON is read makes it a problem', async () => {
    let failure: JsonObject = { message: 'root' };
    for (let n = 0; n < 10_000; n++) failure = { message: `f${n}`, cause: failure };
    const read = failureToError(failure);
    expect(read?.error).toMatchObject({ message: 'f9999' });
    const { chain } = read?.error['data'] as { readonly chain: readonly JsonObject[] };
    expect(chain).toHaveLength(10_001);
    expect(chain.at(-1)).toMatchObject({ message: 'root' });
    const deep = `${'{"message":"f","cause":'.repeat(1_000)}{}${'}'.repeat(1_000)}`;
    const end = JSON.stringify(event(13, 'ActivityTaskFailed', { scheduledEventId: '11', failure: 0 })).replace(
      '"failure":0',
      `"failure":${deep}`,
    );
    const text = `{"events":[${[...history.slice(0, 12).map((item) => JSON.stringify(item)), end].join(',')}]}`;
    const opened = await openFiles([textToSource('deep', text)]);
    expectSound(opened);
    expect(opened.counts).toMatchObject({ input: 13, problems: 1 });
  });

  it('R67 takes wrong types, missing ids and cycles for what they are', async () => {
    const wrong: readonly unknown[] = [null, 0, '', 'x', [], [1], {}, { payloads: 5 }, { name: 3 }, true];
    for (const value of wrong) {
      const attributes = Object.fromEntries(
        [
          'activityType',
          'input',
          'result',
          'failure',
          'scheduledEventId',
          'startedEventId',
          'details',
          'workflowExecution',
          'acceptedRequest',
          'meta',
          'outcome',
          'workflowTaskCompletedEventId',
          'startToFireTimeout',
          'initiatedEventId',
          'originalExecutionRunId',
          'cause',
        ].map((name) => [name, value]),
      ) as object;
      const kinds = [
        'WorkflowExecutionStarted',
        'ActivityTaskScheduled',
        'ActivityTaskStarted',
        'ActivityTaskCompleted',
        'ActivityTaskFailed',
        'TimerStarted',
        'TimerFired',
        'MarkerRecorded',
        'WorkflowTaskStarted',
        'WorkflowTaskFailed',
        'WorkflowExecutionUpdateCompleted',
        'ChildWorkflowExecutionCompleted',
        'NexusOperationScheduled',
        'WorkflowExecutionTerminated',
        'Odd kind: 5',
      ];
      const opened = await openValue({ events: kinds.map((kind, n) => event(n + 1, kind, attributes)) });
      expectSound(opened);
      expect(opened.counts).toMatchObject({ input: 15, problems: 0 });
    }
    const itself = await openValue({
      events: [started(), event(2, 'ActivityTaskCompleted', { scheduledEventId: '2' })],
    });
    expectSound(itself);
    const nameless = await openValue({
      events: [...history, { eventType: 'TimerFired', timerFiredEventAttributes: {} }, 5, { eventId: '-3' }],
    });
    expectSound(nameless);
    // The bare number is no record: it stands in the frame, which is kept.
    expect(nameless.counts).toMatchObject({ input: 20, problems: 2 });
  });
});

const files = listTraces('temporal').filter((name) => name.endsWith('.json'));

describe.skipIf(files.length === 0)(`real Temporal histories${whereFound(files)}`, () => {
  it.each(files)('%s opens whole; cut and doubled, it invents nothing', async (name) => {
    const whole = await openFiles([traceToSource(name)]);
    expectSound(whole);
    expect(whole.result?.format).toBe('temporal');
    expect(whole.counts.problems).toBe(0);
    for (const rule of rulesOf(whole)) expect(rules).toHaveProperty(rule);
    const bytes = readTrace(name);
    if (bytes.length > 40_000) return;
    const cut = await openFiles([bytesToSource('cut', bytes.subarray(0, Math.floor(bytes.length * 0.6)))]);
    expectSound(cut);
    if (cut.events.some(({ event: { type } }) => type === 'run.started')) expectNoNewEdges(cut, whole);
    const doubled = await openFiles([traceToSource(name), traceToSource(name)]);
    expect(graphOf(doubled)).toEqual(graphOf(whole));
  });
});
