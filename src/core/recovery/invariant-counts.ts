/**
 * Each invariant over several trials: in how many it was judged, and in which it was violated.
 *
 * Invariant: a trial in which it was not checked counts neither way. The table on the page and the sentence that may be quoted both take
 * their numbers from here, so they cannot differ.
 */
import type { TrialReport } from './report.ts';

interface InvariantCount {
  readonly id: string;
  readonly text: string;
  /** Trials in which it was judged: held or violated. */
  readonly checked: number;
  readonly violatedIn: readonly string[];
  /** All trials looked at, checked or not. */
  readonly trials: number;
}

/** A kill of it is verified that struck a model call, and so no point of an effect. */
export function isInModelCall({ placements }: Pick<TrialReport, 'placements'>): boolean {
  return placements.some(
    ({ verdict, point, duringModelCall }) => verdict === 'verified' && point === undefined && duringModelCall,
  );
}

/** Trials that an outcome is counted over: a fault was injected, and it is what the trial says. */
export function isCounted({ arm, validity }: TrialReport): boolean {
  return arm !== 'control' && validity === 'valid';
}

/** That side effects are avoided, and that versions agree, is a finding of repeated cases: one trial shows neither (R124). */
export const needsRepetition: ReadonlySet<string> = new Set([
  ...['no-duplicate-effect', 'one-execution-per-key', 'effects-equal-control'],
  ...['state-versions-once', 'state-equals-control'],
]);

export function countInvariants(trials: readonly TrialReport[]): readonly InvariantCount[] {
  const counts = new Map<string, { readonly text: string; checked: number; readonly violatedIn: string[] }>();
  for (const trial of trials) {
    for (const { id, text, verdict } of trial.invariants) {
      const count = counts.get(id) ?? { text, checked: 0, violatedIn: [] };
      counts.set(id, count);
      if (verdict !== 'not checked') count.checked += 1;
      if (verdict === 'violated') count.violatedIn.push(trial.id);
    }
  }
  return [...counts].map(([id, count]) => ({ id, ...count, trials: trials.length }));
}
