/**
 * Failures with their chain of causes to one error: what control code received at the front, every cause after it in a flat list.
 *
 * Invariant: iterative, so that no chain is too long; every member of every failure is in the list. Called for activities, children,
 * workflow tasks and outcomes.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { textAt, withoutUndefined } from '../members.ts';
import { fieldAt, objectField, restOfFields, textField } from './fields.ts';
import { payloadsToValues } from './payload.ts';

interface FailureKind {
  readonly field: string;
  readonly name: string;
}

const kinds: readonly FailureKind[] = [
  { field: 'applicationFailureInfo', name: 'ApplicationError' },
  { field: 'timeoutFailureInfo', name: 'TimeoutError' },
  { field: 'canceledFailureInfo', name: 'CanceledError' },
  { field: 'terminatedFailureInfo', name: 'TerminatedError' },
  { field: 'serverFailureInfo', name: 'ServerError' },
  { field: 'resetWorkflowFailureInfo', name: 'ResetWorkflow' },
  { field: 'activityFailureInfo', name: 'ActivityError' },
  { field: 'childWorkflowExecutionFailureInfo', name: 'ChildWorkflowError' },
  { field: 'nexusOperationExecutionFailureInfo', name: 'NexusOperationError' },
  { field: 'nexusHandlerFailureInfo', name: 'NexusHandlerError' },
];

/** Fields of the infos that hold payloads. */
const payloadFields = ['details', 'lastHeartbeatDetails'];

interface ReadFailure {
  readonly error: JsonObject;
  readonly unreadable: readonly string[];
}

/** Undefined where there is no failure; `fallback` names an error that has no failure of its own, such as a time-out. */
export function failureToError(value: JsonValue | undefined, fallback?: string): ReadFailure | undefined {
  const chain: JsonObject[] = [];
  const unreadable: string[] = [];
  for (let at = value; isJsonObject(at); at = fieldAt(at, 'cause')) chain.push(failureToLink(at, unreadable));
  const [first] = chain;
  if (first === undefined) {
    return fallback === undefined ? undefined : { error: { name: fallback, message: '' }, unreadable };
  }
  const name = textAt(first, 'name') ?? fallback ?? 'Failure';
  return { error: { name, message: chainToMessage(chain), data: { chain } }, unreadable };
}

/** Failures that only say where another one happened: their message is followed by that of what they wrap. */
const wrappers: ReadonlySet<string> = new Set(['ActivityError', 'ChildWorkflowError', 'NexusOperationError']);

/** More than anybody nests on purpose; all of them are in the chain. */
const mostWrapped = 8;

function chainToMessage(chain: readonly JsonObject[]): string {
  const words: string[] = [];
  for (const link of chain.slice(0, mostWrapped)) {
    words.push(textAt(link, 'message') ?? textAt(link, 'name') ?? '');
    if (!wrappers.has(textAt(link, 'name') ?? '')) break;
  }
  return words.join(': ');
}

function failureToLink(failure: JsonObject, unreadable: string[]): JsonObject {
  const kind = kinds.find(({ field }) => objectField(failure, field) !== undefined);
  const info = kind === undefined ? undefined : objectField(failure, kind.field);
  const encoded = payloadsToValues(fieldAt(failure, 'encodedAttributes'));
  for (const encoding of encoded.unreadable) unreadable.push(encoding);
  // Message and stack may be in a payload, because they may be secret.
  const [inside] = encoded.values;
  const placed = ['message', 'stackTrace', 'cause', ...(kind === undefined ? [] : [kind.field])];
  if (inside !== undefined) placed.push('encodedAttributes');
  return withoutUndefined({
    ...restOfFields(failure, placed),
    ...(info === undefined ? {} : infoToMembers(info, unreadable)),
    name: textField(info, 'type') ?? kind?.name ?? 'Failure',
    message: textAt(inside, 'message') ?? textField(failure, 'message') ?? '',
    stack: textField(inside, 'stackTrace') ?? textField(failure, 'stackTrace'),
  });
}

function infoToMembers(info: JsonObject, unreadable: string[]): JsonObject {
  const decoded = payloadFields.map((name): readonly [string, JsonValue | undefined] => {
    const recorded = fieldAt(info, name);
    if (recorded === undefined) return [name, undefined];
    const read = payloadsToValues(recorded);
    for (const encoding of read.unreadable) unreadable.push(encoding);
    return [name, read.unreadable.length > 0 ? recorded : read.values];
  });
  return withoutUndefined({ ...restOfFields(info, ['type', ...payloadFields]), ...Object.fromEntries(decoded) });
}
