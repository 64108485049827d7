/**
 * What one event says about itself, as bits for its row of columns. Only the event is read, never its neighbours.
 */
import type { JsonObject } from '../base/json.ts';
import type { HindcastEvent } from '../model/index.ts';
import { eventFlags } from './columns.ts';
import { isRefusal, memberOf, numberOf, payloadOf, textAt } from './payload.ts';

const failedTypes: ReadonlySet<string> = new Set([
  'run.failed',
  'model_call.failed',
  'tool_call.failed',
  'tool_call.timed_out',
  'effect.dropped',
  'effect.refused',
  'effect.missing',
  'approval.denied',
  'heartbeat.missed',
  'replay.diverged',
  'duplicate.detected',
]);

/** What a service told of an act that is out in the world. A refused or dropped request is none. */
const effectTypes: ReadonlySet<string> = new Set([
  'effect.committed',
  'effect.deduplicated',
  'effect.reconciled',
  'effect.compensated',
]);

export function computeFlags(event: HindcastEvent): number {
  const data = payloadOf(event);
  const external = event.type === 'tool_call.dispatched' && isExternal(event, data);
  let flags = 0;
  if (isFailed(event.type, data)) flags |= eventFlags.failed;
  if (external) flags |= eventFlags.externalDispatch | eventFlags.effect;
  if (effectTypes.has(event.type)) flags |= eventFlags.effect;
  if (event.replayed === true) flags |= eventFlags.replayed;
  if (event.origin !== undefined) flags |= eventFlags.given;
  if (event.origin === 'supplied') flags |= eventFlags.supplied;
  if (event.command?.delivered !== undefined) flags |= eventFlags.final;
  switch (event.durable?.status) {
    case 'memory':
      return flags | eventFlags.inMemory;
    case 'flushed':
      return flags | eventFlags.flushed;
    case 'durable':
      return flags | eventFlags.durable;
    case undefined:
      return flags;
  }
}

function isExternal(event: HindcastEvent, data: JsonObject): boolean {
  const declared = data['effect'];
  return declared === undefined ? event.command?.kind === 'write' : declared === 'external';
}

function isFailed(type: string, data: JsonObject): boolean {
  if (failedTypes.has(type) || (memberOf(data, 'error') ?? null) !== null) return true;
  if (type === 'worker.exited') {
    const code = numberOf(data['code']);
    return textAt(data, 'signal') !== undefined || (code !== undefined && code !== 0);
  }
  if (type === 'invariant.checked' || type === 'policy.evaluated') return isRefusal(memberOf(data, 'verdict'));
  return type === 'tool_call.completed' && (numberOf(data['http_status']) ?? 0) >= 400;
}
