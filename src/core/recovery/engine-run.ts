/**
 * What a durable engine itself remembers of a run, read from its own tables (Restate journal, DBOS outputs, LangGraph checkpoints): its
 * steps with their results, how it says the run stands, and the trouble it wrote down.
 *
 * Invariant: nothing here is evidence of what happened outside; `engine-ledger.ts` holds it against the ledger of the service. A run that
 * the engine calls complete is complete by its word.
 */
import { isJsonArray, isJsonObject, type JsonValue } from '../base/json.ts';
import { memberOf, payloadOf, textOf } from '../causal/index.ts';
import { mainBranch, type HindcastEvent } from '../model/index.ts';
import type { RecoveryTrace } from './report.ts';

export interface EngineStep {
  readonly name: string;
  /** `failed` and `under way` as the engine has it. */
  readonly state: 'completed' | 'failed' | 'under way';
  readonly result: JsonValue | undefined;
  readonly events: readonly string[];
}

export interface EngineNote {
  readonly text: string;
  readonly events: readonly string[];
}

export interface EngineRun {
  readonly run: string;
  readonly engine: string;
  /** Runs under which rows of it were opened. */
  readonly recordedAs: readonly string[];
  /** The engine's own names of the execution. */
  readonly executions: readonly string[];
  readonly traces: readonly string[];
  readonly steps: readonly EngineStep[];
  readonly status: 'completed' | 'failed' | 'not completed' | 'not recorded';
  readonly statusText: string;
  readonly statusEvents: readonly string[];
  /** Attempts, errors and recoveries that the engine wrote down. */
  readonly notes: readonly EngineNote[];
}

const tables: ReadonlySet<string> = new Set([
  'restate-journal',
  'restate-invocation',
  'restate-event',
  'dbos-output',
  'dbos-status',
  'langgraph-checkpoint',
  'langgraph-write',
]);

const engineNames: ReadonlyMap<string, string> = new Map([
  ['restate', 'Restate'],
  ['dbos', 'DBOS'],
  ['langgraph', 'LangGraph'],
]);

/** As its makers write it. */
export function nameOfEngine(engine: string): string {
  return engineNames.get(engine) ?? engine;
}

function isOfEngineTable({ imported }: HindcastEvent): boolean {
  return imported?.record !== undefined && tables.has(imported.record);
}

/** Rows of one execution are one run, wherever they were opened; a file that names no run is joined by the execution's own name. */
export function readEngineRuns(traces: readonly RecoveryTrace[]): readonly EngineRun[] {
  const rows = traces.flatMap(({ name, events }) =>
    // What a replay here made is no memory of the engine; a fork that the engine made is.
    events.filter((event) => event.replay === undefined && isOfEngineTable(event)).map((event) => ({ name, event })),
  );
  const runs = new Map<string, string>();
  for (const { event } of rows) {
    const key = executionOf(event);
    if (!isRunInferred(event)) runs.set(key, event.run);
    else if (!runs.has(key)) runs.set(key, event.run);
  }
  const found = new Map<string, { readonly events: Map<string, HindcastEvent>; readonly traces: Set<string> }>();
  for (const { name, event } of rows) {
    const key = `${event.source.component}|${runs.get(executionOf(event)) ?? ''}`;
    const own = found.get(key) ?? { events: new Map<string, HindcastEvent>(), traces: new Set<string>() };
    own.events.set(event.id, event);
    own.traces.add(name);
    found.set(key, own);
  }
  return [...found].flatMap(([key, own]) => {
    // Rows that have a number of the engine's own are in its order.
    const events = [...own.events.values()].sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
    const [first] = events;
    return first === undefined ? [] : [toEngineRun(key.slice(key.indexOf('|') + 1), first, events, [...own.traces])];
  });
}

function executionOf({ source }: HindcastEvent): string {
  return `${source.component}|${String(source.instance ?? '')}`;
}

/** The importer made the run of the execution's name, because nothing it had read named one. */
function isRunInferred({ imported }: HindcastEvent): boolean {
  return isJsonObject(imported?.extra) && imported.extra['rule'] === 'export-run';
}

function toEngineRun(
  run: string,
  first: HindcastEvent,
  events: readonly HindcastEvent[],
  traces: readonly string[],
): EngineRun {
  const { component } = first.source;
  const read = readers.get(component) ?? readRestate;
  const executions = [...new Set(events.map(({ source }) => String(source.instance ?? '')))];
  const recordedAs = [...new Set(events.map((event) => event.run))];
  return { run, recordedAs, engine: component, executions, traces, ...read(events) };
}

type Reading = Pick<EngineRun, 'steps' | 'status' | 'statusText' | 'statusEvents' | 'notes'>;

const readers: ReadonlyMap<string, (events: readonly HindcastEvent[]) => Reading> = new Map([
  ['restate', readRestate],
  ['dbos', readDbos],
  ['langgraph', readLangGraph],
]);

const noStatus = { status: 'not recorded', statusText: 'no row says how the run stands', statusEvents: [] } as const;

function readRestate(events: readonly HindcastEvent[]): Reading {
  const ends = events.filter(({ type }) => type === 'step.completed');
  const ended = new Set(ends.flatMap(({ causes }) => causes?.map(({ event }) => String(event)) ?? []));
  const open = events.filter(({ type, id }) => type === 'step.started' && !ended.has(id));
  const steps = [...ends.map((event) => endToStep(event)), ...open.map(openToStep)];
  const invocation = firstOf(events, 'restate.invocation');
  const status = textOf(fieldOf(invocation, 'status'));
  const how = textOf(fieldOf(invocation, 'completion_result'));
  const errors = events.filter(({ imported }) => imported?.record === 'restate-event');
  return {
    steps,
    ...(invocation === undefined
      ? noStatus
      : {
          status: status !== 'completed' ? 'not completed' : how === 'success' ? 'completed' : 'failed',
          statusText: `the invocation is ${status ?? 'without a status'}${how === undefined ? '' : `, ${how}`}`,
          statusEvents: [invocation.id],
        }),
    notes: errors.map((event) => ({ text: errorToText(event), events: [event.id] })),
  };
}

function errorToText(event: HindcastEvent): string {
  const detail = fieldOf(event, 'detail');
  const code = textOf(memberOf(detail, 'restate_doc_error_code')) ?? textOf(memberOf(detail, 'error_code'));
  const message = textOf(memberOf(detail, 'error_message')) ?? '';
  return `${textOf(memberOf(detail, 'ty')) ?? 'event'}${code === undefined ? '' : ` ${code}`}${message === '' ? '' : `: ${message}`}`;
}

function readDbos(events: readonly HindcastEvent[]): Reading {
  const steps = events.filter(({ type }) => type === 'step.completed').map(endToStep);
  const row = firstOf(events, 'dbos.workflow_status');
  const end = events.find(
    ({ type, source }) => isType(type, 'dbos.workflow_ended') && source.instance === row?.source.instance,
  );
  const status = textOf(fieldOf(row, 'status'));
  const attempts = fieldOf(row, 'recovery_attempts');
  const version = textOf(fieldOf(row, 'application_version'));
  const told = fieldOf(end, 'error');
  const error = textOf(memberOf(told, 'message')) ?? textOf(told);
  return {
    steps,
    ...(row === undefined
      ? noStatus
      : {
          status: status === 'SUCCESS' ? 'completed' : status === 'ERROR' ? 'failed' : 'not completed',
          statusText: `the workflow is ${status ?? 'without a status'}${version === undefined ? '' : `, under version ${version}`}`,
          statusEvents: [row.id],
        }),
    notes:
      row === undefined
        ? []
        : [
            ...(typeof attempts === 'number'
              ? [{ text: `the engine counts ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`, events: [row.id] }]
              : []),
            ...(error === undefined ? [] : [{ text: error.slice(0, 400), events: [row.id] }]),
          ],
  };
}

const nextNode = 'branch:to:';

/** A task wrote against the checkpoint it started from; that one names the node it was to run. */
function readLangGraph(events: readonly HindcastEvent[]): Reading {
  const checkpoints = events.filter(({ imported }) => imported?.record === 'langgraph-checkpoint');
  const nodes = new Map(checkpoints.map((event) => [String(event.id), plannedNodes(event)]));
  const tasks = new Map<string, { readonly from: string; readonly writes: HindcastEvent[] }>();
  for (const event of events) {
    if (event.imported?.record !== 'langgraph-write') continue;
    const from = String(event.causes?.[0]?.event ?? '');
    const key = `${from}|${textOf(memberOf(fieldOf(event, 'row'), 'task_id')) ?? ''}`;
    const task = tasks.get(key) ?? { from, writes: [] };
    task.writes.push(event);
    tasks.set(key, task);
  }
  const steps = [...tasks.values()].map(({ from, writes }): EngineStep => {
    const [name, another] = nodes.get(from) ?? [];
    const values = writes.flatMap((event) => {
      const channel = textOf(fieldOf(event, 'channel')) ?? '';
      return channel.startsWith(nextNode) ? [] : [[channel, fieldOf(event, 'value') ?? null] as const];
    });
    const failed = values.some(([channel]) => channel === '__error__');
    return {
      name: another === undefined ? (name ?? 'input') : `one of ${[name, another].join(', ')}`,
      state: failed ? 'failed' : 'completed',
      result: Object.fromEntries(values),
      events: writes.map(({ id }) => id),
    };
  });
  const parents = new Set(checkpoints.flatMap(({ causes }) => causes?.map(({ event }) => String(event)) ?? []));
  const last = checkpoints.find(({ id }) => !parents.has(id));
  const next = last === undefined ? [] : plannedNodes(last);
  return {
    steps,
    ...(last === undefined
      ? noStatus
      : {
          status: next.length === 0 ? 'completed' : 'not completed',
          statusText:
            next.length === 0
              ? 'the last checkpoint plans no further node'
              : `the last checkpoint plans ${next.join(', ')}`,
          statusEvents: [last.id],
        }),
    notes: [],
  };
}

function plannedNodes(event: HindcastEvent): readonly string[] {
  const states = fieldOf(event, 'states');
  return isJsonObject(states)
    ? Object.keys(states).flatMap((name) => (name.startsWith(nextNode) ? [name.slice(nextNode.length)] : []))
    : [];
}

function endToStep(event: HindcastEvent): EngineStep {
  const error = fieldOf(event, 'error');
  return {
    name: textOf(fieldOf(event, 'name')) ?? 'step without a name',
    state: error === undefined || error === null ? 'completed' : 'failed',
    result: fieldOf(event, 'result') ?? undefined,
    events: [
      ...(event.causes?.flatMap(({ event: of, as }) => (as === 'result_of' ? [String(of)] : [])) ?? []),
      event.id,
    ],
  };
}

function openToStep(event: HindcastEvent): EngineStep {
  const name = textOf(fieldOf(event, 'name')) ?? 'step without a name';
  return { name, state: 'under way', result: undefined, events: [event.id] };
}

/** Of an execution and its children and forks, the one that nothing of the run started. */
function firstOf(events: readonly HindcastEvent[], wanted: string): HindcastEvent | undefined {
  const own = events.filter(({ type, branch }) => branch === mainBranch && isType(type, wanted));
  return own.find(({ causes }) => causes === undefined) ?? own[0];
}

function isType(type: string, wanted: string): boolean {
  return type === wanted;
}

/** Undefined event: no such row was opened. */
function fieldOf(event: HindcastEvent | undefined, key: string): JsonValue | undefined {
  return event === undefined ? undefined : memberOf(payloadOf(event), key);
}

/** Whether a value holds this text or number anywhere. */
export function holdsText(value: JsonValue | undefined, wanted: string): boolean {
  const stack: (JsonValue | undefined)[] = [value];
  while (stack.length > 0) {
    const top = stack.pop();
    if (typeof top === 'string' || typeof top === 'number') {
      if (String(top) === wanted) return true;
    } else if (isJsonArray(top)) for (const item of top) stack.push(item);
    else if (isJsonObject(top)) for (const item of Object.values(top)) stack.push(item);
  }
  return false;
}
