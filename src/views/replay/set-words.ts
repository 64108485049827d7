/** Verdicts of a program over a recorded run, and prices of further model calls, in words. */
import type { VerdictWord } from '../../core/replay/verdict.ts';
import type { RunSetAnswer } from '../../data/index.ts';
import type { Tone } from '../../ui/Chip.tsx';
import { countOf } from '../../ui/format.ts';

export const verdictWords: readonly VerdictWord[] = [
  'identical',
  'compatible',
  'extends',
  'needs-observation',
  'diverges',
  'limit',
  'error',
];

export const verdictTones: Readonly<Record<VerdictWord, Tone>> = {
  identical: 'ok',
  compatible: 'ok',
  extends: 'accent',
  'needs-observation': 'warning',
  diverges: 'danger',
  limit: 'danger',
  error: 'danger',
};

export const verdictMeanings: Readonly<Record<VerdictWord, string>> = {
  identical: 'Every command, state and outcome is the recorded one.',
  compatible: 'Commands moved or states changed, and the outcome is the recorded one.',
  extends: 'It repeats the record and then asks for more than the record has.',
  'needs-observation': 'It asks, before the end of the record, for something the record has no answer to.',
  diverges: 'It ends, and not as recorded.',
  limit: 'A limit of the sandbox ended it.',
  error: 'It could not be replayed.',
};

export function verdictToWords(verdict: VerdictWord): string {
  return verdict === 'needs-observation' ? 'needs an answer' : verdict;
}

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
