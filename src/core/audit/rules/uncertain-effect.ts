/** An ending without an answer: whether the effect happened is open (R28). */
import { type Attempt, isRequested } from '../../projections/effects/attempt.ts';
import type { EffectCommand } from '../../projections/effects/ledger.ts';
import { hasAnswer } from '../../projections/effects/verdict.ts';
import type { Finding } from '../../projections/trace-reader.ts';
import {
  attemptToEvidence,
  attemptToKnown,
  commandToAct,
  commandToEvidence,
  commandToName,
  laterToKnown,
  outcomeToUnknown,
  unassignedOf,
} from '../attempt-words.ts';
import { computeGaps } from '../gaps.ts';
import { type Rule, createFinding } from '../rule.ts';

export const uncertainEffect: Rule = {
  id: 'uncertain-effect',
  title: 'Requests whose outcome is uncertain, told from requests known not executed',
  severity: 'gap',
  establishes:
    'A request was dispatched and ended without an answer (time-out, lost response); no record says whether it was executed.',
  leavesOpen: 'Whether the effect exists. A request refused, dropped, or marked not executed is never listed here.',
  requirements: ['R28', 'R27'],
  run: (audit) => {
    const gaps = computeGaps(audit);
    const open = new Set(gaps.map(({ attempt }) => attempt));
    const covered = new Set(gaps.flatMap(({ kind, command }) => (kind === 'request' ? [command] : [])));
    return audit.ledger.commands.flatMap((command) => commandToFindings(command, open, covered.has(command)));
  },
};

/** `open`: attempts with a gap of their own; `isCovered`: one of these is a request without an answer. */
function commandToFindings(command: EffectCommand, open: ReadonlySet<Attempt>, isCovered: boolean): Finding[] {
  const uncertain = command.attempts.filter(
    (attempt) =>
      command.statuses.get(attempt) === 'uncertain' &&
      isRequested(attempt) &&
      !open.has(attempt) &&
      !isSettled(command, attempt),
  );
  if (uncertain.length > 0) return uncertain.map((attempt) => toFinding(command, attempt));
  return command.verdict === 'uncertain' && !isCovered ? [answersToFinding(command)] : [];
}

/** Told as missing, or answered, with executions that name no attempt. */
function isSettled(command: EffectCommand, attempt: Attempt): boolean {
  if (command.verdict === 'missing') return true;
  return hasAnswer(attempt) && (unassignedOf(command)?.records.committed.length ?? 0) > 0;
}

function toFinding(command: EffectCommand, attempt: Attempt): Finding {
  return createFinding(uncertainEffect, {
    subject: attempt.records.dispatched[0]?.id ?? command.path,
    title: `${commandToName(command)}: outcome uncertain`,
    text: `The ${commandToAct(command)} was dispatched and ended without an answer of the service. Nothing recorded says whether it was executed.`,
    evidence: attemptToEvidence(attempt),
    known: [...attemptToKnown(attempt), ...laterToKnown(command, attempt)],
    unknown: [outcomeToUnknown(command, 'it')],
    command: command.path,
    interval: 'between the dispatch and its outcome',
  });
}

/** Several answered requests and no service to say whether they are one effect. */
function answersToFinding(command: EffectCommand): Finding {
  return createFinding(uncertainEffect, {
    subject: `${command.run}:${command.path}`,
    title: `${commandToName(command)}: how often it was executed is uncertain`,
    text: `Several requests of this command were answered, and no record of the service tells whether they are one effect or several.`,
    evidence: commandToEvidence(command),
    known: command.attempts.flatMap(attemptToKnown),
    unknown: ['How many times the effect was executed: no records of the service are in this trace.'],
    command: command.path,
    interval: 'between the first dispatch and the last answer',
  });
}
