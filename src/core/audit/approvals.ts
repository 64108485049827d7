/**
 * What became of an approval that was asked for. Invariant: only a record that answers this very request counts; silence is no yes.
 */
import type { EventId, HindcastEvent } from '../model/index.ts';
import type { AuditView } from './audit-view.ts';

/** The denial where one is recorded, else the grant; undefined where neither is. */
export function approvalAnswer(audit: AuditView, request: EventId): HindcastEvent | undefined {
  const answers = audit
    .effectsOf(request)
    .filter(({ as, grade }) => grade !== 'clock-only' && (as === 'result_of' || as === 'caused_by'));
  for (const type of ['approval.denied', 'approval.granted']) {
    const answer = answers.find((one) => one.type === type);
    if (answer !== undefined) return audit.event(answer.event);
  }
  return undefined;
}
