/**
 * What a column of a series holds, by its name: times, fault marks, numbers that name a row, and measurements of which more or less is
 * better. Names are read as people write them: `rttms`, `RTTMs`, `rtt (ms)` and `rtt_ms` are one.
 *
 * Invariant: what a name does not tell is not told: its kind is unknown, its unit undefined. Which way is better has to be said all the same,
 * and for such a name it is said that it is a guess. Called by series-file.ts.
 */
import type { RateSeries } from './series.ts';
import { toSnake } from './snake-name.ts';

export type TimeUnit = 'ns' | 'us' | 'ms' | 's' | 'min';

export interface ColumnKind extends Pick<RateSeries, 'kind' | 'better' | 'unit'> {
  readonly why: string;
}

const units: readonly (readonly [unit: TimeUnit, names: string])[] = [
  ['ns', 'ns(?:ecs?)?|nanos(?:ec(?:ond)?s?)?'],
  ['us', '[uµμ]s(?:ecs?)?|micros(?:ec(?:ond)?s?)?'],
  ['ms', 'ms(?:ecs?)?|millis(?:ec(?:ond)?s?)?'],
  ['min', 'min(?:ute)?s?'],
  ['s', 's(?:ec(?:ond)?s?)?'],
];
const anyUnit = units.map(([, names]) => names).join('|');
/** A lone "s" at the end of a word is a plural. */
const joinedUnit = units.map(([unit, names]) => (unit === 's' ? 'sec(?:ond)?s?' : names)).join('|');

const times = new RegExp(
  `^(?:(?:wall|elapsed|relative|unix|epoch|event|sample|start)_)?(?:time(?:_?stamp)?|date(?:_?time)?|ts|t|at|elapsed|epoch|clock|second|minute)_*(?:${anyUnit})?_*$|^_*(?:${anyUnit})_*$`,
);
const marks =
  /^(?:is_)?(?:fault|mark|marker|kill|failure|event|injected|injection|label|crash|annotation|incident)s?(?:_(?:label|name|type|class|active|injected|mark|point))?$/;
/** Numbers that name a row and measure nothing. */
const counts = /^(?:id|index|no|n|row|seq|ordinal|run|trial|repeat|partition|offset)$/;

const begins = '(?:^|[^a-zµμ0-9])';
const ends = '(?:$|[^a-zµμ0-9])';

const amount = '(?:_?rate|_?ratio|_?count|_?pct|_?percent(?:age)?|_?length|_?size|_?depth)?';

/** What went wrong: a rate of it too is better low. */
const wrong = new RegExp(
  `${begins}(?:err(?:or)?s?|fail(?:ed|ures?|s)?|time_?outs?|timed_out|drop(?:s|ped)?|loss(?:es)?|lost|abort(?:s|ed)?|reject(?:s|ed|ions?)?|refus(?:ed|als?)|retr(?:y|ies)|miss(?:es|ed|ing)?|dup(?:e|licate)s?|[45]xx)${amount}${ends}`,
);
const waiting = new RegExp(`${begins}(?:queued?|backlog|depth|pending|in_?flight)${amount}${ends}`);
const resource = new RegExp(`${begins}(?:cpu|mem(?:ory)?|rss|heap|utili[sz]ation)${amount}${ends}`);
/** Of messages or of time: the name alone does not tell. */
const bareLag = new RegExp(`${begins}lag${ends}`);

const rate = new RegExp(
  [
    `(?:^|[^a-z])per[_\\s/-]*(?:${anyUnit}|h(?:our)?)s?${ends}`,
    `(?:s|req|op|msg|tok|token|row|record|byte|event|call|txn?)per(?:sec(?:ond)?|min(?:ute)?|hour)s?${ends}`,
    `/\\s*(?:${anyUnit}|h)${ends}`,
    'through_?put|good_?put|bandwidth',
    `${begins}(?:[a-z]+_)?(?:rates?|[rqteofb]ps|i_?ops|[kmg]i?_?bps|hz)${ends}`,
    `[a-z](?:rps|qps|iops|[kmg]bps)${ends}`,
    `(?:hit|success|request|req|arrival|completion|token|commit|message|msg|event)rate${ends}`,
  ].join('|'),
);

const latencyStem =
  'lat|latency|s?rtt?|(?:min|max|avg|mean)rtt|ttf[bt]|tpot|itl|lag|wait|p\\d{2,4}|q\\d{2,3}|e2e|time|age|median|mean|avg|average|max|min|std(?:dev)?|resp|response|service|svc|queue|proc|total|recovery|think|ping|mttr|stall|pause|commit|query|request|req';

const latency = new RegExp(
  [
    'latenc|delay|duration|response(?!s)|elapsed|percentile|jitter|round_?trip',
    `${begins}(?:(?:min|max|avg|mean)?s?rtt?|lat|lag|wait|ttf[bt]|tpot|itl|p\\d{2,4}|q\\d{2,3}|e2e|time|age|median|ping|mttr|${anyUnit})${ends}`,
    `${begins}(?:${latencyStem})(?:_(?:${anyUnit})|(?:${joinedUnit}))${ends}`,
    `[a-z]time_?(?:${anyUnit})?${ends}`,
  ].join('|'),
);

/** In one spelling, and as it stands: what the one takes apart the other holds together. */
function spellingsOf(name: string): readonly string[] {
  const spelled = [toSnake(name), name].map((text) => text.trim().toLowerCase());
  return spelled.map((text) => text.replace(/[\s()[\].,:-]+/g, '_').replace(/^_+|_+$/g, ''));
}

export function isTimeColumn(name: string): boolean {
  return spellingsOf(name).some((text) => times.test(text));
}

export function isMarkColumn(name: string): boolean {
  return spellingsOf(name).some((text) => marks.test(text));
}

export function isRowName(name: string): boolean {
  return spellingsOf(name).some((text) => counts.test(text));
}

/** What it measures, in which unit, and whether it is low where all is well, or high. */
export function columnToKind(name: string): ColumnKind {
  const is = (pattern: RegExp): boolean => spellingsOf(name).some((text) => pattern.test(text));
  const isRate = is(rate);
  const timed = timeUnitIn(name);
  const low = (kind: RateSeries['kind'], why: string, unit: string | undefined): ColumnKind => ({
    ...{ kind, better: 'low', why, unit },
  });
  const lessBetter = 'by its name of what less is better';
  if (is(resource)) return low('resource', lessBetter, resourceUnit(name) ?? timed);
  if (!isRate && is(latency))
    return is(bareLag) && timed === undefined
      ? low('unknown', 'a lag of time or of number, of which less is better', undefined)
      : low('latency', 'a latency by its name: less is better', timed);
  if (is(wrong) && isShare(name)) return low('share', lessBetter, shareUnit(name));
  if (is(wrong) && (isRate || is(/rate$/))) return low('rate', lessBetter, rateUnit(name));
  if (is(wrong)) return low('count', lessBetter, undefined);
  if (is(waiting)) return low('depth', lessBetter, undefined);
  if (isRate) return { kind: 'rate', better: 'high', why: 'a rate by its name: more is better', unit: rateUnit(name) };
  const why =
    'its name does not tell what it is; read as if more were better; call the column a latency, for example "p99 latency", if less is';
  return { kind: 'unknown', better: 'high', why, unit: undefined };
}

function isShare(name: string): boolean {
  return /%|(?:^|[^a-z])(?:ratio|pct|percent(?:age)?)/i.test(toSnake(name));
}

function shareUnit(name: string): string {
  return /ratio/i.test(name) ? 'part of one' : '%';
}

/** The time that ends the name, or stands before what it is of: `rtt_ms`, `p99ms`, `ms/op`, `seconds_per_request`. */
function timeUnitIn(name: string): TimeUnit | undefined {
  const found = spellingsOf(name).flatMap((text) => {
    const [, own, , joined, of] = timeUnitPlaces.exec(text) ?? [];
    return own ?? joined ?? of ?? [];
  });
  return toTimeUnit(found[0]);
}

const timeUnitPlaces = new RegExp(`(?:^|[^a-zµμ])(${anyUnit})$|([a-z0-9])(${joinedUnit})$|^(${anyUnit})(?:_per_|/)`);

function toTimeUnit(text: string | undefined): TimeUnit | undefined {
  return units.find(([, names]) => text !== undefined && new RegExp(`^(?:${names})$`).test(text))?.[0];
}

/** "a second" of `rows/s`, `requests_per_second`, `rps`; of bits and bytes what stands in the name. */
function rateUnit(name: string): string | undefined {
  const [bits] = /(?<![a-z])[kmg]?i?b(?:ps|\/s)(?![a-z])/i.exec(name) ?? [];
  if (bits !== undefined) return bits;
  const spelled = spellingsOf(name);
  const per = spelled.flatMap((text) => /(?:per[_\s-]*|\/_*)([a-zµμ]+)$/.exec(text)?.[1] ?? [])[0];
  if (per !== undefined) return /^h(?:ours?)?$/.test(per) ? 'an hour' : perWords.get(toTimeUnit(per) ?? '');
  const isPerSecond = spelled.some((text) => /(?:^|[_a-z])(?:[rqteof]ps|i_?ops|hz)$/.test(text));
  return isPerSecond ? perWords.get('s') : undefined;
}

const perWords: ReadonlyMap<string, string> = new Map<TimeUnit, string>([
  ['ns', 'a nanosecond'],
  ['us', 'a microsecond'],
  ['ms', 'a millisecond'],
  ['s', 'a second'],
  ['min', 'a minute'],
]);

function resourceUnit(name: string): string | undefined {
  if (isShare(name)) return shareUnit(name);
  const [, bytes] = /(?:^|[^a-z])(bytes|[kmg]i?b|cores?)$/i.exec(toSnake(name)) ?? [];
  return bytes;
}

/** By its name; else by its size, for a count of seconds since 1970 has ten digits; else seconds. */
export function timeUnitOf(name: string, greatest: number): TimeUnit {
  for (const text of spellingsOf(name)) {
    const named = units.find(([, names]) =>
      new RegExp(`(?:^|_|time|stamp|ts|elapsed|epoch|clock|t|at)(?:${names})$`).test(text),
    );
    if (named !== undefined && !/^(?:ts|timestamps?|dates?|times)$/.test(text)) return named[0];
  }
  if (greatest >= 1e17) return 'ns';
  if (greatest >= 1e14) return 'us';
  return greatest >= 1e11 ? 'ms' : 's';
}

const inMillis: Readonly<Record<TimeUnit, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000, min: 60_000 };

export function unitToMillis(unit: TimeUnit): number {
  return inMillis[unit];
}
