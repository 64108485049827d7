/**
 * The first event worth reading, which is selected when a trace is opened and nothing is asked for.
 *
 * Invariant: it is the first event that the headline names of what the run did, so that what is selected is what was just read; that the
 * records do not fit together leads nowhere by itself. Then the first decision, the first call of a model, the first start of a run or
 * an agent.
 */
import type { EventId } from '../../model/index.ts';
import type { Finding, HeadlineSpan } from '../trace-reader.ts';
import type { TraceView } from '../trace-view.ts';
import { recordRules } from './headline.ts';

/** In the order in which they are looked for. */
const openings: readonly (readonly string[])[] = [
  ['decision.made'],
  ['model_call.requested', 'model_call.completed'],
  ['tool_call.dispatched'],
  ['run.started', 'agent.spawned'],
];

export function computeStart(
  view: TraceView,
  facts: readonly (readonly HeadlineSpan[])[],
  findings: readonly Finding[],
): EventId | undefined {
  const aside = new Set(findings.filter(({ rule }) => recordRules.has(rule)).map(({ id }) => id));
  const about = facts.filter((fact) => !fact.some(({ finding }) => finding !== undefined && aside.has(finding)));
  const named = about.flat().find(({ event }) => event !== undefined)?.event;
  if (named !== undefined) return named;
  for (const types of openings) {
    const first = view.ofType(...types)[0];
    if (first !== undefined) return view.index.id(first);
  }
  return undefined;
}
