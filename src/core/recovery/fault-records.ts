/**
 * Which records of a trial are about one fault: told again under another id, the arming of it, and the ends of the process it struck.
 *
 * Invariant: joins are by recorded causes, names and numbers, else by the order that records have; never by time.
 */
import type { EventOf } from '../model/index.ts';
import type { Life } from '../projections/effects/lives.ts';
import { textIn, type TrialRecords } from './trial-records.ts';

type Injection = readonly [first: EventOf<'fault.injected'>, ...toldAgain: EventOf<'fault.injected'>[]];

/**
 * The faults of a trial in their order. A process is killed once: a second record that says the same of the same process tells the
 * same kill again.
 */
export function injectionsOf(trial: TrialRecords): readonly Injection[] {
  const groups: [EventOf<'fault.injected'>, ...EventOf<'fault.injected'>[]][] = [];
  for (const event of trial.ofType('fault.injected')) {
    const known = groups.find(([first]) => isToldAgain(trial, first, event));
    if (known === undefined) groups.push([event]);
    else known.push(event);
  }
  return groups;
}

function isToldAgain(trial: TrialRecords, first: EventOf<'fault.injected'>, event: EventOf<'fault.injected'>): boolean {
  if (!isProcessKill(first) || !isProcessKill(event)) return false;
  const isSame = (['signal', 'kill_point', 'ordinal', 'pid', 'class'] as const).every((member) => {
    const [one, other] = [textIn(first.data, member), textIn(event.data, member)];
    return one === undefined || other === undefined || one === other;
  });
  if (!isSame) return false;
  const [one, other] = [lifeOf(trial, first), lifeOf(trial, event)];
  if (one !== undefined || other !== undefined) return one === other;
  // Of no known life: the same number of the same process.
  return first.data.ordinal !== undefined && first.data.ordinal === event.data.ordinal && 'pid' in first.data;
}

export function lifeOf(trial: TrialRecords, injected: EventOf<'fault.injected'>): Life | undefined {
  return trial.ledger.lives.all.find(({ injections }) => injections.some(({ id }) => id === injected.id));
}

export function isProcessKill({ data }: EventOf<'fault.injected'>): boolean {
  return data.signal !== undefined || data.kill_point !== undefined || /kill|crash/.test(data.class ?? '');
}

/** Requests that the service a fault was about refused after it: what was asked of it then was not executed. */
export function refusedAfter(trial: TrialRecords, injected: EventOf<'fault.injected'>): readonly string[] {
  const component = textIn(injected.data.target, 'component');
  return trial
    .ofType('effect.refused')
    .filter((event) => event.source.component === component && trial.compare(injected, event).order === 'before')
    .map(({ id }) => id);
}

export function exitsOf(trial: TrialRecords, injected: EventOf<'fault.injected'>): readonly EventOf<'worker.exited'>[] {
  const exits = trial.ofType('worker.exited');
  const caused = exits.filter(({ causes }) => causes?.some(({ event }) => event === injected.id) === true);
  if (caused.length > 0) return caused;
  const pid = injected.data['pid'];
  return typeof pid === 'number' ? exits.filter(({ data }) => data.pid === pid).slice(0, 1) : [];
}

/**
 * The arming of each fault: by recorded cause, else by the number that both carry, else by their order, where neither carries a number
 * that says otherwise and the arming does not come after the fault.
 */
export function armingsOf(
  trial: TrialRecords,
  injections: readonly EventOf<'fault.injected'>[],
): ReadonlyMap<string, EventOf<'fault.armed'>> {
  const armed = trial.ofType('fault.armed');
  const found = new Map<string, EventOf<'fault.armed'>>();
  const joins: ((one: EventOf<'fault.armed'>, injected: EventOf<'fault.injected'>) => boolean)[] = [
    (one, { causes }) => causes?.some(({ event }) => event === one.id) === true,
    ({ data }, injected) => data.ordinal !== undefined && data.ordinal === injected.data.ordinal,
    (one, injected) => isInTurn(trial, one, injected),
  ];
  for (const [step, isJoined] of joins.entries()) {
    const used = new Set([...found.values()].map(({ id }) => id));
    for (const injected of injections) {
      if (found.has(injected.id)) continue;
      const match = armed.find((one) => (step === 0 || !used.has(one.id)) && isJoined(one, injected));
      if (match === undefined) continue;
      found.set(injected.id, match);
      used.add(match.id);
    }
  }
  return found;
}

function isInTurn(trial: TrialRecords, armed: EventOf<'fault.armed'>, injected: EventOf<'fault.injected'>): boolean {
  const isNumbered = armed.data.ordinal !== undefined && injected.data.ordinal !== undefined;
  const [one, other] = [armed.data.kill_point, injected.data.kill_point];
  const isOfOnePoint = one === undefined || other === undefined || String(one) === String(other);
  return !isNumbered && isOfOnePoint && trial.compare(armed, injected).order !== 'after';
}

/** What is wrong with several records of one end: a process ends once, in one way. */
export function contradictExits(exits: readonly EventOf<'worker.exited'>[]): string | undefined {
  const [first] = exits;
  const other = exits.find((event) => first !== undefined && isOtherEnd(first, event));
  if (first === undefined || other === undefined) return undefined;
  return `one record says that the process ended ${endToText(first)}, another that it ended ${endToText(other)}.`;
}

/** By signal or by code, where both records tell one. A shell and a container tell a signal as a code of 128 and its number. */
function isOtherEnd(first: EventOf<'worker.exited'>, event: EventOf<'worker.exited'>): boolean {
  const [one, other] = [endOf(first), endOf(event)];
  return one !== undefined && other !== undefined && one !== other;
}

function endOf({ data: { signal, code } }: EventOf<'worker.exited'>): string | undefined {
  if (typeof signal === 'string') return signal;
  return typeof code === 'number' ? (signalByCode.get(code) ?? `code ${code}`) : undefined;
}

const signalByCode: ReadonlyMap<number, string> = new Map([
  [129, 'SIGHUP'],
  [130, 'SIGINT'],
  [134, 'SIGABRT'],
  [137, 'SIGKILL'],
  [139, 'SIGSEGV'],
  [143, 'SIGTERM'],
]);

/** The signal that a process ended by, also where it is told as a code. */
export function signalOf(event: EventOf<'worker.exited'>): string | undefined {
  const end = endOf(event);
  return end?.startsWith('SIG') === true ? end : undefined;
}

/** Told by the code alone: whoever wrote it saw a shell or a container end, or a process that ended with this code by itself. */
export function isKillByCode(event: EventOf<'worker.exited'>): boolean {
  return typeof event.data.signal !== 'string' && signalOf(event) === 'SIGKILL';
}

export function endToText({ data: { signal, code } }: EventOf<'worker.exited'>): string {
  return typeof signal === 'string' ? `by ${signal}` : `with code ${String(code ?? 'not recorded')}`;
}
