/**
 * Times after each kill, each with the record it starts at and the record it ends at (R95 to R98, R101).
 *
 * Several definitions stand side by side and are different numbers. Death to process start is orchestration latency, named so and
 * never a recovery time. Two clock domains give no duration. A number without two anchors cannot be made here.
 */
import { timeToMillis } from '../base/time.ts';
import type { HindcastEvent } from '../model/index.ts';
import { type Life, lifeKey } from '../projections/effects/lives.ts';
import type { Kill } from './kills.ts';
import type { Anchor, Metric } from './report.ts';
import { monoOf, type TrialRecords } from './trial-records.ts';

interface Definition {
  readonly id: string;
  readonly name: string;
  readonly kind: Metric['kind'];
  readonly ends: string;
  /** In place of it, where the records say more. */
  readonly whyNot?: (trial: TrialRecords, next: Life) => string | undefined;
  readonly start?: (trial: TrialRecords, kill: Kill) => HindcastEvent | undefined;
  readonly end: (trial: TrialRecords, kill: Kill, next: Life) => HindcastEvent | undefined;
}

const definitions: readonly Definition[] = [
  {
    id: 'detection',
    name: 'detection: kill sent to its first notice (exit seen, or a missed heartbeat)',
    kind: 'detection',
    ends: 'no record that anybody noticed',
    end: (trial, kill) => trial.ofType('heartbeat.missed').find((event) => isAfter(trial, kill, event)) ?? kill.exited,
  },
  {
    id: 'orchestration',
    name: 'orchestration latency: kill sent to the start of the next process (no recovery time)',
    kind: 'orchestration',
    ends: 'no later process is recorded',
    end: (_trial, _kill, next) => next.started,
  },
  {
    id: 'first-dispatch',
    name: 'useful work: kill sent to the first new request of the next process',
    kind: 'recovery',
    ends: 'the next process sent no new request',
    end: (trial, _kill, next) => firstOf(trial, next, 'model_call.requested', 'tool_call.dispatched'),
  },
  {
    id: 'replay-completed',
    name: 'replay: kill sent to the end of the engine’s own replay',
    kind: 'recovery',
    ends: 'no end of a replay is recorded',
    end: (trial, _kill, next) => firstOf(trial, next, 'recovery.replay_completed'),
  },
  {
    id: 'next-acknowledged',
    name: 'kill sent to the next acknowledged attempt',
    kind: 'recovery',
    ends: 'the next process got no new answer of a tool that is no refusal',
    end: (trial, _kill, next) => firstOf(trial, next, 'tool_call.acknowledged', 'tool_call.completed'),
    whyNot: refusalToText,
  },
  {
    id: 'state-transition',
    name: 'kill sent to the next state transition',
    kind: 'recovery',
    ends: 'the next process made no new transition',
    end: (trial, _kill, next) => firstOf(trial, next, 'state.transitioned'),
  },
  {
    id: 'user-facing',
    name: 'user-facing: kill sent to the first new outcome outside the process',
    kind: 'recovery',
    ends: 'no new outcome outside the process is recorded',
    end: (trial, _kill, next) => outsideOutcome(trial, next),
  },
  {
    id: 'streaming',
    name: 'streaming: last progress before the kill to the first new progress after it',
    kind: 'recovery',
    ends: 'no new progress is recorded: what the next process told, others had told before it',
    start: (trial, kill) => (kill.life === undefined ? undefined : lastOf(trial, kill.life, ...progress)),
    end: (trial, _kill, next) => newProgress(trial, next),
  },
  {
    id: 'completion',
    name: 'kill sent to completion of the run',
    kind: 'recovery',
    ends: 'the next process did not complete the run',
    end: (trial, _kill, next) => firstOf(trial, next, 'run.completed'),
  },
];

const progress = [
  'model_call.completed',
  'tool_call.acknowledged',
  'tool_call.completed',
  'state.transitioned',
] as const;

export const metricIds: ReadonlyMap<string, Metric['kind']> = new Map(definitions.map(({ id, kind }) => [id, kind]));

/** What a full report would hold and these streams cannot: named, so that its absence is no silence. */
export const notMeasured = [
  { what: 'time to stable throughput', section: 'performance', why: 'no series of rates is recorded' },
  { what: 'throughput after recovery', section: 'performance', why: 'no series of rates is recorded' },
  { what: 'latency during and after recovery', section: 'performance', why: 'no load was driven' },
  { what: 'resources used by recovery', section: 'cost', why: 'no record of memory, processor or storage' },
  { what: 'operator understanding and safe start of recovery', section: 'usability', why: 'no operator took part' },
] as const;

/** Told by a series of rates and latencies, where a load was driven. */
export const loadMeasures: ReadonlySet<string> = new Set([
  'time to stable throughput',
  'throughput after recovery',
  'latency during and after recovery',
]);

export function computeMetrics(trial: TrialRecords, kills: readonly Kill[]): readonly Metric[] {
  return kills.flatMap((kill) => definitions.map((definition) => measure(trial, kill, definition)));
}

function measure(
  trial: TrialRecords,
  kill: Kill,
  { id, name, kind, start, end, ends, whyNot: tellWhy }: Definition,
): Metric {
  const from = start === undefined ? kill.injected : start(trial, kill);
  const to =
    id === 'detection'
      ? end(trial, kill, emptyLife)
      : kill.next === undefined
        ? undefined
        : end(trial, kill, kill.next);
  const base = { id, name, section: 'performance', kind, ordinal: kill.ordinal } as const;
  const none = { ms: undefined, clock: undefined, basis: undefined };
  const anchored = {
    ...base,
    start: toAnchor(from ?? kill.injected),
    end: to === undefined ? undefined : toAnchor(to),
  };
  if (from === undefined) return { ...anchored, ...none, whyNot: 'no progress is recorded before the kill' };
  if (to === undefined)
    return {
      ...anchored,
      ...none,
      whyNot:
        kill.next === undefined
          ? id === 'detection'
            ? ends
            : 'no later process is recorded'
          : (tellWhy?.(trial, kill.next) ?? ends),
    };
  if (!trial.timesAreMeasured) {
    return { ...anchored, ...none, whyNot: 'the stream declares that its times are laid out and not measured' };
  }
  return { ...anchored, ...duration(trial, from, to) };
}

const emptyLife: Life = {
  key: '',
  component: '',
  ordinal: 0,
  label: '',
  exits: [],
  injections: [],
  killed: false,
};

export function toAnchor({ id, type }: HindcastEvent): Anchor {
  return { event: id, type };
}

/** Only within one clock domain: by its monotonic clock, where neither has it by its wall clock; never from a reading that the records contradict. */
export function duration(
  trial: TrialRecords,
  from: HindcastEvent,
  to: HindcastEvent,
): Pick<Metric, 'ms' | 'clock' | 'basis' | 'whyNot'> {
  const none = { ms: undefined, clock: undefined, basis: undefined };
  for (const event of [from, to]) {
    const other = trial.contradictsClockOf(event);
    if (other === undefined) continue;
    return {
      ...none,
      whyNot: `the clock of "${event.id}" and of "${other.id}" contradict the order of the two records`,
    };
  }
  if (from.clock === undefined || from.clock !== to.clock) {
    const clocks = `${from.clock ?? 'not recorded'} and ${to.clock ?? 'not recorded'}`;
    return { ...none, whyNot: `the ends were read on two clock domains (${clocks}): no duration` };
  }
  const [start, end] = [monoOf(from), monoOf(to)];
  if (start !== undefined && end !== undefined) {
    const ms = Number(end - start) / 1e6;
    return ms < 0
      ? { ...none, whyNot: 'the end was read before the start' }
      : { ms, clock: from.clock, basis: 'monotonic clock', whyNot: undefined };
  }
  // One of the two has no such reading: by the clock of the wall alone the interval would begin on one clock and end on another.
  if ((start === undefined) !== (end === undefined)) {
    const [one, other] = start === undefined ? ['end', 'start'] : ['start', 'end'];
    return {
      ...none,
      whyNot: `the ${one} was read on a monotonic clock and the ${other} on that of the wall: no duration`,
    };
  }
  const [begun, ended] = [from.time, to.time].map((time) => (time === undefined ? undefined : timeToMillis(time)));
  if (begun === undefined || ended === undefined) return { ...none, whyNot: 'a time is not recorded' };
  return ended < begun
    ? { ...none, whyNot: 'the end was read before the start' }
    : { ms: ended - begun, clock: from.clock, basis: 'wall clock', whyNot: undefined };
}

function firstOf(trial: TrialRecords, life: Life, ...types: readonly string[]): HindcastEvent | undefined {
  return newOf(trial, life, types)[0];
}

function lastOf(trial: TrialRecords, life: Life, ...types: readonly string[]): HindcastEvent | undefined {
  return newOf(trial, life, types).at(-1);
}

/** What no process before it had told: an answer that is given again, or a version that is made again, is no progress. */
function newProgress(trial: TrialRecords, life: Life): HindcastEvent | undefined {
  const at = trial.workers.findIndex(({ key }) => key === life.key);
  const before = trial.workers.slice(0, Math.max(at, 0)).flatMap((one) => newOf(trial, one, progress));
  const told = new Set(before.flatMap((event) => progressKey(event) ?? []));
  return newOf(trial, life, progress).find((event) => {
    const key = progressKey(event);
    return key === undefined || !told.has(key);
  });
}

/** Undefined where the record does not say of which command or version it is. */
function progressKey({ type, run, command, data }: HindcastEvent): string | undefined {
  if (type === 'state.transitioned') {
    const { name, to } = data;
    return to === undefined ? undefined : JSON.stringify([run, 'state', name, to]);
  }
  return command === undefined ? undefined : JSON.stringify([run, command.path]);
}

/** A refusal is an answer that the run cannot go on with: whoever gets one has not recovered by it. */
function newOf(trial: TrialRecords, life: Life, types: readonly string[]): readonly HindcastEvent[] {
  return trial
    .ofLife(life)
    .filter((event) => types.includes(event.type) && event.replayed !== true && refusalOf(event) === undefined);
}

function refusalOf({ type, data }: HindcastEvent): number | undefined {
  const status = type === 'tool_call.acknowledged' || type === 'tool_call.completed' ? data['http_status'] : undefined;
  return typeof status === 'number' && status >= 400 ? status : undefined;
}

function refusalToText(trial: TrialRecords, next: Life): string | undefined {
  const statuses = trial.ofLife(next).flatMap((event) => refusalOf(event) ?? []);
  if (statuses.length === 0) return undefined;
  return `the next process got no answer of a tool but a refusal (HTTP ${[...new Set(statuses)].join(', ')})`;
}

function isAfter(trial: TrialRecords, kill: Kill, event: HindcastEvent): boolean {
  return trial.compare(kill.injected, event).order === 'before';
}

/** What a service did for the next life, a message of it, or the end of the run: the first of these. */
function outsideOutcome(trial: TrialRecords, life: Life): HindcastEvent | undefined {
  const attempts = trial.ledger.commands.flatMap((command) =>
    command.attempts.filter(({ lifeKey }) => lifeKey === life.key),
  );
  // A saved answer is no new outcome: what it tells of was there before.
  const ids = new Set(attempts.flatMap(({ records }) => records.committed.map(({ id }) => id)));
  return trial.events.find((event) => {
    if (ids.has(event.id)) return true;
    const isOutside = event.type === 'message.sent' || event.type === 'run.completed';
    return isOutside && lifeKey(event.source) === life.key;
  });
}
