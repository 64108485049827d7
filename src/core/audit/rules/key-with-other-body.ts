/** One key, two bodies (R128). */
import { bodyDigests, computeKeyGroups } from '../keys.ts';
import { attemptToKnown } from '../attempt-words.ts';
import { attemptEvents } from '../../projections/effects/attempt.ts';
import { type Rule, createFinding } from '../rule.ts';

export const keyWithOtherBody: Rule = {
  id: 'key-with-other-body',
  title: 'One request body per idempotency key',
  severity: 'violation',
  establishes:
    'Requests under one idempotency key carried different bodies, by the digests that the service or the caller recorded.',
  leavesOpen: 'Which of the bodies was meant.',
  requirements: ['R128'],
  isOpenIn: ({ ledger }) =>
    computeKeyGroups(ledger).some(({ uses }) => {
      const { digests, withheld } = bodyDigests(uses);
      return withheld > 0 && digests.size + withheld > 1;
    }),
  run: ({ ledger }) =>
    computeKeyGroups(ledger).flatMap(({ key, service, uses }) => {
      const { digests } = bodyDigests(uses);
      if (digests.size < 2) return [];
      return [
        createFinding(keyWithOtherBody, {
          subject: `${service}:${key}`,
          title: `Key "${key}": ${String(digests.size)} different bodies`,
          text: `Requests under the idempotency key "${key}" had ${String(digests.size)} different bodies.`,
          evidence: uses.flatMap(({ attempt }) => attemptEvents(attempt)),
          known: uses.flatMap(({ attempt }) => attemptToKnown(attempt)),
          unknown: [],
          command: uses[0]?.command.path,
        }),
      ];
    }),
};
