/** Effects that no recorded request explains (R24, R5). */
import { executionIds } from '../attempt-words.ts';
import { type Rule, createFinding } from '../rule.ts';

export const effectWithoutRequest: Rule = {
  id: 'effect-without-request',
  title: 'Effects that no recorded request explains',
  severity: 'gap',
  establishes: 'A service recorded a commitment that names no request of this trace, by cause, command or key.',
  leavesOpen: 'Who asked for it: the request may be in a stream that was not opened, or lost.',
  requirements: ['R24', 'R5', 'R30'],
  run: (audit) => {
    // On a branch, a request that was taken out is known; its effect is told with the branch.
    const orphans = new Set(audit.orphanEffects().map(({ id }) => id));
    return audit.ledger.unmatched
      .filter((event) => event.type === 'effect.committed' && !orphans.has(event.id))
      .map((event) =>
        createFinding(effectWithoutRequest, {
          subject: event.id,
          title: `Effect ${executionIds([event])}: request not recorded`,
          text: `${event.source.component} committed ${executionIds([event])}; no request in this trace explains it.`,
          evidence: [event.id],
          known: [`${event.source.component} committed ${executionIds([event])}.`],
          unknown: ['Which request asked for it, and who chose that request.'],
          ...(event.command === undefined ? {} : { command: event.command.path }),
          interval: 'before the commitment',
        }),
      );
  },
};
