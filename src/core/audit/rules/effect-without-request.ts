/** Effects, and answers of outside calls, that no recorded request explains (R24, R5). */
import type { HindcastEvent } from '../../model/index.ts';
import { toolOf } from '../../projections/effects/declarations.ts';
import { listToText } from '../../projections/effects/words.ts';
import type { Finding } from '../../projections/trace-reader.ts';
import { executionIds } from '../attempt-words.ts';
import type { AuditView } from '../audit-view.ts';
import { type Rule, createFinding } from '../rule.ts';

export const effectWithoutRequest: Rule = {
  id: 'effect-without-request',
  title: 'Effects that no recorded request explains',
  severity: 'gap',
  establishes:
    'A service recorded a commitment, or a caller an answer of an outside call, that names no one request of this trace, by cause, command or key.',
  leavesOpen: 'Who asked for it: the request may be in a stream that was not opened, or lost.',
  requirements: ['R24', 'R5', 'R30'],
  run: (audit) => {
    // On a branch, a request that was taken out is known; its effect is told with the branch.
    const orphans = new Set(audit.orphanEffects().map(({ id }) => id));
    return audit.ledger.unmatched.flatMap((event) => {
      if (event.type.startsWith('tool_call.')) return [answerToFinding(event)];
      return event.type === 'effect.committed' && !orphans.has(event.id) ? [effectToFinding(audit, event)] : [];
    });
  },
};

function effectToFinding(audit: AuditView, event: HindcastEvent): Finding {
  const what = executionIds([event]);
  const candidates = audit.ledger.candidates.get(event.id) ?? [];
  const paths = [...new Set(candidates.map(({ path }) => String(path)))];
  const why =
    paths.length === 0
      ? 'no request in this trace explains it'
      : `its key stands on requests of several commands, and nothing tells which of them it answers`;
  return createFinding(effectWithoutRequest, {
    subject: event.id,
    title: `Effect ${what}: request not recorded`,
    text: `${event.source.component} committed ${what}; ${why}.`,
    evidence: [event.id, ...candidates.flatMap(({ records }) => records.dispatched.map(({ id }) => id))],
    known: [
      `${event.source.component} committed ${what}.`,
      ...(paths.length === 0 ? [] : [`Requests under its key: ${listToText(paths)}.`]),
    ],
    unknown: ['Which request asked for it, and who chose that request.'],
    ...(event.command === undefined ? {} : { command: event.command.path }),
    interval: 'before the commitment',
  });
}

function answerToFinding(event: HindcastEvent): Finding {
  const tool = toolOf(event) ?? 'a tool whose name is not recorded';
  return createFinding(effectWithoutRequest, {
    subject: event.id,
    title: `Outside call of "${tool}": request not recorded`,
    text: `${event.id} (${event.type}) answers a call of "${tool}" that reaches outside; no dispatch of it is in this trace.`,
    evidence: [event.id],
    known: [`${event.source.component} recorded ${event.type} of "${tool}".`],
    unknown: ['When it was dispatched, with what, and who chose it.'],
    ...(event.command === undefined ? {} : { command: event.command.path }),
    interval: 'before the answer',
  });
}
