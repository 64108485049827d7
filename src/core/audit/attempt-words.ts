/**
 * Attempts in sentences, shared by all rules about effects so that one act is told one way.
 *
 * Invariant: every clause rests on a record of the attempt; where a record is missing the clause says so, and whether it may have
 * been lost depends on the declared flush policy of the process that would have written it (R30).
 */
import type { Declarations, EventId, HindcastEvent } from '../model/index.ts';
import { type Attempt, attemptEvents, isRequested } from '../projections/effects/attempt.ts';
import type { EffectCommand } from '../projections/effects/ledger.ts';
import type { Life } from '../projections/effects/lives.ts';
import { keyOfAttempt } from '../projections/effects/joins.ts';
import { isAnsweredByPerson, isSimulated } from '../projections/effects/stopped.ts';
import { effectIdOf } from '../projections/effects/verdict.ts';
import { capitalise, countToText, listToText, toolToAct } from '../projections/effects/words.ts';

/** "ticket creation", inside a sentence. */
export function commandToAct(command: EffectCommand): string {
  return toolToAct(command.tool);
}

/** "Ticket creation", at the start of a sentence. */
export function commandToName(command: EffectCommand): string {
  return capitalise(toolToAct(command.tool));
}

export function lifeToName(life: Life | undefined): string {
  return life?.label ?? 'the caller';
}

/** "worker 2 dispatched it with key "k-1"". */
export function attemptToRequest(attempt: Attempt): string {
  if (isSimulated(attempt)) return simulationToWords(attempt);
  if (!isRequested(attempt)) return 'no request of it is recorded';
  const told = keyOfAttempt(attempt);
  const key = told === undefined ? 'without a recorded idempotency key' : `with the idempotency key "${told}"`;
  return `${lifeToName(attempt.life)} dispatched it ${key}`;
}

/** What a replay did with a request that it only simulated. */
function simulationToWords(attempt: Attempt): string {
  return `the replay simulated it, not sent${isAnsweredByPerson(attempt) ? '; answer supplied by a person' : ''}`;
}

export function executionIds(events: readonly HindcastEvent[]): string {
  const ids = [...new Set(events.map((event) => effectIdOf(event) ?? `an effect without an id (${event.id})`))];
  return listToText(ids);
}

/** For whose request something was done. */
export function attemptToWhose(attempt: Attempt): string {
  if (attempt.isUnassigned === true) return 'for one of the attempts, not told which';
  return isRequested(attempt) ? `for the request of ${lifeToName(attempt.life)}` : 'without a recorded request';
}

/** What was recorded of an attempt after its request, as sentences. */
export function attemptToKnown(attempt: Attempt): string[] {
  const { records, life } = attempt;
  const request =
    attempt.isUnassigned === true
      ? 'Records of this command that do not say which attempt they belong to follow'
      : capitalise(attemptToRequest(attempt));
  const known = [`${request}.`];
  if (isSimulated(attempt)) return known;
  if (records.committed.length > 0) known.push(`The service committed ${executionIds(records.committed)}.`);
  if (records.deduplicated.length > 0) {
    known.push(
      `The service returned the saved answer for ${executionIds(records.deduplicated)}; it did not execute again.`,
    );
  }
  if (records.denied.length > 0) known.push('It was refused before it ran.');
  for (const event of records.refused) known.push(`The service refused it${reasonOf(event)}: not executed.`);
  for (const event of records.dropped) known.push(`The service dropped the request${reasonOf(event)}: not executed.`);
  const isSeen =
    records.committed.length + records.deduplicated.length + records.refused.length + records.dropped.length;
  if (records.requested.length > 0 && isSeen === 0) known.push('The request reached the service.');
  for (const event of records.failed) known.push(failedToSentence(event, attempt));
  if (records.timedOut.length > 0) known.push(`${capitalise(lifeToName(life))} recorded a time-out.`);
  if (life?.killed === true) known.push(killToSentence(life));
  return known;
}

function failedToSentence(event: HindcastEvent, attempt: Attempt): string {
  const error: unknown = event.data?.['error'];
  const message: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'message') : undefined;
  const what = typeof message === 'string' ? `: ${message.slice(0, 200)}` : '';
  const executed = event.data?.['executed'] === false ? ' (known not executed)' : '';
  return `${capitalise(lifeToName(attempt.life))} recorded a failure${executed}${what}.`;
}

export function killToSentence(life: Life): string {
  const signal = life.exited?.data.signal;
  return `${capitalise(life.label)} was killed${typeof signal === 'string' ? ` (${signal})` : ''}.`;
}

function reasonOf(event: HindcastEvent): string {
  const status = event.data?.['http_status'];
  const reason = event.data?.['reason'];
  const parts = [
    typeof status === 'number' ? String(status) : '',
    typeof reason === 'string' ? reason.slice(0, 200) : '',
  ];
  const text = parts.filter((part) => part !== '').join(', ');
  return text === '' ? '' : ` (${text})`;
}

/** Later attempts told one by one; a command that was tried hundreds of times is told once, not in each of its findings. */
const mostLater = 8;

/** What other attempts of the same command did after this one: what filled the gap, if anything did. */
export function laterToKnown(command: EffectCommand, attempt: Attempt): string[] {
  const from = command.attempts.indexOf(attempt) + 1;
  const later = command.attempts.slice(from, from + mostLater);
  const rest = command.attempts.length - from - later.length;
  const told = later.flatMap((other) => {
    if (other.isUnassigned === true) return attemptToKnown(other);
    if (!isRequested(other)) return [];
    const { records } = other;
    const told = [
      records.committed.length > 0 ? `the service committed ${executionIds(records.committed)}` : '',
      records.deduplicated.length > 0
        ? `the service returned the saved answer for ${executionIds(records.deduplicated)}`
        : '',
      records.refused.length > 0 ? 'the service refused it' : '',
      records.acknowledged.length + records.completed.length > 0 ? 'an answer is recorded' : 'no answer is recorded',
    ];
    return [`Later: ${attemptToRequest(other)}; ${told.filter((part) => part !== '').join('; ')}.`];
  });
  return rest > 0 ? [...told, `Later: ${countToText(rest, 'more attempt')} of the command.`] : told;
}

/**
 * Why a record is not there, as far as declarations tell: absent, or absent or lost with the memory of a killed process (R30).
 */
export function absenceToSentence(what: string, life: Life | undefined, declarations: Declarations): string {
  const name = lifeToName(life);
  if (life?.killed !== true) return `${capitalise(what)} of ${name}: absent from the records.`;
  const flush = declarations.producers.get(life.component);
  if (flush === 'fsync')
    return `${capitalise(what)} of ${name}: absent; ${life.component} declares that each record is written through before it goes on.`;
  const why = flush === undefined ? 'its flush policy is not declared' : `it declares flush "${flush}"`;
  return `${capitalise(what)} of ${name}: absent or lost; ${why} and it was killed.`;
}

/** "absent", or "absent or lost", for titles and short texts. */
export function absenceWord(life: Life | undefined, declarations: Declarations): 'absent' | 'absent or lost' {
  if (life?.killed !== true) return 'absent';
  return declarations.producers.get(life.component) === 'fsync' ? 'absent' : 'absent or lost';
}

export function attemptToEvidence(attempt: Attempt): EventId[] {
  const { exited, injected } = attempt.life?.killed === true ? attempt.life : {};
  return [
    ...attemptEvents(attempt),
    ...(injected === undefined ? [] : [injected.id]),
    ...(exited === undefined ? [] : [exited.id]),
  ];
}

export function commandToEvidence(command: EffectCommand): EventId[] {
  return command.attempts.flatMap(attemptEvents);
}

/** Records of the command that do not say which attempt they belong to. */
export function unassignedOf({ attempts }: EffectCommand): Attempt | undefined {
  return attempts.find(({ isUnassigned }) => isUnassigned === true);
}

/** Why nothing says whether one request was executed. */
export function outcomeToUnknown(command: EffectCommand, which: string): string {
  const records = unassignedOf(command)?.records;
  if (records !== undefined && records.committed.length + records.deduplicated.length + records.refused.length > 0)
    return `Whether ${which} was executed: the records of the service do not say which attempt they are about.`;
  return command.hasServiceRecords
    ? `Whether ${which} was executed: the records of the service hold no outcome of ${which === 'it' ? 'this request' : 'it'}.`
    : `Whether ${which} was executed: no records of the service are in this trace.`;
}
