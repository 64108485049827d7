/**
 * What an execution asks of the engine and of others: timers, child executions, signals and cancellations sent, Nexus operations.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { timeToMillis } from '../../base/time.ts';
import { type EventDraft, traceToRun } from '../draft.ts';
import { withoutUndefined } from '../members.ts';
import { endedNumber, type ExecutionMap } from './execution-map.ts';
import { durationField, enumValue, fieldAt, nameField, objectField, textField } from './fields.ts';
import { failureToError } from './failure.ts';
import { payloadsToValues, valuesToArgs } from './payload.ts';
import type { HistoryRecord } from './record.ts';
import { argsMembers, type Asked, decidedBy, endingOf, issueOf, resultMembers, resultOf, sharedOf } from './shared.ts';

const timerAsked: Asked = { kind: 'timer', name: 'sleep' };

export function timerStartedToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const { attributes, number, time } = record;
  const ms = durationField(attributes, 'startToFireTimeout');
  const began = timeToMillis(time ?? '');
  const placed = ['timerId', 'workflowTaskCompletedEventId', ...(ms === undefined ? [] : ['startToFireTimeout'])];
  const args = ms === undefined ? undefined : { ms };
  return [
    {
      ...sharedOf(map, record, placed),
      type: 'timer.started',
      causes: [decidedBy(map, record, 'selected_by')],
      command: issueOf(map, number, timerAsked, args),
      data: withoutUndefined({
        name: textField(attributes, 'timerId'),
        args,
        due: ms === undefined || began === undefined ? undefined : Math.floor(began) + ms,
      }),
    },
  ];
}

export function timerEndedToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const { attributes, number, type } = record;
  const asked = endedNumber(record);
  const isThere = asked !== undefined && map.execution.byNumber.has(asked);
  const cancelled = type === 'TimerCanceled';
  const command = isThere ? endingOf(map, asked, number, timerAsked) : undefined;
  return [
    {
      ...sharedOf(map, record, ['timerId', 'startedEventId', 'workflowTaskCompletedEventId']),
      type: cancelled ? 'timer.cancelled' : 'timer.fired',
      causes: [resultOf(map, record), cancelled ? decidedBy(map, record, 'selected_by') : undefined],
      // Control code cancels it itself: it need not be told by a later task.
      command: command === undefined || !cancelled ? command : { ...command, delivered: number },
      data: withoutUndefined({ name: textField(attributes, 'timerId'), result: cancelled ? undefined : null }),
    },
  ];
}

function childAsked({ attributes }: HistoryRecord): Asked {
  return { kind: 'child', name: nameField(attributes, 'workflowType') ?? 'workflow' };
}

const childPlaced = ['workflowType', 'workflowId', 'input', 'workflowTaskCompletedEventId'];

export function childAskedToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const { attributes, number } = record;
  const asked = childAsked(record);
  const input = payloadsToValues(fieldAt(attributes, 'input'));
  const runId = childRun(map, number);
  const workflowId = textField(attributes, 'workflowId');
  return [
    {
      ...sharedOf(map, record, childPlaced),
      type: 'agent.spawned',
      causes: [decidedBy(map, record, 'selected_by')],
      command: issueOf(map, number, asked, input.unreadable.length > 0 ? undefined : valuesToArgs(input)),
      data: withoutUndefined({
        name: asked.name,
        from: map.execution.workflow,
        to: asked.name,
        child: withoutUndefined({
          run: runId === undefined ? undefined : traceToRun(runId),
          run_id: runId,
          workflow_id: workflowId,
        }),
        ...argsMembers(input),
      }),
    },
  ];
}

/** The child's run, which the record of its beginning or of its end names. */
function childRun(map: ExecutionMap, number: number): string | undefined {
  const end = map.endOf(number);
  const folded = map.foldedInto(end?.number ?? number).find(({ type }) => type === 'ChildWorkflowExecutionStarted');
  for (const record of [folded, end]) {
    const run = textField(objectField(record?.attributes, 'workflowExecution'), 'runId');
    if (run !== undefined) return run;
  }
  return undefined;
}

const endedPlaced = [
  'result',
  'failure',
  'initiatedEventId',
  'startedEventId',
  'scheduledEventId',
  'workflowType',
  'retryState',
  'cause',
  'details',
];

export function childEndedToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const { attributes, number, type } = record;
  const asked = endedNumber(record);
  const begin = asked === undefined ? undefined : map.execution.byNumber.get(asked);
  const child = childAsked(begin ?? record);
  const runId = textField(objectField(attributes, 'workflowExecution'), 'runId');
  const cancelled = type === 'ChildWorkflowExecutionCanceled';
  const completed = type === 'ChildWorkflowExecutionCompleted';
  return [
    {
      ...sharedOf(map, record, endedPlaced),
      type: cancelled ? 'agent.cancelled' : 'agent.joined',
      causes: [resultOf(map, record)],
      command: begin === undefined || asked === undefined ? undefined : endingOf(map, asked, number, child),
      data: withoutUndefined({
        from: child.name,
        to: map.execution.workflow,
        child: runId === undefined ? undefined : { run: traceToRun(runId), run_id: runId },
        ...(completed ? resultMembers(payloadsToValues(fieldAt(attributes, 'result'))) : {}),
        details: cancelled ? detailsOf(record) : undefined,
        retry_state: enumValue(fieldAt(attributes, 'retryState'), 'RETRY_STATE_'),
        error: completed || cancelled ? undefined : failureOf(record),
      }),
    },
  ];
}

function detailsOf({ attributes }: HistoryRecord): JsonValue | undefined {
  const details = fieldAt(attributes, 'details');
  return details === undefined ? undefined : payloadsToValues(details).values;
}

function failureOf({ type, attributes }: HistoryRecord): JsonObject {
  const found = failureToError(objectField(attributes, 'failure'))?.error;
  if (found !== undefined) return found;
  const cause = enumValue(fieldAt(attributes, 'cause'), '') ?? '';
  const message = String(cause).replace(/^\w*FailedCause/, '');
  return { name: /(?:TimedOut|Terminated)$/.exec(type)?.[0] ?? 'Failed', message };
}

/** Signals and cancellations that control code sends, and Nexus operations: calls to outside, each with an outcome of its own. */
function outsideAsked({ type, attributes }: HistoryRecord): Asked {
  const service = textField(attributes, 'service');
  const operation = textField(attributes, 'operation');
  if (type === 'NexusOperationScheduled')
    return { kind: 'write', name: `${service ?? 'nexus'}.${operation ?? 'operation'}` };
  if (type === 'RequestCancelExternalWorkflowExecutionInitiated') return { kind: 'write', name: 'cancel workflow' };
  return { kind: 'write', name: `signal ${textField(attributes, 'signalName') ?? ''}`.trim() };
}

const outsidePlaced = [
  'input',
  'service',
  'operation',
  'signalName',
  'workflowTaskCompletedEventId',
  'workflowExecution',
];

export function outsideAskedToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const { attributes, number } = record;
  const asked = outsideAsked(record);
  const input = payloadsToValues(fieldAt(attributes, 'input'));
  return [
    {
      ...sharedOf(map, record, outsidePlaced),
      type: 'tool_call.dispatched',
      causes: [decidedBy(map, record, 'selected_by')],
      command: issueOf(map, number, asked, input.unreadable.length > 0 ? undefined : valuesToArgs(input)),
      data: withoutUndefined({
        tool: asked.name,
        effect: 'external',
        to: fieldAt(attributes, 'workflowExecution') ?? textField(attributes, 'endpoint'),
        ...argsMembers(input),
      }),
    },
  ];
}

const outsideFailed = /(?:Failed|TimedOut|Canceled)$/;

export function outsideEndedToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const { attributes, number, type } = record;
  const asked = endedNumber(record);
  const begin = asked === undefined ? undefined : map.execution.byNumber.get(asked);
  const call = begin === undefined ? undefined : outsideAsked(begin);
  const how = outsideFailed.exec(type)?.[0];
  const types: Readonly<Record<string, string>> = { Failed: 'failed', TimedOut: 'timed_out', Canceled: 'cancelled' };
  return [
    {
      ...sharedOf(map, record, endedPlaced),
      type: `tool_call.${how === undefined ? 'completed' : (types[how] ?? 'failed')}`,
      causes: [resultOf(map, record)],
      command: call === undefined || asked === undefined ? undefined : endingOf(map, asked, number, call),
      data: withoutUndefined({
        tool: call?.name,
        ...(how === undefined ? resultMembers(payloadsToValues(fieldAt(attributes, 'result'))) : {}),
        error: how === undefined ? undefined : failureOf(record),
      }),
    },
  ];
}
