/** One command, several executions, as told by the external system (R23, R100). */
import type { Finding } from '../../projections/trace-reader.ts';
import { type Execution, effectIdOf } from '../../projections/effects/verdict.ts';
import { listToText, timesToText } from '../../projections/effects/words.ts';
import type { EffectCommand } from '../../projections/effects/ledger.ts';
import { attemptToEvidence, attemptToKnown, attemptToWhose, commandToAct, commandToName } from '../attempt-words.ts';
import { type Rule, createFinding } from '../rule.ts';

export const executedTwice: Rule = {
  id: 'executed-twice',
  title: 'Effects executed more than once for one command',
  severity: 'violation',
  establishes:
    'The external system recorded several effects of one kind, under different ids, for requests of one command of control code.',
  leavesOpen: 'Why the command was dispatched again, and whether the surplus effect did harm.',
  requirements: ['R23', 'R100'],
  run: ({ ledger }) =>
    ledger.commands.filter(({ verdict }) => verdict === 'executed twice').map((command) => toFinding(command)),
};

function toFinding(command: EffectCommand): Finding {
  const { executions, ofOneKind, attempts } = command;
  const ids = ofOneKind.map(executionToId);
  const told = ofOneKind.map(({ effectId, attempt }) => `${effectId ?? 'one'} ${attemptToWhose(attempt)}`);
  // One execution may leave things of several kinds behind: they are no further executions.
  const others = executions.filter((execution) => !ofOneKind.includes(execution)).map(executionToId);
  const undone = attempts
    .flatMap(({ records }) => records.compensated)
    .map((event) => effectIdOf(event) ?? 'one effect');
  const times = timesToText(ofOneKind.length);
  return createFinding(executedTwice, {
    subject: `${command.run}:${command.path}`,
    title: `${commandToName(command)} executed ${times}: ${listToText(ids)}`,
    text: `The service committed ${listToText(told)}: ${String(ofOneKind.length)} executions of one command, not one execution recorded ${times}.`,
    evidence: [
      ...executions.flatMap(({ records }) => records.map(({ id }) => id)),
      ...attempts.flatMap(attemptToEvidence),
      ...(command.chosenBy === undefined ? [] : [command.chosenBy]),
    ],
    known: [
      ...attempts.flatMap(attemptToKnown),
      ...(others.length === 0 ? [] : [`Committed as well, of another kind: ${listToText(others)}.`]),
      ...(undone.length === 0 ? [] : [`Compensated later: ${listToText(undone)}.`]),
    ],
    unknown: [
      ...(undone.length === 0 ? [`Whether one of the effects was undone later: no compensation is recorded.`] : []),
      ...(command.chosenBy === undefined ? [`Which decision chose the ${commandToAct(command)}: not recorded.`] : []),
    ],
    command: command.path,
  });
}

function executionToId({ effectId }: Execution): string {
  return effectId ?? 'an effect without an id';
}
