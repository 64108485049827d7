/** A key that was honoured once must not execute again (R125). */
import type { Finding } from '../../projections/trace-reader.ts';
import { computeExecutions } from '../../projections/effects/verdict.ts';
import { listToText } from '../../projections/effects/words.ts';
import { attemptToKnown } from '../attempt-words.ts';
import { type KeyGroup, type KeyUse, computeKeyGroups } from '../keys.ts';
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
  const surplus = usesToSurplus(uses);
  if (surplus.length < 2) return [];
  const committed = uses.flatMap(({ attempt }) => attempt.records.committed);
  return [
    createFinding(secondCommitmentUnderKey, {
      subject: `${service}:${key}`,
      title: `Key "${key}": ${String(surplus.length)} commitments`,
      text: `${service} committed ${listToText(surplus)} under the one idempotency key "${key}".`,
      evidence: committed.map(({ id }) => id),
      known: uses.flatMap(({ attempt }) => attemptToKnown(attempt)),
      unknown: ['Whether the time for which the service honours a key had passed.'],
      command: uses[0]?.command.path,
    }),
  ];
}

/** Of several requests what each of them made; of one what it made of one kind, for one execution may leave things of several kinds behind. */
function usesToSurplus(uses: readonly KeyUse[]): string[] {
  const { executions, ofOneKind } = computeExecutions(uses.map(({ attempt }) => attempt));
  const known = executions.filter(({ attempt }) => attempt.isUnassigned !== true);
  const isOfSeveral = known.some(({ attempt }) => attempt !== known[0]?.attempt);
  return (isOfSeveral ? executions : ofOneKind).map(
    ({ effectId, records }) => effectId ?? records[0]?.id ?? 'an effect',
  );
}
