/**
 * Activities, local activities excepted: tool calls and model calls with their attempts, and the decision in a model's answer.
 */
import { createTable } from '../../base/table.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { CauseDraft, EventDraft } from '../draft.ts';
import { textAt, withoutUndefined } from '../members.ts';
import type { CalledBy } from './calls.ts';
import type { Configuration } from './configuration.ts';
import type { ExecutionMap } from './execution-map.ts';
import { countField, enumValue, eventNumber, fieldAt, nameField, objectField, textField } from './fields.ts';
import { failureToError } from './failure.ts';
import { answerCalls, answerMembers, isModelActivity, requestMembers, requestModel } from './model-activity.ts';
import { payloadsToValues, valuesToArgs, valuesToResult } from './payload.ts';
import type { HistoryRecord } from './record.ts';
import type { RuleName } from './rules.ts';
import {
  agentOf,
  argsMembers,
  type Asked,
  decidedBy,
  endingOf,
  issueOf,
  ofHistory,
  resultMembers,
  resultOf,
  sharedOf,
  summaryOf,
} from './shared.ts';

/** What rules found in the whole execution, by the number of a scheduled event. */
export interface Inferred {
  readonly calls: ReadonlyMap<number, CalledBy>;
  readonly configurations: ReadonlyMap<number, Configuration>;
}

interface Activity extends Asked {
  readonly isModel: boolean;
  readonly args: JsonValue | undefined;
  readonly id: string | undefined;
}

function readActivity({ attributes }: HistoryRecord): Activity {
  const name = nameField(attributes, 'activityType') ?? 'activity';
  const input = payloadsToValues(fieldAt(attributes, 'input'));
  const args = input.unreadable.length > 0 ? undefined : valuesToArgs(input);
  const isModel = isModelActivity(name, args);
  // Rule `activity-may-act`.
  return { name, args, isModel, kind: isModel ? 'model' : 'write', id: textField(attributes, 'activityId') };
}

function spokenBy({ name }: Activity, scheduled: HistoryRecord): { readonly agent?: string } {
  const agent = agentOf(name, scheduled);
  return agent === undefined ? {} : { agent };
}

const scheduledPlaced = ['activityType', 'activityId', 'input', 'workflowTaskCompletedEventId'];

export function scheduledToDrafts(
  map: ExecutionMap,
  record: HistoryRecord,
  { calls, configurations }: Inferred,
): readonly EventDraft[] {
  const activity = readActivity(record);
  const { name, args, isModel, id } = activity;
  const input = payloadsToValues(fieldAt(record.attributes, 'input'));
  const call = isModel ? undefined : calls.get(record.number);
  const rule: RuleName = 'call-by-arguments';
  const summary = summaryOf(record);
  const set = configurations.get(record.number);
  const setUp = set === undefined ? [] : configurationToDrafts(map, record, set);
  const shared = sharedOf(map, record, scheduledPlaced);
  const mayAct: RuleName = 'activity-may-act';
  const begin: EventDraft = {
    ...shared,
    extra: isModel ? shared.extra : { ...shared.extra, rule: mayAct },
    ...spokenBy(activity, record),
    type: isModel ? 'model_call.requested' : 'tool_call.dispatched',
    causes: [
      decidedBy(map, record, 'selected_by'),
      call === undefined ? undefined : { event: map.idOf(call.answer, 'decision'), as: 'selected_by', rule },
      ...setUp.map(({ id, extra }): CauseDraft => ({ event: id, as: 'consumed', rule: textAt(extra, 'rule') })),
    ],
    command: issueOf(map, record.number, activity, args),
    data: withoutUndefined({
      ...(isModel ? requestMembers(args) : { tool: name }),
      call_id: call?.callId ?? (isModel ? undefined : id),
      activity_id: id,
      activity_type: isModel ? name : undefined,
      ...argsMembers(input),
      summary,
    }),
  };
  return [...setUp, begin, ...failedAttempt(map, record, record)];
}

/** Of the run's first request also what it began with. */
function configurationToDrafts(
  map: ExecutionMap,
  record: HistoryRecord,
  { agent, value, position, opening }: Configuration,
): readonly [EventDraft, ...(readonly EventDraft[])] {
  const args: JsonObject = agent === undefined ? {} : { agent };
  const key = agent === undefined ? '' : `=${agent.replace(/[%/]/g, encodeURIComponent)}`;
  const setUp = readToDraft(
    map,
    record,
    { name: 'configuration', key, args, value, position },
    'configuration-of-request',
  );
  if (opening === undefined) return [setUp];
  const begun = { name: 'opening', key: '', args: {}, ...opening };
  return [readToDraft(map, record, begun, 'opening-of-first-request'), setUp];
}

interface ReadSetUp {
  readonly name: string;
  readonly key: string;
  readonly args: JsonObject;
  readonly value: JsonObject;
  readonly position: string;
}

function readToDraft(
  map: ExecutionMap,
  record: HistoryRecord,
  { name, key, args, value, position }: ReadSetUp,
  rule: RuleName,
): EventDraft {
  const counted = issueOf(map, record.number, { kind: 'read', name }, args, name);
  return {
    ...sharedOf(map, record, []),
    time: undefined,
    extra: { rule, made: true },
    id: map.idOf(record.number, name),
    type: 'env.read',
    causes: [ofHistory(map)],
    command: {
      ...counted,
      ...(key === '' ? {} : { path: `/read:${name}${key}` }),
      issued: position,
      delivered: position,
    },
    data: { name, args, value },
  };
}

const endPlaced = ['result', 'failure', 'scheduledEventId', 'startedEventId', 'retryState', 'details'];

const failedTypes: Readonly<Record<string, string>> = createTable({
  ActivityTaskFailed: 'failed',
  ActivityTaskTimedOut: 'timed_out',
  ActivityTaskCanceled: 'cancelled',
});

export function endedToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const { attributes, number } = record;
  const asked = eventNumber(attributes, 'scheduledEventId');
  const scheduled = asked === undefined ? undefined : map.execution.byNumber.get(asked);
  const activity = scheduled === undefined ? undefined : readActivity(scheduled);
  const attempt = countField(startedOf(map, record)?.attributes, 'attempt');
  const end: EventDraft = {
    ...sharedOf(map, record, endPlaced),
    ...(activity === undefined || scheduled === undefined ? {} : spokenBy(activity, scheduled)),
    type: endType(record.type, activity?.isModel === true),
    causes: [resultOf(map, record)],
    command:
      activity === undefined || asked === undefined ? undefined : endingOf(map, asked, number, activity, attempt ?? 1),
    data: withoutUndefined({
      tool: activity?.isModel === true ? undefined : activity?.name,
      call_id: activity?.isModel === true ? undefined : activity?.id,
      activity_id: activity?.id,
      activity_type: activity?.isModel === true ? activity.name : undefined,
      request_model: activity?.isModel === true ? requestModel(activity.args) : undefined,
      attempt,
      retry_state: enumValue(fieldAt(attributes, 'retryState'), 'RETRY_STATE_'),
      ...outcomeMembers(record, activity?.isModel === true),
    }),
  };
  return [end, ...failedAttempt(map, record, scheduled), ...decisionOf(map, record, activity, scheduled)];
}

function endType(type: string, isModel: boolean): string {
  const how = failedTypes[type] ?? 'completed';
  if (!isModel) return `tool_call.${how}`;
  return how === 'timed_out' ? 'model_call.failed' : `model_call.${how}`;
}

function outcomeMembers({ type, attributes }: HistoryRecord, isModel: boolean): JsonObject {
  if (type === 'ActivityTaskCompleted') {
    const result = payloadsToValues(fieldAt(attributes, 'result'));
    const answer = isModel && result.unreadable.length === 0 ? answerMembers(valuesToResult(result)) : {};
    return { ...answer, ...resultMembers(result) };
  }
  if (type === 'ActivityTaskCanceled') {
    const details = fieldAt(attributes, 'details');
    return details === undefined ? {} : { details: payloadsToValues(details).values };
  }
  const failure = failureToError(
    fieldAt(attributes, 'failure'),
    type === 'ActivityTaskTimedOut' ? 'TimeoutError' : 'ActivityError',
  );
  return withoutUndefined({ error: failure?.error });
}

function startedOf(map: ExecutionMap, { number }: HistoryRecord): HistoryRecord | undefined {
  return map.foldedInto(number).find(({ type }) => type === 'ActivityTaskStarted');
}

/** Attempts that failed leave one trace: the failure of the last of them, in the record that the next one started. */
function failedAttempt(
  map: ExecutionMap,
  record: HistoryRecord,
  scheduled: HistoryRecord | undefined,
): readonly EventDraft[] {
  const started = startedOf(map, record);
  const attempt = countField(started?.attributes, 'attempt') ?? 1;
  const failure = failureToError(objectField(started?.attributes, 'lastFailure'));
  if (failure === undefined || scheduled === undefined || attempt < 2) return [];
  const activity = readActivity(scheduled);
  const asked = issueOf(map, scheduled.number, activity, undefined);
  return [
    {
      ...sharedOf(map, scheduled, []),
      ...spokenBy(activity, scheduled),
      extra: {},
      time: undefined,
      id: map.idOf(record.number, `attempt${attempt - 1}`),
      type: activity.isModel ? 'model_call.failed' : 'tool_call.failed',
      causes: [{ event: map.idOf(scheduled.number), as: 'result_of' }],
      command: withoutUndefined({
        path: asked['path'],
        kind: activity.kind,
        name: activity.name,
        identity: 'derived',
        alias: scheduled.number,
        attempt: attempt - 1,
      }),
      data: withoutUndefined({
        tool: activity.isModel ? undefined : activity.name,
        activity_id: activity.id,
        request_model: activity.isModel ? requestModel(activity.args) : undefined,
        attempt: attempt - 1,
        earlier_attempts_not_recorded: attempt > 2 ? attempt - 2 : undefined,
        error: failure.error,
      }),
    },
  ];
}

/** The calls in an answer are what the model decided. */
function decisionOf(
  map: ExecutionMap,
  record: HistoryRecord,
  activity: Activity | undefined,
  scheduled: HistoryRecord | undefined,
): readonly EventDraft[] {
  if (record.type !== 'ActivityTaskCompleted' || activity?.isModel !== true) return [];
  const result = payloadsToValues(fieldAt(record.attributes, 'result'));
  const calls = result.unreadable.length > 0 ? [] : answerCalls(valuesToResult(result));
  if (calls.length === 0) return [];
  const chosen: JsonValue = calls.map(({ id, name, args }) => withoutUndefined({ tool: name, call_id: id, args }));
  return [
    {
      ...sharedOf(map, record, []),
      ...(scheduled === undefined ? {} : spokenBy(activity, scheduled)),
      extra: {},
      id: map.idOf(record.number, 'decision'),
      type: 'decision.made',
      causes: [{ event: map.idOf(record.number), as: 'consumed' }],
      data: { chosen, rule: 'decision-from-tool-calls' },
    },
  ];
}

const cancelPlaced = ['scheduledEventId', 'workflowTaskCompletedEventId'];

/** A request to cancel is no outcome: the activity may complete all the same. */
export function cancelAskedToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const asked = eventNumber(record.attributes, 'scheduledEventId');
  return [
    {
      ...sharedOf(map, record, cancelPlaced),
      type: 'temporal.activity_task_cancel_requested',
      causes: [
        decidedBy(map, record, 'selected_by'),
        asked === undefined ? undefined : { event: map.idOf(asked), as: 'caused_by' },
      ],
      data: withoutUndefined({ event: asked }),
    },
  ];
}
