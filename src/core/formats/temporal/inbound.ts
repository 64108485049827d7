/**
 * What reaches an execution from outside: signals, updates and their answers, requests to cancel.
 */
import { createTable } from '../../base/table.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { type CauseDraft, type EventDraft, recordToEventId, traceToRun } from '../draft.ts';
import { withoutUndefined } from '../members.ts';
import type { ExecutionMap } from './execution-map.ts';
import { eventNumber, fieldAt, objectField, textField } from './fields.ts';
import { failureToError } from './failure.ts';
import { payloadsToValues, valuesToArgs } from './payload.ts';
import type { HistoryRecord } from './record.ts';
import { ofHistory, resultMembers, sharedOf } from './shared.ts';

/** From another execution of these files, by the number and run recorded with it. */
function sentBy({ attributes }: HistoryRecord): CauseDraft | undefined {
  const sender = textField(objectField(attributes, 'externalWorkflowExecution'), 'runId');
  const number = eventNumber(attributes, 'externalInitiatedEventId');
  if (sender === undefined || number === undefined) return undefined;
  return { event: recordToEventId(traceToRun(sender), String(number)), as: 'caused_by' };
}

function senderOf({ attributes }: HistoryRecord): EventDraft['principal'] {
  const id = textField(attributes, 'identity');
  return id === undefined ? undefined : { id };
}

export function signalToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const { attributes } = record;
  const input = payloadsToValues(fieldAt(attributes, 'input'));
  return [
    {
      ...sharedOf(map, record, ['signalName', 'input', 'identity']),
      type: 'signal.received',
      agent: undefined,
      principal: senderOf(record),
      causes: [sentBy(record) ?? ofHistory(map)],
      data: withoutUndefined({
        name: textField(attributes, 'signalName'),
        ...(input.unreadable.length > 0 ? { payloads: input.raw } : { value: valuesToArgs(input) }),
      }),
    },
  ];
}

/** What operators ask of an execution, and which member says why. */
const requests: Readonly<Record<string, readonly [name: string, why: string]>> = createTable({
  WorkflowExecutionCancelRequested: ['request to cancel', 'cause'],
  WorkflowExecutionPaused: ['request to pause', 'reason'],
  WorkflowExecutionUnpaused: ['request to go on', 'reason'],
});

export function requestedToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const [name, why] = requests[record.type] ?? [record.type, 'reason'];
  return [
    {
      ...sharedOf(map, record, [why, 'identity']),
      type: 'input.received',
      agent: undefined,
      principal: senderOf(record),
      causes: [sentBy(record) ?? ofHistory(map)],
      data: { name, value: textField(record.attributes, why) ?? null },
    },
  ];
}

interface Update {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly from: string | undefined;
  readonly members: JsonObject;
}

function readUpdate(request: JsonValue | undefined, key: 'value' | 'args'): Update {
  const meta = objectField(request, 'meta');
  const input = objectField(request, 'input');
  const args = payloadsToValues(fieldAt(input, 'args'));
  const read = args.unreadable.length > 0 ? { payloads: args.raw } : { [key]: valuesToArgs(args) };
  return {
    id: textField(meta, 'updateId'),
    name: textField(input, 'name'),
    from: textField(meta, 'identity'),
    members: withoutUndefined(read),
  };
}

export function updateToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const { attributes, type } = record;
  const admitted = type === 'WorkflowExecutionUpdateAdmitted';
  const told = readUpdate(fieldAt(attributes, admitted ? 'request' : 'acceptedRequest'), 'value');
  const { name, from, members } = told;
  // A request that was admitted before is not told again when it is accepted.
  const id = told.id ?? textField(attributes, 'protocolInstanceId');
  const before = admitted || id === undefined ? undefined : map.admittedOf(id);
  const sequencing = before ?? eventNumber(attributes, 'acceptedRequestSequencingEventId');
  return [
    {
      ...sharedOf(map, record, ['acceptedRequest', 'request']),
      type: 'input.received',
      agent: undefined,
      principal: from === undefined ? undefined : { id: from },
      causes: [sequencing === undefined ? ofHistory(map) : { event: map.idOf(sequencing), as: 'caused_by' }],
      data: withoutUndefined({
        name: `update ${name ?? ''}`.trim(),
        update_id: id,
        admitted: admitted || undefined,
        ...(before === undefined || name !== undefined ? members : {}),
      }),
    },
  ];
}

/** The answer to whoever asked for the update. */
export function updateEndedToDrafts(map: ExecutionMap, record: HistoryRecord): readonly EventDraft[] {
  const { attributes, type } = record;
  const id = textField(objectField(attributes, 'meta'), 'updateId');
  // Older servers leave out the number, but the id of the update says it.
  const asked = eventNumber(attributes, 'acceptedEventId') ?? (id === undefined ? undefined : map.acceptedOf(id));
  const outcome = objectField(attributes, 'outcome');
  const failure = failureToError(objectField(outcome, 'failure') ?? objectField(attributes, 'failure'));
  const success = payloadsToValues(fieldAt(outcome, 'success'));
  const rejected = type === 'WorkflowExecutionUpdateRejected';
  const request = readUpdate(fieldAt(attributes, 'rejectedRequest'), 'args');
  return [
    {
      ...sharedOf(map, record, ['meta', 'outcome', 'failure', 'acceptedEventId', 'rejectedRequest']),
      type: 'message.sent',
      causes: [asked === undefined ? ofHistory(map) : { event: map.idOf(asked), as: 'result_of' }],
      data: withoutUndefined({
        name: rejected ? 'update rejected' : 'update answered',
        to: textField(objectField(attributes, 'meta'), 'identity') ?? request.from,
        update_id: id ?? request.id ?? textField(attributes, 'protocolInstanceId'),
        content: failure === undefined ? resultMembers(success)['result'] : undefined,
        payloads: success.unreadable.length > 0 ? success.raw : undefined,
        error: failure?.error,
        ...(rejected ? request.members : {}),
      }),
    },
  ];
}
