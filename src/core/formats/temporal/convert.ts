/**
 * Which converter an event of a history has; events that have none are kept as `temporal.<kind>` with their record.
 */
import type { EventDraft } from '../draft.ts';
import { cancelAskedToDrafts, endedToDrafts as activityEnded, type Inferred, scheduledToDrafts } from './activity.ts';
import type { ExecutionMap } from './execution-map.ts';
import { markerToDrafts } from './marker.ts';
import { requestedToDrafts, signalToDrafts, updateEndedToDrafts, updateToDrafts } from './inbound.ts';
import {
  childAskedToDrafts,
  childEndedToDrafts,
  outsideAskedToDrafts,
  outsideEndedToDrafts,
  timerEndedToDrafts,
  timerStartedToDrafts,
} from './outside.ts';
import { otherToDrafts } from './other.ts';
import type { HistoryRecord } from './record.ts';
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
  ['WorkflowExecutionCancelRequested', requestedToDrafts],
  ['WorkflowExecutionPaused', requestedToDrafts],
  ['WorkflowExecutionUnpaused', requestedToDrafts],
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
