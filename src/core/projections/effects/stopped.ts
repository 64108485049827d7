/**
 * Requests that are known to have ended before anything happened outside: refused, invalid, withdrawn, never sent.
 *
 * Invariant: a stop is what a record says (a denied approval, a failure known not executed, a cancellation before sending), and
 * never stands beside a record that somebody outside, or the tool, received the request. What is stopped is no outside effect.
 * Called by the ledger for its attempts, and by rows, cones and the overview for one dispatch at a time.
 */
import type { HindcastEvent } from '../../model/index.ts';
import type { Stop } from '../trace-reader.ts';
import type { TraceView } from '../trace-view.ts';
import type { Attempt } from './attempt.ts';

/** Records that exist only where the request arrived somewhere. */
const arrivals = [
  'requested',
  'dropped',
  'committed',
  'deduplicated',
  'refused',
  'reconciled',
  'acknowledged',
  'completed',
] as const;

export function attemptToStop(attempt: Attempt): Stop | undefined {
  const { records, reemitted } = attempt;
  if (reemitted.length > 0 || arrivals.some((name) => records[name].length > 0)) return undefined;
  const { dispatched } = records;
  if (dispatched.length > 0 && dispatched.every((event) => event.origin === 'replayed')) return 'never sent';
  const endings: readonly HindcastEvent[] = [...records.denied, ...records.failed, ...records.cancelled];
  return endings.map(endingToStop).find((stop) => stop !== undefined);
}

function endingToStop(event: HindcastEvent): Stop | undefined {
  if (event.type === 'approval.denied') return 'refused before it ran';
  if (event.type === 'tool_call.cancelled') return event.data.sent === false ? 'never sent' : undefined;
  // A status of HTTP is the answer of somebody who received it.
  if (event.type !== 'tool_call.failed' || event.data.executed !== false || event.data.http_status !== undefined)
    return undefined;
  // The authority a failure names is the one that refused.
  const isRefusal = event.data['refused'] === true || (event.causes ?? []).some(({ as }) => as === 'authorized_by');
  return isRefusal ? 'refused before it ran' : 'did not run';
}

const endingTypes: ReadonlySet<string> = new Set(['approval.denied', 'tool_call.failed', 'tool_call.cancelled']);

/** The same of one dispatch without its ledger: by the records that name it as what they answer. */
export function isStoppedDispatch(view: TraceView, position: number): boolean {
  let isStopped = false;
  for (const { to, as } of view.effectsOf(position)) {
    if (as !== 'result_of' && as !== 'caused_by') continue;
    const type = view.index.type(to);
    if (type.startsWith('effect.') || type === 'tool_call.completed' || type === 'tool_call.acknowledged') return false;
    if (endingTypes.has(type)) isStopped ||= endingToStop(view.event(to)) !== undefined;
  }
  return isStopped;
}

/** Left the system, or may have: what rows and pictures mark as an outside effect. */
export function isOutsideEffect(view: TraceView, position: number): boolean {
  if (!view.index.has(position, 'effect')) return false;
  return !view.index.has(position, 'externalDispatch') || !isStoppedDispatch(view, position);
}
