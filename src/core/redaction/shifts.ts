/**
 * Numbers that order or time events, moved so that they say nothing about the original beyond order and distance.
 */
import type { JsonObject, JsonValue } from '../base/json.ts';
import { nanosToText, timeToNanos } from '../base/time.ts';
import type { HindcastEvent } from '../model/index.ts';
import type { TimeAction } from './policy.ts';

export interface Shifts {
  readonly times: (event: HindcastEvent) => JsonObject;
  /** Virtual time of the run in milliseconds; undefined when times are withheld. */
  readonly virtual: (ms: number) => number | undefined;
  /** `seq` counted from the lowest of its log, so that holes inside it stay visible. */
  readonly seq: (event: HindcastEvent) => number;
  readonly incarnation: (recorded: string | number) => string;
}

/** `isPart`: events were left out, and numbering counts only what goes, or the holes would be taken for lost records. */
export function createShifts(action: TimeAction, events: readonly HindcastEvent[], isPart: boolean): Shifts {
  const clocks = new Map<string, string>();
  const firstWall = new Map<string, bigint>();
  const firstMono = new Map<string, bigint>();
  const firstSeq = new Map<string, number>();
  const lives = new Map<string, string>();
  let firstVirtual = Number.POSITIVE_INFINITY;
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
    firstVirtual = Math.min(firstVirtual, event.command?.vt ?? firstVirtual, startOf(event) ?? firstVirtual);
  }

  const ranks = isPart ? rankInLogs(events) : undefined;

  function times(event: HindcastEvent): JsonObject {
    const out: Record<string, JsonValue> = {};
    const clock = event.clock ?? '';
    if (event.clock !== undefined) out['clock'] = numbered(clocks, event.clock, 'clock');
    if (action === 'withhold') return out;
    const wall = event.time === undefined ? undefined : timeToNanos(event.time);
    if (wall !== undefined) out['time'] = nanosToText(action === 'keep' ? wall : wall - (firstWall.get(clock) ?? wall));
    const mono = event.mono === undefined || !/^\d{1,30}$/.test(event.mono) ? undefined : BigInt(event.mono);
    if (mono !== undefined) out['mono'] = String(action === 'keep' ? mono : mono - (firstMono.get(clock) ?? mono));
    return out;
  }

  return {
    times,
    virtual: (ms) =>
      action === 'withhold'
        ? undefined
        : action === 'keep'
          ? ms
          : ms - (Number.isFinite(firstVirtual) ? Math.min(firstVirtual, ms) : ms),
    seq: (event) => ranks?.get(event) ?? (event.seq ?? 0) - (firstSeq.get(logOf(event)) ?? 0),
    incarnation: (recorded) => numbered(lives, String(recorded), ''),
  };
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

function numbered(map: Map<string, string>, key: string, prefix: string): string {
  const known = map.get(key);
  if (known !== undefined) return known;
  const label = prefix === '' ? String(map.size + 1) : `${prefix}-${String(map.size + 1)}`;
  map.set(key, label);
  return label;
}
