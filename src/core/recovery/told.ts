/**
 * What producers wrote about their own trial, compared with what the records show. Never an input of any verdict.
 *
 * A disagreement is a finding; so is a number that stands on no two records (R96), a kill number that the order of kills contradicts,
 * and one request that two commands made.
 */
import type { HindcastEvent } from '../model/index.ts';
import { nameToShown } from '../base/shown-text.ts';
import { completionClaims } from './completion.ts';
import { reconciled } from './control.ts';
import { contradictExits } from './fault-records.ts';
import type { Kill } from './kills.ts';
import { isAtLeast, modelCallsOf } from './outcome.ts';
import type { Finding, Invariant, Outcome, TrialReport } from './report.ts';
import { toldNumbers } from './told-numbers.ts';
import { textIn, type TrialRecords } from './trial-records.ts';
import { mayTellOfFault } from './unread-records.ts';

export function compareClaims(
  trial: TrialRecords,
  kills: readonly Kill[],
  validity: TrialReport['validity'],
  outcome: Outcome,
  invariants: readonly Invariant[],
): readonly Finding[] {
  return [
    ...trial.told.flatMap((event) => compareVerdict(event, validity, outcome, invariants)),
    ...duplicateClaims(trial, outcome),
    ...endClaims(trial, outcome),
    ...armClaims(trial),
    ...ordinals(trial, kills),
    ...otherEnds(trial),
    ...[...trial.events, ...trial.told].flatMap((event) => toldNumbers(trial, event)),
    ...sameRequests(trial),
  ];
}

function compareVerdict(
  event: HindcastEvent,
  validity: TrialReport['validity'],
  outcome: Outcome,
  invariants: readonly Invariant[],
): readonly Finding[] {
  if (event.type === 'trial.finished') return compareFinish(event, validity, outcome);
  if (event.type !== 'invariant.checked') return [];
  const name = event.data.invariant ?? '';
  const ours = name === 'one-ticket-per-case' ? oneTicket(outcome) : invariants.find(({ id }) => isCalled(id, name));
  const claimed = event.data.verdict;
  if (ours === undefined || claimed === undefined || ours.verdict === 'not checked') return [];
  const isHeld = /^(?:holds|held|passed|ok)$/.test(claimed);
  if (isHeld === (ours.verdict === 'holds')) return [];
  return [
    disagreement(
      `The stream says that "${name}" is ${claimed}; the records say: ${ours.verdict}, ${ours.reason}.`,
      event,
      ours.events,
    ),
  ];
}

function isCalled(id: string, name: string): boolean {
  return id === name || (id === 'no-duplicate-effect' && name === 'no-duplicate');
}

/** What a harness says of tickets is compared with the tickets of the ledger: another effect may be executed twice meanwhile. */
function oneTicket({ effects }: Outcome): Pick<Invariant, 'verdict' | 'reason' | 'events'> | undefined {
  const tickets = effects.filter(({ tool }) => /ticket/i.test(tool));
  if (tickets.length === 0 || tickets.some((one) => one.duplicates === undefined || isAtLeast(one))) return undefined;
  const executions = tickets.flatMap((one) => one.executions);
  const n = executions.length;
  const reason = `the ledger has ${String(n)} ${n === 1 ? 'ticket' : 'tickets'}`;
  return { verdict: n === 1 ? 'holds' : 'violated', reason, events: executions.flatMap(({ events }) => events) };
}

/** What the records say of a number or an answer that a producer tells: of what they do not decide they say nothing. */
interface Ours {
  readonly value: boolean | number | undefined;
  /** There may be more. */
  readonly isAtLeast: boolean;
}

function compareFinish(event: HindcastEvent, validity: TrialReport['validity'], outcome: Outcome): readonly Finding[] {
  const executed = toExecuted(outcome);
  const { count: calls, isAtLeast } = modelCallsOf(outcome);
  const known = (value: Ours['value']): Ours => ({ value, isAtLeast: false });
  const pairs: readonly (readonly [name: string, ours: Ours])[] = [
    ['valid', known(validity === 'not established' ? undefined : validity === 'valid')],
    ['completed', known(outcome.completed)],
    ['duplicates', { value: outcome.duplicates, isAtLeast: outcome.duplicatesAtLeast === true }],
    ['losses', known(outcome.losses)],
    ['effects', executed],
    ['ledger_entries', executed],
    ['model_calls', { value: calls, isAtLeast }],
  ];
  return pairs.flatMap(([name, ours]) => {
    const claimed = event.data?.[name];
    if (typeof claimed !== 'boolean' && typeof claimed !== 'number') return [];
    if (ours.value === undefined || claimed === ours.value) return [];
    if (ours.isAtLeast && Number(claimed) > Number(ours.value)) return [];
    const said = `${ours.isAtLeast ? 'at least ' : ''}${String(ours.value)}`;
    return [disagreement(`The stream says ${name}: ${String(claimed)}; the records say ${said}.`, event, [])];
  });
}

/** A ledger of which it is not known how often it executed holds at least what it shows. */
function toExecuted(outcome: Outcome): Ours {
  const value = outcome.effects.reduce((sum, { executions }) => sum + executions.length, 0);
  return { value, isAtLeast: outcome.duplicates === undefined || isAtLeast(outcome) };
}

/** Two records of the end of one process that cannot both be true. */
function otherEnds(trial: TrialRecords): readonly Finding[] {
  return trial.ledger.lives.all.flatMap(({ label, exits }) => {
    const text = contradictExits(exits);
    if (text === undefined) return [];
    return [{ code: 'ends-disagree' as const, text: `${label}: ${text}`, events: exits.map(({ id }) => String(id)) }];
  });
}

/** The service says it saw a duplicate: either the ledger shows one, or one of the two is wrong. */
function duplicateClaims(trial: TrialRecords, outcome: Outcome): readonly Finding[] {
  const claims = trial.told.filter(({ type }) => type === 'duplicate.detected');
  const [first] = claims;
  if (first === undefined || outcome.duplicates === undefined || outcome.duplicates > 0) return [];
  return [disagreement('The stream says that a duplicate was detected; the ledger has none.', first, [])];
}

/** A harness that writes the end of the run itself. */
function endClaims(trial: TrialRecords, outcome: Outcome): readonly Finding[] {
  const [first] = outcome.completed === true ? [] : completionClaims(trial);
  if (first === undefined) return [];
  const text = `${nameToShown(first.source.component)} says that the run completed; no process that ran its control code does.`;
  return [disagreement(text, first, [])];
}

/** Called the control that must fail, and not one by its own records. */
function armClaims(trial: TrialRecords): readonly Finding[] {
  const by = trial.data.arm === 'negative-control' ? reconciled(trial) : undefined;
  if (by === undefined) return [];
  const text = `The stream calls this trial the control that must fail; a process of it went on from what it had stored ("${by.id}"), and such a control does not.`;
  return [disagreement(text, trial.input.started, [String(by.id)])];
}

function disagreement(text: string, event: HindcastEvent, events: readonly string[]): Finding {
  return { code: 'claim-disagrees', text, events: [event.id, ...events] };
}

function ordinals(trial: TrialRecords, kills: readonly Kill[]): readonly Finding[] {
  // A kill that is not on record leaves the others with numbers that rise: they contradict nothing.
  if (trial.input.unread.some(mayTellOfFault) || isRising(kills)) return [];
  // A harness that counts from none numbers every kill so.
  if (kills.every(({ ordinal, placement }) => placement.recordedOrdinal === ordinal - 1)) return [];
  return kills.flatMap(({ ordinal, injected, placement }) => {
    const { recordedOrdinal } = placement;
    if (recordedOrdinal === undefined || recordedOrdinal === ordinal) return [];
    const text = `Kill ${ordinal} of the run carries the number ${recordedOrdinal}. Its observations stand at ${ordinal}, and are not pooled with others under one number.`;
    return [{ code: 'ordinal-contradicted', text, events: [injected.id] } as const];
  });
}

/** Each kill carries a number of its own, and later ones higher ones: some may be missing among them. */
function isRising(kills: readonly Kill[]): boolean {
  const numbers = kills.flatMap(({ placement }) => placement.recordedOrdinal ?? []);
  const isEach = numbers.length === kills.length && kills.length > 1;
  return isEach && numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? number));
}

/** One request body under two commands is perhaps one intention that was carried out twice; the ledger cannot say. */
function sameRequests(trial: TrialRecords): readonly Finding[] {
  const seen = new Map<string, { readonly path: string; readonly event: string }>();
  const findings: Finding[] = [];
  for (const { path, run, executions } of trial.ledger.commands) {
    for (const { kind, records } of executions) {
      const [event] = records;
      const digest = textIn(event?.data, 'request_digest');
      if (event === undefined || digest === undefined) continue;
      const key = `${run}|${kind ?? ''}|${digest}`;
      const before = seen.get(key);
      if (before !== undefined && before.path !== path) {
        const text = `${before.path} and ${path} executed the same request. They are two commands, so this is not counted as a duplicate.`;
        findings.push({ code: 'same-request', text, events: [before.event, event.id] });
      }
      seen.set(key, { path, event: event.id });
    }
  }
  return findings;
}
