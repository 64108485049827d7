/**
 * Rows of Restate's `sys_invocation`, `sys_journal` and `sys_journal_events` to drafts of events.
 *
 * Invariant: an entry that completes a command names it by a completion id; no other order of entries becomes an edge.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { numberAt, objectAt, present, textAt } from './record.ts';
import { bytesToValue, type CauseDraft, type ExportRow, memberOf, parsed, type RowDraft, toError } from './tables.ts';

interface CommandName {
  readonly event: string;
  readonly name: string;
}

/** What the rows of all executions say together. */
export interface RestateNames {
  /** The command that a completion id of an execution ends. */
  readonly commands: ReadonlyMap<string, CommandName>;
  /** The call that started an invocation. */
  readonly calls: ReadonlyMap<string, string>;
}

export function toRestateNames(rows: readonly ExportRow[]): RestateNames {
  const commands = new Map<string, CommandName>();
  const calls = new Map<string, string>();
  for (const { table, cells } of rows) {
    if (table !== 'restate-journal') continue;
    const [kind, command] = entryOf(cells, 'Command');
    const event = journalId(cells);
    const name = textAt(cells, 'name') ?? textAt(command, 'name') ?? targetOf(command) ?? (kind === 'Run' ? '' : kind);
    for (const key of ['completion_id', 'result_completion_id', 'invocation_id_completion_id']) {
      const id = numberAt(command, key);
      if (id !== undefined) commands.set(completionKey(cells, id), { event, name });
    }
    const called = textAt(objectAt(command, 'request'), 'invocation_id');
    if (called !== undefined) calls.set(called, event);
  }
  return { commands, calls };
}

export function restateRow({ table, row, cells }: ExportRow, names: RestateNames): RowDraft {
  const execution = textAt(cells, 'id') ?? '';
  const invocation = `restate/${execution}`;
  const own = { component: 'restate', execution };
  if (table === 'restate-invocation')
    return { ...own, parent: textAt(row, 'invoked_by_id'), events: invocationEvents(row, invocation, names) };
  if (table === 'restate-event') return { ...own, events: [troubleEvent(cells, row, execution)] };
  const index = numberAt(cells, 'index');
  const kind = textAt(cells, 'entry_type') ?? '';
  const base = { id: journalId(cells), seq: index, time: textAt(cells, 'appended_at') };
  const within: CauseDraft = { event: invocation, as: 'caused_by', ifOpened: true };
  const [, command] = entryOf(cells, 'Command');
  const name = textAt(cells, 'name');
  if (kind === 'Command: Run')
    return { ...own, events: [{ ...base, type: 'step.started', causes: [within], data: { name: name ?? '', row } }] };
  if (command !== undefined) {
    const data = present({ name: targetOf(command) ?? name, ...commandValues(command), row });
    return { ...own, events: [{ ...base, type: slugOf(kind), causes: [within], data }] };
  }
  const [ended, completion] = completionOf(cells);
  const answered = names.commands.get(completionKey(cells, numberAt(completion, 'completion_id')));
  const isStep = ended === 'Run' && answered !== undefined;
  const data = present({ name: answered?.name, ...resultOf(completion), row });
  const causes: readonly CauseDraft[] =
    answered === undefined ? [within] : [{ event: answered.event, as: 'result_of' }];
  return { ...own, events: [{ ...base, type: isStep ? 'step.completed' : slugOf(kind), causes, data }] };
}

function invocationEvents(row: JsonObject, id: string, { calls }: RestateNames): RowDraft['events'] {
  const caller = textAt(row, 'invoked_by_id');
  const call = calls.get(textAt(row, 'id') ?? '') ?? (caller === undefined ? undefined : `restate/${caller}`);
  const started = {
    id,
    type: 'restate.invocation',
    time: textAt(row, 'created_at'),
    causes: call === undefined ? [] : [{ event: call, as: 'caused_by', ifOpened: true } as const],
    data: row,
  };
  const ended = textAt(row, 'completed_at');
  if (ended === undefined) return [started];
  const data = present({
    name: row['target'],
    outcome: row['completion_result'],
    error: toError(row['completion_failure']),
  });
  const end = { id: `${id}/end`, type: 'restate.invocation_ended', time: ended, data };
  return [started, { ...end, causes: [{ event: id, as: 'result_of' }] }];
}

function troubleEvent(cells: JsonObject, row: JsonObject, execution: string) {
  const time = textAt(cells, 'appended_at');
  const after = numberAt(cells, 'after_journal_entry_index');
  const detail = parsed(cells['event_json']);
  const causes: readonly CauseDraft[] =
    after === undefined ? [] : [{ event: `restate/${execution}:${after}`, as: 'caused_by' }];
  const message = memberOf(detail, 'error_message');
  return {
    id: `restate/${execution}:event:${after ?? ''}:${time ?? ''}`,
    type: `restate.${snake(textAt(cells, 'event_type') ?? 'event')}`,
    time,
    causes,
    data: present({ name: memberOf(detail, 'related_command_name'), error: toError(message), detail, row }),
  };
}

function journalId(cells: JsonObject): string {
  const index = numberAt(cells, 'index') ?? textAt(cells, 'entry_type') ?? '';
  return `restate/${textAt(cells, 'id') ?? ''}:${index}`;
}

function completionKey(cells: JsonObject, completion: number | undefined): string {
  return `${textAt(cells, 'id') ?? ''}|${completion ?? ''}`;
}

/** Kind and members of what `entry_json` holds under these names. */
function entryOf(
  cells: JsonObject,
  ...path: readonly string[]
): readonly [kind: string, entry: JsonObject | undefined] {
  let value = parsed(cells['entry_json']);
  for (const key of path) value = memberOf(value, key);
  const [kind = '', entry] = isJsonObject(value) ? (Object.entries(value)[0] ?? []) : [];
  return [kind, isJsonObject(entry) ? entry : undefined];
}

function completionOf(cells: JsonObject): readonly [kind: string, entry: JsonObject | undefined] {
  return entryOf(cells, 'Notification', 'Completion');
}

/** `Reviewer/review`, of a call or a message to another service. */
function targetOf(command: JsonObject | undefined): string | undefined {
  const target = objectAt(objectAt(command, 'request'), 'invocation_target');
  const [about] = target === undefined ? [] : Object.values(target);
  const name = textAt(about, 'name');
  return name === undefined ? undefined : `${name}/${textAt(about, 'handler') ?? ''}`;
}

function commandValues(command: JsonObject): Readonly<Record<string, JsonValue | undefined>> {
  const request = objectAt(command, 'request');
  return {
    input: bytesToValue(command['payload']),
    args: bytesToValue(request?.['parameter']),
    invocation: request?.['invocation_id'],
    ...resultOf(command),
  };
}

function resultOf(entry: JsonObject | undefined): Readonly<Record<string, JsonValue | undefined>> {
  const result = objectAt(entry, 'result');
  return { result: bytesToValue(result?.['Success']), error: toError(result?.['Failure']) };
}

function slugOf(kind: string): string {
  return `restate.${snake(kind).replace(/[^a-z]+/g, '_')}`;
}

function snake(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
}
