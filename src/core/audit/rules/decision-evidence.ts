/** For each decision: which evidence and which policy produced it (R53, R57). */
import type { EventId, EventOf } from '../../model/index.ts';
import { countToText } from '../../projections/effects/words.ts';
import { approvalAnswer } from '../approvals.ts';
import type { AuditView } from '../audit-view.ts';
import { type Rule, createFinding } from '../rule.ts';

export const decisionEvidence: Rule = {
  id: 'decision-evidence',
  title: 'Evidence behind every decision, and authority behind every outside effect',
  severity: 'notice',
  establishes: 'Decisions name nothing they were made from, or outside effects name no policy or approval.',
  leavesOpen: 'Whether there was evidence or a policy: only that none is named.',
  requirements: ['R53', 'R57'],
  run: (audit) => {
    const decisions = audit.events('decision.made').filter(({ replayed }) => replayed !== true);
    const groundless = decisions
      .filter((event) => !names(event, ['consumed', 'informed_by', 'result_of']))
      .map(({ id }) => id);
    const requests = audit.ledger.commands.flatMap(({ attempts, stopped }) =>
      stopped === undefined ? (attempts[0]?.records.dispatched[0] ?? []) : [],
    );
    const unauthorised = requests.filter((event) => !isAuthorised(audit, event)).map(({ id }) => id);
    const lacks: readonly (readonly [string, string, readonly EventId[]])[] = [
      ['evidence', 'decision', groundless],
      ['policy or approval', 'outside effect', unauthorised],
    ];
    return lacks
      .filter(([, , events]) => events.length > 0)
      .map(([what, of, events]) =>
        createFinding(decisionEvidence, {
          subject: what,
          title: `${what.charAt(0).toUpperCase()}${what.slice(1)} not recorded for ${countToText(events.length, of)}`,
          text: `${countToText(events.length, of)} without any ${what} named as its cause.`,
          evidence: events,
          known: [],
          unknown: [`The ${what} behind ${events.length === 1 ? 'it' : 'them'}.`],
        }),
      );
  },
};

/** An approval that was only asked for authorises nothing. */
function isAuthorised(audit: AuditView, event: EventOf<'tool_call.dispatched'>): boolean {
  const named = (event.causes ?? []).filter(({ as, grade }) => as === 'authorized_by' && grade !== 'clock-only');
  return named.some(({ event: id }) => {
    const isAsked = audit.event(id)?.type === 'approval.requested';
    return !isAsked || approvalAnswer(audit, id)?.type === 'approval.granted';
  });
}

function names(event: EventOf<'decision.made'>, kinds: readonly string[]): boolean {
  return event.causes?.some(({ as, grade }) => kinds.includes(as) && grade !== 'clock-only') ?? false;
}
