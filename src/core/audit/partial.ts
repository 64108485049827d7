/**
 * What may be said of a branch of which a copy holds a part.
 *
 * Invariant: nothing rests on the absence of a record, for what is absent here may be among what was left out. A rule whose finding is
 * established by the records that are here keeps it; every other rule is not decidable in this copy, and so is each that found nothing.
 * Called by `reading.ts`.
 */
import { countToText } from '../projections/effects/words.ts';
import type { CheckedRule, EffectRow, Finding } from '../projections/trace-reader.ts';
import type { AuditView } from './audit-view.ts';
import { rules } from './registry.ts';

/** Rules whose findings stand whatever was left out. One that is not listed needs all records of its branch. */
export const rulesOfPresence: ReadonlySet<string> = new Set([
  'executed-twice',
  'second-commitment-under-key',
  'key-with-other-body',
  'unstable-key',
  'order-problems',
  'answered-from-key',
  'recorded-twice',
  'old-observation',
]);

export function findingsOfPart(findings: readonly Finding[], leftOut: number): readonly Finding[] {
  const open = `What the ${countToText(leftOut, 'event')} left out of this copy would tell.`;
  return findings
    .filter(({ rule }) => rulesOfPresence.has(rule))
    .map((finding) => ({ ...finding, unknown: [...finding.unknown, open] }));
}

export function checkedOfPart(checked: readonly CheckedRule[], findings: readonly Finding[]): readonly CheckedRule[] {
  const found = new Set(findings.map(({ rule }) => rule));
  return checked.map((one) => (found.has(one.rule) ? one : { ...one, isOpen: true }));
}

/** Of a whole copy: what a rule looks for may stand in what is withheld. */
export function checkedOfCopy(
  checked: readonly CheckedRule[],
  findings: readonly Finding[],
  audit: AuditView,
): readonly CheckedRule[] {
  const found = new Set(findings.map(({ rule }) => rule));
  const open = new Set(rules.flatMap(({ id, isOpenIn }) => (isOpenIn?.(audit) === true ? [id] : [])));
  return checked.map((one) => (open.has(one.rule) && !found.has(one.rule) ? { ...one, isOpen: true } : one));
}

/** Two executions are two, and what was stopped by record never ran; all else may look otherwise in the whole. */
export function rowOfPart(row: EffectRow): EffectRow {
  if (row.verdict === 'executed twice' || row.stopped !== undefined) return row;
  return { ...row, verdict: 'not decidable in this copy' };
}
