/** Every kind of event of the engine's published list, whatever no real file at hand holds, and the spellings of numbers and times. */
import { describe, expect, it } from 'vitest';
import type { Opened } from '../testing/opening.ts';
import { byType, edges, expectSound, openValue } from '../testing/platforms.ts';
import { numberToKind } from './kinds.ts';

function payload(value: unknown): object {
  return { metadata: { encoding: btoa('json/plain') }, data: btoa(JSON.stringify(value)) };
}

function payloads(...values: readonly unknown[]): object {
  return { payloads: values.map(payload) };
}

function event(id: number, type: string, attributes: object, more: object = {}): object {
  const name = `${type.slice(0, 1).toLowerCase()}${type.slice(1)}EventAttributes`;
  const eventTime = `2026-01-01T00:00:${String(id % 60).padStart(2, '0')}.000Z`;
  return { eventId: String(id), eventTime, eventType: type, ...more, [name]: attributes };
}

const by = { workflowTaskCompletedEventId: '4' };
const opening = [
  event(1, 'WorkflowExecutionStarted', { workflowType: { name: 'Desk' }, originalExecutionRunId: 'run-1' }),
  event(2, 'WorkflowTaskScheduled', {}),
  event(3, 'WorkflowTaskStarted', { scheduledEventId: '2' }),
  event(4, 'WorkflowTaskCompleted', { scheduledEventId: '2', startedEventId: '3' }),
];

async function openHistory(...events: readonly object[]): Promise<Opened> {
  const opened = await openValue({ events: [...opening, ...events] });
  expectSound(opened);
  expect(opened.counts.problems).toBe(0);
  return opened;
}

function storyOf({ events }: Opened, id: string): readonly unknown[] {
  const found = events.find(({ event: { id: own } }) => own.slice(own.indexOf('/') + 1) === id)?.event;
  return [found?.type, found?.data, ...(found?.principal === undefined ? [] : [found.principal.id])];
}

const failure = { message: 'no', applicationFailureInfo: { type: 'Refused' } };
const execution = { workflowId: 'w', runId: 'run-2' };

describe('kinds of Temporal events', () => {
  it('every kind of the published list has a converter, is folded, or is kept in words of its own', async () => {
    const own: string[] = [];
    for (let number = 1; number <= 60; number++) {
      const kind = numberToKind(number) ?? '';
      expect(kind).toMatch(/^[A-Z]/);
      const opened = await openHistory(event(9, kind, { scheduledEventId: '4', initiatedEventId: '4' }));
      if (opened.events.some(({ event: { type } }) => (type as string).startsWith('temporal.'))) own.push(kind);
    }
    expect(numberToKind(61)).toBeUndefined();
    expect(own).toEqual([
      'WorkflowTaskScheduled',
      'ActivityTaskCancelRequested',
      'UpsertWorkflowSearchAttributes',
      'WorkflowPropertiesModifiedExternally',
      'ActivityPropertiesModifiedExternally',
      'WorkflowPropertiesModified',
      'NexusOperationCancelRequested',
      'WorkflowExecutionOptionsUpdated',
      'NexusOperationCancelRequestCompleted',
      'NexusOperationCancelRequestFailed',
      'WorkflowExecutionTimeSkippingTransitioned',
    ]);
  });

  it('what operators and others ask: to cancel, pause, go on, terminate, change', async () => {
    const opened = await openHistory(
      event(5, 'WorkflowExecutionPaused', { identity: 'op', reason: 'look' }),
      event(6, 'WorkflowExecutionUnpaused', { identity: 'op', reason: 'seen' }),
      event(7, 'WorkflowExecutionCancelRequested', { identity: 'op', cause: 'late' }),
      event(8, 'WorkflowExecutionOptionsUpdated', { identity: 'op', unsetVersioningOverride: true }),
      event(9, 'WorkflowExecutionTerminated', { identity: 'op', reason: 'stuck', details: payloads('x') }),
    );
    expect(storyOf(opened, '5')).toEqual(['input.received', { name: 'request to pause', value: 'look' }, 'op']);
    expect(storyOf(opened, '6')).toEqual(['input.received', { name: 'request to go on', value: 'seen' }, 'op']);
    expect(storyOf(opened, '7')).toEqual(['input.received', { name: 'request to cancel', value: 'late' }, 'op']);
    expect(storyOf(opened, '8')).toMatchObject(['temporal.workflow_execution_options_updated', {}, 'op']);
    const error = { name: 'Terminated', message: 'stuck', data: { details: ['x'] } };
    expect(storyOf(opened, '9')).toEqual(['run.failed', { error }, 'op']);
  });

  it('updates that were admitted before, accepted, answered with an error, or rejected', async () => {
    const request = { meta: { updateId: 'u', identity: 'me' }, input: { name: 'set', args: payloads(7) } };
    const opened = await openHistory(
      event(5, 'WorkflowExecutionUpdateAdmitted', { request, origin: 'Reapply' }),
      event(6, 'WorkflowExecutionUpdateAccepted', { protocolInstanceId: 'u' }),
      event(7, 'WorkflowExecutionUpdateCompleted', { meta: { updateId: 'u' }, outcome: { failure } }),
      event(8, 'WorkflowExecutionUpdateRejected', { protocolInstanceId: 'v', rejectedRequest: request, failure }),
    );
    expect(storyOf(opened, '5')).toEqual([
      'input.received',
      { name: 'update set', update_id: 'u', admitted: true, value: 7 },
      'me',
    ]);
    expect(storyOf(opened, '6')).toEqual(['input.received', { name: 'update', update_id: 'u' }]);
    expect(storyOf(opened, '7')[1]).toMatchObject({
      name: 'update answered',
      error: { name: 'Refused', message: 'no' },
    });
    expect(storyOf(opened, '8')[1]).toMatchObject({
      name: 'update rejected',
      to: 'me',
      args: 7,
      error: { message: 'no' },
    });
    expect(edges(opened)).toEqual(expect.arrayContaining(['5 -caused_by-> 6', '6 -result_of-> 7']));
  });

  it('children that could not start, were cancelled, timed out or were terminated', async () => {
    const child = (id: number): object =>
      event(id, 'StartChildWorkflowExecutionInitiated', { workflowType: { name: 'Sub' }, ...by });
    const opened = await openHistory(
      ...[5, 6, 7, 8].map(child),
      event(9, 'StartChildWorkflowExecutionFailed', {
        initiatedEventId: '5',
        cause: 'START_CHILD_WORKFLOW_EXECUTION_FAILED_CAUSE_WORKFLOW_ALREADY_EXISTS',
      }),
      event(10, 'ChildWorkflowExecutionCanceled', { initiatedEventId: '6', details: payloads('why') }),
      event(11, 'ChildWorkflowExecutionTimedOut', { initiatedEventId: '7', retryState: 'RETRY_STATE_TIMEOUT' }),
      event(12, 'ChildWorkflowExecutionTerminated', { initiatedEventId: '8' }),
    );
    expect(storyOf(opened, '9')[1]).toMatchObject({ error: { name: 'Failed', message: 'WorkflowAlreadyExists' } });
    expect(storyOf(opened, '10')).toMatchObject(['agent.cancelled', { details: ['why'] }]);
    expect(storyOf(opened, '11')).toMatchObject([
      'agent.joined',
      { error: { name: 'TimedOut' }, retry_state: 'Timeout' },
    ]);
    expect(storyOf(opened, '12')).toMatchObject(['agent.joined', { error: { name: 'Terminated' } }]);
    for (const [asked, ended] of [
      [5, 9],
      [6, 10],
      [7, 11],
      [8, 12],
    ])
      expect(edges(opened)).toContain(`${String(asked)} -result_of-> ${String(ended)}`);
  });

  it('activities that timed out or were cancelled, timers that were cancelled', async () => {
    const activity = (id: number): object =>
      event(id, 'ActivityTaskScheduled', { activityId: `a${id}`, activityType: { name: 'pay' }, ...by });
    const timeout = { message: 'activity StartToClose timeout', timeoutFailureInfo: { timeoutType: 'StartToClose' } };
    const opened = await openHistory(
      activity(5),
      activity(6),
      event(7, 'TimerStarted', { timerId: 't', startToFireTimeout: { seconds: '2', nanos: 500_000_000 }, ...by }),
      event(8, 'ActivityTaskCancelRequested', { scheduledEventId: '6', ...by }),
      event(9, 'ActivityTaskTimedOut', { scheduledEventId: '5', failure: timeout, retryState: 3 }),
      event(10, 'ActivityTaskCanceled', { scheduledEventId: '6', details: payloads('half') }),
      event(11, 'TimerCanceled', { timerId: 't', startedEventId: '7', ...by }),
    );
    expect(storyOf(opened, '7')[1]).toMatchObject({ args: { ms: 2500 } });
    expect(storyOf(opened, '9')).toMatchObject([
      'tool_call.timed_out',
      { tool: 'pay', retry_state: 3, error: { name: 'TimeoutError', message: 'activity StartToClose timeout' } },
    ]);
    expect(storyOf(opened, '10')).toMatchObject(['tool_call.cancelled', { details: ['half'] }]);
    expect(storyOf(opened, '11')).toMatchObject(['timer.cancelled', { name: 't' }]);
    expect(edges(opened)).toEqual(
      expect.arrayContaining(['6 -caused_by-> 8', '5 -result_of-> 9', '6 -result_of-> 10', '7 -result_of-> 11']),
    );
  });

  it('signals and cancellations to others, Nexus operations, and what came of each', async () => {
    const opened = await openHistory(
      event(5, 'SignalExternalWorkflowExecutionInitiated', { signalName: 'go', workflowExecution: execution, ...by }),
      event(6, 'RequestCancelExternalWorkflowExecutionInitiated', { workflowExecution: execution, ...by }),
      event(7, 'NexusOperationScheduled', { service: 'S', operation: 'op', input: payload(1), ...by }),
      event(8, 'ExternalWorkflowExecutionSignaled', { initiatedEventId: '5' }),
      event(9, 'RequestCancelExternalWorkflowExecutionFailed', { initiatedEventId: '6', cause: 1 }),
      event(10, 'NexusOperationStarted', { scheduledEventId: '7' }),
      event(11, 'NexusOperationCancelRequested', { scheduledEventId: '7', ...by }),
      event(12, 'NexusOperationCancelRequestFailed', { requestedEventId: '11', scheduledEventId: '7', failure }),
      event(13, 'NexusOperationCanceled', { scheduledEventId: '7', failure }),
    );
    expect(storyOf(opened, '8')).toMatchObject(['tool_call.completed', { tool: 'signal go' }]);
    expect(storyOf(opened, '9')).toMatchObject(['tool_call.failed', { error: { name: 'Failed', message: '1' } }]);
    expect(storyOf(opened, '7')).toMatchObject(['tool_call.dispatched', { tool: 'S.op', args: 1, effect: 'external' }]);
    expect(storyOf(opened, '12')).toMatchObject([
      'temporal.nexus_operation_cancel_request_failed',
      { error: { name: 'Refused', message: 'no' } },
    ]);
    expect(storyOf(opened, '13')).toMatchObject(['tool_call.cancelled', { error: { name: 'Refused' } }]);
    expect(edges(opened)).toContain('11 -caused_by-> 12');
  });

  it('the attempt before one that began stands apart; the last count of a streamed answer stands', async () => {
    const part = (content: string, output: number): object => ({
      role: 'assistant',
      content,
      usage: { input_tokens: 3, output_tokens: output },
    });
    const opened = await openHistory(
      event(5, 'ActivityTaskScheduled', { activityId: 'a', activityType: { name: 'pay' }, ...by }),
      event(6, 'ActivityTaskStarted', { scheduledEventId: '5', attempt: 3, lastFailure: failure }),
      event(7, 'ActivityTaskScheduled', {
        activityId: 'b',
        activityType: { name: 'invoke_model' },
        input: payloads({ model: 'm', messages: [] }),
        ...by,
      }),
      event(8, 'ActivityTaskCompleted', { scheduledEventId: '7', result: payloads([part('a', 1), part('b', 5)]) }),
    );
    expect(storyOf(opened, '5:attempt2')).toMatchObject([
      'tool_call.failed',
      { attempt: 2, earlier_attempts_not_recorded: 1, error: { name: 'Refused' } },
    ]);
    expect(storyOf(opened, '8')[1]).toMatchObject({ usage: { input_tokens: 3, output_tokens: 5 } });
  });

  it('a local activity that failed says so; an execution that failed without a word has a name for it', async () => {
    const opened = await openHistory(
      event(5, 'MarkerRecorded', {
        markerName: 'core_local_activity',
        details: { data: payloads({ activity_type: 'echo', attempt: 2 }) },
        failure,
        ...by,
      }),
      event(6, 'WorkflowExecutionFailed', by),
    );
    expect(storyOf(opened, '5')).toMatchObject([
      'tool_call.failed',
      { tool: 'echo', attempt: 2, error: { name: 'Refused' } },
    ]);
    expect(storyOf(opened, '6')).toMatchObject(['run.failed', { error: { name: 'WorkflowFailed' } }]);
  });

  it('a signal or a request to cancel from another execution hangs on what sent it', async () => {
    const runId = '0197c192-e1ea-72ee-9435-c3625ba774b3';
    const from = { externalInitiatedEventId: '7', externalWorkflowExecution: { workflowId: 'w', runId } };
    const opened = await openHistory(
      event(5, 'WorkflowExecutionSignaled', { signalName: 'go', ...from }),
      event(6, 'WorkflowExecutionCancelRequested', from),
    );
    for (const id of ['5', '6']) {
      const found = opened.events.find(({ event: { id: own } }) => own.endsWith(`/${id}`))?.event;
      expect(found?.causes).toEqual([{ event: '0197c192/7', as: 'caused_by' }]);
    }
  });

  it('search attributes and the memo are read, and the record stays', async () => {
    const opened = await openHistory(
      event(5, 'UpsertWorkflowSearchAttributes', {
        searchAttributes: { indexedFields: { Team: payload('a') } },
        ...by,
      }),
      event(7, 'UpsertWorkflowSearchAttributes', { searchAttributes: { indexedFields: { Team: ['a'] } }, ...by }),
      event(6, 'WorkflowPropertiesModified', { upsertedMemo: { fields: { note: payload({ n: 1 }) } }, ...by }),
    );
    expect(storyOf(opened, '5')[1]).toMatchObject({ values: { Team: 'a' }, record: { searchAttributes: {} } });
    expect(storyOf(opened, '6')[1]).toMatchObject({ values: { note: { n: 1 } } });
    expect(storyOf(opened, '7')[1]).toMatchObject({ values: { Team: ['a'] } });
  });

  it('kinds, numbers, times and durations as the structures of other languages are written', async () => {
    const time = { seconds: { low: 1_767_225_600, high: 0, unsigned: false }, nanos: 5_000_000 };
    const opened = await openValue([
      {
        event_id: 1,
        event_time: '2026-01-01T00:00:00Z',
        event_type: 1,
        Attributes: {
          WorkflowExecutionStartedEventAttributes: { workflow_type: { name: 'Desk' }, input: payloads(1) },
        },
      },
      { event_id: 2, event_time: { seconds: '1767225600', nanos: 0 }, event_type: 5, Attributes: {} },
      {
        eventId: { low: 3, high: 0, unsigned: false },
        eventTime: time,
        eventType: 6,
        attributes: { scheduledEventId: 2 },
      },
      {
        event_id: 4,
        event_time: '2026-01-01T00:00:01Z',
        event_type: 17,
        Attributes: { TimerStartedEventAttributes: { timer_id: 't', start_to_fire_timeout: 1_500_000_000 } },
      },
    ]);
    expectSound(opened);
    expect(opened.counts.problems).toBe(0);
    expect(byType(opened, 'run.started')[0]?.data).toMatchObject({ program: { name: 'Desk' }, input: 1 });
    expect(byType(opened, 'step.started')[0]).toMatchObject({ time: '2026-01-01T00:00:00.005000000Z' });
    expect(byType(opened, 'timer.started')[0]?.data).toMatchObject({ args: { ms: 1500 } });
  });
});
