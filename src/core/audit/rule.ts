/**
 * What a rule is, and how it says what it found.
 *
 * Invariant: a rule is pure over an AuditView. Its id is stable and independent of where the file lies; a finding's id is the
 * rule's id and its subject. Texts are evidence (R148): what records establish, what they leave open, never what to do next.
 */
import type { CommandPath, EventId } from '../model/index.ts';
import type { Finding } from '../projections/trace-reader.ts';
import type { AuditView } from './audit-view.ts';

export interface Rule {
  readonly id: string;
  /** What is checked, as one reads it in a list of checks. */
  readonly title: string;
  /** The gravest severity it gives. */
  readonly severity: Finding['severity'];
  /** What a finding of this rule establishes. */
  readonly establishes: string;
  /** What it does not establish. */
  readonly leavesOpen: string;
  readonly requirements: readonly string[];
  readonly run: (audit: AuditView) => readonly Finding[];
  /** Of a redacted copy: whether what is withheld from it may tell of a finding that the records which are here do not show. */
  readonly isOpenIn?: (audit: AuditView) => boolean;
}

export interface FindingParts {
  /** What the finding is about, unique within the rule. */
  readonly subject: string;
  readonly title: string;
  readonly text: string;
  readonly severity?: Finding['severity'] | undefined;
  readonly evidence: readonly EventId[];
  readonly known: readonly string[];
  readonly unknown: readonly string[];
  readonly command?: CommandPath | undefined;
  readonly interval?: string | undefined;
}

/** Most events a finding names; a rule that meets more says how many there are. */
const mostEvidence = 50;

export function createFinding(rule: Pick<Rule, 'id' | 'severity'>, parts: FindingParts): Finding {
  const { subject, severity = rule.severity, evidence, ...rest } = parts;
  return {
    id: `${rule.id}:${subject}`,
    rule: rule.id,
    severity,
    evidence: [...new Set(evidence)].slice(0, mostEvidence),
    ...rest,
  };
}
