/**
 * Markers: what workflow code noted in its history. Side effects are values it read, local activities are calls it made itself,
 * versions are patches; any other marker is kept as it is.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { EventDraft } from '../draft.ts';
import { firstText, memberAt, withoutUndefined } from '../members.ts';
import type { ExecutionMap } from './execution-map.ts';
import { fieldAt, objectField, textField } from './fields.ts';
import { failureToError } from './failure.ts';
import { mapToValues } from './payload.ts';
import type { HistoryRecord } from './record.ts';
import { type Asked, decidedBy, endingOf, issueOf, onceOf, sharedOf } from './shared.ts';

type Details = Readonly<Record<string, JsonValue>>;

const placed = ['markerName', 'details', 'failure', 'workflowTaskCompletedEventId'];

export function markerToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const { attributes } = record;
  const name = textField(attributes, 'markerName') ?? 'marker';
  const read = mapToValues(fieldAt(attributes, 'details'));
  if (read.unreadable.length > 0)
    return [plainMarker(map, record, name, { payloads: fieldAt(attributes, 'details') ?? null })];
  switch (name.toLowerCase()) {
    case 'sideeffect':
      return [sideEffect(map, record, 'side_effect', memberAt(read.values, 'data') ?? null)];
    case 'mutablesideeffect':
      return [mutableSideEffect(map, record, read.values)];
    case 'localactivity':
    case 'core_local_activity':
      return localActivity(map, record, read.values);
    case 'version':
    case 'core_patch':
      return [version(map, record, read.values)];
    default:
      return [plainMarker(map, record, name, { details: read.values })];
  }
}

function sharedMarker(map: ExecutionMap, record: HistoryRecord) {
  const shared = sharedOf(map, record, placed);
  return { ...shared, causes: [decidedBy(map, record, 'selected_by')] };
}

function plainMarker(map: ExecutionMap, record: HistoryRecord, name: string, more: JsonObject): EventDraft {
  const failure = failureToError(objectField(record.attributes, 'failure'));
  return {
    ...sharedMarker(map, record),
    type: 'marker.recorded',
    data: withoutUndefined({ id: name, ...more, error: failure?.error }),
  };
}

function sideEffect(map: ExecutionMap, record: HistoryRecord, name: string, value: JsonValue): EventDraft {
  return {
    ...sharedMarker(map, record),
    type: 'env.read',
    command: onceOf(map, record.number, { kind: 'read', name }, {}),
    data: { name, value },
  };
}

/** Its data are the author's id and the value, or the value alone beside the id. */
function mutableSideEffect(map: ExecutionMap, record: HistoryRecord, details: Details): EventDraft {
  const data = memberAt(details, 'data');
  const isPair = isJsonArray(data) && data.length === 2;
  const id = isPair ? data[0] : undefined;
  const value = isPair ? data[1] : data;
  const name =
    typeof id === 'string' ? id : (firstText(details, 'side-effect-id', 'sideEffectId', 'id') ?? 'mutable_side_effect');
  const event = sideEffect(map, record, name, value ?? null);
  return { ...event, data: { ...event.data, calls: memberAt(details, 'mutable-side-effect-call-counter') ?? null } };
}

/** A patch is asked for by its name; a version marker says which version control code got. */
function version(map: ExecutionMap, record: HistoryRecord, details: Details): EventDraft {
  const patch = memberAt(details, 'patch-data') ?? memberAt(details, 'patch');
  const id = firstText(details, 'change-id', 'changeId', 'change_id') ?? firstText(patch, 'id') ?? 'version';
  const value = memberAt(details, 'version') ?? true;
  return {
    ...sharedMarker(map, record),
    type: 'marker.recorded',
    command: {
      path: `marker:${id}`,
      kind: 'marker',
      name: id,
      identity: 'derived',
      alias: record.number,
      issued: record.number,
      delivered: record.number,
    },
    data: withoutUndefined({ id, value, deprecated: memberAt(patch, 'deprecated') }),
  };
}

/** One record says both that it was called and what it gave: the worker ran it inside the workflow task. */
function localActivity(map: ExecutionMap, record: HistoryRecord, details: Details): readonly EventDraft[] {
  const data = memberAt(details, 'data');
  const told: JsonValue = isJsonObject(data) ? data : details;
  const name = firstText(told, 'ActivityType', 'activity_type', 'activityType', 'type') ?? 'local activity';
  const id = firstText(told, 'ActivityID', 'activity_id', 'activityId');
  const attempt = memberAt(told, 'Attempt') ?? memberAt(told, 'attempt');
  const tries = typeof attempt === 'number' && Number.isSafeInteger(attempt) && attempt > 1 ? attempt : 1;
  const asked: Asked = { kind: 'write', name };
  const args = memberAt(details, 'input');
  const shared = sharedMarker(map, record);
  const begin = map.idOf(record.number, 'start');
  const failure = failureToError(objectField(record.attributes, 'failure'));
  const called: EventDraft = {
    ...shared,
    id: begin,
    extra: {},
    time: undefined,
    type: 'tool_call.dispatched',
    command: issueOf(map, record.number, asked, args),
    data: withoutUndefined({ tool: name, call_id: id, args, local: true }),
  };
  const ended: EventDraft = {
    ...shared,
    type: failure === undefined ? 'tool_call.completed' : 'tool_call.failed',
    causes: [{ event: begin, as: 'result_of' }],
    // Control code had it before the marker was written: in the same workflow task.
    command: { ...endingOf(map, record.number, record.number, asked, tries), delivered: record.number },
    data: withoutUndefined({
      tool: name,
      call_id: id,
      attempt: tries,
      local: true,
      result: failure === undefined ? (memberAt(details, 'result') ?? null) : undefined,
      error: failure?.error,
      details: data ?? withoutResult(details),
    }),
  };
  return [called, ended];
}

function withoutResult(details: Details): JsonObject {
  return withoutUndefined({ ...details, result: undefined, input: undefined });
}
