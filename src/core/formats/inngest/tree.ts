/**
 * The trace of a run as the current API gives it: a root and the spans of its steps, each with its attempts.
 *
 * Invariants: a span that a file names twice (a step, and the request that ran it) is told once; the other is merged into it. Outputs
 * are not in these files, only their ids: no value is ever made up.
 */
import { createTable } from '../../base/table.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { timeToMillis } from '../../base/time.ts';
import { isSpanId } from '../../model/index.ts';
import { type CauseDraft, type EventDraft, recordToEventId } from '../draft.ts';
import type { InputPlace } from '../format.ts';
import type { MappedRecord } from '../grouped.ts';
import { listAt, memberAt, numberAt, objectAt, restOf, textAt, withoutUndefined } from '../members.ts';
import { valueToTime } from '../times.ts';

export interface TreeSpan {
  readonly value: JsonObject;
  readonly place: InputPlace;
}

export function isTreeSpan(value: JsonValue): value is JsonObject {
  if (!isJsonObject(value)) return false;
  return (
    textAt(value, 'spanID') !== undefined && (Object.hasOwn(value, 'stepOp') || Object.hasOwn(value, 'childrenSpans'))
  );
}

/** The root in what stands around the spans, wherever the answer of the API put it. */
export function findRoot(frame: JsonObject): { readonly root: JsonObject; readonly run: JsonObject } | undefined {
  const data = objectAt(frame, 'data') ?? frame;
  const run = objectAt(data, 'run') ?? data;
  const root = objectAt(run, 'trace') ?? run;
  return textAt(root, 'spanID') === undefined ? undefined : { root, run };
}

interface Tree {
  readonly mapped: readonly MappedRecord[];
  readonly merged: number;
}

interface Kind {
  readonly start: string;
  readonly end: string;
  readonly failed: string;
}

const kinds: Readonly<Record<string, Kind>> = createTable({
  RUN: { start: 'tool_call.dispatched', end: 'tool_call.completed', failed: 'tool_call.failed' },
  SEND_EVENT: { start: 'tool_call.dispatched', end: 'tool_call.completed', failed: 'tool_call.failed' },
  AI_GATEWAY: { start: 'model_call.requested', end: 'model_call.completed', failed: 'model_call.failed' },
  INVOKE: { start: 'agent.spawned', end: 'agent.joined', failed: 'agent.joined' },
  SLEEP: { start: 'timer.started', end: 'timer.fired', failed: 'timer.cancelled' },
  WAIT_FOR_EVENT: { start: 'signal.awaited', end: 'signal.received', failed: 'signal.received' },
  WAIT_FOR_SIGNAL: { start: 'signal.awaited', end: 'signal.received', failed: 'signal.received' },
});
const plain: Kind = { start: 'step.started', end: 'step.completed', failed: 'step.completed' };

const ended: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);

export function treeToRecords(run: string, root: JsonObject | undefined, spans: readonly TreeSpan[]): Tree {
  const { main, copies } = withoutCopies(spans);
  const ends = new Map<string, string>();
  for (const { value } of main) {
    const step = textAt(value, 'stepID');
    const id = textAt(value, 'spanID');
    if (step !== undefined && id !== undefined && isEnded(value)) ends.set(step, id);
  }
  const mapped = main.map(({ value, place }): MappedRecord => ({
    place,
    drafts: spanToDrafts(run, value, root, ends, copies.get(value) ?? []),
  }));
  return { mapped, merged: spans.length - main.length };
}

/** A step and the requests that ran it carry one step id; the one that says most is the step. */
function withoutCopies(spans: readonly TreeSpan[]): {
  readonly main: readonly TreeSpan[];
  readonly copies: ReadonlyMap<JsonObject, JsonObject[]>;
} {
  const best = new Map<string, TreeSpan>();
  for (const span of spans) {
    const step = textAt(span.value, 'stepID');
    const known = step === undefined ? undefined : best.get(step);
    if (step !== undefined && (known === undefined || weightOf(span.value) > weightOf(known.value)))
      best.set(step, span);
  }
  const main: TreeSpan[] = [];
  const copies = new Map<JsonObject, JsonObject[]>();
  for (const span of spans) {
    const step = textAt(span.value, 'stepID');
    const of = step === undefined ? undefined : best.get(step);
    // Only what says nothing of its own is a copy: no answer, no attempts, and the other has one of them.
    if (of === undefined || of === span || weightOf(span.value) > 0 || weightOf(of.value) === 0) main.push(span);
    else {
      const known = copies.get(of.value);
      if (known === undefined) copies.set(of.value, [span.value]);
      else known.push(span.value);
    }
  }
  return { main, copies };
}

function weightOf(span: JsonObject): number {
  return (listAt(span, 'childrenSpans')?.length ?? 0) * 2 + (objectAt(span, 'response') === undefined ? 0 : 1);
}

function isEnded(span: JsonObject): boolean {
  return ended.has(textAt(span, 'status') ?? '') && valueToTime(memberAt(span, 'endedAt')) !== undefined;
}

function spanToDrafts(
  run: string,
  span: JsonObject,
  root: JsonObject | undefined,
  ends: ReadonlyMap<string, string>,
  copies: readonly JsonObject[],
): readonly EventDraft[] {
  const drafts: EventDraft[] = [];
  const rootId = textAt(root, 'spanID');
  const parent: CauseDraft | undefined =
    rootId === undefined ? undefined : { event: recordToEventId(run, rootId, 'start'), as: 'caused_by' };
  const open: { readonly value: JsonObject; readonly cause: CauseDraft | undefined }[] = [
    { value: span, cause: parent },
  ];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const id = textAt(at.value, 'spanID');
    if (id === undefined) continue;
    const before = (listAt(at.value, 'parentStepIDs') ?? []).flatMap((step): readonly CauseDraft[] => {
      const end = typeof step === 'string' ? ends.get(step) : undefined;
      return end === undefined || end === id ? [] : [{ event: recordToEventId(run, end), as: 'consumed' }];
    });
    const made = oneToDrafts(run, id, at.value, [at.cause, ...before], at.value === span ? copies : []);
    for (const draft of made) drafts.push(draft);
    const within = listAt(at.value, 'childrenSpans') ?? [];
    for (const child of within)
      if (isJsonObject(child))
        open.push({ value: child, cause: { event: recordToEventId(run, id, 'start'), as: 'caused_by' } });
  }
  return drafts;
}

const placed: ReadonlySet<string> = new Set([
  'name',
  'status',
  'startedAt',
  'endedAt',
  'spanID',
  'childrenSpans',
  'attempts',
]);

function oneToDrafts(
  run: string,
  id: string,
  span: JsonObject,
  causes: readonly (CauseDraft | undefined)[],
  copies: readonly JsonObject[],
): readonly EventDraft[] {
  const kind = kinds[textAt(span, 'stepOp') ?? textAt(span, 'stepType') ?? ''] ?? plain;
  // Attempts of a step are calls of the function, not steps of their own.
  const isAttempt = /^Attempt \d+$/.test(textAt(span, 'name') ?? '');
  const { start, end, failed } = isAttempt ? plain : kind;
  const status = textAt(span, 'status');
  const begin = recordToEventId(run, id, 'start');
  const shared = { run, clock: 'inngest', record: id, agent: 'function', span: isSpanId(id) ? id : undefined };
  const executions: JsonObject = copies.length === 0 ? {} : { executions: copies };
  const first: EventDraft = {
    ...shared,
    id: begin,
    type: start,
    time: valueToTime(memberAt(span, 'startedAt') ?? memberAt(span, 'queuedAt'))?.time,
    causes,
    extra: { ...restOf(span, placed), ...executions },
    data: startData(span, start),
  };
  if (!isEnded(span)) return [first];
  const isFailed = status !== 'COMPLETED';
  const name = textAt(span, 'name') ?? 'step';
  const last: EventDraft = {
    ...shared,
    id: recordToEventId(run, id),
    type: isFailed ? failed : end,
    time: valueToTime(memberAt(span, 'endedAt'))?.time,
    causes: [{ event: begin, as: 'result_of' }],
    data: withoutUndefined({
      name,
      tool: start.startsWith('tool_call') ? name : undefined,
      attempt: (numberAt(span, 'attempts') ?? 0) + 1,
      output_id: textAt(span, 'outputID'),
      http_status: numberAt(objectAt(span, 'response'), 'statusCode'),
      timed_out: memberAt(objectAt(span, 'stepInfo'), 'timedOut') === true ? true : undefined,
      error: isFailed
        ? { name: status ?? 'FAILED', message: 'Why is not in this file: outputs are told by their ids only.' }
        : undefined,
    }),
  };
  return [first, last];
}

function startData(span: JsonObject, type: string): JsonObject {
  const info = objectAt(span, 'stepInfo');
  const name = textAt(span, 'name') ?? 'step';
  const child = textAt(info, 'runID');
  const until = timeToMillis(textAt(info, 'sleepUntil') ?? textAt(info, 'timeout') ?? '');
  const waits = type === 'timer.started' || type === 'signal.awaited';
  return withoutUndefined({
    name: textAt(info, 'eventName') ?? textAt(info, 'signal') ?? name,
    tool: type === 'tool_call.dispatched' ? name : undefined,
    operation: type === 'model_call.requested' ? 'chat' : undefined,
    to: textAt(info, 'functionID'),
    child: child === undefined ? undefined : { run_id: child },
    due: !waits || until === undefined ? undefined : Math.floor(until),
  });
}

/** Beginning and end of the run, told by the root. */
export function rootToDrafts(run: string, root: JsonObject, about: JsonObject): readonly EventDraft[] {
  const id = textAt(root, 'spanID') ?? 'run';
  const shared = { run, clock: 'inngest', record: id, span: isSpanId(id) ? id : undefined };
  const begin = recordToEventId(run, id, 'start');
  const name = textAt(objectAt(about, 'function'), 'name') ?? textAt(root, 'name') ?? 'Run';
  const first: EventDraft = {
    ...shared,
    id: begin,
    type: 'run.started',
    time: valueToTime(memberAt(root, 'startedAt') ?? memberAt(root, 'queuedAt'))?.time,
    extra: { ...restOf(root, placed), run: restOf(about, new Set(['trace'])) },
    data: { program: { name } },
  };
  if (!isEnded(root)) return [first];
  const status = textAt(root, 'status') ?? '';
  const isFailed = status !== 'COMPLETED';
  const last: EventDraft = {
    ...shared,
    id: recordToEventId(run, id),
    type: isFailed ? 'run.failed' : 'run.completed',
    time: valueToTime(memberAt(root, 'endedAt'))?.time,
    causes: [{ event: begin, as: 'result_of' }],
    data: withoutUndefined({
      output_id: textAt(root, 'outputID'),
      error: isFailed
        ? { name: status, message: 'Why is not in this file: outputs are told by their ids only.' }
        : undefined,
    }),
  };
  return [first, last];
}
