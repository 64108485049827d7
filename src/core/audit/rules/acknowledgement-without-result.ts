/** An answer arrived and was kept nowhere (R26, R27, R30). */
import { gapFindings } from '../gap-finding.ts';
import type { Rule } from '../rule.ts';

export const acknowledgementWithoutResult: Rule = {
  id: 'acknowledgement-without-result',
  title: 'Acknowledgement without persisted result',
  severity: 'gap',
  establishes: 'The caller recorded the answer of the service, and no durable result after it.',
  leavesOpen: 'Whether the answer was kept somewhere that this trace does not show.',
  requirements: ['R26', 'R27', 'R30'],
  run: (audit) => gapFindings(audit, acknowledgementWithoutResult, 'acknowledgement'),
};
