/** How open a policy is, in a line. Times are a row of the table like any class of values. */
import { type RedactionPolicy, valueClasses } from '../../core/redaction/index.ts';

export function policyToSummary({ classes, times }: RedactionPolicy): string {
  const opened = valueClasses.filter(({ id }) => classes[id] === 'keep').length + (times === 'keep' ? 1 : 0);
  return opened === 0 ? 'closed: nothing is kept' : `${opened} of ${valueClasses.length + 1} kept as recorded`;
}
