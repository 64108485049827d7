/**
 * The durable states of a branch beside those it was replayed from, version by version. Called by `StatesCompared.tsx`.
 *
 * Invariant: a version the branch did not write is removed only where the branch came to its end; before that it may still come.
 */
import { hasEnded } from '../../core/replay/change-words.ts';
import type { StateVersion } from '../../core/projections/trace-reader.ts';
import type { ReplayReport } from '../../data/index.ts';

export interface StatePair {
  readonly name: string;
  readonly version: string;
  readonly before: StateVersion | undefined;
  readonly now: ReplayReport['states'][number] | undefined;
  readonly word: 'the same' | 'differs' | 'before not recorded' | 'only on this branch' | 'not reached' | 'removed';
}

export function pairStates(
  recorded: readonly { readonly name: string; readonly versions: readonly StateVersion[] }[],
  { states, outcome }: Pick<ReplayReport, 'states' | 'outcome'>,
): readonly StatePair[] {
  const missing = hasEnded(outcome) ? 'removed' : 'not reached';
  const found = new Map<string, StatePair>();
  for (const { name, versions } of recorded) {
    for (const before of versions) {
      const version = before.to ?? '';
      found.set(JSON.stringify([name, version]), { name, version, before, now: undefined, word: missing });
    }
  }
  for (const now of states) {
    const version = String(now.to);
    const key = JSON.stringify([now.name, version]);
    const before = found.get(key)?.before;
    found.set(key, { name: now.name, version, before, now, word: compare(before, now) });
  }
  return [...found.values()];
}

function compare(before: StateVersion | undefined, now: NonNullable<StatePair['now']>): StatePair['word'] {
  if (before === undefined) return 'only on this branch';
  if (before.digest === undefined && before.value === undefined) return 'before not recorded';
  return before.digest === now.digest ? 'the same' : 'differs';
}
