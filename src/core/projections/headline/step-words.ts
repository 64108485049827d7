/**
 * The step of an event in words, for a headline. Invariant: an id that a machine made stands behind what it is the id of, never alone
 * where the record tells more.
 */
import { textAt } from '../../causal/index.ts';
import { isOpaqueId, shortId, stepToText } from '../title-words.ts';
import type { TraceView } from '../trace-view.ts';

/** "step plan"; of a step that is an id, the answer of the model that the event comes from. */
export function stepToWords(view: TraceView, position: number): string | undefined {
  const step = view.index.step(position);
  if (step === undefined) return undefined;
  if (!isOpaqueId(step)) return nameToWords(stepToText(step));
  const answer = view.causesOf(position).find(({ from }) => view.index.type(from) === 'model_call.completed');
  const data = answer === undefined ? undefined : view.data(answer.from);
  const model = textAt(data, 'response_model') ?? textAt(data, 'request_model');
  return model === undefined ? `step ${shortId(step)}` : `an answer of ${model} (step ${shortId(step)})`;
}

/** A name that says itself that it is a step, as every pseudonym of one does, is not called a step once more. */
function nameToWords(name: string): string {
  return /^step[\s._-]/i.test(name) ? name : `step ${name}`;
}
