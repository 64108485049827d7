/**
 * Numbers that order or time events, moved so that they say nothing about the original beyond order and distance.
 */
import type { JsonObject, JsonValue } from '../base/json.ts';
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
    lower(firstWall, clock, event.time === undefined ? undefined : nanosecondsOf(event.time));
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
    const wall = event.time === undefined ? undefined : nanosecondsOf(event.time);
    if (wall !== undefined) out['time'] = timeText(action === 'keep' ? wall : wall - (firstWall.get(clock) ?? wall));
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

/** Nanoseconds since the epoch of an RFC 3339 time; undefined for any other text, which is then withheld. */
export function nanosecondsOf(time: string): bigint | undefined {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/.exec(time);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offHours = '0', offMinutes = '0'] = match;
  const days = daysFromCivil(Number(year), Number(month), Number(day));
  const offset = (Number(offHours) * 60 + Number(offMinutes)) * (sign === '-' ? -60 : 60);
  const seconds = days * 86_400 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset;
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}

// Days since 1970-01-01 in the proleptic Gregorian calendar, by counting from March so that the leap day comes last.
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}

function timeText(nanoseconds: bigint): string {
  const seconds = nanoseconds / 1_000_000_000n - (nanoseconds % 1_000_000_000n < 0n ? 1n : 0n);
  const fraction = nanoseconds - seconds * 1_000_000_000n;
  const days = Math.floor(Number(seconds) / 86_400);
  const rest = Number(seconds) - days * 86_400;
  const clock = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  return `${civilFromDays(days)}T${clock}.${String(fraction).padStart(9, '0')}Z`;
}

function civilFromDays(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const month = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * month + 2) / 5) + 1;
  const civilMonth = month < 10 ? month + 3 : month - 9;
  const year = yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${String(civilMonth).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
