/**
 * The execution itself and its workflow tasks: how it began, what control code was run for, how it ended.
 */
import { createTable } from '../../base/table.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { timeToMillis } from '../../base/time.ts';
import { digest } from '../../model/index.ts';
import { type CauseDraft, type EventDraft, recordToEventId, traceToRun } from '../draft.ts';
import { withoutUndefined } from '../members.ts';
import type { ExecutionMap } from './execution-map.ts';
import { countField, enumValue, eventNumber, fieldAt, nameField, objectField, textField } from './fields.ts';
import { failureToError } from './failure.ts';
import { payloadsToValues, valuesToArgs } from './payload.ts';
import type { HistoryRecord } from './record.ts';
import type { RuleName } from './rules.ts';
import { decidedBy, ofHistory, resultMembers, sharedOf } from './shared.ts';

const startPlaced = [
  'workflowType',
  'input',
  'workflowId',
  'originalExecutionRunId',
  'continuedExecutionRunId',
  'parentWorkflowExecution',
  'continuedFailure',
];

export function startedToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const { attributes } = record;
  const input = payloadsToValues(fieldAt(attributes, 'input'));
  const continued = textField(attributes, 'continuedExecutionRunId');
  const parent = objectField(attributes, 'parentWorkflowExecution');
  const failure = failureToError(objectField(attributes, 'continuedFailure'));
  return [
    {
      ...sharedOf(map, record, startPlaced),
      type: 'run.started',
      causes: [startedBy(attributes, parent)],
      data: withoutUndefined({
        program: { name: map.execution.workflow ?? 'workflow' },
        engine: engineOf(map),
        ...(input.unreadable.length > 0 ? { payloads: input.raw ?? null } : { input: valuesToArgs(input) }),
        start: firstTaskTime(map),
        attempt: countField(attributes, 'attempt'),
        execution: withoutUndefined({ workflow_id: map.execution.workflowId, run_id: map.execution.runId }),
        parent,
        continued_from: continued === undefined ? undefined : { run: traceToRun(continued), run_id: continued },
        continued_failure: failure?.error,
      }),
    },
  ];
}

/** The parent's event that asked for it, by the number recorded with the parent's run. */
function startedBy(attributes: JsonObject, parent: JsonObject | undefined): CauseDraft | undefined {
  const run = textField(parent, 'runId');
  const number = eventNumber(attributes, 'parentInitiatedEventId');
  if (run === undefined || number === undefined) return undefined;
  return { event: recordToEventId(traceToRun(run), String(number)), as: 'caused_by' };
}

/** SDK and build of the worker that ran the code, which the first workflow task tells. */
function engineOf(map: ExecutionMap): JsonObject {
  const task = map.execution.records.find(({ type }) => type === 'WorkflowTaskCompleted')?.attributes;
  const sdk = fieldAt(task, 'sdkMetadata');
  return withoutUndefined({
    name: 'temporal',
    sdk: textField(sdk, 'sdkName'),
    sdk_version: textField(sdk, 'sdkVersion'),
    build: textField(objectField(task, 'workerVersion'), 'buildId') ?? textField(task, 'binaryChecksum'),
  });
}

/** What control code reads as the present when it begins. */
function firstTaskTime(map: ExecutionMap): number | undefined {
  const task = map.execution.records.find(({ type }) => type === 'WorkflowTaskStarted');
  const millis = timeToMillis(task?.time ?? '');
  return millis === undefined ? undefined : Math.floor(millis);
}

const taskPlaced = ['scheduledEventId', 'startedEventId'];

export function taskStartedToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const rule: RuleName = 'delivered-to-task';
  const given = map
    .givenTo(record.number)
    .map(({ number }): CauseDraft => ({ event: map.idOf(number), as: 'consumed', rule }));
  return [
    {
      ...sharedOf(map, record, taskPlaced),
      step: map.stepOf(record.number),
      type: 'step.started',
      causes: given.length > 0 ? given : [ofHistory(map)],
      data: { name: 'workflow task' },
    },
  ];
}

const taskEndPlaced = [...taskPlaced, 'failure', 'cause', 'timeoutType'];

export function taskEndedToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const { attributes, type } = record;
  const started = eventNumber(attributes, 'startedEventId') ?? eventNumber(attributes, 'scheduledEventId');
  return [
    {
      ...sharedOf(map, record, taskEndPlaced),
      step: started === undefined ? undefined : map.stepOf(started),
      type: 'step.completed',
      causes: [started === undefined ? ofHistory(map) : { event: map.idOf(started), as: 'result_of' }],
      data: withoutUndefined({
        name: 'workflow task',
        error: type === 'WorkflowTaskCompleted' ? undefined : taskError(record),
      }),
    },
  ];
}

function taskError({ type, attributes }: HistoryRecord): JsonObject {
  if (type === 'WorkflowTaskTimedOut') {
    const kind = enumValue(fieldAt(attributes, 'timeoutType'), 'TIMEOUT_TYPE_');
    return {
      name: 'TimeoutError',
      message: kind === undefined ? 'workflow task timed out' : `workflow task timed out (${String(kind)})`,
    };
  }
  const cause = enumValue(fieldAt(attributes, 'cause'), 'WORKFLOW_TASK_FAILED_CAUSE_');
  const error = failureToError(objectField(attributes, 'failure'))?.error ?? { message: '' };
  return { ...error, name: String(cause ?? 'WorkflowTaskFailed'), message: error['message'] ?? '' };
}

const endPlaced = [
  'result',
  'failure',
  'workflowTaskCompletedEventId',
  'retryState',
  'reason',
  'details',
  'newExecutionRunId',
];

/** How an execution ended that did not complete; what it says for itself, where it says so. */
const endings: Readonly<Record<string, readonly [name: string, message: string]>> = createTable({
  WorkflowExecutionFailed: ['WorkflowFailed', ''],
  WorkflowExecutionTimedOut: ['TimeoutError', 'The workflow execution timed out.'],
  WorkflowExecutionTerminated: ['Terminated', 'The workflow execution was terminated.'],
  WorkflowExecutionCanceled: ['CanceledError', 'The workflow execution was cancelled.'],
});

export function endedToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const { attributes, type } = record;
  const terminator = type === 'WorkflowExecutionTerminated' ? textField(attributes, 'identity') : undefined;
  const shared: Omit<EventDraft, 'type' | 'data'> = {
    ...sharedOf(map, record, endPlaced),
    // Nobody's code decided that an execution was terminated.
    ...(terminator === undefined ? {} : { principal: { id: terminator } }),
    causes: [decidedBy(map, record, 'caused_by')],
  };
  const next = textField(attributes, 'newExecutionRunId');
  const follows = withoutUndefined({
    retry_state: enumValue(fieldAt(attributes, 'retryState'), 'RETRY_STATE_'),
    next: next === undefined ? undefined : { run: traceToRun(next), run_id: next },
  });
  if (type === 'WorkflowExecutionCompleted') {
    const members = resultMembers(payloadsToValues(fieldAt(attributes, 'result')));
    return [{ ...shared, type: 'run.completed', data: { ...members, ...follows } }];
  }
  const [name, message] = endings[type] ?? ['WorkflowFailed', ''];
  const recorded = failureToError(objectField(attributes, 'failure'))?.error;
  const reason = textField(attributes, 'reason');
  const details = fieldAt(attributes, 'details');
  const said = details === undefined ? undefined : payloadsToValues(details).values;
  const data: JsonObject = withoutUndefined({ details: said === undefined || said.length === 0 ? undefined : said });
  const error: JsonObject = recorded ?? {
    name,
    message: reason ?? message,
    ...(data['details'] === undefined ? {} : { data }),
  };
  return [{ ...shared, type: 'run.failed', data: { error, ...follows } }];
}

const rolledPlaced = ['newExecutionRunId', 'input', 'workflowTaskCompletedEventId', 'failure'];

export function continuedToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const { attributes } = record;
  const input = payloadsToValues(fieldAt(attributes, 'input'));
  const carried: JsonValue | undefined = input.unreadable.length > 0 ? undefined : valuesToArgs(input);
  const next = textField(attributes, 'newExecutionRunId');
  return [
    {
      ...sharedOf(map, record, rolledPlaced),
      type: 'run.rolled_over',
      causes: [decidedBy(map, record, 'caused_by')],
      data: withoutUndefined({
        carried,
        digest: carried === undefined ? undefined : digest(carried),
        payloads: carried === undefined ? input.raw : undefined,
        workflow: nameField(attributes, 'workflowType'),
        initiator: enumValue(fieldAt(attributes, 'initiator'), 'CONTINUE_AS_NEW_INITIATOR_'),
        error: failureToError(objectField(attributes, 'failure'))?.error,
        next: next === undefined ? undefined : { run: traceToRun(next), run_id: next },
      }),
    },
  ];
}
