/** Verdicts of a program over a recorded run, and prices of further model calls, in words. */
import type { VerdictWord } from '../../core/replay/verdict.ts';
import type { RunSetAnswer } from '../../data/index.ts';
import type { Tone } from '../../ui/Chip.tsx';
import { countOf } from '../../ui/format.ts';

export const verdictTones: Readonly<Record<VerdictWord, Tone>> = {
  identical: 'ok',
  compatible: 'ok',
  extends: 'accent',
  'needs-observation': 'warning',
  diverges: 'danger',
  limit: 'danger',
  error: 'danger',
};

/** What further model calls would cost, by what the record says such calls did cost. */
export function pricesToText(calls: number, { estimates, unpriced }: RunSetAnswer['price']): string {
  if (calls === 0) return 'none';
  const parts = estimates.map(({ amount, currency }) => `about ${String(amount)} ${currency}`);
  if (unpriced > 0) parts.push(`${String(unpriced)} without a recorded price`);
  return `${countOf(calls, 'call')}: ${parts.join(', ')}`;
}

export function shareToText(share: number): string {
  return `${String(Math.round(share * 1000) / 10)} %`;
}
