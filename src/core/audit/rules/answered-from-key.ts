/** A repeated request that was answered from the saved result (R125). */
import { attemptToKnown, attemptToRequest, commandToName, executionIds } from '../attempt-words.ts';
import { attemptEvents } from '../../projections/effects/attempt.ts';
import { type Rule, createFinding } from '../rule.ts';

export const answeredFromKey: Rule = {
  id: 'answered-from-key',
  title: 'Repeated requests answered from the saved result',
  severity: 'notice',
  establishes: 'The service met a key it knew and returned the saved answer; this request executed nothing.',
  leavesOpen: 'Whether the first request under that key is in this trace.',
  requirements: ['R125'],
  run: ({ ledger }) =>
    ledger.commands.flatMap((command) =>
      command.attempts
        .filter(({ records }) => records.deduplicated.length > 0)
        .map((attempt) =>
          createFinding(answeredFromKey, {
            subject: attempt.records.deduplicated[0]?.id ?? command.path,
            title: `${commandToName(command)}: answered from the saved result`,
            text: `${commandToName(command)}: ${attemptToRequest(attempt)}; the service returned the saved answer for ${executionIds(attempt.records.deduplicated)} and executed nothing.`,
            evidence: attemptEvents(attempt),
            known: attemptToKnown(attempt),
            unknown: [],
            command: command.path,
          }),
        ),
    ),
};
