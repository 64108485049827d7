/**
 * Readings of clocks that the order of the records contradicts: a record stands behind another, in one log or by a recorded cause, and
 * was read before it on the same clock. One of the two readings is not that of its record, and nothing tells which.
 *
 * Invariant: only readings of one clock domain and of one kind are held against each other, those of the wall too where others have a
 * monotonic one beside it; a record without a number in its log, or without a clock, contradicts nothing. Called by trial-records.ts, read by metrics.ts.
 */
import { timeToMillis } from '../base/time.ts';
import type { HindcastEvent } from '../model/index.ts';
import { streamKey } from './services.ts';

/** `monoOf`: the reading of a monotonic clock, where there is one. */
type MonoOf = (event: HindcastEvent) => bigint | undefined;

interface Reading {
  readonly event: HindcastEvent;
  readonly at: bigint | number;
  /** Its kind and its domain: only readings of one are held against each other. */
  readonly clock: string;
  /** Times of the record are told by this one. */
  readonly decides: boolean;
}

/** By the id of a record: one that it contradicts. */
export function findClockContradictions(
  events: readonly HindcastEvent[],
  monoOf: MonoOf,
): ReadonlyMap<string, HindcastEvent> {
  const found = new Map<string, HindcastEvent>();
  for (const log of logsOf(events, monoOf)) findInLog(log, found);
  findByCause(events, monoOf, found);
  return found;
}

/** Of the monotonic clock and of that of the wall, as far as they are there; none where no clock is named. */
function readingsOf(event: HindcastEvent, monoOf: MonoOf): readonly Reading[] {
  if (event.clock === undefined) return [];
  const mono = monoOf(event);
  const wall = event.time === undefined ? undefined : timeToMillis(event.time);
  return [
    ...(mono === undefined ? [] : [{ event, at: mono, clock: `mono|${event.clock}`, decides: true }]),
    ...(wall === undefined ? [] : [{ event, at: wall, clock: `wall|${event.clock}`, decides: mono === undefined }]),
  ];
}

/** Of each log the readings of each clock, in the order in which they were written. */
function logsOf(events: readonly HindcastEvent[], monoOf: MonoOf): readonly (readonly Reading[])[] {
  const logs = new Map<string, Reading[]>();
  const numbered = events.filter(({ seq }) => seq !== undefined);
  for (const event of numbered.sort((one, other) => (one.seq ?? 0) - (other.seq ?? 0))) {
    for (const reading of readingsOf(event, monoOf)) {
      const key = `${streamKey(event)}|${reading.clock}`;
      const list = logs.get(key);
      if (list === undefined) logs.set(key, [reading]);
      else list.push(reading);
    }
  }
  return [...logs.values()];
}

/** Against the latest reading before a record, and the earliest after it. */
function findInLog(log: readonly Reading[], found: Map<string, HindcastEvent>): void {
  let [latest] = log;
  for (const reading of log) {
    if (latest !== undefined && latest.at > reading.at) note(reading, latest.event, found);
    else latest = reading;
  }
  let earliest = log.at(-1);
  for (const reading of [...log].reverse()) {
    if (earliest !== undefined && earliest.at < reading.at) note(reading, earliest.event, found);
    else earliest = reading;
  }
}

function note({ event, decides }: Reading, other: HindcastEvent, found: Map<string, HindcastEvent>): void {
  if (decides) found.set(event.id, other);
}

function findByCause(events: readonly HindcastEvent[], monoOf: MonoOf, found: Map<string, HindcastEvent>): void {
  const byId = new Map(events.map((event) => [String(event.id), event]));
  for (const event of events) {
    for (const { event: id, grade } of event.causes ?? []) {
      const cause = grade === 'inferred' ? undefined : byId.get(id);
      if (cause !== undefined) findBetween(cause, event, monoOf, found);
    }
  }
}

function findBetween(
  cause: HindcastEvent,
  event: HindcastEvent,
  monoOf: MonoOf,
  found: Map<string, HindcastEvent>,
): void {
  const readings = readingsOf(event, monoOf);
  for (const before of readingsOf(cause, monoOf)) {
    const reading = readings.find(({ clock }) => clock === before.clock);
    if (reading === undefined || before.at <= reading.at) continue;
    if (!found.has(event.id)) note(reading, cause, found);
    if (!found.has(cause.id)) note(before, event, found);
  }
}
