/**
 * What rows of engines' own tables are: which table a row is of by its columns, and the drafts of events that it becomes.
 *
 * Invariant: these are what an engine remembers, not what happened outside. Steps and checkpoints become `step.*` and
 * `checkpoint.written`; everything else stays under the engine's name, so that no journal passes for a run's end or an effect.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import { decodeText } from '../decode/text.ts';
import type { InputPlace } from '../format.ts';

export type Table =
  | 'restate-journal'
  | 'restate-invocation'
  | 'restate-event'
  | 'dbos-output'
  | 'dbos-status'
  | 'langgraph-checkpoint'
  | 'langgraph-write';

/** Columns that only rows of this table have together. DBOS names them in two ways: in its tables, and in what its client returns. */
const columns: readonly (readonly [Table, readonly string[]])[] = [
  ['restate-journal', ['id', 'index', 'entry_type']],
  ['restate-event', ['id', 'event_type', 'event_json']],
  ['restate-invocation', ['id', 'target', 'target_service_name', 'status']],
  ['dbos-output', ['workflow_uuid', 'function_id', 'function_name']],
  ['dbos-output', ['functionID', 'name', 'childWorkflowID']],
  ['dbos-status', ['workflow_uuid', 'status', 'name']],
  ['dbos-status', ['workflowID', 'status', 'workflowName']],
  ['langgraph-write', ['thread_id', 'checkpoint_id', 'task_id', 'channel']],
  ['langgraph-checkpoint', ['thread_id', 'checkpoint_id', 'parent_checkpoint_id']],
];

export function tableOf(row: JsonObject): Table | undefined {
  return columns.find(([, names]) => names.every((name) => Object.hasOwn(row, name)))?.[0];
}

export interface ExportRow {
  readonly table: Table;
  /** As it was written. */
  readonly row: JsonObject;
  /** The same under the names of the columns. */
  readonly cells: JsonObject;
  /** Values of it are values, not JSON in text columns. */
  readonly isDecoded: boolean;
  /** What stands around it in its document, where that says more than the row. */
  readonly around?: JsonObject | undefined;
  readonly text: string;
  readonly place: InputPlace;
}

export interface CauseDraft {
  readonly event: string;
  readonly as: 'caused_by' | 'result_of' | 'consumed';
  /** Of an edge that the rule made, and no record. */
  readonly rule?: string | undefined;
  /** Left out where no row that was opened makes this event. */
  readonly ifOpened?: boolean | undefined;
}

export interface EventOfRow {
  readonly id: string;
  readonly type: string;
  readonly seq?: number | undefined;
  readonly time?: string | undefined;
  readonly causes: readonly CauseDraft[];
  readonly data: JsonObject;
}

export interface RowDraft {
  readonly component: string;
  /** The engine's own name of the execution; rows that share it are one run. */
  readonly execution: string;
  /** The execution that started this one, and the event in which it did. */
  readonly parent?: string | undefined;
  /** The first stands for the row; the others tell the times of it. */
  readonly events: readonly [EventOfRow, ...EventOfRow[]];
}

export function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) ? value[key] : undefined;
}

/** JSON kept in a text column; another text as it stands. */
export function parsed(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string') return value;
  const read = parseLossless(value);
  return read.ok ? read.value : value;
}

/** Payloads written as lists of bytes. */
export function bytesToValue(value: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonArray(value) || !value.every((byte) => typeof byte === 'number')) return value;
  return parsed(decodeText(Uint8Array.from(value)).text);
}

/** A failure as an error of the model; what it says beside name and message stands in `data`. Nothing recorded is no failure. */
export function toError(value: JsonValue | undefined): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value))
    return { name: 'Failure', message: typeof value === 'string' ? value : JSON.stringify(value) };
  const { name, message, ...rest } = value;
  return {
    name: typeof name === 'string' && name !== '' ? name : 'Failure',
    message: typeof message === 'string' ? message : '',
    ...(Object.keys(rest).length === 0 ? {} : { data: rest }),
  };
}
