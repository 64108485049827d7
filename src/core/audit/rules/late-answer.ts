/** Answers that came after the caller had gone on (R29). */
import type { EffectCommand } from '../../projections/effects/ledger.ts';
import { countToText } from '../../projections/effects/words.ts';
import { commandToAct, commandToName } from '../attempt-words.ts';
import { type Rule, createFinding } from '../rule.ts';

export const lateAnswer: Rule = {
  id: 'late-answer',
  title: 'Answers and commitments that came late',
  severity: 'notice',
  establishes:
    'By recorded order, an answer or a commitment came after a time-out of its request or after the next attempt had begun.',
  leavesOpen: 'How late in time: clocks of different processes are not compared.',
  requirements: ['R29', 'R32'],
  run: ({ ledger }) =>
    ledger.commands
      .filter(({ late }) => late.size > 0)
      .map((command) =>
        createFinding(lateAnswer, {
          subject: `${command.run}:${command.path}`,
          title: `${commandToName(command)}: ${countToText(command.late.size, 'late answer')}`,
          text: `For the ${commandToAct(command)}, an answer or commitment came after its request had been given up or dispatched again.`,
          evidence: [...command.late, ...goneOn(command)],
          known: [`Late by recorded order: ${[...command.late].join(', ')}.`],
          unknown: [],
          command: command.path,
        }),
      ),
};

function goneOn({ attempts }: EffectCommand): EffectCommand['first']['id'][] {
  return attempts.flatMap(({ records }) => [...records.dispatched, ...records.timedOut].map(({ id }) => id));
}
