/**
 * Rows of engines' own tables (Restate journal and invocations, DBOS outputs and status, LangGraph checkpoints and writes): which
 * table a row is of, and the event it becomes.
 *
 * Invariant: these are what an engine remembers, not what happened outside. Steps and checkpoints become `step.*` and
 * `checkpoint.written`; everything else stays under the engine's name, so that no journal passes for a run's end or an effect.
 */
import { sha256Hex, textToUtf8 } from '../../base/hash.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import { isRunId } from '../../model/index.ts';
import { decodeText } from '../decode/text.ts';
import { numberAt, objectAt, present, textAt } from './record.ts';

export type Table =
  | 'restate-journal'
  | 'restate-invocation'
  | 'restate-event'
  | 'dbos-output'
  | 'dbos-status'
  | 'langgraph-checkpoint'
  | 'langgraph-write';

/** Columns that only rows of this table have together. */
const columns: readonly (readonly [Table, readonly string[]])[] = [
  ['restate-journal', ['id', 'index', 'entry_type']],
  ['restate-event', ['id', 'event_type', 'event_json']],
  ['restate-invocation', ['id', 'target', 'target_service_name', 'status']],
  ['dbos-output', ['workflow_uuid', 'function_id', 'function_name']],
  ['dbos-status', ['workflow_uuid', 'status', 'name']],
  ['langgraph-write', ['thread_id', 'checkpoint_id', 'task_id', 'channel']],
  ['langgraph-checkpoint', ['thread_id', 'checkpoint_id', 'parent_checkpoint_id']],
];

export function tableOf(row: JsonObject): Table | undefined {
  return columns.find(([, names]) => names.every((name) => Object.hasOwn(row, name)))?.[0];
}

export interface RowDraft {
  readonly id: string;
  readonly type: string;
  readonly component: string;
  /** The engine's own name of the execution; rows that share it are one run. */
  readonly execution: string;
  readonly seq: number | undefined;
  readonly time: string | undefined;
  readonly cause: { readonly event: string; readonly as: string } | undefined;
  readonly data: JsonObject;
}

export function rowToDraft(table: Table, row: JsonObject, names: ReadonlyMap<string, string>): RowDraft {
  switch (table) {
    case 'restate-journal':
      return journalRow(row, names);
    case 'restate-event':
      return eventRow(row);
    case 'restate-invocation':
      return {
        ...plainRow('restate', 'restate.invocation', textAt(row, 'id') ?? '', row),
        time: textAt(row, 'created_at'),
      };
    case 'dbos-output':
      return outputRow(row);
    case 'dbos-status':
      return {
        ...plainRow('dbos', 'dbos.workflow_status', textAt(row, 'workflow_uuid') ?? '', row),
        time: epochToTime(numberAt(row, 'created_at')),
      };
    case 'langgraph-checkpoint':
      return checkpointRow(row);
    case 'langgraph-write':
      return writeRow(row);
  }
}

function plainRow(component: string, type: string, execution: string, data: JsonObject): RowDraft {
  return {
    id: `${component}/${execution}`,
    type,
    component,
    execution,
    seq: undefined,
    time: undefined,
    cause: undefined,
    data,
  };
}

/** Completion ids tell which command a notification ends; the name stands at the command. */
export function completionName(row: JsonObject): readonly [key: string, value: string] | undefined {
  const run = entryOf(row, 'Command', 'Run');
  const completion = numberAt(run, 'completion_id');
  const name = textAt(row, 'name') ?? textAt(run, 'name');
  const index = numberAt(row, 'index');
  if (completion === undefined || name === undefined || index === undefined) return undefined;
  return [`${textAt(row, 'id') ?? ''}|${completion}`, `${index}|${name}`];
}

function entryOf(row: JsonObject, ...path: readonly string[]): JsonObject | undefined {
  let value = parsed(row['entry_json']);
  for (const key of path) value = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(value) ? value : undefined;
}

function journalRow(row: JsonObject, names: ReadonlyMap<string, string>): RowDraft {
  const execution = textAt(row, 'id') ?? '';
  const index = numberAt(row, 'index');
  const kind = textAt(row, 'entry_type') ?? '';
  const id = `restate/${execution}:${index ?? kind}`;
  const base = { component: 'restate', execution, seq: index, time: textAt(row, 'appended_at'), cause: undefined };
  if (kind === 'Command: Run')
    return { ...base, id, type: 'step.started', data: { name: textAt(row, 'name') ?? '', row } };
  const completed = entryOf(row, 'Notification', 'Completion', 'Run');
  const known = names.get(`${execution}|${numberAt(completed, 'completion_id') ?? ''}`);
  if (completed !== undefined && known !== undefined) {
    const [at = '', name = ''] = known.split('|');
    const result = objectAt(completed, 'result');
    return {
      ...base,
      id,
      type: 'step.completed',
      cause: { event: `restate/${execution}:${at}`, as: 'result_of' },
      data: present({ name, result: bytesToValue(result?.['Success']), failure: result?.['Failure'], row }),
    };
  }
  const slug = kind.toLowerCase().replace(/[^a-z]+/g, '_');
  return { ...base, id, type: `restate.${slug}`, data: row };
}

function eventRow(row: JsonObject): RowDraft {
  const execution = textAt(row, 'id') ?? '';
  const time = textAt(row, 'appended_at');
  const after = numberAt(row, 'after_journal_entry_index');
  const name = (textAt(row, 'event_type') ?? 'event').replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  return {
    id: `restate/${execution}:event:${after ?? ''}:${time ?? ''}`,
    type: `restate.${name}`,
    component: 'restate',
    execution,
    seq: undefined,
    time,
    cause: after === undefined ? undefined : { event: `restate/${execution}:${after}`, as: 'caused_by' },
    data: present({ detail: parsed(row['event_json']), row }),
  };
}

function outputRow(row: JsonObject): RowDraft {
  const execution = textAt(row, 'workflow_uuid') ?? '';
  const step = numberAt(row, 'function_id');
  return {
    id: `dbos/${execution}:${step ?? ''}`,
    type: 'step.completed',
    component: 'dbos',
    execution,
    seq: step,
    time: epochToTime(numberAt(row, 'completed_at_epoch_ms')),
    cause: undefined,
    data: present({
      name: textAt(row, 'function_name'),
      result: parsed(row['output']),
      failure: parsed(row['error']),
      row,
    }),
  };
}

function checkpointRow(row: JsonObject): RowDraft {
  const execution = textAt(row, 'thread_id') ?? '';
  const parent = textAt(row, 'parent_checkpoint_id');
  const body = parsed(row['c']);
  return {
    id: `langgraph/${execution}:${textAt(row, 'checkpoint_id') ?? ''}`,
    type: 'checkpoint.written',
    component: 'langgraph',
    execution,
    seq: undefined,
    time: textAt(body, 'ts'),
    cause: parent === undefined ? undefined : { event: `langgraph/${execution}:${parent}`, as: 'consumed' },
    data: present({
      version: memberOf(body, 'channel_versions'),
      states: memberOf(body, 'channel_values'),
      meta: parsed(row['m']),
      row,
    }),
  };
}

function writeRow(row: JsonObject): RowDraft {
  const execution = textAt(row, 'thread_id') ?? '';
  const checkpoint = `langgraph/${execution}:${textAt(row, 'checkpoint_id') ?? ''}`;
  return {
    id: `${checkpoint}:${textAt(row, 'task_id') ?? ''}:${numberAt(row, 'idx') ?? textAt(row, 'idx') ?? ''}`,
    type: 'langgraph.write',
    component: 'langgraph',
    execution,
    seq: undefined,
    time: undefined,
    cause: { event: checkpoint, as: 'consumed' },
    data: present({ channel: textAt(row, 'channel'), value: parsed(row['v']), row }),
  };
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) ? value[key] : undefined;
}

/** JSON kept in a text column; another text as it stands. */
function parsed(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string') return value;
  const read = parseLossless(value);
  return read.ok ? read.value : value;
}

/** Restate writes payloads as lists of bytes. */
function bytesToValue(value: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonArray(value) || !value.every((byte) => typeof byte === 'number')) return value;
  return parsed(decodeText(Uint8Array.from(value)).text);
}

/** Milliseconds since the epoch as RFC 3339, by the civil calendar. */
export function epochToTime(ms: number | undefined): string | undefined {
  if (ms === undefined || !Number.isSafeInteger(ms) || ms < 0) return undefined;
  const days = Math.floor(ms / 86_400_000);
  const era = Math.floor((days + 719_468) / 146_097);
  const dayOfEra = days + 719_468 - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const two = (n: number): string => String(n).padStart(2, '0');
  const rest = ms % 86_400_000;
  const clock = [rest / 3_600_000, (rest / 60_000) % 60, (rest / 1000) % 60]
    .map((part) => two(Math.floor(part)))
    .join(':');
  return `${year}-${two(month)}-${two(day)}T${clock}.${String(rest % 1000).padStart(3, '0')}Z`;
}

/** The run an execution names: 32 hex digits in its id or in what it was called with; else made of the id (rule `export-run`). */
export function textToRun(text: string): string | undefined {
  for (const [found] of text.replaceAll(/(?<=[0-9a-f])-(?=[0-9a-f])/g, '').matchAll(/\b[0-9a-f]{32}\b/g)) {
    if (isRunId(found)) return found;
  }
  return undefined;
}

export function hashToRun(execution: string): string {
  return sha256Hex(textToUtf8(execution)).slice(0, 32);
}
