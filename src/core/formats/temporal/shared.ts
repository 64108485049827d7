/**
 * What all events of an execution have in common, and the commands of control code by the engine's numbers.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { digest } from '../../model/index.ts';
import type { CauseDraft, EventDraft } from '../draft.ts';
import { isEmptyObject, withoutUndefined } from '../members.ts';
import { endedNumber, type ExecutionMap, foldedToExtra } from './execution-map.ts';
import { eventNumber, fieldAt, objectField, restOfFields } from './fields.ts';
import { payloadsToValues, type Values, valuesToArgs, valuesToResult } from './payload.ts';
import type { HistoryRecord } from './record.ts';
import type { RuleName } from './rules.ts';

export const clock = 'temporal';

type Shared = Pick<
  EventDraft,
  'id' | 'run' | 'branch' | 'session' | 'step' | 'time' | 'clock' | 'agent' | 'record' | 'extra' | 'component'
>;

/** `placed` are the members of the attributes that have a place of their own in the event. */
export function sharedOf(map: ExecutionMap, record: HistoryRecord, placed: readonly string[]): Shared {
  const { number, time, attributes, rest } = record;
  const summary = summaryOf(record);
  const unplaced = restOfFields(attributes, placed);
  const kept = summary === undefined ? rest : withoutSummary(rest);
  return {
    id: map.idOf(number),
    run: map.run,
    branch: map.branch,
    session: map.execution.workflowId,
    step: stepOf(map, record),
    time,
    clock,
    agent: map.execution.workflow,
    record: String(number),
    extra: { ...kept, ...unplaced, ...foldedToExtra(map.foldedInto(number)) },
  };
}

/** What a workflow task decided happened in it. */
function stepOf(map: ExecutionMap, { attributes }: HistoryRecord): string | undefined {
  const decided = eventNumber(attributes, 'workflowTaskCompletedEventId');
  const task = decided === undefined ? undefined : map.execution.byNumber.get(decided);
  const started = eventNumber(task?.attributes, 'startedEventId');
  return started === undefined ? undefined : map.stepOf(started);
}

/** What the author of the workflow wrote beside a command to be read by people. */
export function summaryOf({ rest }: HistoryRecord): JsonValue | undefined {
  const summary = fieldAt(fieldAt(rest, 'userMetadata'), 'summary');
  const read = summary === undefined ? undefined : payloadsToValues(summary);
  return read === undefined || read.unreadable.length > 0 ? undefined : read.values[0];
}

/** The integration of Google's ADK writes the agent's name as the summary of its model calls. */
export function agentOf(activity: string, record: HistoryRecord): string | undefined {
  const summary = activity === 'invoke_model' ? summaryOf(record) : undefined;
  return typeof summary === 'string' && summary !== '' ? summary : undefined;
}

function withoutSummary(rest: JsonObject): JsonObject {
  const metadata = objectField(rest, 'userMetadata') ?? {};
  const left = restOfFields(metadata, ['summary']);
  const others = restOfFields(rest, ['userMetadata']);
  return isEmptyObject(left) ? others : { ...others, userMetadata: left };
}

/** The workflow task that decided it (recorded), else that it happened to the execution. */
export function decidedBy(map: ExecutionMap, { attributes }: HistoryRecord, as: CauseDraft['as']): CauseDraft {
  const task = eventNumber(attributes, 'workflowTaskCompletedEventId');
  return task === undefined ? ofHistory(map) : { event: map.idOf(task), as };
}

export function ofHistory(map: ExecutionMap): CauseDraft {
  const rule: RuleName = 'run-of-history';
  return { event: map.idOf(1), as: 'caused_by', rule };
}

/** What a record ends, by the number it names; also where that is in no file. */
export function resultOf(map: ExecutionMap, record: HistoryRecord): CauseDraft {
  const ended = endedNumber(record);
  return ended === undefined ? ofHistory(map) : { event: map.idOf(ended), as: 'result_of' };
}

export interface Asked {
  readonly kind: string;
  readonly name: string;
}

export function issueOf(
  map: ExecutionMap,
  number: number,
  { kind, name }: Asked,
  args: JsonValue | undefined,
  part = '',
): JsonObject {
  return withoutUndefined({
    path: map.pathOf(number, kind, name, part),
    kind,
    name,
    identity: 'derived',
    alias: number,
    attempt: 1,
    args: args === undefined ? undefined : digest(args),
    issued: number,
  });
}

/** Of the event that ends a command; it is final where a workflow task was given it. */
export function endingOf(
  map: ExecutionMap,
  asked: number,
  ended: number,
  { kind, name }: Asked,
  attempt = 1,
): JsonObject {
  const delivery = map.deliveryOf(ended);
  return withoutUndefined({
    path: map.pathOf(asked, kind, name),
    kind,
    name,
    identity: 'derived',
    alias: asked,
    attempt,
    delivered: delivery?.delivered,
    vt: delivery?.vt,
  });
}

/** A command whose one record is both: what was asked and what came of it. */
export function onceOf(map: ExecutionMap, number: number, asked: Asked, args: JsonValue): JsonObject {
  return { ...issueOf(map, number, asked, args), delivered: number };
}

/** Arguments as control code passed them; the payloads themselves where they cannot be read. */
export function argsMembers(input: Values): JsonObject {
  if (input.unreadable.length > 0) return withoutUndefined({ payloads: input.raw });
  return { args: valuesToArgs(input) };
}

/** What control code received; beside it, never delivered, what cannot be read. */
export function resultMembers(result: Values): JsonObject {
  if (result.unreadable.length > 0) return withoutUndefined({ response: result.raw });
  return { result: valuesToResult(result) };
}
