/**
 * What converting one event needs to know of its execution: ids, which record was folded into which, when control code was given what.
 *
 * Invariant: ids of events are the run id and the engine's own numbers. A number that was folded into another event means that event.
 * Positions of the control process are the engine's numbers: it writes what control code asked and what it is given in one sequence.
 */
import { createTable } from '../../base/table.ts';
import type { JsonObject } from '../../base/json.ts';
import { timeToMillis } from '../../base/time.ts';
import { type EventId, mainBranch } from '../../model/index.ts';
import { recordToEventId } from '../draft.ts';
import { eventNumber, objectField, textField } from './fields.ts';
import type { Execution } from './executions.ts';
import type { HistoryRecord } from './record.ts';

/** Where the execution goes on from another one after a reset. */
export interface Line {
  readonly branch: string;
  /** Prefix of the ids of events on this line. */
  readonly prefix: string;
  readonly from: number;
  readonly base: ExecutionMap;
}

interface Task {
  readonly started: number;
  readonly completed: number;
  readonly vt: number | undefined;
}

export interface ExecutionMap {
  readonly execution: Execution;
  readonly run: string;
  readonly branch: string;
  readonly line: Line | undefined;
  readonly idOf: (number: number, part?: string) => EventId;
  /** The record a record was folded into; undefined where it stands by itself. */
  readonly targetOf: (number: number) => number | undefined;
  /** Folded records by the number of the record that took them. */
  readonly foldedInto: (number: number) => readonly HistoryRecord[];
  /** Name of the workflow task that started here. */
  readonly stepOf: (started: number) => string;
  /** The ending of what was scheduled, initiated or started at this number. */
  readonly endOf: (number: number) => HistoryRecord | undefined;
  /** Position and virtual time of the delivery; undefined where no workflow task that completed was given the event. */
  readonly deliveryOf: (number: number) => { readonly delivered: number; readonly vt: number | undefined } | undefined;
  /** Events that the workflow task which started here was given. */
  readonly givenTo: (started: number) => readonly HistoryRecord[];
  /** Number of the event that accepted the update of this id. */
  readonly acceptedOf: (updateId: string) => number | undefined;
  readonly admittedOf: (updateId: string) => number | undefined;
  /** Path of a command: by kind and name, counted by the engine's numbers. */
  readonly pathOf: (number: number, kind: string, name: string, part?: string) => string;
}

/** Which member of an ending names what it ends. */
const endings: Readonly<Record<string, string>> = createTable({
  ActivityTaskCompleted: 'scheduledEventId',
  ActivityTaskFailed: 'scheduledEventId',
  ActivityTaskTimedOut: 'scheduledEventId',
  ActivityTaskCanceled: 'scheduledEventId',
  TimerFired: 'startedEventId',
  TimerCanceled: 'startedEventId',
  StartChildWorkflowExecutionFailed: 'initiatedEventId',
  ChildWorkflowExecutionCompleted: 'initiatedEventId',
  ChildWorkflowExecutionFailed: 'initiatedEventId',
  ChildWorkflowExecutionCanceled: 'initiatedEventId',
  ChildWorkflowExecutionTimedOut: 'initiatedEventId',
  ChildWorkflowExecutionTerminated: 'initiatedEventId',
  SignalExternalWorkflowExecutionFailed: 'initiatedEventId',
  ExternalWorkflowExecutionSignaled: 'initiatedEventId',
  RequestCancelExternalWorkflowExecutionFailed: 'initiatedEventId',
  ExternalWorkflowExecutionCancelRequested: 'initiatedEventId',
  NexusOperationCompleted: 'scheduledEventId',
  NexusOperationFailed: 'scheduledEventId',
  NexusOperationCanceled: 'scheduledEventId',
  NexusOperationTimedOut: 'scheduledEventId',
});

/** Records that only say "it began": folded into the ending, else into what asked for it. */
const beginnings: Readonly<Record<string, string>> = createTable({
  ActivityTaskStarted: 'scheduledEventId',
  ChildWorkflowExecutionStarted: 'initiatedEventId',
  NexusOperationStarted: 'scheduledEventId',
});

/** What happens to an execution from outside and is given to its next workflow task. */
const givenTypes: ReadonlySet<string> = new Set([
  ...Object.keys(endings).filter((type) => type !== 'TimerCanceled'),
  'WorkflowExecutionStarted',
  'WorkflowExecutionSignaled',
  'WorkflowExecutionCancelRequested',
  'WorkflowExecutionUpdateAdmitted',
  // A task that failed is done again.
  'WorkflowTaskFailed',
  'WorkflowTaskTimedOut',
]);

/** The number of what this record ends; undefined for records that end nothing. */
export function endedNumber({ type, attributes }: HistoryRecord): number | undefined {
  const member = endings[type];
  return member === undefined ? undefined : eventNumber(attributes, member);
}

export function createExecutionMap(execution: Execution, line: Line | undefined): ExecutionMap {
  const { records, byNumber } = execution;
  const run = line?.base.run ?? execution.run;
  const ends = new Map<number, HistoryRecord>();
  for (const record of records) {
    const ended = endedNumber(record);
    if (ended !== undefined && byNumber.has(ended) && !ends.has(ended)) ends.set(ended, record);
  }
  const targets = computeTargets(execution, ends);
  const folded = computeFolded(execution, targets);
  const tasks = computeTasks(records);
  const given = computeGiven(records);
  const accepted = computeUpdates(records, 'WorkflowExecutionUpdateAccepted', 'acceptedRequest');
  const admitted = computeUpdates(records, 'WorkflowExecutionUpdateAdmitted', 'request');
  const paths = new Map<string, string>();
  const counts = new Map<string, number>();
  const idOf = (number: number, part?: string): EventId => {
    if (line !== undefined && number < line.from) return line.base.idOf(number, part);
    const target = targets.get(number) ?? number;
    return recordToEventId(run, `${line?.prefix ?? ''}${target}`, part);
  };
  return {
    execution,
    run,
    branch: line?.branch ?? mainBranch,
    line,
    idOf,
    targetOf: (number) => targets.get(number),
    foldedInto: (number) => folded.get(number) ?? [],
    stepOf: (started) => `task ${line?.prefix ?? ''}${started}`,
    endOf: (number) => ends.get(number),
    deliveryOf: (number) => deliveryIn(tasks, number),
    acceptedOf: (updateId) => accepted.get(updateId),
    admittedOf: (updateId) => admitted.get(updateId),
    givenTo: (started) => given.get(started) ?? [],
    pathOf: (number, kind, name, part = '') => {
      const known = paths.get(`${number} ${part}`);
      if (known !== undefined) return known;
      const label = `/${kind}:${escapeName(name)}`;
      const count = counts.get(label) ?? 0;
      counts.set(label, count + 1);
      const path = `${label}#${count}`;
      paths.set(`${number} ${part}`, path);
      return path;
    },
  };
}

/** As control code's own names are escaped in paths. */
function escapeName(name: string): string {
  return name.replace(/[%/#=]/g, encodeURIComponent);
}

/** One record of a kind is folded into another; a second one stands by itself, so that nothing of it is lost. */
function computeTargets(
  { records, byNumber }: Execution,
  ends: ReadonlyMap<number, HistoryRecord>,
): ReadonlyMap<number, number> {
  const targets = new Map<number, number>();
  const taken = new Set<string>();
  const fold = (number: number, type: string, target: number): void => {
    const key = `${target} ${type}`;
    if (taken.has(key)) return;
    taken.add(key);
    targets.set(number, target);
  };
  for (const { type, number, attributes } of records) {
    const member = beginnings[type];
    const asked = member === undefined ? undefined : eventNumber(attributes, member);
    if (asked !== undefined && byNumber.has(asked)) fold(number, type, ends.get(asked)?.number ?? asked);
    if (type !== 'WorkflowTaskStarted') continue;
    const scheduled = eventNumber(attributes, 'scheduledEventId');
    const isThere = scheduled !== undefined && byNumber.get(scheduled)?.type === 'WorkflowTaskScheduled';
    if (isThere && !targets.has(scheduled)) fold(scheduled, 'WorkflowTaskScheduled', number);
  }
  return targets;
}

function computeFolded({ byNumber }: Execution, targets: ReadonlyMap<number, number>) {
  const folded = new Map<number, HistoryRecord[]>();
  for (const [number, target] of targets) {
    const record = byNumber.get(number);
    const known = folded.get(target);
    if (record === undefined) continue;
    if (known === undefined) folded.set(target, [record]);
    else known.push(record);
  }
  return folded;
}

/** Updates by their id, which is that of the request or of the exchange it came in. */
function computeUpdates(records: readonly HistoryRecord[], kind: string, request: string): ReadonlyMap<string, number> {
  const updates = new Map<string, number>();
  for (const { type, number, attributes } of records) {
    if (type !== kind) continue;
    const id =
      textField(objectField(objectField(attributes, request), 'meta'), 'updateId') ??
      textField(attributes, 'protocolInstanceId');
    if (id !== undefined && !updates.has(id)) updates.set(id, number);
  }
  return updates;
}

function computeTasks(records: readonly HistoryRecord[]): readonly Task[] {
  const byNumber = new Map(records.map((record) => [record.number, record]));
  const tasks: Task[] = [];
  for (const { type, number, attributes } of records) {
    if (type !== 'WorkflowTaskCompleted') continue;
    const started = eventNumber(attributes, 'startedEventId');
    if (started === undefined || started >= number) continue;
    const millis = timeToMillis(byNumber.get(started)?.time ?? '');
    tasks.push({ started, completed: number, vt: millis === undefined ? undefined : Math.floor(millis) });
  }
  return tasks.sort((a, b) => a.started - b.started);
}

/** The first task that started after the event and completed. */
function deliveryIn(tasks: readonly Task[], number: number) {
  let low = 0;
  let high = tasks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tasks[middle]?.started ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  const task = tasks[low];
  return task === undefined ? undefined : { delivered: number, vt: task.vt };
}

function computeGiven(records: readonly HistoryRecord[]): ReadonlyMap<number, readonly HistoryRecord[]> {
  const given = new Map<number, readonly HistoryRecord[]>();
  let fresh: HistoryRecord[] = [];
  for (const record of records) {
    if (givenTypes.has(record.type)) fresh.push(record);
    if (record.type !== 'WorkflowTaskStarted') continue;
    given.set(record.number, fresh);
    fresh = [];
  }
  return given;
}

/** A folded record as it was, for the event that took it. */
export function foldedToExtra(records: readonly HistoryRecord[]): JsonObject {
  const out: Record<string, JsonObject> = {};
  for (const { type, number, time, attributes, rest } of records) {
    out[type] = { eventId: number, ...(time === undefined ? {} : { eventTime: time }), ...rest, ...attributes };
  }
  return out;
}
