/**
 * Kinds of events that are no call, no observation and no outcome: kept in their own words (`temporal.<kind>`), with what can be read of
 * them. Kinds that nobody knows yet are among them.
 */
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { CauseDraft, EventDraft } from '../draft.ts';
import { withoutUndefined } from '../members.ts';
import type { ExecutionMap } from './execution-map.ts';
import { eventNumber, objectField, textField } from './fields.ts';
import { failureToError } from './failure.ts';
import { payloadsToValues } from './payload.ts';
import type { HistoryRecord } from './record.ts';
import { decidedBy, sharedOf } from './shared.ts';

/** Members by which any event, known or not, names an earlier one; the nearest first. */
const references = ['requestedEventId', 'scheduledEventId', 'initiatedEventId', 'startedEventId', 'acceptedEventId'];

export function otherToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const { attributes, type, number } = record;
  const named = references
    .map((member) => eventNumber(attributes, member))
    .find((other) => other !== undefined && other !== number);
  const about: CauseDraft | undefined = named === undefined ? undefined : { event: map.idOf(named), as: 'caused_by' };
  const decided = eventNumber(attributes, 'workflowTaskCompletedEventId') !== undefined;
  // A task that waits to be started is given nothing yet; what it is given later tells where it comes from.
  const waits = type === 'WorkflowTaskScheduled';
  const by = type === 'WorkflowExecutionOptionsUpdated' ? textField(attributes, 'identity') : undefined;
  const shared = sharedOf(map, { ...record, attributes: {} }, []);
  const error = failureToError(objectField(attributes, 'failure'))?.error;
  return [
    {
      ...shared,
      ...(by === undefined ? {} : { agent: undefined, principal: { id: by } }),
      type: `temporal.${typeToSnake(type)}`,
      causes: waits ? [] : [decided || about === undefined ? decidedBy(map, record, 'selected_by') : undefined, about],
      data: withoutUndefined({ values: namedValues(attributes), error, record: attributes }),
    },
  ];
}

/** Search attributes and the memo are payloads by name; where a tool read them already, the values. */
function namedValues(attributes: JsonObject): JsonObject | undefined {
  const named =
    objectField(objectField(attributes, 'searchAttributes'), 'indexedFields') ??
    objectField(objectField(attributes, 'upsertedMemo'), 'fields') ??
    {};
  const values = Object.entries(named).flatMap(([name, payload]) =>
    payloadsToValues([payload]).values.map((value): readonly [string, JsonValue] => [name, value]),
  );
  return values.length === 0 ? undefined : Object.fromEntries(values);
}

function typeToSnake(type: string): string {
  const words = type.replace(/[^\w]+/g, '_').replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return words.toLowerCase();
}
