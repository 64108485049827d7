/**
 * Holes of a ledger in which no execution stands (R95, R100): one record alone is missing, and an execution takes two.
 *
 * Invariant: only where the service is seen to tell of every request before what it made of it, and every request that it tells of has its
 * end on record. An execution under another request would then be missing together with that request, and leave a hole of two. Called by
 * trial-records.ts.
 */
import type { Attempt } from '../projections/effects/attempt.ts';
import type { EffectLedger } from '../projections/effects/ledger.ts';
import type { LedgerGap } from './ledger-gaps.ts';

export function isIdleHole({ kind, missing, component }: LedgerGap, { commands, unmatched }: EffectLedger): boolean {
  if (kind !== 'hole' || missing !== 1 || component === undefined) return false;
  if (unmatched.some(({ source }) => source.component === component)) return false;
  const attempts = commands
    .filter(({ service }) => service === undefined || service === component)
    .flatMap((command) => command.attempts)
    .filter(({ records }) => records.requested.length + records.committed.length > 0);
  return attempts.some(({ records }) => records.committed.length > 0) && attempts.every(isToldInFull);
}

/** As many ends as requests. One request may leave several kinds of things behind. */
function isToldInFull({ records, isUnassigned }: Attempt): boolean {
  if (isUnassigned === true || records.requested.length === 0) return false;
  const kinds = new Map<string, number>();
  for (const { data } of records.committed) {
    const kind = data.effect?.kind ?? '';
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const made = Math.max(0, ...kinds.values());
  const { deduplicated, refused, dropped, requested } = records;
  return made + deduplicated.length + refused.length + dropped.length >= requested.length;
}
