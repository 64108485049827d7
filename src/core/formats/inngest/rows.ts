/**
 * Rows of a run's history: the function was called (`StepStarted`), answered (`StepCompleted`, with the step it ran or planned), failed, or
 * waits. A group is one call of the function, with its attempts and what it waits for.
 *
 * Invariant: rows of a group are joined by its id (recorded); groups are joined by nothing, so only by the clock, and drawn so.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { timeToMillis } from '../../base/time.ts';
import { type CauseDraft, type EventDraft, recordToEventId } from '../draft.ts';
import type { InputPlace } from '../format.ts';
import type { MappedRecord } from '../grouped.ts';
import { memberAt, numberAt, objectAt, textAt, withoutUndefined } from '../members.ts';
import { valueToTime } from '../times.ts';
import { readNames, restOfNames } from './names.ts';
import type { RuleName } from './rules.ts';

export interface Row {
  readonly id: string;
  readonly type: string;
  readonly run: string | undefined;
  readonly group: string | undefined;
  readonly attempt: number;
  readonly time: string | undefined;
  readonly step: string | undefined;
  readonly value: JsonObject;
  readonly names: JsonObject;
  readonly place: InputPlace;
}

const rowTypes = /^(?:Function|Step)[A-Z][A-Za-z]+$/;

export function valueToRow(value: JsonObject, place: InputPlace): Row | undefined {
  const names = readNames(value);
  const id = textAt(names, 'id');
  const type = textAt(names, 'type');
  if (id === undefined || type === undefined || !rowTypes.test(type)) return undefined;
  const isRow = ['groupid', 'attempt', 'createdat', 'runid'].some((name) => memberAt(names, name) !== undefined);
  if (!isRow) return undefined;
  return {
    id,
    type,
    run: textAt(names, 'runid'),
    group: textAt(names, 'groupid'),
    attempt: (numberAt(names, 'attempt') ?? 0) + 1,
    time: valueToTime(memberAt(names, 'createdat'))?.time,
    step: textAt(names, 'stepname'),
    value,
    names,
    place,
  };
}

/** Within one millisecond ids are drawn: what begins stands before what it began. */
const ranks: readonly RegExp[] = [/^Function(?:Scheduled|Started)$/, /^StepScheduled$/, /^StepStarted$/, /^Step/];

function rankOf({ type }: Row): number {
  const rank = ranks.findIndex((kind) => kind.test(type));
  return rank < 0 ? ranks.length : rank;
}

/** By the times of rows, which are finer than those in their ids. */
export function compareRows(a: Row, b: Row): number {
  const [one, other] = [timeToMillis(a.time ?? ''), timeToMillis(b.time ?? '')];
  const byTime = one === undefined || other === undefined ? 0 : one - other;
  // Ids begin with their time in ten digits.
  const [early, late] = [a.id.slice(0, 10), b.id.slice(0, 10)];
  return byTime || (early < late ? -1 : early > late ? 1 : 0) || rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1);
}

interface Thread {
  readonly run: string;
  /** What a call of the function ran, which its answer names, or the row that planned it; by group and attempt. */
  readonly names: ReadonlyMap<string, string>;
  readonly last: Map<string, Row>;
  /** The call of the function that a group is in, by group and attempt. */
  readonly calls: Map<string, Row>;
  /** What a group waits for. */
  readonly waits: Map<string, Row>;
  started: Row | undefined;
  answer: Row | undefined;
}

const placed = ['id', 'type', 'createdAt', 'attempt', 'groupID', 'stepName'];

/** Rows of one run in order. */
export function rowsToRecords(run: string, rows: readonly Row[]): readonly MappedRecord[] {
  const thread: Thread = {
    run,
    names: computeNames(rows),
    last: new Map(),
    calls: new Map(),
    waits: new Map(),
    started: undefined,
    answer: undefined,
  };
  return rows.map((row) => {
    const draft = rowToDraft(thread, row);
    remember(thread, row);
    return { place: row.place, drafts: [draft] };
  });
}

/** The engine writes `step` where it does not know yet what a call will run. */
function computeNames(rows: readonly Row[]): ReadonlyMap<string, string> {
  const planned = new Map<string, string>();
  const names = new Map<string, string>();
  for (const { type, group = '', attempt, step } of rows) {
    if (step === undefined || step === 'step') continue;
    if (type === 'StepScheduled') planned.set(group, step);
    if (type === 'StepCompleted' || type === 'StepErrored' || type === 'StepFailed')
      names.set(`${group} ${attempt}`, step);
  }
  for (const { type, group = '', attempt } of rows) {
    const key = `${group} ${attempt}`;
    const name = planned.get(group);
    if (type === 'StepStarted' && name !== undefined && !names.has(key)) names.set(key, name);
  }
  return names;
}

function nameOf(thread: Thread, { group = '', attempt }: Row): string {
  return thread.names.get(`${group} ${attempt}`) ?? 'call of the function';
}

function remember(thread: Thread, row: Row): void {
  const group = row.group ?? '';
  thread.last.set(group, row);
  if (row.type === 'FunctionStarted' || row.type === 'FunctionScheduled') thread.started ??= row;
  if (row.type === 'StepStarted') thread.calls.set(`${group} ${row.attempt}`, row);
  if (waiting.has(row.type)) thread.waits.set(group, row);
  if (row.type === 'StepCompleted' || row.type === 'StepFailed') thread.answer = row;
}

const waiting: ReadonlySet<string> = new Set(['StepSleeping', 'StepWaiting', 'StepInvoking']);

function idOf(thread: Thread, { id }: Row): ReturnType<typeof recordToEventId> {
  return recordToEventId(thread.run, id);
}

function rowToDraft(thread: Thread, row: Row): EventDraft {
  const told = tell(thread, row);
  return {
    id: idOf(thread, row),
    run: thread.run,
    time: row.time,
    clock: 'inngest',
    record: row.id,
    agent: 'function',
    causes: told.causes ?? [followed(thread, row)],
    extra: restOfNames(row.value, placed),
    type: told.type,
    data: told.data,
  };
}

/** In its group the row before; the first row of a group only has the clock. */
function followed(thread: Thread, row: Row): CauseDraft | undefined {
  const before = thread.last.get(row.group ?? '');
  const follows: RuleName = 'first-row-of-group';
  const clock: RuleName = 'row-before';
  if (before !== undefined) return { event: idOf(thread, before), as: 'caused_by', rule: follows };
  const other = thread.answer ?? thread.started;
  return other === undefined
    ? undefined
    : { event: idOf(thread, other), as: 'caused_by', rule: clock, clockOnly: true };
}

interface Told {
  readonly type: string;
  readonly data: JsonObject;
  readonly causes?: readonly CauseDraft[];
}

function tell(thread: Thread, row: Row): Told {
  const { names, step, attempt } = row;
  const result = objectAt(names, 'result');
  switch (row.type) {
    case 'FunctionStarted':
      return {
        type: 'run.started',
        data: withoutUndefined({ program: { name: textAt(names, 'functionid') ?? 'function' } }),
      };
    case 'FunctionCompleted':
      return { type: 'run.completed', data: withoutUndefined({ result: outputOf(result) }) };
    case 'FunctionFailed':
      return { type: 'run.failed', data: { error: errorOf(result, 'FunctionFailed') } };
    case 'FunctionCancelled':
      return {
        type: 'run.failed',
        data: {
          error: withoutUndefined({
            name: 'Cancelled',
            message: 'The run was cancelled.',
            data: objectAt(names, 'cancel'),
          }),
        },
      };
    case 'StepStarted':
      return { type: 'step.started', data: { name: nameOf(thread, row), attempt } };
    case 'StepCompleted':
      return answered(thread, row, result);
    case 'StepErrored':
    case 'StepFailed': {
      const data = {
        name: nameOf(thread, row),
        attempt,
        error: errorOf(result, row.type),
        final: row.type === 'StepFailed',
      };
      return withCall(thread, row, { type: 'step.completed', data });
    }
    case 'StepSleeping':
      return {
        type: 'timer.started',
        data: withoutUndefined({ name: step, due: due(textAt(objectAt(names, 'sleep'), 'until')) }),
      };
    case 'StepWaiting': {
      const wait = readNames(objectAt(names, 'waitforevent') ?? {});
      return {
        type: 'signal.awaited',
        data: withoutUndefined({ name: textAt(wait, 'eventname') ?? step, due: due(textAt(wait, 'timeout')) }),
      };
    }
    case 'StepInvoking': {
      const invoke = readNames(objectAt(names, 'invokefunction') ?? {});
      return { type: 'agent.spawned', data: withoutUndefined({ name: step, to: textAt(invoke, 'functionid') }) };
    }
    default:
      return {
        type: `inngest.${row.type.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()}`,
        data: withoutUndefined({ name: step, attempt }),
      };
  }
}

/** An answer of the function, or the end of a wait: the row that says how the wait ended has the same type. */
function answered(thread: Thread, row: Row, result: JsonObject | undefined): Told {
  const wait = thread.waits.get(row.group ?? '');
  const ended = objectAt(row.names, 'waitresult');
  const invoked = objectAt(row.names, 'invokefunctionresult');
  if (wait !== undefined && (ended !== undefined || invoked !== undefined)) {
    const causes: readonly CauseDraft[] = [{ event: idOf(thread, wait), as: 'result_of' }];
    const names = readNames(ended ?? invoked ?? {});
    const timedOut = memberAt(names, 'timeout') === true;
    const child = textAt(names, 'runid');
    const data = withoutUndefined({
      name: wait.step,
      event_id: textAt(names, 'eventid'),
      timed_out: timedOut || undefined,
      child: child === undefined ? undefined : { run_id: child },
      error: timedOut ? { name: 'TimeoutError', message: 'Nothing came in time.' } : undefined,
    });
    const type = ended === undefined ? 'agent.joined' : timedOut ? 'signal.cancelled' : 'signal.received';
    return { type, data, causes };
  }
  const data = withoutUndefined({ name: nameOf(thread, row), attempt: row.attempt, result: outputOf(result) });
  return withCall(thread, row, { type: 'step.completed', data });
}

/** The call of the same group and attempt. */
function withCall(thread: Thread, row: Row, told: Told): Told {
  const call = thread.calls.get(`${row.group ?? ''} ${row.attempt}`);
  return call === undefined ? told : { ...told, causes: [{ event: idOf(thread, call), as: 'result_of' }] };
}

function due(text: string | undefined): number | undefined {
  const millis = timeToMillis(text ?? '');
  return millis === undefined ? undefined : Math.floor(millis);
}

function outputOf(result: JsonObject | undefined): JsonValue | undefined {
  const names = readNames(result ?? {});
  return memberAt(names, 'rawoutput') ?? textAt(names, 'output');
}

function errorOf(result: JsonObject | undefined, name: string): JsonObject {
  const code = textAt(readNames(result ?? {}), 'errorcode');
  const output = outputOf(result);
  return withoutUndefined({
    name: code ?? name,
    message: typeof output === 'string' ? output : '',
    data: typeof output === 'string' ? undefined : output,
  });
}
