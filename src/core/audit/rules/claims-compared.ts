/** Verdicts that producers wrote into the stream, compared with what the records establish. Never an input of a verdict. */
import type { HindcastEvent } from '../../model/index.ts';
import type { EffectCommand } from '../../projections/effects/ledger.ts';
import { commandToName } from '../attempt-words.ts';
import type { AuditView } from '../audit-view.ts';
import { type Rule, createFinding } from '../rule.ts';

export const claimsCompared: Rule = {
  id: 'claims-compared',
  title: 'Claims of duplicates in the stream, compared with the records',
  severity: 'notice',
  establishes:
    'A producer recorded that an effect was a duplicate, and the records of the effect do not show one, or the reverse.',
  leavesOpen: 'Which is right: the claim may rest on what this trace does not hold.',
  requirements: ['R100', 'R137'],
  run: (audit) =>
    audit.events('duplicate.detected').flatMap((claim) => {
      const command = commandOf(audit, claim);
      if (command?.verdict === 'executed twice') return [];
      return [
        createFinding(claimsCompared, {
          subject: claim.id,
          title: 'A recorded claim of a duplicate does not agree with the records',
          text: `${claim.id} claims a duplicate effect; ${command === undefined ? 'it names no effect of this trace' : `the records of "${commandToName(command)}" show: ${command.verdict}`}.`,
          evidence: [claim.id, ...(command?.executions.flatMap(({ records }) => records.map(({ id }) => id)) ?? [])],
          known: [`Claimed by ${claim.source.component}.`],
          unknown: ['On what the claim rests.'],
          command: command?.path,
        }),
      ];
    }),
};

function commandOf(audit: AuditView, claim: HindcastEvent): EffectCommand | undefined {
  const causes = new Set((claim.causes ?? []).map(({ event }) => event));
  return audit.ledger.commands.find(({ executions }) =>
    executions.some(({ records }) => records.some(({ id }) => causes.has(id))),
  );
}
