/**
 * What passes between an execution and others: timers, signals, updates, child executions, signals and cancellations sent, Nexus.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { timeToMillis } from '../../base/time.ts';
import { type CauseDraft, type EventDraft, recordToEventId, traceToRun } from '../draft.ts';
import { withoutUndefined } from '../members.ts';
import { endedNumber, type ExecutionMap } from './execution-map.ts';
import { durationField, enumName, eventNumber, fieldAt, nameField, objectField, textField } from './fields.ts';
import { failureToError } from './failure.ts';
import { payloadsToValues, valuesToArgs } from './payload.ts';
import type { HistoryRecord } from './record.ts';
import {
  argsMembers,
  type Asked,
  type Converter,
  decidedBy,
  endingOf,
  issueOf,
  ofHistory,
  resultMembers,
  resultOf,
  sharedOf,
} from './shared.ts';

const timerAsked: Asked = { kind: 'timer', name: 'sleep' };

export const timerStartedToDrafts: Converter = (map, record) => {
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
};

export const timerEndedToDrafts: Converter = (map, record) => {
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
};

/** From another execution of these files, by the number and run recorded with it. */
function sentBy({ attributes }: HistoryRecord): CauseDraft | undefined {
  const sender = textField(objectField(attributes, 'externalWorkflowExecution'), 'runId');
  const number = eventNumber(attributes, 'externalInitiatedEventId');
  if (sender === undefined || number === undefined) return undefined;
  return { event: recordToEventId(traceToRun(sender), String(number)), as: 'caused_by' };
}

function senderOf({ attributes }: HistoryRecord): EventDraft['principal'] {
  const id = textField(attributes, 'identity');
  return id === undefined ? undefined : { id };
}

export const signalToDrafts: Converter = (map, record) => {
  const { attributes } = record;
  const input = payloadsToValues(fieldAt(attributes, 'input'));
  return [
    {
      ...sharedOf(map, record, ['signalName', 'input', 'identity']),
      type: 'signal.received',
      agent: undefined,
      principal: senderOf(record),
      causes: [sentBy(record) ?? ofHistory(map)],
      data: withoutUndefined({
        name: textField(attributes, 'signalName'),
        ...(input.unreadable.length > 0 ? { payloads: input.raw } : { value: valuesToArgs(input) }),
      }),
    },
  ];
};

export const cancelRequestedToDrafts: Converter = (map, record) => [
  {
    ...sharedOf(map, record, ['cause', 'identity']),
    type: 'input.received',
    agent: undefined,
    principal: senderOf(record),
    causes: [sentBy(record) ?? ofHistory(map)],
    data: { name: 'request to cancel', value: textField(record.attributes, 'cause') ?? null },
  },
];

interface Update {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly from: string | undefined;
  readonly members: JsonObject;
}

function readUpdate(request: JsonValue | undefined, key: 'value' | 'args'): Update {
  const meta = objectField(request, 'meta');
  const input = objectField(request, 'input');
  const args = payloadsToValues(fieldAt(input, 'args'));
  const read = args.unreadable.length > 0 ? { payloads: args.raw } : { [key]: valuesToArgs(args) };
  return {
    id: textField(meta, 'updateId'),
    name: textField(input, 'name'),
    from: textField(meta, 'identity'),
    members: withoutUndefined(read),
  };
}

export const updateToDrafts: Converter = (map, record) => {
  const { attributes, type } = record;
  const admitted = type === 'WorkflowExecutionUpdateAdmitted';
  const { id, name, from, members } = readUpdate(
    fieldAt(attributes, admitted ? 'request' : 'acceptedRequest'),
    'value',
  );
  const sequencing = eventNumber(attributes, 'acceptedRequestSequencingEventId');
  return [
    {
      ...sharedOf(map, record, ['acceptedRequest', 'request']),
      type: 'input.received',
      agent: undefined,
      principal: from === undefined ? undefined : { id: from },
      causes: [sequencing === undefined ? ofHistory(map) : { event: map.idOf(sequencing), as: 'caused_by' }],
      data: withoutUndefined({
        name: `update ${name ?? ''}`.trim(),
        update_id: id,
        admitted: admitted || undefined,
        ...members,
      }),
    },
  ];
};

/** The answer to whoever asked for the update. */
export const updateEndedToDrafts: Converter = (map, record) => {
  const { attributes, type } = record;
  const id = textField(objectField(attributes, 'meta'), 'updateId');
  // Older servers leave out the number, but the id of the update says it.
  const asked = eventNumber(attributes, 'acceptedEventId') ?? (id === undefined ? undefined : map.acceptedOf(id));
  const outcome = objectField(attributes, 'outcome');
  const failure = failureToError(objectField(outcome, 'failure') ?? objectField(attributes, 'failure'));
  const success = payloadsToValues(fieldAt(outcome, 'success'));
  const rejected = type === 'WorkflowExecutionUpdateRejected';
  const request = readUpdate(fieldAt(attributes, 'rejectedRequest'), 'args');
  return [
    {
      ...sharedOf(map, record, ['meta', 'outcome', 'failure', 'acceptedEventId', 'rejectedRequest']),
      type: 'message.sent',
      causes: [asked === undefined ? ofHistory(map) : { event: map.idOf(asked), as: 'result_of' }],
      data: withoutUndefined({
        name: rejected ? 'update rejected' : 'update answered',
        to: textField(objectField(attributes, 'meta'), 'identity') ?? request.from,
        update_id: id ?? request.id,
        content: failure === undefined ? resultMembers(success)['result'] : undefined,
        payloads: success.unreadable.length > 0 ? success.raw : undefined,
        error: failure?.error,
        ...(rejected ? request.members : {}),
      }),
    },
  ];
};

function childAsked({ attributes }: HistoryRecord): Asked {
  return { kind: 'child', name: nameField(attributes, 'workflowType') ?? 'workflow' };
}

const childPlaced = ['workflowType', 'workflowId', 'input', 'workflowTaskCompletedEventId'];

export const childAskedToDrafts: Converter = (map, record) => {
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
};

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

export const childEndedToDrafts: Converter = (map, record) => {
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
        error: completed || cancelled ? undefined : failureOf(record),
      }),
    },
  ];
};

function failureOf({ type, attributes }: HistoryRecord): JsonObject {
  const found = failureToError(objectField(attributes, 'failure'))?.error;
  if (found !== undefined) return found;
  const cause = enumName(fieldAt(attributes, 'cause'), '')?.replace(/^\w*FailedCause/, '');
  return { name: /(?:TimedOut|Terminated)$/.exec(type)?.[0] ?? 'Failed', message: cause ?? '' };
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

export const outsideAskedToDrafts: Converter = (map, record) => {
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
};

const outsideFailed = /(?:Failed|TimedOut|Canceled)$/;

export const outsideEndedToDrafts: Converter = (map, record) => {
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
};
