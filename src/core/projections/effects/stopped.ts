/**
 * Requests that are known to have ended before anything happened outside: refused, invalid, withdrawn, never sent, simulated.
 *
 * Invariant: a stop is what a record says (a denied approval, a failure known not executed, a cancellation before sending, the mark of
 * a replay), and never stands beside a record that somebody outside, or the tool, received the request. What is stopped is no outside
 * effect, and no rule judges it as a request that left.
 * Called by the ledger for its attempts, and by rows, cones and the overview for one dispatch at a time.
 */
import { type HindcastEvent, mainBranch } from '../../model/index.ts';
import type { Stop } from '../trace-reader.ts';
import type { TraceView } from '../trace-view.ts';
import type { Attempt } from './attempt.ts';
import { isExternalDispatch } from './external.ts';

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

/** Records that only somebody who received the request can have made. */
const receipts = ['requested', 'dropped', 'committed', 'deduplicated', 'refused', 'reconciled'] as const;

/** Issued by a replay, which sends nothing: its answers, if any, are what the replay was given. */
export function isSimulated(attempt: Attempt): boolean {
  const { records, reemitted } = attempt;
  const { dispatched } = records;
  if (dispatched.length === 0 || reemitted.length > 0 || receipts.some((name) => records[name].length > 0))
    return false;
  if (dispatched.some((event) => event.origin !== 'replayed')) return false;
  return attemptToAnswers(attempt).every(isGiven);
}

/** Put in by a replay. An answer without an origin was recorded; one adopted from evidence tells of a request that did leave. */
function isGiven({ origin }: HindcastEvent): boolean {
  return origin !== undefined && origin !== 'reconciled';
}

/** Whether all answers of a simulated request are values that a person put in. */
export function isAnsweredByPerson(attempt: Attempt): boolean {
  const answers = attemptToAnswers(attempt);
  return answers.length > 0 && answers.every(({ origin }) => origin === 'supplied');
}

function attemptToAnswers({ records }: Attempt): readonly HindcastEvent[] {
  return [
    ...records.acknowledged,
    ...records.completed,
    ...records.failed,
    ...records.timedOut,
    ...records.cancelled,
    ...records.persisted,
  ];
}

export function attemptToStop(attempt: Attempt): Stop | undefined {
  const { records, reemitted } = attempt;
  if (isSimulated(attempt)) return attemptToAnswers(attempt).length > 0 ? 'simulated, not sent' : 'never sent';
  if (reemitted.length > 0 || arrivals.some((name) => records[name].length > 0)) return undefined;
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

/** The same of one dispatch without its ledger: by its own mark and the records that name it as what they answer. */
export function isStoppedDispatch(view: TraceView, position: number): boolean {
  const isReplays = view.index.branch(position) !== mainBranch && view.event(position).origin === 'replayed';
  let isStopped = isReplays;
  for (const { to, as } of view.effectsOf(position)) {
    if (as !== 'result_of' && as !== 'caused_by') continue;
    const type = view.index.type(to);
    if (type.startsWith('effect.')) return false;
    if (type === 'tool_call.completed' || type === 'tool_call.acknowledged') {
      if (!isReplays || !isGiven(view.event(to))) return false;
    } else if (endingTypes.has(type)) isStopped ||= endingToStop(view.event(to)) !== undefined;
  }
  return isStopped;
}

/** Left the system, or may have: what rows and pictures mark as an outside effect. */
export function isOutsideEffect(view: TraceView, position: number): boolean {
  if (isExternalDispatch(view, position)) return !isStoppedDispatch(view, position);
  return view.index.has(position, 'effect');
}
