/** A second request under a key whose first is still being worked on gets a conflict (R126). */
import type { AuditView } from '../audit-view.ts';
import type { HindcastEvent } from '../../model/index.ts';
import { lifeKey } from '../../projections/effects/lives.ts';
import type { Finding } from '../../projections/trace-reader.ts';
import { type KeyGroup, type KeyUse, computeKeyGroups } from '../keys.ts';
import { executionIds } from '../attempt-words.ts';
import { type Rule, createFinding } from '../rule.ts';

export const inFlightNotRefused: Rule = {
  id: 'in-flight-not-refused',
  title: 'Conflict for a request whose key is still in flight',
  severity: 'violation',
  establishes:
    "By the order of the service's own records, it took a second request under a key while the first was open, and executed it.",
  leavesOpen: 'Anything about requests whose order the service did not record.',
  requirements: ['R126'],
  run: (audit) => computeKeyGroups(audit.ledger).flatMap((group) => groupToFindings(audit, group)),
};

function groupToFindings(audit: AuditView, { key, service, uses }: KeyGroup): Finding[] {
  return uses.flatMap((second, i) => {
    const committed = second.attempt.records.committed;
    if (committed.length === 0) return [];
    const first = uses.find((use, at) => at < i && isInFlight(audit, use, second));
    if (first === undefined) return [];
    return [
      createFinding(inFlightNotRefused, {
        subject: `${service}:${key}:${String(i)}`,
        title: `Key "${key}": executed while the first request was in flight`,
        text: `${service} took a second request under the key "${key}" before the first had an outcome, and committed ${executionIds(committed)} for it instead of refusing it.`,
        evidence: [...requestIds(first), ...requestIds(second), ...committed.map(({ id }) => id)],
        known: ['The order of the two requests stands in the records of the service.'],
        unknown: [],
        command: second.command.path,
      }),
    ];
  });
}

function requestIds({ attempt }: KeyUse): Finding['evidence'] {
  return attempt.records.requested.map(({ id }) => id);
}

/** The first had arrived, and had no outcome yet, when the second arrived. */
function isInFlight(audit: AuditView, first: KeyUse, second: KeyUse): boolean {
  const [a] = first.attempt.records.requested;
  const [b] = second.attempt.records.requested;
  const { committed, dropped, refused } = first.attempt.records;
  const outcomes: readonly HindcastEvent[] = [...committed, ...dropped, ...refused];
  if (a === undefined || b === undefined || outcomes.length === 0 || !isBefore(audit, a, b)) return false;
  return outcomes.every((event) => isBefore(audit, b, event));
}

/** Within one log by its numbers, which a walk over the records is not needed for. */
function isBefore(audit: AuditView, a: HindcastEvent, b: HindcastEvent): boolean {
  const isOneLog = a.branch === b.branch && lifeKey(a.source) === lifeKey(b.source);
  if (isOneLog && a.seq !== undefined && b.seq !== undefined) return a.seq < b.seq;
  return audit.precedes(a.id, b.id);
}
