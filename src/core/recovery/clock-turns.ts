/**
 * Readings of clocks that the order of the records contradicts: a record stands behind another, in one log or by a recorded cause, and
 * was read before it on the same clock. One of the two readings is not that of its record, and nothing tells which.
 *
 * Invariant: only readings of one clock domain and of one kind are held against each other; a record without a number in its log, or
 * without a clock, contradicts nothing. Called by trial-records.ts, read by metrics.ts.
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

/** By the monotonic clock, else by that of the wall; none where no clock is named. */
function readingOf(event: HindcastEvent, monoOf: MonoOf): Reading | undefined {
  if (event.clock === undefined) return undefined;
  const mono = monoOf(event);
  const at = mono ?? (event.time === undefined ? undefined : timeToMillis(event.time));
  return at === undefined ? undefined : { event, at, clock: `${mono === undefined ? 'wall' : 'mono'}|${event.clock}` };
}

/** Of each log the readings of each clock, in the order in which they were written. */
function logsOf(events: readonly HindcastEvent[], monoOf: MonoOf): readonly (readonly Reading[])[] {
  const logs = new Map<string, Reading[]>();
  const numbered = events.filter(({ seq }) => seq !== undefined);
  for (const event of numbered.sort((one, other) => (one.seq ?? 0) - (other.seq ?? 0))) {
    const reading = readingOf(event, monoOf);
    if (reading === undefined) continue;
    const key = `${streamKey(event)}|${reading.clock}`;
    const list = logs.get(key);
    if (list === undefined) logs.set(key, [reading]);
    else list.push(reading);
  }
  return [...logs.values()];
}

/** Against the latest reading before a record, and the earliest after it. */
function findInLog(log: readonly Reading[], found: Map<string, HindcastEvent>): void {
  let [latest] = log;
  for (const reading of log) {
    if (latest !== undefined && latest.at > reading.at) found.set(reading.event.id, latest.event);
    else latest = reading;
  }
  let earliest = log.at(-1);
  for (const reading of [...log].reverse()) {
    if (earliest !== undefined && earliest.at < reading.at) found.set(reading.event.id, earliest.event);
    else earliest = reading;
  }
}

function findByCause(events: readonly HindcastEvent[], monoOf: MonoOf, found: Map<string, HindcastEvent>): void {
  const byId = new Map(events.map((event) => [String(event.id), event]));
  for (const event of events) {
    const reading = readingOf(event, monoOf);
    if (reading === undefined) continue;
    for (const { event: id, grade } of event.causes ?? []) {
      const cause = grade === 'inferred' ? undefined : byId.get(id);
      const before = cause === undefined ? undefined : readingOf(cause, monoOf);
      if (cause === undefined || before?.clock !== reading.clock || before.at <= reading.at) continue;
      if (!found.has(event.id)) found.set(event.id, cause);
      if (!found.has(cause.id)) found.set(cause.id, event);
    }
  }
}
