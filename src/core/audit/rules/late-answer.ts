/** Answers that came after the caller had gone on (R29). */
import type { EventId } from '../../model/index.ts';
import type { EffectCommand } from '../../projections/effects/ledger.ts';
import { countToText } from '../../projections/effects/words.ts';
import { commandToAct, commandToName } from '../attempt-words.ts';
import { type Rule, createFinding } from '../rule.ts';

export const lateAnswer: Rule = {
  id: 'late-answer',
  title: 'Answers and commitments that came late',
  severity: 'notice',
  establishes:
    'By recorded order, an answer or a commitment came after a time-out of its request or after the next attempt had begun; or its producer marked it late.',
  leavesOpen: 'How late in time: clocks of different processes are not compared.',
  requirements: ['R29', 'R32'],
  run: ({ ledger }) =>
    ledger.commands
      .filter(({ late }) => late.size > 0)
      .map((command) =>
        createFinding(lateAnswer, {
          subject: `${command.run}:${command.path}`,
          title: `${commandToName(command)}: ${countToText(command.late.size, 'late answer')}`,
          text: `For the ${commandToAct(command)}, an answer or commitment ${howLate(command)}.`,
          evidence: [...command.late, ...goneOn(command)],
          known: [
            ...lateToKnown('Late by recorded order', byOrder(command)),
            ...lateToKnown('Marked late by its producer', [...command.markedLate]),
          ],
          unknown:
            command.markedLate.size === 0 ? [] : ['After what the marked records came: no recorded order shows it.'],
          command: command.path,
        }),
      ),
};

function howLate(command: EffectCommand): string {
  if (byOrder(command).length === 0) return 'is marked late by its producer; no recorded order shows it';
  return 'came after its request had been given up or dispatched again';
}

function byOrder({ late, markedLate }: EffectCommand): EventId[] {
  return [...late].filter((id) => !markedLate.has(id));
}

function lateToKnown(how: string, ids: readonly EventId[]): string[] {
  return ids.length === 0 ? [] : [`${how}: ${ids.join(', ')}.`];
}

function goneOn({ attempts }: EffectCommand): EventId[] {
  return attempts.flatMap(({ records }) => [...records.dispatched, ...records.timedOut].map(({ id }) => id));
}
