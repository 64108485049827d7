/**
 * Insertion points (R147): an outside dispatch without a commitment and without an answer, where an overseer could have stepped in.
 *
 * One answer for graph, transcript, effects table and inspector, so that no two of them mark different records.
 */
import { isExternalDispatch } from './effects/external.ts';
import { isStoppedDispatch } from './effects/stopped.ts';
import type { TraceView } from './trace-view.ts';

/** What a service told, or what its caller was given: after either there is nothing left to step in to. */
const settledTypes: ReadonlySet<string> = new Set([
  'effect.committed',
  'effect.deduplicated',
  'effect.reconciled',
  'tool_call.acknowledged',
  'tool_call.completed',
  'tool_call.failed',
  'tool_call.result_persisted',
]);

const answerFamilies: ReadonlySet<string> = new Set(['effect', 'tool']);

/** A dispatch that went out, and of which neither a commitment nor an answer is on record; of a part of a branch nobody can tell. */
export function isInsertionPoint(view: TraceView, position: number): boolean {
  if (view.leftOut > 0) return false;
  if (!isExternalDispatch(view, position) || isStoppedDispatch(view, position)) return false;
  const stack = [position];
  const seen = new Set(stack);
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    for (const { to } of view.effectsOf(at)) {
      if (seen.has(to) || !answerFamilies.has(view.index.family(to)) || view.index.type(to) === 'tool_call.dispatched')
        continue;
      if (settledTypes.has(view.index.type(to))) return false;
      seen.add(to);
      stack.push(to);
    }
  }
  return true;
}
