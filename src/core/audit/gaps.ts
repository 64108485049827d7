/**
 * Where the record of one attempt stops: the four gaps of R26, told apart by the last record present.
 *
 * Invariant: at most one gap an attempt. A request known not to have been sent is no gap; an ending without an answer (a time-out,
 * a broken connection) is no gap either but an uncertain outcome, unless the service told of a commitment.
 */
import type { EventId, HindcastEvent } from '../model/index.ts';
import type { Attempt } from '../projections/effects/attempt.ts';
import type { EffectCommand } from '../projections/effects/ledger.ts';
import { attemptToStop } from '../projections/effects/stopped.ts';
import { hasAnswer } from '../projections/effects/verdict.ts';
import { unassignedOf } from './attempt-words.ts';
import { type AuditView, findDescendants } from './audit-view.ts';

export type GapKind = 'request' | 'commitment' | 'acknowledgement' | 'result';

export interface Gap {
  readonly kind: GapKind;
  readonly command: EffectCommand;
  readonly attempt: Attempt;
  /** Transitions of a later life that took the result up. */
  readonly filledBy: readonly EventId[];
}

const gapsByAudit = new WeakMap<AuditView, readonly Gap[]>();

export function computeGaps(audit: AuditView): readonly Gap[] {
  const known = gapsByAudit.get(audit);
  if (known !== undefined) return known;
  const gaps: Gap[] = [];
  for (const command of audit.ledger.commands) {
    const own = command.attempts.flatMap((attempt) => attemptToGap(audit, command, attempt) ?? []);
    const unanswered = own.filter(({ kind }) => kind === 'request' || kind === 'commitment').length;
    // Where there are as many answers that name no attempt as attempts without an answer, no answer is missing.
    const isAnswered = unanswered <= answersWithoutAttempt(command);
    for (const gap of own) if (!isAnswered || gap.kind === 'acknowledgement' || gap.kind === 'result') gaps.push(gap);
  }
  gapsByAudit.set(audit, gaps);
  return gaps;
}

function attemptToGap(audit: AuditView, command: EffectCommand, attempt: Attempt): Gap | undefined {
  const { records } = attempt;
  if (records.dispatched.length + attempt.reemitted.length === 0) return undefined;
  if (attemptToStop(attempt) !== undefined || isKnownUnsent(attempt)) return undefined;
  if (!hasAnswer(attempt)) {
    if (records.committed.length > 0 || records.deduplicated.length > 0) {
      return { kind: 'commitment', command, attempt, filledBy: [] };
    }
    const isEnded = records.failed.length + records.timedOut.length + records.cancelled.length + supplied(attempt) > 0;
    return isEnded ? undefined : { kind: 'request', command, attempt, filledBy: [] };
  }
  if (!isPersisted(attempt)) return { kind: 'acknowledgement', command, attempt, filledBy: [] };
  return resultGap(audit, command, attempt);
}

function answersWithoutAttempt(command: EffectCommand): number {
  const records = unassignedOf(command)?.records;
  if (records === undefined) return 0;
  const { acknowledged, completed, failed, timedOut, cancelled } = records;
  return Math.max(acknowledged.length, completed.length + failed.length + timedOut.length + cancelled.length);
}

function isKnownUnsent({ records }: Attempt): boolean {
  return (
    records.failed.some((event) => event.data.executed === false && event.data.http_status === undefined) ||
    records.cancelled.some((event) => event.data.sent === false)
  );
}

function supplied({ records }: Attempt): number {
  return records.completed.filter((event) => event.origin === 'supplied').length;
}

/** Written where the next life finds it: the observation itself, or the record that says where it was put. */
function isPersisted({ records, reemitted }: Attempt): boolean {
  if (records.persisted.length > 0 || reemitted.length > 0) return true;
  const endings: readonly HindcastEvent[] = [
    ...records.completed,
    ...records.failed,
    ...records.timedOut,
    ...records.cancelled,
  ];
  return endings.some((event) => event.durable?.status !== 'memory');
}

/**
 * A result that no transition took up is a gap only where one was due: a later life made the transition, or this life stopped
 * right after the result and the run has no end.
 */
function resultGap(audit: AuditView, command: EffectCommand, attempt: Attempt): Gap | undefined {
  const { records, life } = attempt;
  const results: readonly HindcastEvent[] = [...records.persisted, ...records.completed];
  const last = results.at(-1);
  if (last === undefined || results.some((event) => event.origin !== undefined)) return undefined;
  const isEnded = hasRunEnd(audit, attempt.run);
  // A life that went on after the result had no transition due right after it, or made one.
  if ((isEnded && life?.killed !== true) || !audit.isLastOfLife(last.id)) return undefined;
  const from = [...results, ...attempt.reemitted].map(({ id }) => id);
  const transitions = findDescendants(audit, from, 'state.transitioned');
  if (transitions.some((id) => sameLife(audit, id, last))) return undefined;
  if (transitions.length > 0) return life?.killed === true ? gapOf(transitions) : undefined;
  return isEnded ? undefined : gapOf([]);

  function gapOf(filledBy: readonly EventId[]): Gap {
    return { kind: 'result', command, attempt, filledBy };
  }
}

function sameLife(audit: AuditView, id: EventId, other: HindcastEvent): boolean {
  const event = audit.event(id);
  return (
    event !== undefined &&
    event.source.component === other.source.component &&
    String(event.source.instance) === String(other.source.instance) &&
    String(event.source.incarnation) === String(other.source.incarnation)
  );
}

const endedByAudit = new WeakMap<AuditView, ReadonlySet<string>>();

function hasRunEnd(audit: AuditView, run: string): boolean {
  const known =
    endedByAudit.get(audit) ??
    new Set<string>(audit.events('run.completed', 'run.failed', 'run.rolled_over').map((event) => event.run));
  endedByAudit.set(audit, known);
  return known.has(run);
}
