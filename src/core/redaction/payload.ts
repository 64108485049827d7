/**
 * The payload of one event as the copy shows it: each member by its rule (`fields.ts`).
 *
 * Invariant: a member leaves in clear under its own class alone; what no rule names falls under "everything else". Called by `redact.ts`.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, reservedKeyOf, setOwn } from '../base/json.ts';
import { textToUtf8 } from '../base/hash.ts';
import { writeLossless } from '../base/lossless.ts';
import { type HindcastEvent, digest, digestBytes, isKnownEventType } from '../model/index.ts';
import { replaceDigests } from './digests.ts';
import { fieldsOf, replacementRule } from './fields.ts';
import type { HoleMaker, Place } from './holes.ts';
import type { Identities } from './identities.ts';
import type { RedactionPolicy, ValueClass } from './policy.ts';
import type { Fields, Rule } from './rules.ts';
import type { Shifts } from './shifts.ts';
import type { DigestWatch } from './withheld-digests.ts';

interface Tally {
  kept: number;
  pseudonyms: number;
  withheld: number;
}

export interface Context {
  readonly policy: RedactionPolicy;
  readonly ids: Identities;
  readonly holes: HoleMaker;
  readonly shifts: Shifts;
  readonly watch: DigestWatch;
  readonly tally: Map<ValueClass, Tally>;
  /** Digests of program texts that the copy holds whole. */
  readonly wholePrograms: Set<string>;
}

export function redactPayload(event: HindcastEvent, id: string, context: Context): JsonObject {
  // Cast: the payload is recorded JSON whatever its type says about known members.
  const data = (event.data ?? {}) as JsonObject;
  const at: Place = { event: id, type: event.type, pointer: '/data' };
  if (isKnownEventType(event.type)) return redactObject(data, fieldsOf(event.type), at, context);
  const out: Record<string, JsonValue> = {};
  withholdUnknown(Object.keys(data), data, out, at, context);
  return out;
}

function below(at: Place, key: string): Place {
  return { ...at, pointer: `${at.pointer}/${key}` };
}

function redactObject(source: JsonObject, fields: Fields, at: Place, context: Context): JsonObject {
  const out: Record<string, JsonValue> = {};
  const unknown: string[] = [];
  const digests: [string, DigestRule][] = [];
  for (const key of Object.keys(source)) {
    const value = source[key];
    if (value === undefined) continue;
    const rule = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (rule === undefined) unknown.push(key);
    else if (rule.is === 'digest' || rule.is === 'digest-as-recorded') digests.push([key, rule]);
    else {
      const own = rule.is === 'replacement' ? ruleOfReplacement(source, context) : rule;
      const shown = applyRule(value, own, below(at, key), context);
      if (shown !== undefined) out[key] = shown;
    }
  }
  for (const [key, rule] of digests) {
    const shown =
      rule.is === 'digest'
        ? redactDigest(source, out, key, rule, at, context)
        : keepDigest(source, out, key, rule, below(at, key), context);
    if (shown !== undefined) out[key] = shown;
  }
  withholdUnknown(unknown, source, out, at, context);
  return out;
}

type DigestRule = Rule & { is: 'digest' | 'digest-as-recorded' };

/** The edited or answered command stands beside the value: its record, where there is one, and its path. */
function ruleOfReplacement({ record, path }: JsonObject, { ids }: Context): Rule {
  return replacementRule(
    typeof record === 'string' ? ids.typeOf(record) : undefined,
    typeof path === 'string' ? path : undefined,
  );
}

function redactDigest(
  source: JsonObject,
  out: Record<string, JsonValue>,
  key: string,
  rule: Rule & { is: 'digest' },
  at: Place,
  context: Context,
): JsonValue | undefined {
  const recorded = source[key] ?? null;
  const shown = rule.of === undefined ? undefined : out[rule.of];
  if (rule.of !== undefined && shown !== undefined) {
    // Equal digests: what the copy contains is all of the value, inline or stored apart.
    if (digest(shown) === recorded) return recorded;
    if (rule.else !== 'none' && writeLossless(shown) === writeLossless(source[rule.of] ?? null)) return digest(shown);
  }
  if (rule.else !== 'none') return context.ids.digest(writeLossless(recorded));
  context.watch.withholdDigest(writeLossless(recorded));
  if (rule.of !== undefined && source[rule.of] === undefined) markDigestOnly(rule.of, out, at, context);
  return undefined;
}

/** A value recorded by its digest alone: in its place stands a hole, for nothing at all would be the value null. */
function markDigestOnly(of: string, out: Record<string, JsonValue>, at: Place, { holes }: Context): void {
  const hole = holes.make({ ...below(at, of), class: 'results', reason: 'recorded by its digest alone', value: null });
  if (hole !== undefined) out[of] = hole;
}

/** A class that is withheld withholds its digests too; of a class that is kept, a digest stays only where the copy has its whole text. */
function keepDigest(
  source: JsonObject,
  out: JsonObject,
  key: string,
  rule: Rule & { is: 'digest-as-recorded' },
  at: Place,
  context: Context,
): JsonValue | undefined {
  const recorded = source[key] ?? null;
  if (context.policy.classes[rule.class] !== 'keep') return redactValue(recorded, rule.class, at, context);
  const shown = out[rule.of];
  const isWhole =
    shown === undefined
      ? source[rule.of] === undefined && context.wholePrograms.has(writeLossless(recorded))
      : (typeof shown === 'string' && digestBytes(textToUtf8(shown)) === recorded) ||
        writeLossless(shown) === writeLossless(source[rule.of] ?? null);
  if (!isWhole) return context.ids.digest(writeLossless(recorded));
  context.wholePrograms.add(writeLossless(recorded));
  return redactValue(recorded, rule.class, at, context);
}

/** The value as the copy shows it; undefined when it is withheld and its place cannot hold a hole. */
function applyRule(value: JsonValue, rule: Rule, at: Place, context: Context): JsonValue | undefined {
  switch (rule.is) {
    case 'value':
      return redactValue(value, rule.class, at, context, rule.also);
    case 'figures':
      return redactFigures(value, rule.class, at, context);
    case 'error':
      return redactError(value, at, context);
    case 'name':
      return redactName(value, rule, at, context);
    case 'word':
      if (typeof value !== 'object' && rule.words.includes(String(value))) return value;
      return redactText(value, rule.text, at, context);
    case 'flag':
      return typeof value === 'boolean' ? value : redactValue(value, 'attributes', at, context);
    case 'count':
      return isCount(value) ? value : redactText(value, rule.text, at, context);
    case 'incarnation':
      return typeof value === 'string' || typeof value === 'number'
        ? context.shifts.incarnation(value)
        : redactValue(value, 'attributes', at, context);
    case 'time':
      return redactMoment(typeof value === 'number' ? context.shifts.virtual(value) : undefined, value, at, context);
    case 'moment':
      return redactMoment(typeof value === 'string' ? context.shifts.wall(value) : undefined, value, at, context);
    case 'position':
      return isPosition(value) ? value : redactValue(value, 'attributes', at, context);
    case 'resources':
      return isJsonArray(value)
        ? value.map((item) => context.ids.resource(typeof item === 'string' ? item : writeLossless(item)))
        : redactValue(value, 'attributes', at, context);
    case 'references':
      return redactReferences(value, rule.counts === true ? isCount : isNone, at, context);
    case 'digest':
    case 'digest-as-recorded':
      return context.ids.digest(writeLossless(value));
    case 'replacement':
      // Its rule is that of the neighbours; see redactObject.
      return redactValue(value, 'attributes', at, context);
    case 'object':
      if (isJsonObject(value)) return redactObject(value, rule.fields, at, context);
      return rule.scalar !== undefined && isScalar(value)
        ? applyRule(value, rule.scalar, at, context)
        : redactValue(value, 'attributes', at, context);
    case 'list':
      if (isJsonArray(value)) return redactList(value, rule.item, at, context);
      return rule.single === true && isScalar(value)
        ? applyRule(value, rule.item, at, context)
        : redactValue(value, 'attributes', at, context);
  }
}

/** What is neither a word nor a count of its rule. */
function redactText(value: JsonValue, rule: Rule | undefined, at: Place, context: Context): JsonValue | undefined {
  return rule !== undefined && typeof value === 'string'
    ? applyRule(value, rule, at, context)
    : redactValue(value, 'attributes', at, context);
}

function redactList(items: readonly JsonValue[], rule: Rule, at: Place, context: Context): JsonValue {
  return present(items.map((item, n) => applyRule(item, rule, below(at, String(n)), context)));
}

function isScalar(value: JsonValue): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** A list stays a list of lists: only what has no place in the copy is left out. */
function present(items: readonly (JsonValue | undefined)[]): readonly JsonValue[] {
  return items.filter((item) => item !== undefined);
}

function isCount(value: JsonValue): boolean {
  return value === null || (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 100_000);
}

/** Of whole numbers below 10^9: a longer one is no count of deliveries and may be anything. */
export function isPosition(value: JsonValue): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 && value < 1_000_000_000;
  return typeof value === 'string' && /^\d{1,9}(?:\.\d{1,9}){0,15}$/.test(value);
}

function redactMoment(
  shifted: JsonValue | undefined,
  value: JsonValue,
  at: Place,
  context: Context,
): JsonValue | undefined {
  return shifted ?? context.holes.make({ ...at, class: 'environment', reason: 'times are withheld', value });
}

function redactName(value: JsonValue, rule: Rule & { is: 'name' }, at: Place, context: Context): JsonValue | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return redactValue(value, 'attributes', at, context);
  const text = String(value);
  const shown = countName(rule.class, text, nameToShown(rule, text, context), context);
  return shown === text ? value : shown;
}

function nameToShown({ class: cls, kind }: Rule & { is: 'name' }, text: string, { ids }: Context): string {
  if (kind === 'branch') return ids.branch(text);
  return kind === 'operation' ? ids.operation(text) : ids.name(cls, kind, text);
}

function redactValue(
  value: JsonValue,
  cls: ValueClass,
  at: Place,
  context: Context,
  also: readonly ValueClass[] = [],
): JsonValue | undefined {
  const { classes } = context.policy;
  const closed = [cls, ...also].find((one) => classes[one] !== 'keep');
  if (closed !== undefined) {
    count(context, cls, 'withheld');
    return context.holes.make({ ...at, class: closed, reason: 'withheld by the policy', value });
  }
  count(context, cls, 'kept');
  return context.holes.scrub(value, { ...at, class: cls });
}

function redactFigures(value: JsonValue, cls: ValueClass, at: Place, context: Context): JsonValue | undefined {
  if (typeof value === 'string') return redactValue(value, 'attributes', at, context);
  if (context.policy.classes[cls] !== 'keep' || typeof value !== 'object' || value === null)
    return redactValue(value, cls, at, context);
  if (isJsonArray(value))
    return present(value.map((item, n) => redactFigures(item, cls, below(at, String(n)), context)));
  const reserved = reservedKeyOf(value);
  if (reserved === '$num') return redactValue(value, cls, at, context);
  if (reserved !== undefined) return redactValue(value, 'attributes', at, context);
  const out: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) {
    const safe = context.holes.scrubKey(key);
    const shown = redactFigures(member, cls, below(at, safe), context);
    if (shown !== undefined) setOwn(out, safe, shown);
  }
  return out;
}

function redactError(value: JsonValue, at: Place, context: Context): JsonValue | undefined {
  const shown = redactValue(value, 'errors', at, context);
  if (!isJsonObject(value) || !isJsonObject(shown)) return shown;
  const isTorn = ['name', 'message'].some((key) => typeof value[key] === 'string' && typeof shown[key] !== 'string');
  if (!isTorn || context.policy.classes.errors !== 'keep') return shown;
  return context.holes.make({ ...at, class: 'errors', reason: 'detected in its name or message', value });
}

/**
 * Structure of ours: known identifiers are translated; a number stays where it is a count by rule. Anything else may be a value of the
 * run that was written in the place of an identifier, and is withheld.
 */
function redactReferences(value: JsonValue, isNumber: IsNumber, at: Place, context: Context): JsonValue | undefined {
  if (typeof value === 'string') {
    return (
      context.ids.translate(value) ??
      context.holes.make({ ...at, class: 'attributes', reason: 'not an identifier of this trace', value })
    );
  }
  if (value === null) return value;
  if (typeof value !== 'object') return isNumber(value) ? value : redactValue(value, 'attributes', at, context);
  if (isJsonArray(value))
    return present(value.map((item, n) => redactReferences(item, isNone, below(at, String(n)), context)));
  const out: Record<string, JsonValue> = {};
  const unknown: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const isNumberOfKey = numberRules.get(key) ?? isNone;
    const isKnown = referenceKeys.has(key) || numberRules.has(key);
    const shown = isKnown ? redactReferences(member, isNumberOfKey, below(at, key), context) : undefined;
    if (shown !== undefined) out[key] = shown;
    else if (!isKnown) unknown.push(key);
  }
  withholdUnknown(unknown, value, out, at, context);
  return out;
}

type IsNumber = (value: JsonValue) => boolean;

function isNone(): boolean {
  return false;
}

const referenceKeys: ReadonlySet<string> = new Set('event events path base minus parent branch run scope'.split(' '));

/** Members of our structure that may be a number, and what such a number is. */
const numberRules: ReadonlyMap<string, IsNumber> = new Map([
  ...'delivered issued position'.split(' ').map((key) => [key, isPosition] as const),
  ...'segment attempt reused superseded changed inserted removed suspect pending uncertain retained blocked'
    .split(' ')
    .map((key) => [key, isCount] as const),
]);

/** Members whose names are not ours: kept and scrubbed under "everything else", or left out and counted, since a name can be a secret. */
export function withholdUnknown(
  keys: readonly string[],
  source: object,
  out: Record<string, JsonValue>,
  at: Place,
  context: Context,
): void {
  if (keys.length === 0) return;
  if (context.policy.classes.attributes === 'keep') {
    // Cast: members of an event are recorded JSON.
    const members = source as JsonObject;
    for (const key of keys) {
      const safe = context.holes.scrubKey(undigestText(key, context));
      const shown = redactValue(undigest(members[key] ?? null, context), 'attributes', below(at, safe), context);
      if (shown !== undefined) setOwn(out, safe, shown);
    }
    return;
  }
  count(context, 'attributes', 'withheld', keys.length);
  const reason = `${String(keys.length)} ${keys.length === 1 ? 'field' : 'fields'} of a name that is not shared`;
  context.holes.note({ ...at, class: 'attributes', reason });
}

/** No digest of the original leaves, under whatever name it stands: one of a value that is withheld would confirm a guess of it. */
function undigest(value: JsonValue, context: Context): JsonValue {
  if (typeof value === 'string') return undigestText(value, context);
  if (isJsonArray(value)) return value.map((item) => undigest(item, context));
  if (!isJsonObject(value)) return value;
  const out: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) setOwn(out, undigestText(key, context), undigest(member, context));
  return out;
}

function undigestText(text: string, { ids }: Context): string {
  const toStandIn = (found: string): string => ids.translate(found) ?? ids.digest(writeLossless(found));
  return replaceDigests(text, toStandIn);
}

/**
 * One more name of a class, as it leaves: the same count for envelope and payload. What stays though names of the class are replaced is
 * none: that nobody gave a name, or the original branch.
 */
export function countName(cls: ValueClass, name: string, shown: string, context: Context): string {
  if (shown !== name) count(context, cls, 'pseudonyms');
  else if (context.policy.classes[cls] === 'keep') count(context, cls, 'kept');
  return shown;
}

function count(context: Context, cls: ValueClass, what: keyof Tally, by = 1): void {
  let tally = context.tally.get(cls);
  if (tally === undefined) context.tally.set(cls, (tally = { kept: 0, pseudonyms: 0, withheld: 0 }));
  tally[what] += by;
}
