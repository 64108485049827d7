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
  const findFirst = createFirstOpen(audit, uses);
  return uses.flatMap((second, i) => {
    const committed = second.attempt.records.committed;
    const first = committed.length === 0 ? undefined : findFirst(second);
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

/**
 * Which request was open when another arrived, by the order of the service: a caller that gave up and sent again may be overtaken by its
 * first request. Of those that one log of the service tells, the one that stayed open longest is known without looking at each.
 */
function createFirstOpen(audit: AuditView, uses: readonly KeyUse[]): (second: KeyUse) => KeyUse | undefined {
  const known = numberUses(uses);
  return (second) => {
    const own = known.get(second);
    if (own?.before !== undefined && own.before.over > own.arrived) return own.before.use;
    // The numbers of its own log have told of the others there.
    const isOutside = (use: KeyUse): boolean => own === undefined || known.get(use)?.log !== own.log;
    return uses.find((use) => isOutside(use) && isInFlight(audit, use, second));
  };
}

function numberUses(uses: readonly KeyUse[]): ReadonlyMap<KeyUse, Numbered> {
  const numbered = uses.flatMap((use) => toNumbered(use) ?? []).sort((a, b) => a.arrived - b.arrived);
  const longest = new Map<string, Numbered>();
  for (const one of numbered) {
    const before = longest.get(one.log);
    one.before = before;
    if (before === undefined || one.over > before.over) longest.set(one.log, one);
  }
  return new Map(numbered.map((one) => [one.use, one]));
}

/** A request of which one log tells arrival and every outcome, by numbers. */
interface Numbered {
  readonly use: KeyUse;
  readonly log: string;
  readonly arrived: number;
  /** Its first outcome. */
  readonly over: number;
  /** Of those that arrived before it, the one that was open longest. */
  before: Numbered | undefined;
}

function toNumbered(use: KeyUse): Numbered | undefined {
  const [arrival] = use.attempt.records.requested;
  const outcomes = outcomesOf(use);
  if (arrival?.seq === undefined || outcomes.length === 0) return undefined;
  const log = logOf(arrival);
  const numbers = outcomes.map((event) => (logOf(event) === log ? event.seq : undefined));
  const over = Math.min(...numbers.map((seq) => seq ?? Number.NaN));
  return Number.isNaN(over) ? undefined : { use, log, arrived: arrival.seq, over, before: undefined };
}

function outcomesOf({ attempt }: KeyUse): readonly HindcastEvent[] {
  const { committed, dropped, refused } = attempt.records;
  return [...committed, ...dropped, ...refused];
}

function logOf({ branch, source }: HindcastEvent): string {
  return JSON.stringify([branch, lifeKey(source)]);
}

/** The first had arrived, and had no outcome yet, when the second arrived. */
function isInFlight(audit: AuditView, first: KeyUse, second: KeyUse): boolean {
  const [a] = first.attempt.records.requested;
  const [b] = second.attempt.records.requested;
  const outcomes = outcomesOf(first);
  if (a === undefined || b === undefined || outcomes.length === 0 || !isBefore(audit, a, b)) return false;
  return outcomes.every((event) => isBefore(audit, b, event));
}

/** Within one log by its numbers, which a walk over the records is not needed for. */
function isBefore(audit: AuditView, a: HindcastEvent, b: HindcastEvent): boolean {
  const isOneLog = a.branch === b.branch && lifeKey(a.source) === lifeKey(b.source);
  if (isOneLog && a.seq !== undefined && b.seq !== undefined) return a.seq < b.seq;
  return audit.precedes(a.id, b.id);
}
