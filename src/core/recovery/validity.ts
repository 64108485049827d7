/**
 * Whether a trial is what it says, apart from how it ended (R110, R111, R114, R117).
 *
 * Valid: every check holds. Invalid: one is violated. Else "not established", which counts as little as invalid does and says why.
 * An incomplete envelope or a missing control is no matter of validity.
 */
import { computeCompletion } from './completion.ts';
import { armingsOf, contradictExits, endToText, injectionsOf, signalOf } from './fault-records.ts';
import type { Kill } from './kills.ts';
import { checkLeaks } from './leaks.ts';
import { checkLives, isAfter } from './process-lives.ts';
import { type LedgerGap, gapsToText } from './ledger-gaps.ts';
import type { Arm, Check, TrialReport } from './report.ts';
import { effectsNotInLedger, toldToText } from './told-effects.ts';
import type { TrialRecords } from './trial-records.ts';
import { mayTellOfFault, unreadToText } from './unread-records.ts';

/** A signal that no process can catch: its end is one that nothing was tidied up for. */
const ungraceful = 'SIGKILL';

export function checkValidity(trial: TrialRecords, kills: readonly Kill[], arm: Arm): readonly Check[] {
  const checks: Check[] = [];
  const isFaulted = arm !== 'control';
  const faults = isFaulted ? checkArmed(trial) : checkUntouched(trial, kills);
  checks.push(faults);
  for (const kill of kills) checks.push(checkExit(trial, kill), checkPlacement(trial, kill));
  checks.push(...checkLives(trial, kills, arm), checkLeaks(trial), checkForeign(trial), ...checkLost(trial));
  // Open by what could not be read, the first check has told of it.
  if (faults.status !== 'not established') checks.push(...checkUnread(trial));
  checks.push(...checkGaps(trial, kills), ...checkAnswers(trial), ...checkEnd(trial));
  if (trial.data.design === 'redeploy' && isFaulted) checks.push(checkVersions(trial));
  return checks;
}

export function checksToValidity(checks: readonly Check[]): TrialReport['validity'] {
  if (checks.some(({ status }) => status === 'violated')) return 'invalid';
  return checks.every(({ status }) => status === 'holds') ? 'valid' : 'not established';
}

/** Every fault that was armed happened, none was escaped, and there was one at all. */
function checkArmed(trial: TrialRecords): Check {
  const id = 'faults-happened';
  const injected = injectionsOf(trial).map(([first]) => first);
  const escaped = trial.ofType('fault.witnessed').filter((event) => event.data['escaped'] === true);
  const used = new Set([...armingsOf(trial, injected).values()].map((event) => event.id));
  const idle = trial.ofType('fault.armed').filter((event) => !used.has(event.id));
  if (escaped.length > 0) {
    return violated(id, 'A process ran on past the point at which it was to be killed.', escaped);
  }
  const { isCutOff } = computeCompletion(trial);
  if (isCutOff && (idle.length > 0 || injected.length === 0)) {
    const text = 'The trial is one with a fault, and its records stop before they tell of it.';
    return { id, status: 'not established', text, events: idle.map((event) => event.id) };
  }
  if (idle.length > 0) {
    if (mayBeUnread(trial)) return open(id, 'A fault was armed, and whether it happened cannot be told', trial, idle);
    return violated(id, 'A fault was armed and no record says that it happened.', idle);
  }
  if (injected.length === 0) {
    if (mayBeUnread(trial))
      return open(id, 'The trial is one with a fault, and none stands in what could be read', trial, []);
    return violated(id, 'The trial is one with a fault and no fault is recorded.', []);
  }
  return holds(id, `${count(injected.length, 'fault')} armed and recorded as sent.`, injected);
}

/** A control has no fault, and none of its processes ended by a signal. */
function checkUntouched(trial: TrialRecords, kills: readonly Kill[]): Check {
  const id = 'no-fault-in-control';
  const ended = trial.ofType('worker.exited').filter((event) => signalOf(event) !== undefined);
  const events = [...kills.map(({ injected }) => injected), ...ended];
  if (events.length > 0) return violated(id, 'A control has a fault, or a process of it ended by a signal.', events);
  if (mayBeUnread(trial)) return open(id, 'No fault of this control stands in what could be read', trial, []);
  return holds(id, 'No fault is recorded and no process ended by a signal.', []);
}

/** The exit status, and not the intention, says that a kill was one. */
function checkExit(trial: TrialRecords, { ordinal, injected, exited, exits }: Kill): Check {
  const id = `exit-by-signal-${ordinal}`;
  const intended = injected.data.signal ?? ungraceful;
  const name = `Kill ${ordinal}`;
  if (exited === undefined) {
    return {
      id,
      status: 'not established',
      text: `${name}: no record says how the process ended.`,
      events: [injected.id],
    };
  }
  const contradiction = contradictExits(exits);
  if (contradiction !== undefined) {
    const ids = [injected.id, ...exits.map((event) => event.id)];
    return { id, status: 'not established', text: `${name}: ${contradiction}`, events: ids };
  }
  const events = [injected, exited];
  if (isAfter(trial, injected, exited)) {
    // Another writer read the clock in between: the order that the records tell and their times cannot both be right.
    if (trial.compare(exited, injected).order === 'after') {
      const text = `${name}: by the order of the records the process ended after it was sent, and by their clock before.`;
      return { id, status: 'not established', text, events: events.map((event) => event.id) };
    }
    return violated(id, `${name} was sent when the process had ended already: something else ended it.`, events);
  }
  if (intended !== ungraceful) {
    return violated(
      id,
      `${name} was sent as ${intended}: a process can end by it in order, so it is no crash.`,
      events,
    );
  }
  if (signalOf(exited) !== intended) {
    return violated(id, `${name}: the process ended ${endToText(exited)} and not by ${intended}.`, events);
  }
  // A shell and a container tell a signal as a code of 128 and its number.
  const how = exited.data.signal === intended ? `by ${intended}` : `${endToText(exited)}, which tells ${intended}`;
  return holds(id, `${name}: the process ended ${how}, as intended.`, events);
}

/** A point rests on records that are not there: where some could not be read, a label that differs is not contradicted. */
function checkPlacement(trial: TrialRecords, { ordinal, placement }: Kill): Check {
  const { verdict, text, events } = placement;
  const id = `placement-${ordinal}`;
  if (verdict === 'verified') return { id, status: 'holds', text, events };
  if (verdict === 'not established') return { id, status: 'not established', text, events };
  const { unread } = trial.input;
  if (unread.length === 0 && gapsOfTrial(trial).length + checkAnswers(trial).length === 0)
    return { id, status: 'violated', text, events };
  const where = unread.length > 0 ? 'could not be read' : 'is missing';
  return {
    id,
    status: 'not established',
    text: `${text} What speaks for the label may be in a record that ${where}.`,
    events,
  };
}

/** R120: a redeployment of which one side is not on record does not count as one. */
function checkVersions(trial: TrialRecords): Check {
  const id = 'versions-on-record';
  const starts = trial.ofType('worker.spawned');
  const silent = starts.filter(({ data }) => data.versions === undefined);
  const texts = new Set(starts.map(({ data }) => JSON.stringify(data.versions)));
  if (silent.length > 0 || starts.length === 0) {
    const text = 'A redeployment counts when the versions before and after it are on record; one is not.';
    return { id, status: 'not established', text, events: silent.map((event) => event.id) };
  }
  if (texts.size < 2)
    return violated(id, 'The trial is one with a redeployment and every life ran one version.', starts);
  return holds(id, 'The versions before and after the redeployment are on record.', starts);
}

function checkForeign(trial: TrialRecords): Check {
  const id = 'no-foreign-run';
  const { foreign } = trial.input;
  if (foreign.length === 0) return holds(id, 'No other run is in the streams of this trial.', []);
  const told = foreign.map(({ run, byOwnProcess, events }) =>
    byOwnProcess
      ? `a process of this trial wrote ${count(events.length, 'record')} of run ${run}`
      : `${count(events.length, 'record')} of run ${run} ${events.length === 1 ? 'stands' : 'stand'} in its streams`,
  );
  const text = `Another run is in the streams of this trial: ${told.join('; ')}.`;
  return { id, status: 'violated', text, events: foreign.flatMap(({ events }) => events) };
}

/** Told only where records are lost: whoever numbers records like another file of the trial cannot be read beside it. */
function checkLost({ input }: TrialRecords): readonly Check[] {
  return input.lost.map(({ trace, events }, n) => ({
    id: `ids-distinct-${n + 1}`,
    status: 'not established',
    text: `${trace}: ${count(events.length, 'record')} cannot be read, because the trial has ${events.length === 1 ? 'another record under its id' : 'other records under their ids'}, such as "${events[0] ?? ''}". Give the records of each file ids of their own.`,
    events,
  }));
}

/**
 * Told only where records could not be read: an outcome without them is not known to be one. The last line of a file that a killed
 * process did not write to its end is no such record, and a limit of the trial (`limitsOf`).
 */
function checkUnread(trial: TrialRecords): readonly Check[] {
  if (trial.input.unread.every(({ isCut }) => isCut)) return [];
  return [open('records-read', 'What was recorded is not known in full', trial, [])];
}

/**
 * Told only where records are known to be missing of which the trial may depend. What a service did beside a kill whose place stands fast
 * is a matter of the outcome: its counts are lower bounds, and a limit of the trial says so.
 */
function checkGaps(trial: TrialRecords, kills: readonly Kill[]): readonly Check[] {
  const gaps = gapsOfTrial(trial);
  if (gaps.every((gap) => isBesideKills(trial, kills, gap))) return [];
  const text = `Records are missing: ${gapsToText(gaps)}. What they told is not known. Open the whole logs, and the files of other runs that stand in the same ones.`;
  return [{ id: 'records-whole', status: 'not established', text, events: gaps.flatMap(({ events }) => events) }];
}

/** Those that could not be read are told already. */
function gapsOfTrial({ input, gaps }: TrialRecords): readonly LedgerGap[] {
  return input.unread.some(({ isCut }) => !isCut) ? [] : gaps.filter(({ kind }) => kind !== 'unknown type');
}

/**
 * Points that the log of the process alone shows, or a commitment that stands before the kill: no missing record of a service moves them.
 */
const fastPoints: ReadonlySet<string> = new Set(['1', '3', '4', '5']);

/**
 * A hole in the log of a service that moves no kill, for there is none, or for its place stands fast: a request lost (2) may have been committed in it, a late one (2late) before the
 * kill.
 */
export function isBesideKills(trial: TrialRecords, kills: readonly Kill[], gap: LedgerGap): boolean {
  if (gap.kind !== 'hole') return false;
  // Of a fault that is no kill, its own record tells what it struck; a control, or a kill that is not on record, has none.
  if (kills.length === 0) return trial.ofType('fault.injected').length > 0;
  const before = trial.find(gap.events[0] ?? '');
  return kills.every(({ injected, placement: { verdict, point, duringModelCall } }) => {
    if (verdict !== 'verified') return false;
    if (point === undefined) return duringModelCall;
    const isLater = before !== undefined && trial.compare(injected, before).order === 'before';
    return fastPoints.has(point) || (point === '2late' && isLater);
  });
}

/** Told only where an answer names an effect beside those of the ledger: the two are not records of one trial, or one is not whole. */
function checkAnswers({ ledger }: TrialRecords): readonly Check[] {
  return ledger.commands.flatMap((command, n): readonly Check[] => {
    const told = command.verdict === 'missing' ? [] : effectsNotInLedger(command);
    if (told.length === 0) return [];
    const text = `${command.path}: ${toldToText(told)}.`;
    const events = [...new Set(told.map(({ event }) => String(event.id)))];
    return [{ id: `answers-in-ledger-${n + 1}`, status: 'not established', text, events }];
  });
}

/** Told only where the records do not say how the trial ended: what came after them may be anything. */
function checkEnd(trial: TrialRecords): readonly Check[] {
  const { open: end } = computeCompletion(trial);
  return end === undefined ? [] : [{ id: 'recorded-to-the-end', status: 'not established', ...end }];
}

function mayBeUnread({ input }: TrialRecords): boolean {
  return input.unread.some(mayTellOfFault);
}

function open(id: string, what: string, { input }: TrialRecords, events: readonly { readonly id: string }[]): Check {
  const text = `${what}. ${unreadToText(input.unread)}`;
  return { id, status: 'not established', text, events: events.map((event) => event.id) };
}

function holds(id: string, text: string, events: readonly { readonly id: string }[]): Check {
  return { id, status: 'holds', text, events: events.map((event) => event.id) };
}

function violated(id: string, text: string, events: readonly { readonly id: string }[]): Check {
  return { id, status: 'violated', text, events: events.map((event) => event.id) };
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
