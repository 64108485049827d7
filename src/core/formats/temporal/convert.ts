/**
 * Which converter an event of a history has; events that have none are kept as `temporal.<kind>` with their record.
 */
import type { JsonObject } from '../../base/json.ts';
import type { CauseDraft, EventDraft } from '../draft.ts';
import { cancelAskedToDrafts, endedToDrafts as activityEnded, type Inferred, scheduledToDrafts } from './activity.ts';
import type { ExecutionMap } from './execution-map.ts';
import { eventNumber } from './fields.ts';
import { markerToDrafts } from './marker.ts';
import { cancelRequestedToDrafts, signalToDrafts, updateEndedToDrafts, updateToDrafts } from './inbound.ts';
import {
  childAskedToDrafts,
  childEndedToDrafts,
  outsideAskedToDrafts,
  outsideEndedToDrafts,
  timerEndedToDrafts,
  timerStartedToDrafts,
} from './outside.ts';
import type { HistoryRecord } from './record.ts';
import { decidedBy, sharedOf } from './shared.ts';
import {
  continuedToDrafts,
  endedToDrafts,
  startedToDrafts,
  taskEndedToDrafts,
  taskStartedToDrafts,
} from './workflow.ts';

type Converter = (map: ExecutionMap, record: HistoryRecord) => readonly EventDraft[];

const converters: ReadonlyMap<string, Converter> = new Map<string, Converter>([
  ['WorkflowExecutionStarted', startedToDrafts],
  ['WorkflowExecutionCompleted', endedToDrafts],
  ['WorkflowExecutionFailed', endedToDrafts],
  ['WorkflowExecutionTimedOut', endedToDrafts],
  ['WorkflowExecutionTerminated', endedToDrafts],
  ['WorkflowExecutionCanceled', endedToDrafts],
  ['WorkflowExecutionContinuedAsNew', continuedToDrafts],
  ['WorkflowTaskStarted', taskStartedToDrafts],
  ['WorkflowTaskCompleted', taskEndedToDrafts],
  ['WorkflowTaskFailed', taskEndedToDrafts],
  ['WorkflowTaskTimedOut', taskEndedToDrafts],
  ['ActivityTaskCompleted', activityEnded],
  ['ActivityTaskFailed', activityEnded],
  ['ActivityTaskTimedOut', activityEnded],
  ['ActivityTaskCanceled', activityEnded],
  ['ActivityTaskCancelRequested', cancelAskedToDrafts],
  ['TimerStarted', timerStartedToDrafts],
  ['TimerFired', timerEndedToDrafts],
  ['TimerCanceled', timerEndedToDrafts],
  ['MarkerRecorded', markerToDrafts],
  ['WorkflowExecutionSignaled', signalToDrafts],
  ['WorkflowExecutionCancelRequested', cancelRequestedToDrafts],
  ['WorkflowExecutionUpdateAdmitted', updateToDrafts],
  ['WorkflowExecutionUpdateAccepted', updateToDrafts],
  ['WorkflowExecutionUpdateCompleted', updateEndedToDrafts],
  ['WorkflowExecutionUpdateRejected', updateEndedToDrafts],
  ['StartChildWorkflowExecutionInitiated', childAskedToDrafts],
  ['StartChildWorkflowExecutionFailed', childEndedToDrafts],
  ['ChildWorkflowExecutionCompleted', childEndedToDrafts],
  ['ChildWorkflowExecutionFailed', childEndedToDrafts],
  ['ChildWorkflowExecutionCanceled', childEndedToDrafts],
  ['ChildWorkflowExecutionTimedOut', childEndedToDrafts],
  ['ChildWorkflowExecutionTerminated', childEndedToDrafts],
  ['SignalExternalWorkflowExecutionInitiated', outsideAskedToDrafts],
  ['RequestCancelExternalWorkflowExecutionInitiated', outsideAskedToDrafts],
  ['NexusOperationScheduled', outsideAskedToDrafts],
  ['SignalExternalWorkflowExecutionFailed', outsideEndedToDrafts],
  ['ExternalWorkflowExecutionSignaled', outsideEndedToDrafts],
  ['RequestCancelExternalWorkflowExecutionFailed', outsideEndedToDrafts],
  ['ExternalWorkflowExecutionCancelRequested', outsideEndedToDrafts],
  ['NexusOperationCompleted', outsideEndedToDrafts],
  ['NexusOperationFailed', outsideEndedToDrafts],
  ['NexusOperationCanceled', outsideEndedToDrafts],
  ['NexusOperationTimedOut', outsideEndedToDrafts],
]);

export function recordToDrafts(map: ExecutionMap, record: HistoryRecord, inferred: Inferred): readonly EventDraft[] {
  if (record.type === 'ActivityTaskScheduled') return scheduledToDrafts(map, record, inferred);
  return (converters.get(record.type) ?? otherToDrafts)(map, record);
}

/** Members by which any event, known or not, names an earlier one. */
const references = ['scheduledEventId', 'initiatedEventId', 'startedEventId', 'acceptedEventId'];

function otherToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const { attributes, type, number } = record;
  const named = references
    .map((member) => eventNumber(attributes, member))
    .find((other) => other !== undefined && other !== number);
  const about: CauseDraft | undefined = named === undefined ? undefined : { event: map.idOf(named), as: 'caused_by' };
  const decided = eventNumber(attributes, 'workflowTaskCompletedEventId') !== undefined;
  // A task that waits to be started is given nothing yet; what it is given later tells where it comes from.
  const waits = type === 'WorkflowTaskScheduled';
  const data: JsonObject = { record: attributes };
  return [
    {
      ...sharedOf(map, { ...record, attributes: {} }, []),
      type: `temporal.${typeToSnake(type)}`,
      causes: waits ? [] : [decided || about === undefined ? decidedBy(map, record, 'selected_by') : undefined, about],
      data,
    },
  ];
}

function typeToSnake(type: string): string {
  const words = type.replace(/[^\w]+/g, '_').replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return words.toLowerCase();
}
