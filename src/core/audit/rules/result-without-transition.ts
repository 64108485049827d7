/** A result was kept and no state was built on it before the life ended (R26, R27, R30). */
import { gapFindings } from '../gap-finding.ts';
import type { Rule } from '../rule.ts';

export const resultWithoutTransition: Rule = {
  id: 'result-without-transition',
  title: 'Persisted result without state transition',
  severity: 'gap',
  establishes: 'A result was persisted; its life stopped before any transition built on it, and one was due.',
  leavesOpen: 'Whether the transition was made and its record lost, where records may be lost.',
  requirements: ['R26', 'R27', 'R30'],
  run: (audit) => gapFindings(audit, resultWithoutTransition, 'result'),
};
