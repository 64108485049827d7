/** The rules that ran beside what each of them found: those that found something first, gravest first, then in the order of the rules. */
import type { CheckedRule, Finding } from '../../core/projections/trace-reader.ts';
import { countOf, countToText } from '../../ui/format.ts';

export interface CheckRow extends CheckedRule {
  /** Ids of its findings. */
  readonly found: readonly string[];
  /** The gravest of them. */
  readonly severity: Finding['severity'] | undefined;
}

const gravity: readonly (Finding['severity'] | undefined)[] = ['violation', 'gap', 'notice', undefined];

export function checksToRows(checked: readonly CheckedRule[], findings: readonly Finding[]): readonly CheckRow[] {
  const byRule = new Map<string, Finding[]>();
  for (const finding of findings) {
    const known = byRule.get(finding.rule);
    if (known === undefined) byRule.set(finding.rule, [finding]);
    else known.push(finding);
  }
  return checked
    .map((rule) => {
      const own = byRule.get(rule.rule) ?? [];
      const severity = gravity.find((one) => own.some((finding) => finding.severity === one));
      return { ...rule, found: own.map(({ id }) => id), severity };
    })
    .toSorted((a, b) => gravity.indexOf(a.severity) - gravity.indexOf(b.severity));
}

/** How many ran; of a part of a branch those that it can decide, because the others say nothing of it. */
export function checkedToWords(checked: readonly CheckedRule[]): string {
  const open = checked.filter(({ isOpen }) => isOpen === true).length;
  const all = countOf(checked.length, 'check');
  if (open === 0) return `${all} ran`;
  const decided = checked.length - open;
  return decided === 0 ? `${all} not decidable` : `${countToText(decided)} of ${all} decidable`;
}

/** The one after the finding that is shown; the first after the last. */
export function nextFindingOf(found: readonly string[], shown: string | undefined): string {
  return found[(found.indexOf(shown ?? '') + 1) % found.length] ?? '';
}
