/**
 * The lives of the processes of a trial beside its kills: nothing else ended, nobody lived on after its end or beside its successor, and
 * a kill was sent to the process that it names (R110: the intended kill, and no other).
 *
 * Invariant: only what records say against each other is told, each with its records; what nobody numbered, named or timed contradicts
 * nothing. Called by validity.ts.
 */
import { isJsonObject, type JsonValue } from '../base/json.ts';
import { type HindcastEvent, canon } from '../model/index.ts';
import type { Life } from '../projections/effects/lives.ts';
import { endToText, signalOf } from './fault-records.ts';
import { type Kill, plannedPoints } from './kills.ts';
import type { Arm, Check } from './report.ts';
import { announces } from './start-by-design.ts';
import { monoOf, type TrialRecords } from './trial-records.ts';
import { mayTellOfFault } from './unread-records.ts';

export function checkLives(trial: TrialRecords, kills: readonly Kill[], arm: Arm): readonly Check[] {
  return [
    ...(arm === 'control' ? [] : [...checkOtherEnds(trial, kills), ...checkNumbers(trial, kills)]),
    ...kills.flatMap((kill) => [...checkProcess(trial, kill), ...checkArmedFirst(trial, kill)]),
    ...trial.workers.flatMap((life) => checkSilence(trial, life)),
    ...checkTurns(trial, kills),
    ...checkStarts(trial),
  ];
}

/** Every end by a signal, of a worker or of a service, is told by a fault; where a fault could not be read, that is told already. */
function checkOtherEnds(trial: TrialRecords, kills: readonly Kill[]): readonly Check[] {
  const id = 'no-other-kill';
  const told = new Set<string>(kills.flatMap(({ exits }) => exits.map((event) => String(event.id))));
  const others = trial.ofType('worker.exited').filter((event) => {
    return signalOf(event) !== undefined && !told.has(event.id) && !isByFault(trial, event);
  });
  if (others.length === 0) return [check(id, 'holds', 'No other process is recorded to have ended by a signal.', [])];
  if (trial.input.unread.some(mayTellOfFault)) return [];
  const ends = others.map((event) => `${nameOf(trial, event)} ended ${endToText(event)}`);
  const text = `Another process ended by a signal, and no fault of this trial tells of it: ${ends.join('; ')}.`;
  // A kill whose process is not known may be what ended one of them.
  const isOpen = kills.filter(({ exits }) => exits.length === 0).length >= others.length;
  return [check(id, isOpen ? 'not established' : 'violated', text, others)];
}

function isByFault(trial: TrialRecords, { causes }: HindcastEvent): boolean {
  return causes?.some(({ event }) => trial.find(event)?.type === 'fault.injected') === true;
}

function nameOf(trial: TrialRecords, exited: HindcastEvent): string {
  const life = trial.ledger.lives.all.find(({ exits }) => exits.some(({ id }) => id === exited.id));
  const pid = exited.data?.['pid'];
  return life?.label ?? (typeof pid === 'number' ? `process ${String(pid)}` : 'a process');
}

/** Kills are as many as were planned, and their numbers have no hole: else the number of each is not known. */
function checkNumbers(trial: TrialRecords, kills: readonly Kill[]): readonly Check[] {
  const id = 'kills-in-turn';
  const events = kills.map(({ injected }) => injected);
  const numbers = kills.flatMap(({ injected }) => injected.data.ordinal ?? []);
  // Some count from none.
  const from = numbers.includes(0) ? 0 : 1;
  const absent = kills.map((_, at) => at + from).filter((n) => !numbers.includes(n));
  // One number for several kills is a label of theirs, and told as that (R103).
  if (numbers.length === kills.length && new Set(numbers).size === numbers.length && absent.length > 0) {
    const text = `The kills on record carry the numbers ${numbers.join(', ')}: ${absent.join(', ')} ${absent.length === 1 ? 'is' : 'are'} not among them, so which kill of the run each was is not known.`;
    return [check(id, 'not established', text, events)];
  }
  const planned = plannedPoints(trial).length;
  if (planned === 0 || planned === kills.length || kills.length === 0) return [];
  const text = `The start of the trial tells of ${String(planned)} ${planned === 1 ? 'kill' : 'kills'}, and ${String(kills.length)} ${kills.length === 1 ? 'is' : 'are'} on record.`;
  return [check(id, 'not established', text, events)];
}

/** The numbers of the process that the kill and its end name are those of the life that was struck, as its starter or itself tells them. */
function checkProcess(trial: TrialRecords, { ordinal, injected, life, exits }: Kill): readonly Check[] {
  if (life === undefined) return [];
  const spawned = trial.ofType('worker.spawned').find((event) => announces(event, life));
  const given = spawned?.data['pid'];
  const own = trial.ofLife(life).flatMap(({ source, data }) => [source.pid, data?.['pid']]);
  // A process in a container does not know the number by which it is killed.
  const known = new Set((typeof given === 'number' ? [given] : own).filter((pid) => typeof pid === 'number'));
  const other = [injected, ...exits].find(({ data: { pid } }) => typeof pid === 'number' && !known.has(pid));
  if (other === undefined || known.size === 0) return [];
  const what = other.type === 'fault.injected' ? 'was sent to' : 'is confirmed by the end of';
  const text = `Kill ${String(ordinal)} ${what} process ${String(other.data.pid)}, and ${life.label} is process ${[...known].join(', ')} by its own records.`;
  return [check(`killed-process-${String(ordinal)}`, 'not established', text, [other])];
}

function checkArmedFirst(trial: TrialRecords, { ordinal, armed, injected }: Kill): readonly Check[] {
  if (armed === undefined || !isAfter(trial, armed, injected)) return [];
  const text = `Kill ${String(ordinal)} was armed after it had been sent, by the records of both.`;
  return [check(`armed-before-${String(ordinal)}`, 'not established', text, [armed, injected])];
}

/** A record that others are made to follow may still be later by the clock of both. */
export function isAfter(trial: TrialRecords, one: HindcastEvent, other: HindcastEvent): boolean {
  const [late, early] = [monoOf(one), monoOf(other)];
  const isLater = one.clock !== undefined && one.clock === other.clock && late !== undefined && early !== undefined;
  return trial.compare(one, other).order === 'after' || (isLater && late > early);
}

/** A process writes nothing after its end. Without an incarnation a life may be several, and its end that of one of them. */
function checkSilence(trial: TrialRecords, life: Life): readonly Check[] {
  const { exited, incarnation, label } = life;
  if (exited === undefined || incarnation === undefined) return [];
  const late = trial.ofLife(life).filter((event) => event.id !== exited.id && isAfter(trial, event, exited));
  if (late.length === 0) return [];
  const what = late.length === 1 ? 'a record' : `${String(late.length)} records`;
  const text = `${label} wrote ${what} after its recorded end, so it did not end there.`;
  return [check(`silent-after-end-${label}`, 'violated', text, [exited, ...late])];
}

/** The next life of an instance begins when the one before it has ended, and by what ended it. */
function checkTurns(trial: TrialRecords, kills: readonly Kill[]): readonly Check[] {
  return trial.workers.flatMap((life, at) => {
    const isOfOne = (one: Life): boolean => one.component === life.component && one.instance === life.instance;
    const next = trial.workers.slice(at + 1).find(isOfOne);
    if (next === undefined || life.incarnation === undefined || next.incarnation === undefined) return [];
    const { exited } = life;
    const spawned = trial.ofType('worker.spawned').filter((event) => announces(event, next));
    const starts = [...spawned, ...(next.started === undefined ? [] : [next.started])];
    const early = exited === undefined ? undefined : starts.find((event) => isAfter(trial, exited, event));
    if (exited !== undefined && early !== undefined) {
      const text = `${next.label} was started before ${life.label} had ended: two processes worked on the run at once.`;
      return [check(`one-life-at-a-time-${next.label}`, 'violated', text, [early, exited])];
    }
    const isTold = kills.some((kill) => kill.life === life) || life.exits.some((exit) => isByFault(trial, exit));
    if (isTold || trial.input.unread.some(mayTellOfFault)) return [];
    const how = exited === undefined ? 'has no recorded end' : `ended ${endToText(exited)}`;
    const text = `${life.label} ${how} and ${next.label} was started after it, and no fault of this trial tells why.`;
    return [check(`restart-told-${next.label}`, 'not established', text, exited === undefined ? starts : [exited])];
  });
}

/** A trial starts once: where two records of it tell different things, which trial it was is not known. */
function checkStarts(trial: TrialRecords): readonly Check[] {
  const [first, ...others] = trial.ofType('trial.started').filter(({ run }) => run === trial.run);
  if (first === undefined || others.length === 0) return [];
  const was = new Map(membersOf(first));
  const names = others.flatMap((event) =>
    membersOf(event).flatMap(([name, value]) => {
      const known = was.get(name);
      return known !== undefined && canon(known) !== canon(value) ? [name] : [];
    }),
  );
  if (names.length === 0) return [];
  const text = `Two records tell the start of this trial, and differ in ${[...new Set(names)].join(', ')}.`;
  return [check('one-start', 'not established', text, [first, ...others])];
}

function membersOf({ data }: { readonly data?: unknown }): readonly (readonly [string, JsonValue])[] {
  return isJsonObject(data) ? Object.entries(data) : [];
}

function check(id: string, status: Check['status'], text: string, events: readonly { readonly id: string }[]): Check {
  return { id, status, text, events: events.map((event) => event.id) };
}
