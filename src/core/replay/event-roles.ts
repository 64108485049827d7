/**
 * What each event type is to a command (mapping D): issuing, ending, a command in one event, or a side event.
 *
 * The only place that knows types; the journal and the branch writer work with roles.
 */
import { createTable } from '../base/table.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import type { HindcastEvent } from '../model/index.ts';
import { dataOf } from './contents.ts';
import { containsHole } from '../base/withheld.ts';

export type EventRole = 'issue' | 'ending' | 'one' | 'side';

interface TypeRow {
  readonly role: EventRole;
  readonly kind: string;
  /** For endings: what kind of observation. */
  readonly gives?: 'ok' | 'err' | 'cancelled';
}

const rows: Readonly<Record<string, TypeRow>> = createTable({
  'model_call.requested': { role: 'issue', kind: 'model' },
  'model_call.completed': { role: 'ending', kind: 'model', gives: 'ok' },
  'model_call.failed': { role: 'ending', kind: 'model', gives: 'err' },
  'model_call.cancelled': { role: 'ending', kind: 'model', gives: 'cancelled' },
  'tool_call.dispatched': { role: 'issue', kind: 'tool' },
  'tool_call.completed': { role: 'ending', kind: 'tool', gives: 'ok' },
  'tool_call.failed': { role: 'ending', kind: 'tool', gives: 'err' },
  'tool_call.timed_out': { role: 'ending', kind: 'tool', gives: 'err' },
  'tool_call.cancelled': { role: 'ending', kind: 'tool', gives: 'cancelled' },
  'timer.started': { role: 'issue', kind: 'timer' },
  'timer.fired': { role: 'ending', kind: 'timer', gives: 'ok' },
  'timer.cancelled': { role: 'ending', kind: 'timer', gives: 'cancelled' },
  'signal.awaited': { role: 'issue', kind: 'signal' },
  'approval.requested': { role: 'issue', kind: 'signal' },
  'signal.received': { role: 'ending', kind: 'signal', gives: 'ok' },
  'approval.granted': { role: 'ending', kind: 'signal', gives: 'ok' },
  'approval.denied': { role: 'ending', kind: 'signal', gives: 'ok' },
  'signal.cancelled': { role: 'ending', kind: 'signal', gives: 'cancelled' },
  'agent.spawned': { role: 'issue', kind: 'child' },
  'agent.joined': { role: 'ending', kind: 'child', gives: 'ok' },
  'agent.cancelled': { role: 'ending', kind: 'child', gives: 'cancelled' },
  'env.read': { role: 'one', kind: 'read', gives: 'ok' },
  'policy.evaluated': { role: 'one', kind: 'read', gives: 'ok' },
  'input.received': { role: 'one', kind: 'read', gives: 'ok' },
  'state.transitioned': { role: 'one', kind: 'state', gives: 'ok' },
  'decision.made': { role: 'one', kind: 'decide', gives: 'ok' },
  'marker.recorded': { role: 'one', kind: 'marker', gives: 'ok' },
  'clock.read': { role: 'one', kind: 'draw', gives: 'ok' },
  'random.drawn': { role: 'one', kind: 'draw', gives: 'ok' },
});

/** `undefined` for an event that says nothing about a command. */
export function eventToRow(event: HindcastEvent): TypeRow | undefined {
  if (event.command === undefined) return undefined;
  const row = rows[event.type];
  if (row === undefined) return { role: 'side', kind: '' };
  // An input that answers a signal is its ending; outside a signal it is a command of its own.
  if (event.type === 'input.received' && event.command.kind === 'signal')
    return { role: 'ending', kind: 'signal', gives: 'ok' };
  return row;
}

/**
 * An ending with a position of its issue is the issue too: a source that records answers and not requests (a session of a coding agent)
 * has no other event for it.
 */
export function isOwnIssue(event: HindcastEvent): boolean {
  return event.command?.issued !== undefined && eventToRow(event)?.role === 'ending';
}

/** Kind of the command: as recorded, else by type and declared effect. */
export function eventToKind(event: HindcastEvent, row: TypeRow): string {
  const recorded = event.command?.kind;
  if (recorded === 'clock' || recorded === 'random') return 'draw';
  if (recorded !== undefined) return recorded;
  if (row.kind !== 'tool') return row.kind;
  return dataOf(event)['effect'] === 'external' ? 'write' : 'read';
}

export type RecordedOutcome =
  | { readonly kind: 'ok'; readonly value: JsonValue }
  | { readonly kind: 'err'; readonly error: RecordedError }
  | { readonly kind: 'cancelled'; readonly sent: boolean }
  | { readonly kind: 'value-not-recorded' };

export interface RecordedError {
  readonly name: string;
  readonly message: string;
  readonly data?: JsonValue;
}

/** The observation an ending or one-event record gives to control code. */
export function eventToOutcome(event: HindcastEvent, row: TypeRow): RecordedOutcome {
  const data = dataOf(event);
  if (row.gives === 'cancelled') return { kind: 'cancelled', sent: data['sent'] !== false };
  const error = data['error'];
  // An error of which any part is withheld keeps its holes where the pass looks for them.
  if (isJsonObject(error) && containsHole(error))
    return { kind: 'err', error: { name: 'Withheld', message: '', data: error } };
  if (isJsonObject(error)) return { kind: 'err', error: jsonToError(error) };
  if (row.gives === 'err') return { kind: 'value-not-recorded' };
  // A recorded null is a value: only an absent member is "not recorded".
  const value = data['result'] === undefined ? typedValue(event, data) : data['result'];
  return value === undefined ? { kind: 'value-not-recorded' } : { kind: 'ok', value };
}

function typedValue(event: HindcastEvent, data: JsonObject): JsonValue | undefined {
  switch (event.type) {
    case 'timer.fired':
      return null;
    case 'policy.evaluated':
      if (data['verdict'] === undefined) return data['value'];
      return { verdict: data['verdict'], ...(data['value'] === undefined ? {} : { value: data['value'] }) };
    case 'approval.granted':
    case 'approval.denied':
      return {
        granted: event.type === 'approval.granted',
        by: data['by'] ?? null,
        ...(data['value'] === undefined ? {} : { value: data['value'] }),
      };
    case 'decision.made':
      return data['chosen'];
    case 'marker.recorded':
      return data['value'] ?? true;
    case 'state.transitioned':
      return data['to'] === undefined ? undefined : { name: data['name'] ?? '', n: data['to'] };
    default:
      return data['value'];
  }
}

export function jsonToError(error: JsonObject): RecordedError {
  const { name, message, data } = error;
  return {
    name: typeof name === 'string' ? name : 'Error',
    message: typeof message === 'string' ? message : '',
    ...(data === undefined ? {} : { data }),
  };
}

/** Arguments the issuing event carries; `{}` for one-event records without any. */
export function eventToArgs(event: HindcastEvent, row: TypeRow): JsonValue | undefined {
  const data = dataOf(event);
  if (data['args'] !== undefined) return data['args'];
  if (event.type === 'state.transitioned') return data['value'];
  if (event.type === 'timer.started') return undefined;
  if (event.type === 'signal.awaited' || event.type === 'approval.requested') return undefined;
  if (event.type === 'decision.made' && data['chosen'] !== undefined) {
    return {
      chosen: data['chosen'],
      ...(data['alternatives'] === undefined ? {} : { alternatives: data['alternatives'] }),
    };
  }
  return row.role === 'one' && row.kind === 'read' ? {} : undefined;
}

interface GivenOutcome {
  readonly kind: 'ok' | 'err' | 'cancelled';
  readonly value?: JsonValue;
}

/** Type of the ending event that a supplied, edited or derived observation of a command is written as. */
export function endingType(
  kind: string,
  issueType: string | undefined,
  finalType: string | undefined,
  observation: GivenOutcome,
): string {
  const outcome = observation.kind;
  const oneEvent = issueType !== undefined && issueType === finalType ? issueType : undefined;
  if (oneEvent !== undefined && rows[oneEvent]?.role === 'one') return oneEvent;
  switch (kind) {
    case 'model':
      return outcome === 'ok'
        ? 'model_call.completed'
        : outcome === 'err'
          ? 'model_call.failed'
          : 'model_call.cancelled';
    case 'timer':
      return outcome === 'cancelled' ? 'timer.cancelled' : 'timer.fired';
    case 'signal':
      if (outcome === 'cancelled') return 'signal.cancelled';
      return finalType?.startsWith('approval.') === true ? approvalType(observation) : 'signal.received';
    case 'child':
      return outcome === 'cancelled' ? 'agent.cancelled' : 'agent.joined';
    default:
      return outcome === 'ok' ? 'tool_call.completed' : outcome === 'err' ? 'tool_call.failed' : 'tool_call.cancelled';
  }
}

/** The type says what the value says: an edit can turn one answer into the other, or into neither. */
function approvalType({ value }: GivenOutcome): string {
  const granted = isJsonObject(value) ? value['granted'] : undefined;
  if (typeof granted !== 'boolean') return 'signal.received';
  return granted ? 'approval.granted' : 'approval.denied';
}

export function issueType(kind: string): string {
  switch (kind) {
    case 'model':
      return 'model_call.requested';
    case 'timer':
      return 'timer.started';
    case 'signal':
      return 'signal.awaited';
    case 'child':
      return 'agent.spawned';
    default:
      return 'tool_call.dispatched';
  }
}
