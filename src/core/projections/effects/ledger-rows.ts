/**
 * The ledger as the rows of the effects table. Invariant: a row holds what its command's records tell and nothing beside them.
 */
import { memberOf, payloadOf } from '../../causal/index.ts';
import type { EventId, HindcastEvent } from '../../model/index.ts';
import { valueToText } from '../title-words.ts';
import type { EffectAttempt, EffectRow } from '../trace-reader.ts';
import type { Attempt } from './attempt.ts';
import { keyOfAttempt } from './joins.ts';
import type { EffectCommand, EffectLedger } from './ledger.ts';
import { isLeftOpen, openToClauses } from './open-words.ts';
import { attemptToStop, isAnsweredByPerson } from './stopped.ts';
import { effectTargetOf } from './verdict.ts';

/** Characters of the arguments that a row carries; the inspector has the rest. */
const longestArgs = 240;

/** The rows of the effects table; `findingsOf` names the findings about a command. */
export function ledgerToRows(
  ledger: EffectLedger,
  findingsOf: (command: EffectCommand) => readonly string[],
): EffectRow[] {
  return ledger.commands.map((command) => {
    const { first } = command;
    return {
      command: command.path,
      run: command.run,
      tool: command.tool,
      target: targetOf(command),
      verdict: command.verdict,
      ...(command.ofOneKind.length === 0 ? {} : { times: command.ofOneKind.length }),
      args: argsOf(first),
      stopped: command.stopped,
      recordedTwice: command.recordedTwice,
      noServiceRecords: !command.hasServiceRecords,
      service: command.service,
      chosenBy: command.chosenBy,
      ...(isLeftOpen(command) ? { undecided: openToClauses(command).join('; ') } : {}),
      agent: first.agent,
      principal: first.principal?.id,
      attempts: command.attempts.map((attempt) => attemptToRow(attempt, command)),
      effectIds: command.executions.flatMap(({ effectId }) => (effectId === undefined ? [] : [effectId])),
      findings: findingsOf(command),
    };
  });
}

/** What it was called with, in one line, so that two calls of one tool are told apart. */
function argsOf(first: HindcastEvent): string | undefined {
  const text = valueToText(memberOf(payloadOf(first), 'args'), longestArgs);
  return text === '' || text === '{}' ? undefined : text;
}

function targetOf(command: EffectCommand): string | undefined {
  const told = command.executions[0]?.target;
  if (told !== undefined) return told;
  for (const { records } of command.attempts) {
    for (const event of records.requested) if (effectTargetOf(event) !== undefined) return effectTargetOf(event);
  }
  return command.first.command?.writes?.[0] ?? command.service;
}

function attemptToRow(attempt: Attempt, command: EffectCommand): EffectAttempt {
  const { records, reemitted } = attempt;
  const endings = [
    { event: records.failed[0], word: 'failed' },
    { event: records.timedOut[0], word: 'timed out' },
    { event: records.cancelled[0], word: 'cancelled' },
    { event: records.denied[0], word: 'denied' },
  ] as const;
  const ending = endings.find(({ event }) => event !== undefined);
  const ids = (events: readonly HindcastEvent[]): EventId[] => events.map((event) => event.id);
  const all = [...attempt.basis.keys(), ...ids(records.dispatched)];
  return {
    ...(attempt.isUnassigned === true ? { isUnassigned: true as const } : {}),
    incarnation: attempt.life?.incarnation,
    life: attempt.life?.label,
    attempt: attempt.number,
    key: keyOfAttempt(attempt),
    dispatched: records.dispatched[0]?.id,
    committed: ids(records.committed),
    deduplicated: ids(records.deduplicated),
    refused: ids(records.refused),
    dropped: ids(records.dropped),
    acknowledged: records.acknowledged[0]?.id,
    completed: records.completed[0]?.id,
    ...(isAnsweredByPerson(attempt) ? { answeredBy: 'person' as const } : {}),
    persisted: records.persisted[0]?.id,
    failed: ending?.event?.id,
    ending: ending?.word,
    late: all.some((id) => command.late.has(id)),
    status: command.statuses.get(attempt) ?? 'uncertain',
    stopped: attemptToStop(attempt),
    reemitted: ids(reemitted),
    joins: [...attempt.basis].map(([event, basis]) => ({ event, basis })),
  };
}
