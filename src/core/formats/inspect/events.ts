/**
 * Events of one Inspect sample to operations: spans (or, in older logs, steps that open and close), model and tool events, sandbox
 * actions, and everything else as a point.
 *
 * Invariant: every event of the list is an operation or merged into one (`span_end`, `step` end). Events nested in tool and subtask
 * events are read too, with the event that holds them as parent. Iterative.
 */
import { createTable } from '../../base/table.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { InputPlace } from '../format.ts';
import { firstText, listAt, memberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import type { Operation, OperationKind } from '../spans/operation.ts';
import { valueToTime } from '../times.ts';
import { modelToOperation } from './model-event.ts';
import { pointOf } from './points.ts';
import type { Pools } from './resolve.ts';

interface SampleEvents {
  readonly operations: readonly Operation[];
  readonly merged: number;
}

interface Task {
  readonly event: JsonObject;
  readonly holder: string | undefined;
  readonly index: string;
}

interface Reading {
  readonly byId: Map<string, Operation>;
  readonly order: string[];
  readonly place: InputPlace;
  readonly pools: Pools;
  /** Steps of older logs that are open, innermost last. */
  readonly steps: string[];
  merged: number;
}

export function eventsToOperations(events: readonly JsonValue[], place: InputPlace, pools: Pools): SampleEvents {
  const reading: Reading = { byId: new Map(), order: [], place, pools, steps: [], merged: 0 };
  const open: Task[] = tasksOf(events, undefined, '').reverse();
  for (let task = open.pop(); task !== undefined; task = open.pop()) {
    const id = takeEvent(reading, task);
    const nested = listAt(task.event, 'events') ?? [];
    if (nested.length > 0) for (const inner of tasksOf(nested, id, `${task.index}.`).reverse()) open.push(inner);
  }
  return { operations: reading.order.flatMap((id) => reading.byId.get(id) ?? []), merged: reading.merged };
}

function tasksOf(events: readonly JsonValue[], holder: string | undefined, prefix: string): Task[] {
  return events.map((event, n) => ({
    event: isJsonObject(event) ? event : { event: 'unreadable', value: event },
    holder,
    index: `${prefix}${n}`,
  }));
}

/** Takes one event in; returns the id under which events nested in it find it. */
function takeEvent(reading: Reading, task: Task): string {
  const { event } = task;
  const kind = textAt(event, 'event') ?? 'untyped';
  if (kind === 'span_end' || (kind === 'step' && event['action'] === 'end')) return endSpan(reading, task);
  const id = idOf(event, task.index);
  const operation = { ...toOperation(reading, task, id, kind), ...parentOf(reading, task, id) };
  add(reading, operation);
  if (kind === 'step' && event['action'] === 'begin') reading.steps.push(operation.id);
  return operation.id;
}

function add(reading: Reading, operation: Operation): void {
  if (reading.byId.has(operation.id)) {
    // An event that was written twice: the later one says more.
    reading.merged++;
    const known = reading.byId.get(operation.id);
    reading.byId.set(operation.id, { ...operation, start: known?.start ?? operation.start });
    return;
  }
  reading.byId.set(operation.id, operation);
  reading.order.push(operation.id);
}

/** Older logs have no ids: the place in the sample is the only identity there is. */
function idOf(event: JsonObject, index: string): string {
  if (event['event'] === 'span_begin') return textAt(event, 'id') ?? textAt(event, 'span_id') ?? `event ${index}`;
  return textAt(event, 'uuid') ?? `event ${index}`;
}

function parentOf(reading: Reading, { event, holder }: Task, id: string): Pick<Operation, 'parent' | 'parentRule'> {
  const named = event['event'] === 'span_begin' ? textAt(event, 'parent_id') : textAt(event, 'span_id');
  if (named !== undefined && named !== id) return { parent: named };
  if (holder !== undefined) return { parent: holder };
  const step = reading.steps.at(-1);
  return step === undefined ? {} : { parent: step, parentRule: 'open-step' };
}

function endSpan(reading: Reading, { event, index }: Task): string {
  const id = event['event'] === 'step' ? reading.steps.pop() : (textAt(event, 'id') ?? textAt(event, 'span_id'));
  const known = id === undefined ? undefined : reading.byId.get(id);
  if (id === undefined || known === undefined) {
    const lone: Operation = {
      ...base(reading, event, `event ${index}`),
      kind: 'point',
      name: 'span_end',
      ended: true,
      input: event,
    };
    add(reading, lone);
    return lone.id;
  }
  reading.byId.set(id, { ...known, end: valueToTime(memberAt(event, 'timestamp'))?.time, ended: true });
  reading.merged++;
  return id;
}

function base(reading: Reading, event: JsonObject, id: string) {
  const start = valueToTime(memberAt(event, 'timestamp'));
  const end = valueToTime(memberAt(event, 'completed'));
  return {
    id,
    start: start?.time,
    end: end?.time,
    zoneAssumed: start?.assumed !== undefined,
    place: reading.place,
  };
}

const spanKinds: Readonly<Record<string, OperationKind>> = createTable({ agent: 'agent' });
const common = ['event', 'uuid', 'span_id', 'timestamp', 'completed', 'events'];

function toOperation(reading: Reading, task: Task, id: string, kind: string): Operation {
  const { event } = task;
  const shared = base(reading, event, id);
  switch (kind) {
    case 'span_begin':
    case 'step':
      return {
        ...shared,
        kind: spanKinds[textAt(event, 'type') ?? ''] ?? 'step',
        name: textAt(event, 'name') ?? textAt(event, 'type') ?? 'span',
        ended: false,
        startExtra: restOf(event, new Set([...common, 'id', 'name', 'parent_id', 'action'])),
      };
    case 'model':
      return {
        ...shared,
        ...modelToOperation(event, reading.pools),
        kind: 'model',
        ended: event['pending'] !== true,
        extra: restOf(
          event,
          new Set([
            ...common,
            'model',
            'input',
            'input_refs',
            'tools',
            'tool_choice',
            'config',
            'output',
            'error',
            'pending',
          ]),
        ),
      };
    case 'tool':
      return {
        ...shared,
        ...toolParts(event, reading.pools),
        kind: 'tool',
        ended: event['pending'] !== true,
        extra: restOf(event, new Set([...common, 'id', 'function', 'arguments', 'result', 'error', 'pending'])),
      };
    case 'sandbox':
      return {
        ...shared,
        kind: 'step',
        name: `sandbox ${textAt(event, 'action') ?? ''}`.trim(),
        ended: true,
        input: restOf(event, new Set([...common, 'action', 'result', 'output', 'working_start'])),
        output: withoutUndefined({ result: memberAt(event, 'result'), output: memberAt(event, 'output') }),
      };
    case 'subtask':
      return {
        ...shared,
        kind: 'step',
        name: textAt(event, 'name') ?? 'subtask',
        ended: true,
        input: memberAt(event, 'input'),
        output: memberAt(event, 'result'),
        extra: restOf(event, new Set([...common, 'name', 'input', 'result'])),
      };
    default:
      return { ...shared, ...pointOf(event, kind), kind: 'point', ended: true };
  }
}

function toolParts(event: JsonObject, pools: Pools) {
  const error = objectAt(event, 'error');
  return {
    name: textAt(event, 'function') ?? 'tool',
    callId: textAt(event, 'id'),
    input: pools.resolve(memberAt(event, 'arguments')),
    output: error === undefined ? pools.resolve(memberAt(event, 'result')) : undefined,
    error:
      error === undefined
        ? undefined
        : { name: textAt(error, 'type') ?? 'ToolError', message: firstText(error, 'message') ?? '', data: error },
  };
}
