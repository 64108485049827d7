/**
 * Redaction.
 *
 * Glossary
 * - policy: versioned data that says per class what happens to a value (avoid: settings, filter)
 * - class: a kind of value, such as tool arguments
 * - hole: what stands where a value was withheld: `{"$hole": id}` (avoid: mask, blank)
 * - pseudonym: a stand-in that keeps joins inside one copy
 * - copy: the redacted stream, a stream in its own right
 */
export {
  type Action,
  type RedactionPolicy,
  type TimeAction,
  type ValueClass,
  actionsOf,
  closedPolicy,
  openClasses,
  parsePolicy,
  valueClasses,
} from './policy.ts';
export { fieldsOf } from './fields.ts';
export type { Rule } from './rules.ts';
export { type ClassCount, type RedactedCopy, type RedactionInput, neverCopied, redact } from './redact.ts';
export type { Hole } from './holes.ts';
export type { ContentLookup } from './scrub.ts';
