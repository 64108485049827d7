/** A request without a known outcome, or an answer that no commitment stands for: whether the effect happened is open (R28). */
import { type Attempt, isRequested } from '../../projections/effects/attempt.ts';
import type { EffectCommand } from '../../projections/effects/ledger.ts';
import { isLeftOpen, openToClauses } from '../../projections/effects/open-words.ts';
import { hasAnswer } from '../../projections/effects/verdict.ts';
import { capitalise, timesToText } from '../../projections/effects/words.ts';
import type { Finding } from '../../projections/trace-reader.ts';
import {
  attemptToEvidence,
  attemptToKnown,
  commandToAct,
  commandToEvidence,
  commandToName,
  executionIds,
  laterToKnown,
  outcomeToUnknown,
} from '../attempt-words.ts';
import { computeGaps } from '../gaps.ts';
import { type Rule, createFinding } from '../rule.ts';

export const uncertainEffect: Rule = {
  id: 'uncertain-effect',
  title: 'Requests whose outcome is uncertain, told from requests known not executed',
  severity: 'gap',
  establishes:
    'A request was dispatched and no record says whether it was executed (time-out, lost response, an answer that the service has no record of), or a caller was told of an effect that no commitment has.',
  leavesOpen: 'Whether the effect exists. A request refused, dropped, or marked not executed is never listed here.',
  requirements: ['R28', 'R27'],
  isOpenIn: ({ ledger }) => ledger.commands.some(isLeftOpen),
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
      !isCoveredByGap(command, attempt, open) &&
      !isSettled(command, attempt),
  );
  const told = command.told.length > 0 && !uncertain.some((attempt) => isToldTo(command, attempt));
  const found = uncertain.map((attempt) => toFinding(command, attempt));
  if (told || (command.open.length > 0 && found.length === 0 && !isCovered))
    return [...found, surplusToFinding(command)];
  if (found.length > 0) return found;
  return command.verdict === 'uncertain' && !isCovered ? [answersToFinding(command)] : [];
}

/** A gap after the answer says that it was not kept, and not what the request came to. */
function isCoveredByGap(command: EffectCommand, attempt: Attempt, open: ReadonlySet<Attempt>): boolean {
  return open.has(attempt) && !(hasAnswer(attempt) && command.open.includes(attempt));
}

/** Told as missing, or answered, with executions that it may be an answer of. */
function isSettled(command: EffectCommand, attempt: Attempt): boolean {
  if (command.verdict === 'missing') return true;
  return hasAnswer(attempt) && command.executions.length > 0 && !command.open.includes(attempt);
}

function isToldTo({ told }: EffectCommand, attempt: Attempt): boolean {
  return told.some((one) => one.attempt === attempt);
}

function toFinding(command: EffectCommand, attempt: Attempt): Finding {
  const isAnswered = hasAnswer(attempt);
  const act = commandToAct(command);
  const text = isAnswered
    ? `The ${act} was dispatched and answered. No record of the service tells whether it was executed.`
    : `The ${act} was dispatched and ended without an answer of the service. Nothing recorded says whether it was executed.`;
  return createFinding(uncertainEffect, {
    subject: attempt.records.dispatched[0]?.id ?? command.path,
    title: `${commandToName(command)}: outcome uncertain`,
    text: `${text}${surplusToText(command)}`,
    evidence: attemptToEvidence(attempt),
    known: [
      ...executedToKnown(command),
      ...attemptToKnown(attempt),
      ...(isAnswered ? ['An answer to it is recorded.'] : []),
      ...toldToKnown(command),
      ...laterToKnown(command, attempt),
    ],
    unknown: [outcomeToUnknown(command, 'it')],
    command: command.path,
    interval: isAnswered ? 'between the dispatch and its commitment' : 'between the dispatch and its outcome',
  });
}

/** What is recorded of the command beside the request in question. */
function surplusToText(command: EffectCommand): string {
  const { executions } = command;
  if (executions.length === 0) return '';
  const told = toldToKnown(command);
  const executed = `Beside it, the service committed ${executionIds(executions.flatMap(({ records }) => records))}.`;
  return ` ${[executed, ...told].join(' ')}`;
}

function executedToKnown({ ofOneKind, executions }: EffectCommand): string[] {
  if (ofOneKind.length === 0) return [];
  const ids = executionIds(executions.flatMap(({ records }) => records));
  return [`Executed at least ${timesToText(ofOneKind.length)}: ${ids}.`];
}

function toldToKnown({ told }: EffectCommand): string[] {
  return openToClauses({ attempts: [], open: [], undecided: [], unread: [], told }).map(
    (clause) => `${capitalise(clause)}.`,
  );
}

/** An effect that a caller was told of, or a request told as executed, beside the commitments: no request alone stands for it. */
function surplusToFinding(command: EffectCommand): Finding {
  const { executions, told, open } = command;
  const clauses = openToClauses(command).map((clause) => `${capitalise(clause)}.`);
  return createFinding(uncertainEffect, {
    subject: `${command.run}:${command.path}:beside`,
    title: `${commandToName(command)}: how often it was executed is uncertain`,
    text: [...executedToKnown(command), ...clauses].join(' '),
    evidence: [
      ...told.map(({ event }) => event.id),
      ...open.flatMap(attemptToEvidence),
      ...executions.flatMap(({ records }) => records.map(({ id }) => id)),
    ],
    known: [...executedToKnown(command), ...command.attempts.flatMap(attemptToKnown), ...toldToKnown(command)],
    unknown: [
      'How many times the effect was executed: the records of the service do not account for every answer and request.',
    ],
    command: command.path,
    interval: 'between the first dispatch and the last answer',
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
