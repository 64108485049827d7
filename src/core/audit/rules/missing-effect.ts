/** The caller recorded success, the service recorded nothing (R95, R100). */
import type { AuditView } from '../audit-view.ts';
import type { EffectCommand } from '../../projections/effects/ledger.ts';
import type { Finding } from '../../projections/trace-reader.ts';
import { absenceWord, attemptToKnown, commandToAct, commandToEvidence, commandToName } from '../attempt-words.ts';
import { type Rule, createFinding } from '../rule.ts';

export const missingEffect: Rule = {
  id: 'missing-effect',
  title: 'Effects that a caller counts on and the service does not know',
  severity: 'violation',
  establishes:
    'The caller recorded a result, the records of the service are in the trace, and none of them tells of the effect.',
  leavesOpen: 'Whether the service executed it and its record is not in this trace.',
  requirements: ['R95', 'R100', 'R30'],
  run: (audit) =>
    audit.ledger.commands.filter(({ verdict }) => verdict === 'missing').map((command) => toFinding(audit, command)),
};

function toFinding(audit: AuditView, command: EffectCommand): Finding {
  const service = audit.ledger.lives.all.filter(({ component }) => component === command.service);
  const killed = service.find((life) => life.killed);
  const word = absenceWord(killed, audit.ledger.declarations);
  const name = command.service ?? 'the service';
  return createFinding(missingEffect, {
    subject: `${command.run}:${command.path}`,
    title: `${commandToName(command)}: result recorded, commitment ${word}`,
    text: `The caller recorded a result of the ${commandToAct(command)}; a commitment in the records of ${name} is ${word}.`,
    severity: word === 'absent' ? 'violation' : 'gap',
    evidence: commandToEvidence(command),
    known: [...command.attempts.flatMap(attemptToKnown), `Records of ${name} are in this trace or declared for it.`],
    unknown: [`Whether ${name} executed it without a record in this trace.`],
    command: command.path,
    interval: 'between the dispatch and the commitment',
  });
}
