/** One execution that left more than one record (R23). */
import type { EffectCommand } from '../../projections/effects/ledger.ts';
import { effectIdOf } from '../../projections/effects/verdict.ts';
import { countToText } from '../../projections/effects/words.ts';
import { commandToEvidence, commandToName } from '../attempt-words.ts';
import { type Rule, createFinding } from '../rule.ts';

export const recordedTwice: Rule = {
  id: 'recorded-twice',
  title: 'Executions that left more than one record',
  severity: 'notice',
  establishes: 'Several records tell of the same request, the same answer or the same effect id.',
  leavesOpen: 'Nothing about a second execution: for that, see "executed-twice".',
  requirements: ['R23', 'R20'],
  run: ({ ledger }) =>
    ledger.commands
      .filter((command) => command.recordedTwice)
      .map((command) =>
        createFinding(recordedTwice, {
          subject: `${command.run}:${command.path}`,
          title: `${commandToName(command)}: more records than acts`,
          text: `Some records of this command tell again what another already told. They are counted once.`,
          evidence: [
            ...commandToEvidence(command),
            ...command.attempts.flatMap(({ reemitted }) => reemitted.map(({ id }) => id)),
          ],
          known: repetitions(command),
          unknown: [],
          command: command.path,
        }),
      ),
};

function repetitions({ attempts, executions }: EffectCommand): string[] {
  const known: string[] = [];
  for (const { records } of executions) {
    const [first] = records;
    if (first === undefined || records.length < 2) continue;
    known.push(`Effect ${effectIdOf(first) ?? 'without an id'} is told by ${countToText(records.length, 'record')}.`);
  }
  for (const { records, reemitted } of attempts) {
    if (records.dispatched.length > 1)
      known.push(`One request is recorded ${countToText(records.dispatched.length, 'time')}.`);
    const answers = Math.max(records.completed.length, records.acknowledged.length);
    if (answers > 1) known.push(`One answer is recorded ${countToText(answers, 'time')}.`);
    if (reemitted.length > 0) {
      known.push(
        `${countToText(reemitted.length, 'record was', 'records were')} marked "replayed" by a recovering runtime.`,
      );
    }
  }
  return known;
}
