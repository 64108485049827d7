/**
 * Times that a harness computed and wrote about its own trial: without two records they are shown as told and never as measurements
 * (R96), with two they are computed again.
 *
 * A time is told by its name (`recovery_ms`, `time_to_recover`, `mttr`), by its unit, or by the name beside it
 * (`{name, value, unit}`). Invariant: no number from here enters a metric. Called by told.ts.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { payloadOf } from '../causal/index.ts';
import type { HindcastEvent } from '../model/index.ts';
import { duration } from './metrics.ts';
import type { Finding } from './report.ts';
import { textIn, type TrialRecords } from './trial-records.ts';

const claimTypes = /^(?:trial|invariant|recovery|duplicate|metric)[._]/;

/** What such a time is about. */
const aboutTime =
  /(?:latency|latencies|durations?|elapsed|downtime|outage|recovery|(?:recovery|restart|repair|failover|resume)[_\s-]?times?|times?[_\s-]?to[_\s-]?[\w\s-]+|rto|mttr|ttr|recovered[_\s-]?(?:in|after))$/i;

/** Ends of names that are units, and the milliseconds of one. A bare letter is a unit only where a unit is expected. */
const units: readonly (readonly [names: RegExp, letter: string, ms: number])[] = [
  [/(?:^|[_.\s-])(?:ns|nanos|nanosecs?|nanoseconds?)$/, 'ns', 1e-6],
  [/(?:^|[_.\s-])(?:us|µs|micros|microsecs?|microseconds?)$/, 'us', 1e-3],
  [/(?:^|[_.\s-])(?:ms|msecs?|millis|millisecs?|milliseconds?)$/, 'ms', 1],
  [/[_.\s-]s$|(?:^|[_.\s-])(?:secs?|seconds?)$/, 's', 1000],
  [/(?:^|[_.\s-])(?:mins|minutes?)$/, 'min', 60_000],
];

/** Chosen before anything happened. */
const settings =
  /timeout|interval|limit|budget|back[_\s-]?off|heartbeat|ttl|deadline|period|grace|toleran|poll|threshold|sleep/i;

const nameMembers = ['name', 'metric', 'metric_name', 'measure', 'measurement', 'label', 'key', 'what', 'id'] as const;

/** Members that hold the number of what is named beside or above them. */
const holdsNumber =
  /^(?:value|amount|number|observed|result|total|sum|mean|avg|average|median|min|max|best|worst|p\d+|\d+)$/i;

interface Leaf {
  readonly path: string;
  /** What the number is called: its own name, else the one beside or above it. */
  readonly name: string;
  readonly value: JsonValue;
  readonly holder: JsonValue;
}

export function toldNumbers(trial: TrialRecords, event: HindcastEvent): readonly Finding[] {
  if (!claimTypes.test(event.type)) return [];
  return [...leavesOf(withoutEnvelope(payloadOf(event)))].flatMap((leaf) => {
    const unit = unitOf(leaf);
    const value = toNumber(leaf.value);
    if (value === undefined) return inSentence(event, leaf);
    const isTime = unit !== undefined || aboutTime.test(toWords(leaf.name));
    const isSetting = settings.test(leaf.name) && !/recover/i.test(leaf.name);
    return !isTime || isSetting ? [] : judgeNumber(trial, event, leaf, value, unit);
  });
}

const timesInText =
  /(?<![\w.-])\d+(?:\.\d+)?\s*(?:ns|us|µs|ms|msecs?|milliseconds?|s|secs?|seconds?|mins?|minutes?)\b/gi;
const ofRecovery = /recover|restart|resum|repair|failover|outage|downtime|latenc|\b(?:mttr|ttr|rto|p\d{2,4})\b/i;

/** A sentence names no records: a time of recovery that it tells is a claim. */
function inSentence({ id, type }: HindcastEvent, { path, value }: Leaf): readonly Finding[] {
  if (typeof value !== 'string' || !/\s/.test(value.trim()) || !ofRecovery.test(value)) return [];
  const times = [...new Set([...value.matchAll(timesInText)].map(([time]) => time))];
  if (times.length === 0) return [];
  const told = `${times.slice(0, 3).join(', ')}${times.length > 3 ? ' and more' : ''}`;
  const text = `"${path}" of ${type} tells ${told} in a sentence and names no start and end record. It is no measurement and is shown nowhere as one.`;
  return [{ code: 'unanchored-number', text, events: [id] }];
}

function* leavesOf(payload: JsonValue): Generator<Leaf> {
  const stack: Leaf[] = [];
  const enter = (path: string, above: string, holder: JsonValue): void => {
    const beside = isJsonObject(holder)
      ? (nameMembers.map((name) => textIn(holder, name)).find(isText) ?? above)
      : above;
    const members = isJsonObject(holder) || isJsonArray(holder) ? Object.entries(holder) : [];
    for (const [key, value] of members) {
      const name = holdsNumber.test(key) ? beside : key;
      stack.push({ path: `${path}${key}`, name: name === '' ? key : name, value, holder });
    }
  };
  enter('', '', payload);
  for (let leaf = stack.pop(); leaf !== undefined; leaf = stack.pop()) {
    if (toNumber(leaf.value) !== undefined || typeof leaf.value !== 'object' || leaf.value === null) yield leaf;
    else enter(`${leaf.path}.`, leaf.name, leaf.value);
  }
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}

/** `recoveryMs` as `recovery_ms`. */
function toWords(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
}

function withoutEnvelope(data: JsonValue): JsonValue {
  if (!isJsonObject(data)) return data;
  return Object.fromEntries(Object.entries(data).filter(([key]) => key !== 'envelope'));
}

/** A number, also one of many digits, and one with its unit: `130.5 ms`. */
function toNumber(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  const text = isJsonObject(value) ? value['$num'] : value;
  const [, digits] = typeof text === 'string' ? (/^(\d+(?:\.\d+)?)\s*[a-zµ]{0,12}$/.exec(text.trim()) ?? []) : [];
  return digits === undefined ? undefined : Number(digits);
}

/** Milliseconds of one: by the unit in the value, beside it, in its own name, or in the name beside it. */
function unitOf({ path, name, value, holder }: Leaf): number | undefined {
  const [, inValue] = typeof value === 'string' ? (/^[\s\d.]+([a-zµ]+)\s*$/.exec(value) ?? []) : [];
  const own = path.slice(path.lastIndexOf('.') + 1);
  const isHeld = holdsNumber.test(own);
  const expected = inValue ?? (isHeld ? unitBeside(holder) : undefined);
  for (const [names, letter, ms] of units) {
    if (expected !== undefined && (expected === letter || names.test(toWords(expected)))) return ms;
  }
  const called = isHeld ? [name] : [own, name];
  return units.find(([names]) => called.some((text) => names.test(toWords(text))))?.[2];
}

function unitBeside(holder: JsonValue): string | undefined {
  return textIn(holder, 'unit') ?? textIn(holder, 'units');
}

function judgeNumber(
  trial: TrialRecords,
  event: HindcastEvent,
  { path, name, value, holder }: Leaf,
  number: number,
  unit: number | undefined,
): readonly Finding[] {
  const [from, to] = anchorsOf(holder).map((id) => trial.find(id ?? ''));
  const own = path.slice(path.lastIndexOf('.') + 1);
  const called = name === own ? `"${path}"` : `"${name}" ("${path}")`;
  const besideUnit = unitBeside(holder);
  const shown =
    typeof value === 'string' ? value : `${String(number)}${besideUnit === undefined ? '' : ` ${besideUnit}`}`;
  if (from === undefined || to === undefined) {
    const text = `${called} of ${event.type} is ${shown} and names no start and end record. It is no measurement and is shown nowhere as one.`;
    return [{ code: 'unanchored-number', text, events: [event.id] }];
  }
  const { ms } = duration(trial, from, to);
  if (ms === undefined || unit === undefined) return [];
  const decimals = /\.(\d+)/.exec(String(number))?.[1]?.length ?? 0;
  if (Math.abs(ms - number * unit) <= Math.max(1, 0.5 * unit * 10 ** -decimals)) return [];
  const text = `${called} of ${event.type} is ${shown}; its two records stand ${ms} ms apart.`;
  return [{ code: 'anchors-disagree', text, events: [event.id, from.id, to.id] }];
}

/** Ids of the two records, where the number stands beside them. */
function anchorsOf(holder: JsonValue): readonly (string | undefined)[] {
  const anchors = isJsonObject(holder) ? holder['anchors'] : undefined;
  if (isJsonArray(anchors)) return anchors.slice(0, 2).map((id) => (typeof id === 'string' ? id : undefined));
  const named: JsonObject = isJsonObject(anchors) ? anchors : isJsonObject(holder) ? holder : {};
  return [
    ['start', 'from'],
    ['end', 'to'],
  ].map((names) => names.flatMap((name) => textIn(named, name) ?? textIn(named, `${name}_event`) ?? [])[0]);
}
