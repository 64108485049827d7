/** A restore point or branch that lacks an effect the world already has (R47). */
import type { EventId, EventOf, HindcastEvent } from '../../model/index.ts';
import { type Execution, effectIdOf } from '../../projections/effects/verdict.ts';
import type { EffectCommand } from '../../projections/effects/ledger.ts';
import { capitalise, listToText } from '../../projections/effects/words.ts';
import type { Finding } from '../../projections/trace-reader.ts';
import { attemptToRequest, commandToAct, commandToName, lifeToName } from '../attempt-words.ts';
import type { AuditView } from '../audit-view.ts';
import { type Rule, createFinding } from '../rule.ts';

export const restorePoint: Rule = {
  id: 'restore-point-lacks-effect',
  title: 'Effects that a restore point or branch does not contain',
  severity: 'gap',
  establishes:
    'An effect was committed for an earlier life, and the point at which work was taken up again does not contain its result.',
  leavesOpen: 'Whether the effect is still wanted. Restoring a point does not take an effect back.',
  requirements: ['R47'],
  run: (audit) => [...restarts(audit), ...branches(audit)],
};

interface Lacking {
  readonly command: EffectCommand;
  readonly execution: Execution;
}

/** Lives that took up work again: from a checkpoint, from a journal, or from the beginning. */
function restarts(audit: AuditView): Finding[] {
  const restored = audit.events('checkpoint.restored');
  const started = audit.events('worker.started');
  return started.flatMap((event) => {
    const { lives } = audit.ledger;
    const checkpoint = restored.find((one) => lives.of(one)?.key === lives.of(event)?.key);
    if (event.data.resume === undefined && checkpoint === undefined) return [];
    const isAfter = audit.afterAny([event.id]);
    const lacking = effectsBefore(audit, event).filter((one) => !isContained(one, event, isAfter));
    return lacking.length === 0 ? [] : [toFinding(audit, event, checkpoint, lacking)];
  });
}

/** Effects committed for requests of other lives of this component which by recorded order, or by the kill, were over. */
function effectsBefore(audit: AuditView, start: EventOf<'worker.started'>): Lacking[] {
  const isBefore = audit.beforeAny([start.id]);
  return audit.ledger.commands.flatMap((command) =>
    command.run !== start.run
      ? []
      : command.executions
          .filter(({ attempt, records }) => {
            const { life } = attempt;
            if (life === undefined || life.component !== start.source.component) return false;
            if (life.key === audit.ledger.lives.of(start)?.key) return false;
            const requested = attempt.records.dispatched.some(({ id }) => isBefore(id));
            return requested || records.some(({ id }) => isBefore(id));
          })
          .map((execution) => ({ command, execution })),
  );
}

/** The earlier life had recorded the result before it ended, and the new one resumes from what was recorded. */
function isContained(
  { execution }: Lacking,
  start: EventOf<'worker.started'>,
  isAfter: (id: EventId) => boolean,
): boolean {
  if (start.data.resume === 'none') return false;
  const { completed, persisted, failed } = execution.attempt.records;
  const results: readonly HindcastEvent[] = [...completed, ...persisted, ...failed];
  return results.some((event) => event.durable?.status !== 'memory' && !isAfter(event.id));
}

function toFinding(
  audit: AuditView,
  start: EventOf<'worker.started'>,
  checkpoint: EventOf<'checkpoint.restored'> | undefined,
  lacking: readonly Lacking[],
): Finding {
  const who = lifeToName(audit.ledger.lives.of(start));
  const names = lacking.map(lackingToName);
  const how =
    checkpoint !== undefined
      ? 'from a checkpoint'
      : start.data.resume === 'journal'
        ? 'from its journal'
        : 'from the beginning';
  return createFinding(restorePoint, {
    subject: start.id,
    title: `${capitalise(who)} took up work without the result of ${listToText(lacking.map(executionToId))}`,
    text: `When ${who} resumed ${how}, these effects existed and were not in what it resumed from: ${listToText(names)}.`,
    evidence: [
      start.id,
      ...(checkpoint === undefined ? [] : [checkpoint.id]),
      ...lacking.flatMap(({ execution }) => ids(execution.records)),
    ],
    known: [...names.map((name) => `Committed before: ${name}.`), ...lacking.flatMap(laterAnswer)],
    unknown: [`Whether ${who} learned of these effects in another way.`],
    command: lacking[0]?.command.path,
    interval: 'between the commitment and the restore point',
  });
}

function laterAnswer({ command }: Lacking): string[] {
  const saved = command.attempts.flatMap(({ records }) => records.deduplicated);
  return saved.length === 0
    ? []
    : [
        `Later the service returned the saved answer for ${listToText(saved.map((event) => effectIdOf(event) ?? event.id))}.`,
      ];
}

/** Effects of the parent whose request the branch no longer contains. The world still has them. */
function branches(audit: AuditView): Finding[] {
  const [created] = audit.events('branch.created').filter(({ branch }) => branch === audit.branch);
  if (created === undefined) return [];
  const orphans = audit.orphanEffects();
  if (orphans.length === 0) return [];
  const named = orphans.map((event) => effectIdOf(event) ?? event.id);
  const isOne = named.length === 1;
  return [
    createFinding(restorePoint, {
      subject: created.id,
      title: `This branch lacks ${listToText(named)}, which ${isOne ? 'exists' : 'exist'} outside`,
      text: `The branch does not contain the request that made ${listToText(named)}; ${isOne ? 'the effect was committed on the recorded run and remains' : 'these effects were committed on the recorded run and remain'}.`,
      evidence: [created.id, ...ids(orphans)],
      known: [...named.map((name) => `Committed on the recorded run: ${name}.`), ...simulatedKnown(audit)],
      unknown: [`Whether ${isOne ? 'the effect is' : 'these effects are'} still wanted on this branch.`],
      interval: 'after the fork',
    }),
  ];
}

/** What the branch put in the place of requests: nothing that left. */
function simulatedKnown({ ledger }: AuditView): string[] {
  return ledger.commands
    .filter(({ stopped }) => stopped === 'simulated, not sent')
    .flatMap((command) =>
      command.attempts.map((attempt) => `${commandToName(command)} on this branch: ${attemptToRequest(attempt)}.`),
    );
}

function lackingToName(lacking: Lacking): string {
  return `${executionToId(lacking)} (${commandToAct(lacking.command)})`;
}

function executionToId({ execution }: Lacking): string {
  return execution.effectId ?? execution.records[0]?.id ?? 'an effect without an id';
}

function ids(events: readonly HindcastEvent[]): EventId[] {
  return events.map(({ id }) => id);
}
