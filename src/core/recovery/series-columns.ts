/**
 * What a column of a series holds, by its name: times, fault marks, numbers that name a row, and measurements of which more or less is
 * better. Names are read as people write them: `rttms`, `RTTMs`, `rtt (ms)` and `rtt_ms` are one.
 *
 * Invariant: a name that tells nothing is taken for a rate, and that is said. Called by series-file.ts.
 */
import type { RateSeries } from './series.ts';
import { toSnake } from './snake-name.ts';

export type TimeUnit = 'ns' | 'us' | 'ms' | 's' | 'min';

export interface ColumnKind {
  readonly kind: RateSeries['kind'];
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

/** What went wrong, waits or is used up: a rate of it too is better low. */
const bad = new RegExp(
  `${begins}(?:err(?:or)?s?|fail(?:ed|ures?|s)?|time_?outs?|timed_out|drop(?:s|ped)?|loss(?:es)?|lost|abort(?:s|ed)?|reject(?:s|ed|ions?)?|refus(?:ed|als?)|retr(?:y|ies)|miss(?:es|ed|ing)?|dup(?:e|licate)s?|[45]xx|queued?|backlog|depth|pending|in_?flight|cpu|mem(?:ory)?|rss|heap|utili[sz]ation)(?:_?rate|_?ratio|_?count|_?pct|_?percent(?:age)?|_?length|_?size|_?depth)?${ends}`,
);

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

/** What is low where all is well, or high. */
export function columnToKind(name: string): ColumnKind {
  const is = (pattern: RegExp): boolean => spellingsOf(name).some((text) => pattern.test(text));
  const isRate = is(rate);
  if (!isRate && is(latency)) return { kind: 'latency', why: 'a latency by its name: less is better' };
  if (is(bad)) return { kind: 'latency', why: 'by its name of what less is better' };
  if (isRate) return { kind: 'rate', why: 'a rate by its name: more is better' };
  const why =
    'taken for a rate, of which more is better; call the column a latency, for example "p99 latency", if less is';
  return { kind: 'rate', why };
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
