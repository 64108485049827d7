/**
 * Whether a request is only taken to reach outside: by the name of its tool or by the kind that an importer gave its command, where no
 * record says so. A shell may have listed a folder or moved money.
 *
 * Invariant: what a log declares itself, and what somebody outside recorded, is never assumed. Called by rows, graph and headline; the
 * ledger and its rules take an assumed request for one that may have left.
 */
import type { HindcastEvent } from '../../model/index.ts';
import { payloadOf, textAt } from '../../causal/index.ts';
import type { TraceView } from '../trace-view.ts';
import { isOutsideEffect } from './stopped.ts';

export function isAssumedOutside(event: HindcastEvent): boolean {
  if (event.type !== 'tool_call.dispatched' || event.imported === undefined) return false;
  const data = payloadOf(event);
  return textAt(data, 'effect_rule') !== undefined || textAt(data, 'effect') === undefined;
}

/** For marks: `effect` for what left the system, `mayEffect` for what may have. */
interface EffectMark {
  readonly effect: boolean;
  readonly mayEffect?: boolean;
}

export function effectMark(view: TraceView, position: number, event: HindcastEvent): EffectMark {
  if (!isOutsideEffect(view, position)) return { effect: false };
  const isTold = view.effectsOf(position).some(({ to }) => view.index.type(to).startsWith('effect.'));
  return !isTold && isAssumedOutside(event) ? { effect: false, mayEffect: true } : { effect: true };
}
