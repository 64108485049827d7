/**
 * One outside effect told in the headline: how often it was executed, what came between, which step chose it.
 *
 * Invariant: each clause is built from records of the ledger and linked to one of them; a clause without a record is left out or
 * reads "not recorded".
 */
import { type Attempt, isRequested } from '../effects/attempt.ts';
import type { EffectCommand } from '../effects/ledger.ts';
import { keyOfAttempt } from '../effects/joins.ts';
import { openToClauses } from '../effects/open-words.ts';
import { type Execution, hasAnswer } from '../effects/verdict.ts';
import { isAnsweredByPerson } from '../effects/stopped.ts';
import { capitalise, timesToText, toolToAct } from '../effects/words.ts';
import type { HeadlineSpan } from '../trace-reader.ts';
import { linked, linkedList, plain } from './spans.ts';

export function effectToFact(command: EffectCommand, stepOf: StepOf, finding?: string): HeadlineSpan[] {
  return [...countSentence(command, finding), ...interruptionSentences(command), ...chooserSentence(command, stepOf)];
}

/** "Ticket creation and mail sending: simulated, not sent; answers supplied by a person." */
export function simulatedToFact(simulated: readonly EffectCommand[]): HeadlineSpan[] {
  const names = simulated.map(({ tool, first }, i) =>
    linked(i === 0 ? capitalise(toolToAct(tool)) : toolToAct(tool), first),
  );
  const isByPerson = simulated.every(({ attempts }) => attempts.every(isAnsweredByPerson));
  const answers = simulated.length === 1 ? 'answer' : 'answers';
  const who = isByPerson ? `; ${answers} supplied by a person` : '';
  return [...linkedList(names), plain(`: simulated, not sent${who}.`)];
}

/** Nothing was sent: no process was interrupted at it, and no acknowledgement is missing. */
export function isSimulated({ stopped }: Pick<EffectCommand, 'stopped'>): boolean {
  return stopped === 'simulated, not sent';
}

/** The fact without who chose it: how often it was executed, and whether an attempt was interrupted; in words alone. */
export function effectToStory(command: EffectCommand): { readonly text: string; readonly isInterrupted: boolean } {
  const interrupted = isSimulated(command) ? [] : interruptionSentences(command);
  const spans = [...countSentence(command, undefined), ...interrupted];
  return { text: spans.map(({ text }) => text).join(''), isInterrupted: interrupted.length > 0 };
}

/** Step of an event of the branch, in words. */
export type StepOf = (event: EffectCommand['first']['id']) => string | undefined;

function countSentence(command: EffectCommand, finding: string | undefined): HeadlineSpan[] {
  const name = capitalise(toolToAct(command.tool));
  const { executions, ofOneKind } = command;
  if (executions.length === 0) return [linked(`${name}: ${verdictToWords(command)}.`, command.first, finding)];
  const others = executions.filter((execution) => !ofOneKind.includes(execution));
  const open = openToClauses(command);
  const atLeast = open.length === 0 ? '' : 'at least ';
  return [
    linked(`${name} executed ${atLeast}${timesToText(ofOneKind.length)}`, ofOneKind[0]?.records[0], finding),
    plain(': '),
    ...linkedList(ofOneKind.map(executionToSpan)),
    ...(others.length === 0 ? [] : [plain('; also committed: '), ...linkedList(others.map(executionToSpan))]),
    ...openToSpans(command, open),
    plain('.'),
  ];
}

/** Each clause leads to the request that is open, or to the answer that names what no commitment has. */
function openToSpans({ open, undecided, unread, told }: EffectCommand, clauses: readonly string[]): HeadlineSpan[] {
  const of = (attempt: Attempt | undefined) => attempt?.records.dispatched[0] ?? attempt?.reemitted[0];
  const requests = [open, undecided, unread].filter((list) => list.length > 0);
  const events = [...requests.map(([first]) => of(first)), ...told.slice(0, 1).map(({ event }) => event)];
  return clauses.flatMap((clause, i) => [plain('; '), linked(clause, events[i])]);
}

function executionToSpan({ effectId, records }: Execution): HeadlineSpan {
  return linked(effectId ?? 'an effect without an id', records[0]);
}

function verdictToWords(command: EffectCommand): string {
  switch (command.verdict) {
    case 'missing':
      return 'a result is recorded, and the records of the service hold no commitment';
    case 'uncertain':
      return command.hasServiceRecords
        ? 'whether it was executed is uncertain'
        : 'whether it was executed is uncertain, and no records of the service are in this trace';
    case 'not executed':
      return command.stopped ?? 'not executed';
    case 'executed once':
    case 'executed twice':
    case 'not decidable in this copy':
      return command.verdict;
  }
}

/** Where an attempt stopped and what the next one did, for each attempt that has a successor or a kill. */
function interruptionSentences(command: EffectCommand): HeadlineSpan[] {
  const attempts = command.attempts.filter(isRequested);
  return attempts.flatMap((attempt, i) => {
    const next = attempts[i + 1];
    const stop = stopClause(attempt);
    if (stop.length === 0 && next === undefined) return [];
    const again = next === undefined ? [] : againClause(command.tool, attempt, next);
    if (stop.length === 0) return [plain(' '), ...capitaliseFirst(again), plain('.')];
    return [plain(' '), ...stop, ...(again.length === 0 ? [] : [plain('; '), ...again]), plain('.')];
  });
}

/** "Worker 1 was killed after the commitment of 8421 and before its acknowledgement". */
function stopClause(attempt: Attempt): HeadlineSpan[] {
  const { life, records } = attempt;
  const who = capitalise(life?.label ?? 'the caller');
  const [committed] = records.committed;
  const [dispatched] = records.dispatched;
  if (life?.killed === true) {
    const kill = linked(`${who} was killed`, life.exited ?? life.injected);
    if (committed !== undefined && !hasAnswer(attempt)) {
      return [
        kill,
        plain(' after '),
        linked(`the commitment${idOf(attempt)}`, committed),
        plain(' and before its acknowledgement'),
      ];
    }
    if (!hasAnswer(attempt))
      return [kill, plain(' after '), linked('the dispatch', dispatched), plain(' and before an acknowledgement')];
    const answer = records.acknowledged[0] ?? records.completed[0];
    const isKept = records.completed.length + records.persisted.length > 0;
    return isKept
      ? []
      : [kill, plain(' after '), linked('the acknowledgement', answer), plain(' and before the result was persisted')];
  }
  const ending = records.timedOut[0] ?? records.failed[0];
  if (records.timedOut.length > 0) return [linked(`${who} recorded a time-out`, ending)];
  if (records.failed.length > 0) {
    const executed = records.failed.some(({ data }) => data.executed === false) ? ', known not executed' : '';
    return [linked(`${who} recorded a failure${executed}`, ending)];
  }
  return hasAnswer(attempt)
    ? []
    : [linked(`No acknowledgement of ${life?.label ?? 'the caller'} is recorded`, dispatched)];
}

function idOf({ records }: Attempt): string {
  const [first] = records.committed;
  const effect = first?.data.effect?.id ?? first?.data['id'];
  return typeof effect === 'string' || typeof effect === 'number' ? ` of ${String(effect)}` : '';
}

/** "worker 2 dispatched the ticket creation again without a key, and the service committed 8422". */
function againClause(tool: string, before: Attempt, next: Attempt): HeadlineSpan[] {
  const who = next.life?.label ?? 'the caller';
  const used = keyOfAttempt(next);
  const key = used === undefined ? ' without a key' : ` with ${keyToWords(used, keyOfAttempt(before))}`;
  const clause = [linked(`${who} dispatched the ${toolToAct(tool)} again${key}`, next.records.dispatched[0])];
  const [saved] = next.records.deduplicated;
  const [refused] = next.records.refused;
  if (saved !== undefined) clause.push(plain(' and '), linked('the service returned the saved answer', saved));
  else if (refused !== undefined) clause.push(plain(' and '), linked('the service refused it', refused));
  return clause;
}

function keyToWords(used: string, before: string | undefined): string {
  if (before === undefined) return 'a key, where none is recorded before';
  return used === before ? 'the same key' : 'another key';
}

function capitaliseFirst(spans: readonly HeadlineSpan[]): HeadlineSpan[] {
  return spans.map((span, i) => (i === 0 ? { ...span, text: capitalise(span.text) } : span));
}

function chooserSentence(command: EffectCommand, stepOf: StepOf): HeadlineSpan[] {
  const { chosenBy, first } = command;
  const step = (chosenBy === undefined ? undefined : stepOf(chosenBy)) ?? stepOf(first.id);
  if (step !== undefined) return [plain(' '), linked(`Chosen by ${step}`, chosenBy ?? first), plain('.')];
  if (chosenBy !== undefined)
    return [plain(' '), linked('The event that chose it', chosenBy), plain(' names no step.')];
  return [plain(' Which step chose it is not recorded.')];
}
