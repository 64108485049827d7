/**
 * Numbers that order or time events, moved so that they say nothing about the original beyond order and distance.
 */
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { nanosToText, timeToNanos } from '../base/time.ts';
import type { HindcastEvent } from '../model/index.ts';
import type { TimeAction } from './policy.ts';

export interface Shifts {
  readonly times: (event: HindcastEvent) => JsonObject;
  /** Virtual time of the run in milliseconds; undefined when times are withheld. */
  readonly virtual: (ms: number) => number | undefined;
  /** A wall time inside of a payload, on the clock of what has none; undefined when times are withheld or it is no time. */
  readonly wall: (text: string) => string | undefined;
  /** `seq` counted from the lowest of its log, so that holes inside it stay visible. */
  readonly seq: (event: HindcastEvent) => number;
  readonly incarnation: (recorded: string | number) => string;
}

export interface ShiftRequest {
  readonly action: TimeAction;
  readonly events: readonly HindcastEvent[];
  /** Events were left out, and numbering counts only what goes, or the holes would be taken for lost records. */
  readonly isPart: boolean;
  /** What the copy calls a clock, here as in its declaration. */
  readonly clockName: (clock: string) => string;
}

export function createShifts({ action, events, isPart, clockName }: ShiftRequest): Shifts {
  const firstWall = new Map<string, bigint>();
  const firstMono = new Map<string, bigint>();
  const firstSeq = new Map<string, number>();
  const lives = new Map<string, string>();
  const virtualTimes: number[] = [];
  for (const event of events) {
    const clock = event.clock ?? '';
    lower(firstWall, clock, event.time === undefined ? undefined : timeToNanos(event.time));
    lower(
      firstMono,
      clock,
      event.mono === undefined || !/^\d{1,30}$/.test(event.mono) ? undefined : BigInt(event.mono),
    );
    if (event.seq !== undefined)
      firstSeq.set(logOf(event), Math.min(event.seq, firstSeq.get(logOf(event)) ?? event.seq));
    for (const ms of [event.command?.vt, startOf(event)]) if (ms !== undefined) virtualTimes.push(ms);
  }
  const spans = timesToSpans(virtualTimes);
  const firstForeign = new Map<number, number>();
  for (const event of events)
    for (const ms of readingsOf(event))
      if (spanOf(ms) === undefined) firstForeign.set(unitOf(ms), Math.min(ms, firstForeign.get(unitOf(ms)) ?? ms));

  const ranks = isPart ? rankInLogs(events) : undefined;

  function times(event: HindcastEvent): JsonObject {
    const out: Record<string, JsonValue> = {};
    const clock = event.clock ?? '';
    if (event.clock !== undefined) out['clock'] = clockName(event.clock);
    if (action === 'withhold') return out;
    const wall = event.time === undefined ? undefined : wallOn(event.time, clock);
    if (wall !== undefined) out['time'] = wall;
    const mono = event.mono === undefined || !/^\d{1,30}$/.test(event.mono) ? undefined : BigInt(event.mono);
    if (mono !== undefined) out['mono'] = String(action === 'keep' ? mono : mono - (firstMono.get(clock) ?? mono));
    return out;
  }

  function wallOn(text: string, clock: string): string | undefined {
    const wall = timeToNanos(text);
    if (wall === undefined || action === 'withhold') return undefined;
    const first = firstWall.get(clock) ?? wall;
    return nanosToText(action === 'keep' ? wall : wall - (first < wall ? first : wall));
  }

  /** Of the clock that tells it: a reading far from all virtual times of the run is of another. */
  function spanOf(ms: number): Span | undefined {
    return spans.find(({ first, last }) => ms >= first - farAway && ms <= last + farAway);
  }

  function virtual(ms: number): number | undefined {
    if (action !== 'shift') return action === 'keep' ? ms : undefined;
    const first = spanOf(ms)?.first ?? firstForeign.get(unitOf(ms)) ?? ms;
    return ms - Math.min(first, ms);
  }

  return {
    times,
    virtual,
    wall: (text) => wallOn(text, ''),
    seq: (event) => ranks?.get(event) ?? (event.seq ?? 0) - (firstSeq.get(logOf(event)) ?? 0),
    incarnation: (recorded) => numbered(lives, String(recorded)),
  };
}

interface Span {
  readonly first: number;
  last: number;
}

/** Milliseconds: about eleven days, further than timers of a run are set and nearer than any wall clock is to zero. */
const farAway = 1_000_000_000;
/** About ten years: virtual time that jumps so far has changed from counting from zero to counting from 1970, or back. */
const otherEra = 300 * farAway;

/** Virtual times of one count: each such stretch is moved to begin at zero. */
function timesToSpans(times: readonly number[]): readonly Span[] {
  const spans: Span[] = [];
  for (const ms of [...times].sort((a, b) => a - b)) {
    const open = spans.at(-1);
    if (open === undefined || ms - open.last > otherEra) spans.push({ first: ms, last: ms });
    else open.last = ms;
  }
  return spans;
}

/** Readings in seconds, milliseconds, microseconds and nanoseconds are apart by thousands. */
function unitOf(ms: number): number {
  return ms === 0 ? 0 : Math.sign(ms) * Math.floor(Math.log10(Math.abs(ms)) / 3);
}

function readingsOf(event: HindcastEvent): readonly number[] {
  const data: unknown = event.data;
  if (!isJsonObject(data) || !/^(?:clock|timer)\./.test(event.type)) return [];
  return ['value', 'result', 'due'].flatMap((key) => {
    const reading = data[key];
    return typeof reading === 'number' ? [reading] : [];
  });
}

/** Place of each event among the ones of its log that go, by `seq`. */
function rankInLogs(events: readonly HindcastEvent[]): ReadonlyMap<HindcastEvent, number> {
  const next = new Map<string, number>();
  const ranks = new Map<HindcastEvent, number>();
  for (const event of events.filter(({ seq }) => seq !== undefined).sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0))) {
    const log = logOf(event);
    const rank = next.get(log) ?? 0;
    next.set(log, rank + 1);
    ranks.set(event, rank);
  }
  return ranks;
}

function startOf(event: HindcastEvent): number | undefined {
  return event.type === 'run.started' ? event.data.start : undefined;
}

function logOf(event: HindcastEvent): string {
  return JSON.stringify([
    event.source.component,
    event.source.instance ?? null,
    event.source.incarnation ?? null,
    event.branch,
  ]);
}

function lower(map: Map<string, bigint>, key: string, value: bigint | undefined): void {
  if (value === undefined) return;
  const known = map.get(key);
  if (known === undefined || value < known) map.set(key, value);
}

function numbered(map: Map<string, string>, key: string): string {
  const known = map.get(key);
  if (known !== undefined) return known;
  const label = String(map.size + 1);
  map.set(key, label);
  return label;
}
