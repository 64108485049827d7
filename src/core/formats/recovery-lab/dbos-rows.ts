/**
 * Rows of DBOS's `workflow_status` and `operation_outputs`, and what its client returns of them, to drafts of events.
 *
 * Invariant: a fork whose original was opened is a branch of it; the steps that it copied are those of the original (rule
 * `dbos-copied-step`: the same number, name and times). No input of a step is stored, so none is told.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { millisToTime } from '../times.ts';
import { endsOfLines } from './ends-of-lines.ts';
import { numberAt, present, textAt } from './record.ts';
import {
  type CauseDraft,
  type EventOfRow,
  type ExportRow,
  memberOf,
  parsed,
  type RowDraft,
  toError,
} from './tables.ts';

/** Names that the client gives to columns, where they are not the same words. */
const clientNames: ReadonlyMap<string, string> = new Map([
  ['workflowID', 'workflow_uuid'],
  ['workflowName', 'name'],
  ['workflowClassName', 'class_name'],
  ['workflowConfigName', 'config_name'],
  ['dequeuedAt', 'started_at_epoch_ms'],
  ['input', 'inputs'],
]);

export function isClientRow(row: JsonObject): boolean {
  return Object.hasOwn(row, 'workflowID') || Object.hasOwn(row, 'functionID');
}

/** A row of the client under the names of the columns; a step does not name its workflow, the list it stands in does. */
export function clientCells(row: JsonObject, workflow: string | undefined): JsonObject {
  const isStep = Object.hasOwn(row, 'functionID');
  const cells = Object.entries(row).map(([key, value]): readonly [string, JsonValue] => {
    if (isStep && key === 'name') return ['function_name', value];
    return [clientNames.get(key) ?? snake(key), value];
  });
  return { ...Object.fromEntries(cells), ...(isStep && workflow !== undefined ? { workflow_uuid: workflow } : {}) };
}

function snake(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
}

export function workflowOf({ cells }: ExportRow): string {
  return textAt(cells, 'workflow_uuid') ?? '';
}

/** What the rows of all workflows say together. */
export interface DbosNames {
  /** The step that started a child workflow. */
  readonly starts: ReadonlyMap<string, string>;
  /** Forks, and the workflows they were forked from, where these were opened. */
  readonly parents: ReadonlyMap<string, string>;
  /** Steps of forks that were copied, and the steps that they are copies of. */
  readonly originals: ReadonlyMap<string, string>;
}

export function toDbosNames(rows: readonly ExportRow[]): DbosNames {
  const starts = new Map<string, string>();
  const steps = new Map<string, ExportRow>();
  for (const row of rows) {
    if (row.table !== 'dbos-output') continue;
    steps.set(stepId(row), row);
    const child = textAt(row.cells, 'child_workflow_id');
    if (child !== undefined && !isWaiting(row)) starts.set(child, stepId(row));
  }
  const parents = toParents(rows);
  return { starts, parents, originals: toOriginals(steps, parents) };
}

function toParents(rows: readonly ExportRow[]): ReadonlyMap<string, string> {
  const told = rows.filter(({ table }) => table === 'dbos-status');
  const opened = new Set(told.map(workflowOf));
  const parents = new Map<string, string>();
  for (const row of told) {
    const from = textAt(row.cells, 'forked_from');
    if (from !== undefined && opened.has(from)) parents.set(workflowOf(row), from);
  }
  // Ids that name each other in a circle say nothing of what came first. A line whose end has a parent ran into one.
  const ends = endsOfLines(parents.keys(), parents);
  return new Map([...parents].filter(([fork]) => !parents.has(ends.get(fork) ?? fork)));
}

/** A fork of a fork copies copies: the first of them is the step. */
function toOriginals(
  steps: ReadonlyMap<string, ExportRow>,
  parents: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const copies = new Map<string, string>();
  for (const [id, row] of steps) {
    const parent = parents.get(workflowOf(row));
    const original = parent === undefined ? undefined : steps.get(`dbos/${parent}:${numberOf(row)}`);
    if (original !== undefined && isCopy(row, original)) copies.set(id, stepId(original));
  }
  const ends = endsOfLines(copies.keys(), copies);
  return new Map([...copies].map(([copy, original]) => [copy, ends.get(copy) ?? original]));
}

/** A step that was run anew has times of its own. */
function isCopy(row: ExportRow, original: ExportRow): boolean {
  const times = ['started_at_epoch_ms', 'completed_at_epoch_ms'];
  return (
    numberAt(row.cells, 'completed_at_epoch_ms') !== undefined &&
    [...times, 'function_name'].every((key) => row.cells[key] === original.cells[key])
  );
}

/** It waits for a child that another step had started. */
function isWaiting({ cells }: ExportRow): boolean {
  return textAt(cells, 'function_name') === 'DBOS.getResult';
}

function numberOf({ cells }: ExportRow): string {
  return String(numberAt(cells, 'function_id') ?? '');
}

export function stepId(row: ExportRow): string {
  return `dbos/${workflowOf(row)}:${numberOf(row)}`;
}

export function dbosRow(row: ExportRow, names: DbosNames): RowDraft {
  const execution = workflowOf(row);
  const events = row.table === 'dbos-output' ? stepEvents(row, execution) : statusEvents(row, execution, names);
  const parent = row.table === 'dbos-status' ? textAt(row.cells, 'parent_workflow_id') : undefined;
  return { component: 'dbos', execution, parent, events };
}

function stepEvents(row: ExportRow, execution: string): RowDraft['events'] {
  const { cells } = row;
  const id = stepId(row);
  const name = textAt(cells, 'function_name');
  const started = millisToTime(numberAt(cells, 'started_at_epoch_ms'));
  const child = textAt(cells, 'child_workflow_id');
  const copied = copiedFrom(row);
  // What was copied into a fork happened before there was the fork.
  const within: readonly CauseDraft[] =
    copied === undefined ? [{ event: `dbos/${execution}`, as: 'caused_by', ifOpened: true }] : [];
  const waited: readonly CauseDraft[] =
    child === undefined || !isWaiting(row) ? [] : [{ event: `dbos/${child}/end`, as: 'consumed', ifOpened: true }];
  const completed: EventOfRow = {
    id,
    type: 'step.completed',
    seq: numberAt(cells, 'function_id'),
    time: millisToTime(numberAt(cells, 'completed_at_epoch_ms')),
    causes: [...(started === undefined ? within : [{ event: `${id}/start`, as: 'result_of' } as const]), ...waited],
    data: present({
      name,
      result: valueOf(row, cells['output']),
      error: toError(valueOf(row, cells['error'])),
      copied_from: copied,
      child_workflow: child,
      row: row.row,
    }),
  };
  if (started === undefined) return [completed];
  const start = { id: `${id}/start`, type: 'step.started', time: started, causes: within, data: present({ name }) };
  return [completed, start];
}

/** A fork that says from which step on it ran anew has copied those before. */
function copiedFrom({ around, cells }: ExportRow): string | undefined {
  const first = numberAt(around, 'start_step');
  const own = numberAt(cells, 'function_id');
  return first !== undefined && own !== undefined && own < first ? textAt(around, 'forked_from') : undefined;
}

const values: ReadonlySet<string> = new Set(['inputs', 'output', 'error']);

function statusEvents(row: ExportRow, execution: string, names: DbosNames): RowDraft['events'] {
  const { cells } = row;
  const id = `dbos/${execution}`;
  const parent = textAt(cells, 'parent_workflow_id');
  const origin = names.parents.get(execution) ?? parent;
  const start = names.starts.get(execution) ?? (origin === undefined ? undefined : `dbos/${origin}`);
  const told = Object.entries(cells).filter(([key]) => !values.has(key));
  const status: EventOfRow = {
    id,
    type: 'dbos.workflow_status',
    time: millisToTime(numberAt(cells, 'created_at')),
    causes: start === undefined ? [] : [{ event: start, as: 'caused_by', ifOpened: true }],
    data: present({
      ...Object.fromEntries(told),
      input: valueOf(row, cells['inputs']),
      row: row.row,
      around: row.around,
    }),
  };
  return [status, ...dequeuedEvents(cells, id), ...endEvents(row, id)];
}

function dequeuedEvents(cells: JsonObject, id: string): readonly EventOfRow[] {
  const queue = textAt(cells, 'queue_name');
  const time = millisToTime(numberAt(cells, 'started_at_epoch_ms'));
  if (queue === undefined || time === undefined) return [];
  const causes = [{ event: id, as: 'caused_by' } as const];
  return [{ id: `${id}/dequeued`, type: 'dbos.workflow_dequeued', time, causes, data: { name: queue } }];
}

function endEvents(row: ExportRow, id: string): readonly EventOfRow[] {
  const { cells } = row;
  const status = textAt(cells, 'status') ?? '';
  if (!/^(?:SUCCESS|ERROR|CANCELLED|MAX_RECOVERY_ATTEMPTS_EXCEEDED|RETRIES_EXCEEDED)$/.test(status)) return [];
  const data = present({
    name: textAt(cells, 'name'),
    outcome: status,
    result: valueOf(row, cells['output']),
    error: toError(valueOf(row, cells['error'])),
  });
  const time = millisToTime(numberAt(cells, 'completed_at'));
  return [{ id: `${id}/end`, type: 'dbos.workflow_ended', time, causes: [{ event: id, as: 'result_of' }], data }];
}

/** An end that is no success is a failure, also where no row has its error. */
export function withFailure(event: EventOfRow): EventOfRow {
  const outcome = textAt(event.data, 'outcome');
  const isTold = outcome === undefined || outcome === 'SUCCESS' || event.data['error'] !== undefined;
  if (event.type !== 'dbos.workflow_ended' || isTold) return event;
  return { ...event, data: { ...event.data, error: { name: outcome, message: '' } } };
}

/** A column of the table holds JSON as text, in newer versions inside the envelope of its serialiser. */
function valueOf({ isDecoded }: ExportRow, cell: JsonValue | undefined): JsonValue | undefined {
  if (isDecoded) return cell;
  const value = parsed(cell);
  return isJsonObject(value) && memberOf(value, '__dbos_serializer') !== undefined ? value['json'] : value;
}
