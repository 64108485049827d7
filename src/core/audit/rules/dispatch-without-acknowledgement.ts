/** A request that left, and no answer on the record (R26, R27, R30). */
import { gapFindings } from '../gap-finding.ts';
import type { Rule } from '../rule.ts';

export const dispatchWithoutAcknowledgement: Rule = {
  id: 'dispatch-without-acknowledgement',
  title: 'Dispatch without acknowledgement',
  severity: 'gap',
  establishes: 'An outside request was dispatched; neither an answer nor a commitment of it is recorded.',
  leavesOpen: 'Whether the service executed it, unless the service itself says that it did not.',
  requirements: ['R26', 'R27', 'R30'],
  run: (audit) => gapFindings(audit, dispatchWithoutAcknowledgement, 'request'),
};
