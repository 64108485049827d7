/**
 * Findings, and the reading of a branch that is built on them.
 *
 * Glossary
 * - rule: one check, pure over what a branch shows (avoid: detector, lint)
 * - finding: what a rule establishes, with evidence and with what stays open (avoid: issue, alert)
 * - violation: records show that something that must not happen did
 * - gap: a record that was due is not there; the interval is named
 * - notice: something was never recorded, or is worth knowing; changes no exit code
 */
export { createReading } from './reading.ts';
export { rules } from './registry.ts';
export type { Rule } from './rule.ts';
export { type StreamAudit, streamAudit } from './stream-findings.ts';
