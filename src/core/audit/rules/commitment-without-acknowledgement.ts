/** The service told of an effect whose answer the caller never recorded (R26, R27, R30). */
import { gapFindings } from '../gap-finding.ts';
import type { Rule } from '../rule.ts';

export const commitmentWithoutAcknowledgement: Rule = {
  id: 'commitment-without-acknowledgement',
  title: 'Commitment without acknowledgement',
  severity: 'gap',
  establishes: 'The service recorded the effect; the caller recorded no answer for that request.',
  leavesOpen: 'Whether the answer reached the caller, and what a later life knew of it.',
  requirements: ['R26', 'R27', 'R30'],
  run: (audit) => gapFindings(audit, commitmentWithoutAcknowledgement, 'commitment'),
};
