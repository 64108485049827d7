/** A compaction or roll-over says which commitments it stands for (R50). */
import type { EventOf } from '../../model/index.ts';
import type { AuditView } from '../audit-view.ts';
import { type Rule, createFinding } from '../rule.ts';

export const summaryWithoutCommitments: Rule = {
  id: 'summary-without-commitments',
  title: 'Commitments that summaries and roll-overs stand for',
  severity: 'gap',
  establishes: 'History was replaced by a summary that does not name the records it stands for.',
  leavesOpen: 'Which commitments the summary carries on.',
  requirements: ['R50'],
  run: (audit) => [
    ...audit
      .events('history.compacted')
      .filter(({ data }) => (data.stands_for ?? []).length === 0)
      .map((event) => toFinding(audit, event, 'A summary of history')),
    ...audit
      .events('run.rolled_over')
      .filter(({ data }) => data.carried === undefined)
      .map((event) => toFinding(audit, event, 'A roll-over of the run')),
  ],
};

function toFinding(audit: AuditView, event: EventOf<'history.compacted'> | EventOf<'run.rolled_over'>, what: string) {
  const committed = audit.ledger.commands.flatMap(({ executions }) =>
    executions.flatMap(({ records }) => records.map(({ id }) => id)),
  );
  const before = committed.length === 0 ? [] : committed.filter(audit.beforeAny([event.id]));
  return createFinding(summaryWithoutCommitments, {
    subject: event.id,
    // Foreign logs compact conversations all the time; without an outside effect before, nothing to carry is known.
    severity: before.length === 0 ? 'notice' : 'gap',
    title: `${what} does not say what it stands for`,
    text: `${what} (${event.id}) does not name the records it stands for.${before.length === 0 ? '' : ` ${String(before.length)} recorded commitments came before it.`}`,
    evidence: [event.id, ...before],
    known: [`The boundary is recorded: ${event.id}.`],
    unknown: ['Which commitments it carries on.'],
    interval: 'before the boundary',
  });
}
