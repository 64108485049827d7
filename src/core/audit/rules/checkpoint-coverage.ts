/** Checkpoints after consequential effects and before long waits (R12). */
import type { EventId } from '../../model/index.ts';
import { countToText } from '../../projections/effects/words.ts';
import type { AuditView } from '../audit-view.ts';
import { type Rule, createFinding } from '../rule.ts';

export const checkpointCoverage: Rule = {
  id: 'checkpoint-coverage',
  title: 'Checkpoints after effects and before waits',
  severity: 'notice',
  establishes:
    'By recorded order, no checkpoint follows an outside effect, or none precedes a wait for a person or a timer.',
  leavesOpen: 'Whether the engine kept its state in another way, such as a journal.',
  requirements: ['R12'],
  run: (audit) => {
    const written = audit.events('checkpoint.written').map(({ id }) => id);
    // A stream that never mentions checkpoints makes no promise about them.
    if (written.length === 0) return [];
    const effects = uncoveredEffects(audit, written);
    const waits = uncoveredWaits(audit, written);
    if (effects.length + waits.length === 0) return [];
    const parts = [
      effects.length === 0 ? '' : `${countToText(effects.length, 'effect')} with no checkpoint after`,
      waits.length === 0 ? '' : `${countToText(waits.length, 'wait')} with no checkpoint before`,
    ].filter((part) => part !== '');
    return [
      createFinding(checkpointCoverage, {
        subject: 'trace',
        title: `Checkpoints: ${parts.join(', ')}`,
        text: `Checkpoints are recorded, and the records show ${parts.join(' and ')}.`,
        evidence: [...effects, ...waits],
        known: [`${countToText(written.length, 'checkpoint')} recorded.`],
        unknown: ['Whether state was kept in another way at these places.'],
      }),
    ];
  },
};

function uncoveredEffects(audit: AuditView, written: readonly EventId[]): EventId[] {
  const isCovered = audit.beforeAny(written);
  const firsts = audit.ledger.commands.flatMap(({ executions }) =>
    executions.flatMap(({ records: [first] }) => (first === undefined ? [] : [first.id])),
  );
  return firsts.filter((id) => !isCovered(id));
}

function uncoveredWaits(audit: AuditView, written: readonly EventId[]): EventId[] {
  const isCovered = audit.afterAny(written);
  return audit
    .events('signal.awaited', 'approval.requested', 'timer.started')
    .filter((wait) => wait.replayed !== true && !isCovered(wait.id))
    .map(({ id }) => id);
}
