/**
 * What a sweep comes to, in one sentence: how many designs keep every effect single and complete, and under what assumption about models.
 *
 * The page and the command line say the same. A design that asked a model again is never counted as safe without the words "if".
 */
import type { SimulatedSweep } from './types.ts';

export function sweepToSentence({ trials, effects, strategies, modelVaries }: SimulatedSweep): string {
  const of = (strategy: (typeof strategies)[number]): SimulatedSweep['trials'] =>
    trials.filter((trial) => trial.strategy === strategy);
  const safe = strategies.filter((strategy) =>
    of(strategy).every(({ duplicates, losses, completed }) => duplicates === 0 && losses.length === 0 && completed),
  );
  const lucky = safe.filter((strategy) => of(strategy).some(({ extraModelCalls }) => extraModelCalls > 0)).length;
  const tried = `${plural(trials.length, 'kill')} over ${plural(effects.length, 'effect')}`;
  const keep = safe.length === 1 ? 'keeps' : 'keep';
  const sentence = `${tried}: ${String(safe.length)} of ${plural(strategies.length, 'design')} ${keep} every effect single and complete`;
  if (modelVaries) return `${sentence}, where a model that is asked again answers in other words.`;
  if (lucky === 0) return `${sentence}.`;
  return `${sentence}, ${lucky === safe.length ? '' : `${String(lucky)} of them `}only if a model that is asked again answers word for word.`;
}

function plural(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
