/**
 * Insertion points (R147): an outside dispatch without a commitment, where an overseer could have stepped in.
 *
 * One answer for graph, transcript, effects table and inspector, so that no two of them mark different records.
 */
import { isExternalDispatch } from './effects/external.ts';
import { isStoppedDispatch } from './effects/stopped.ts';
import type { TraceView } from './trace-view.ts';

const settledTypes: ReadonlySet<string> = new Set(['effect.committed', 'effect.deduplicated', 'effect.reconciled']);

/** A dispatch that went out, and of which no service told a commitment. Only what the service recorded as its result is asked. */
export function isInsertionPoint(view: TraceView, position: number): boolean {
  if (!isExternalDispatch(view, position) || isStoppedDispatch(view, position)) return false;
  const stack = [position];
  const seen = new Set(stack);
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    for (const { to } of view.effectsOf(at)) {
      if (seen.has(to) || view.index.family(to) !== 'effect') continue;
      if (settledTypes.has(view.index.type(to))) return false;
      seen.add(to);
      stack.push(to);
    }
  }
  return true;
}
