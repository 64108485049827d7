/** A key that was honoured once must not execute again (R125). */
import type { Finding } from '../../projections/trace-reader.ts';
import { effectIdOf } from '../../projections/effects/verdict.ts';
import { listToText } from '../../projections/effects/words.ts';
import { attemptToKnown } from '../attempt-words.ts';
import { type KeyGroup, computeKeyGroups } from '../keys.ts';
import { type Rule, createFinding } from '../rule.ts';

export const secondCommitmentUnderKey: Rule = {
  id: 'second-commitment-under-key',
  title: 'One execution per idempotency key',
  severity: 'violation',
  establishes: 'Under one idempotency key the service committed effects with different ids.',
  leavesOpen: 'Whether the service promises to honour keys, and for how long, unless that is declared.',
  requirements: ['R125'],
  run: ({ ledger }) => computeKeyGroups(ledger).flatMap(groupToFindings),
};

function groupToFindings({ key, service, uses }: KeyGroup): Finding[] {
  const committed = uses.flatMap(({ attempt }) => attempt.records.committed);
  const ids = new Set(committed.map((event) => effectIdOf(event) ?? event.id));
  if (ids.size < 2) return [];
  return [
    createFinding(secondCommitmentUnderKey, {
      subject: `${service}:${key}`,
      title: `Key "${key}": ${String(ids.size)} commitments`,
      text: `${service} committed ${listToText([...ids])} under the one idempotency key "${key}".`,
      evidence: committed.map(({ id }) => id),
      known: uses.flatMap(({ attempt }) => attemptToKnown(attempt)),
      unknown: ['Whether the time for which the service honours a key had passed.'],
      command: uses[0]?.command.path,
    }),
  ];
}
