/**
 * Redaction: events and a policy to a copy that is a stream in its own right.
 *
 * Invariant: nothing in the copy is computed from a withheld value. Identifiers become ordinals or pseudonyms, digests are computed
 * anew over what the copy contains, holes are numbered in the order of the copy. Called by the share panel and `hindcast redact`.
 */
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject, setOwn } from '../base/json.ts';
import { writeLossless } from '../base/lossless.ts';
import {
  type Digest,
  type HindcastEvent,
  causeKinds,
  commandKinds,
  currentVersion,
  digest,
  isContentReference,
  isKnownEventType,
  mainBranch,
} from '../model/index.ts';
import { type Fields, type Rule, fieldsOf } from './fields.ts';
import { type Hole, type HoleMaker, type Place, createHoles } from './holes.ts';
import { type Identities, createIdentities } from './identities.ts';
import type { RedactionPolicy, ValueClass } from './policy.ts';
import { createPseudonyms } from './pseudonyms.ts';
import { type Shifts, createShifts } from './shifts.ts';

export interface RedactionInput {
  readonly events: readonly HindcastEvent[];
  /** Places in `events` that go, for ids may be used twice; undefined: all. What stays behind becomes one counted anchor. */
  readonly include?: ReadonlySet<number> | undefined;
  readonly policy: RedactionPolicy;
  /** Random text of at least 128 bits, fresh for every copy; never leaves. */
  readonly secret: string;
  /** A value stored apart, by digest; undefined when the trace lacks it. */
  readonly content?: ((digest: Digest) => JsonValue | undefined) | undefined;
  readonly note?: string | undefined;
  /** Told from time to time how many records are done. */
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

export interface RedactedCopy {
  /** The stream, one event a line, first the declaration of the copy. */
  readonly lines: readonly string[];
  readonly holes: readonly Hole[];
  /** Per class: values kept, replaced by a pseudonym, withheld. */
  readonly leaves: readonly ClassCount[];
  /** Records of the trace that the copy holds; `omitted` are those that stay behind. */
  readonly events: number;
  readonly omitted: number;
  /** From the ids of the trace to those of the copy, for the view that is shared. */
  readonly eventIds: ReadonlyMap<string, string>;
  readonly branchIds: ReadonlyMap<string, string>;
}

export interface ClassCount {
  readonly class: ValueClass;
  readonly kept: number;
  readonly pseudonyms: number;
  readonly withheld: number;
}

interface Tally {
  kept: number;
  pseudonyms: number;
  withheld: number;
}

interface Context {
  readonly policy: RedactionPolicy;
  readonly content: (digest: Digest) => JsonValue | undefined;
  readonly ids: Identities;
  readonly holes: HoleMaker;
  readonly shifts: Shifts;
  readonly tally: Map<ValueClass, Tally>;
}

/** Types that are not copied as such: contents are inlined where kept, an older declaration is replaced by the new one. */
const neverCopied: ReadonlySet<string> = new Set(['content.stored', 'share.declared']);

const toldEvery = 1_000;

export function redact(input: RedactionInput): RedactedCopy {
  const { include } = input;
  const copied: HindcastEvent[] = [];
  const included: HindcastEvent[] = [];
  for (const [position, event] of input.events.entries()) {
    if (neverCopied.has(event.type)) continue;
    copied.push(event);
    if (include === undefined || include.has(position)) included.push(event);
  }
  const pseudonyms = createPseudonyms(input.secret);
  const context: Context = {
    policy: input.policy,
    content: input.content ?? (() => undefined),
    ids: createIdentities(pseudonyms, input.policy, included, copied),
    holes: createHoles(input.policy.detectors),
    shifts: createShifts(input.policy.times, included, included.length < copied.length),
    tally: new Map(),
  };
  const omitted = copied.length - included.length;
  const records = included.map((event, n) => {
    if (n % toldEvery === 0) input.onProgress?.(n, included.length);
    return redactEvent(event, context);
  });
  const [first] = included;
  const anchor = omitted > 0 && first !== undefined ? [anchorRecord(first, omitted, context)] : [];
  const declared = first === undefined ? [] : [declarationRecord(first, omitted, input, context)];
  return {
    lines: [...declared, ...anchor, ...records].map(writeLossless),
    holes: context.holes.list(),
    leaves: [...context.tally]
      .map(([cls, tally]) => ({ class: cls, ...tally }))
      .sort((a, b) => (a.class < b.class ? -1 : 1)),
    events: included.length,
    omitted,
    eventIds: context.ids.eventIds,
    branchIds: context.ids.branchIds(),
  };
}

function ownEnvelope(like: HindcastEvent, id: string, type: string, context: Context): Record<string, JsonValue> {
  return {
    v: currentVersion,
    id,
    type,
    run: context.ids.run(like.run),
    branch: mainBranch,
    source: { component: 'hindcast' },
  };
}

function anchorRecord(like: HindcastEvent, omitted: number, context: Context): JsonObject {
  return { ...ownEnvelope(like, context.ids.anchor, 'share.omitted', context), data: { events: omitted } };
}

function declarationRecord(like: HindcastEvent, omitted: number, input: RedactionInput, context: Context): JsonObject {
  const holes = context.holes.list().map((hole) => {
    const record: Record<string, JsonValue> = {
      id: hole.id,
      event: hole.event,
      pointer: hole.pointer,
      class: hole.class,
      reason: hole.reason,
    };
    if (hole.size !== undefined) record['size'] = hole.size;
    if (hole.masked !== undefined) record['masked'] = hole.masked;
    return record;
  });
  const data: Record<string, JsonValue> = {
    policy: { ...input.policy, classes: { ...input.policy.classes } },
    holes,
    omitted,
  };
  if (input.note !== undefined) data['note'] = input.note;
  return { ...ownEnvelope(like, 'copy', 'share.declared', context), data };
}

function redactEvent(event: HindcastEvent, context: Context): JsonObject {
  const { ids, shifts } = context;
  const id = ids.event(event.id);
  const known = isKnownEventType(event.type);
  const out: Record<string, JsonValue> = {
    v: currentVersion,
    id,
    type: known ? event.type : `unknown.${ids.name('names', 'type', event.type)}`,
    run: ids.run(event.run),
    branch: ids.branch(event.branch),
    source: redactSource(event, context),
  };
  if (event.span !== undefined) out['span'] = ids.span(event.span);
  if (event.session !== undefined) out['session'] = ids.name('sessions', 'session', event.session);
  if (event.step !== undefined) out['step'] = ids.name('sessions', 'step', event.step);
  if (event.seq !== undefined) out['seq'] = shifts.seq(event);
  Object.assign(out, shifts.times(event), redactAttribution(event, context));
  if (event.causes !== undefined) out['causes'] = event.causes.map((cause) => redactCause(cause, context));
  if (event.supersedes !== undefined) out['supersedes'] = ids.event(event.supersedes);
  if (event.replay !== undefined) out['replay'] = ids.name('sessions', 'operation', event.replay);
  if (event.durable !== undefined) out['durable'] = { status: event.durable.status };
  if (event.replayed !== undefined) out['replayed'] = event.replayed;
  if (event.origin !== undefined) out['origin'] = event.origin;
  if (event.data !== undefined) out['data'] = redactPayload(event, id, context);
  if (event.command !== undefined) out['command'] = redactCommand(event.command, event.type, out['data'], context);
  withholdUnknown(
    Object.keys(event).filter((key) => !envelopeKeys.has(key)),
    event,
    out,
    { event: id, type: event.type, pointer: '' },
    context,
  );
  return out;
}

const envelopeKeys: ReadonlySet<string> = new Set(
  'v id type run span session step branch seq time clock mono source agent principal causes supersedes replay durable replayed origin command imported data'.split(
    ' ',
  ),
);

function redactSource(event: HindcastEvent, { ids, shifts }: Context): JsonObject {
  const out: Record<string, JsonValue> = { component: ids.name('components', 'component', event.source.component) };
  if (event.source.instance !== undefined)
    out['instance'] = ids.name('components', 'instance', String(event.source.instance));
  if (event.source.incarnation !== undefined) out['incarnation'] = shifts.incarnation(event.source.incarnation);
  return out;
}

function redactAttribution(event: HindcastEvent, { ids }: Context): JsonObject {
  const out: Record<string, JsonValue> = {};
  if (event.agent !== undefined) out['agent'] = ids.name('agents', 'agent', event.agent);
  const { principal } = event;
  if (principal === undefined) return out;
  const who: Record<string, JsonValue> = { id: ids.name('people', 'person', principal.id) };
  if (principal.kind !== undefined) who['kind'] = principal.kind;
  if (principal.on_behalf_of !== undefined) who['on_behalf_of'] = ids.name('people', 'person', principal.on_behalf_of);
  if (principal.privileged_path !== undefined)
    who['privileged_path'] = ids.name('people', 'privilege', principal.privileged_path);
  out['principal'] = who;
  return out;
}

function redactCause(cause: NonNullable<HindcastEvent['causes']>[number], { ids }: Context): JsonObject {
  const out: Record<string, JsonValue> = {
    event: ids.cause(cause.event),
    as: causeKinds.includes(cause.as) ? cause.as : 'caused_by',
  };
  if (cause.grade !== undefined) out['grade'] = cause.grade;
  if (cause.rule !== undefined) out['rule'] = ids.name('names', 'rule', cause.rule);
  return out;
}

function redactCommand(
  command: NonNullable<HindcastEvent['command']>,
  type: string,
  data: JsonValue | undefined,
  { ids, shifts }: Context,
): JsonObject {
  const kinds: readonly string[] = commandKinds;
  const out: Record<string, JsonValue> = { path: ids.path(command.path) };
  if (command.kind !== undefined)
    out['kind'] = kinds.includes(command.kind) ? command.kind : ids.name('names', 'kind', command.kind);
  if (command.name !== undefined) out['name'] = ids.name('names', 'name', command.name);
  if (command.args !== undefined) {
    const args = argumentsOf(type, data);
    if (args !== undefined) out['args'] = digest(args);
  }
  if (command.attempt !== undefined) out['attempt'] = command.attempt;
  if (command.issued !== undefined) out['issued'] = command.issued;
  if (command.delivered !== undefined) out['delivered'] = command.delivered;
  const vt = command.vt === undefined ? undefined : shifts.virtual(command.vt);
  if (vt !== undefined) out['vt'] = vt;
  if (command.reads !== undefined) out['reads'] = command.reads.map(ids.resource);
  if (command.writes !== undefined) out['writes'] = command.writes.map(ids.resource);
  if (command.identity !== undefined) out['identity'] = command.identity;
  return out;
}

/** What the args digest of the copy stands for: the copy's own arguments (for a state, its new value). */
function argumentsOf(type: string, data: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(data)) return undefined;
  return data['args'] ?? (type === 'state.transitioned' ? data['value'] : undefined);
}

function redactPayload(event: HindcastEvent, id: string, context: Context): JsonObject {
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
  const digests: [string, Rule & { is: 'digest' | 'digest-as-recorded' }][] = [];
  for (const key of Object.keys(source)) {
    const value = source[key];
    if (value === undefined) continue;
    const rule = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (rule === undefined) unknown.push(key);
    else if (rule.is === 'digest' || rule.is === 'digest-as-recorded') digests.push([key, rule]);
    else {
      const shown = applyRule(value, rule, below(at, key), context);
      if (shown !== undefined) out[key] = shown;
    }
  }
  for (const [key, rule] of digests) {
    const shown =
      rule.is === 'digest'
        ? redactDigest(source, out, key, rule, context)
        : keepDigest(source, out, key, rule, below(at, key), context);
    if (shown !== undefined) out[key] = shown;
  }
  withholdUnknown(unknown, source, out, at, context);
  return out;
}

function redactDigest(
  source: JsonObject,
  out: JsonObject,
  key: string,
  rule: Rule & { is: 'digest' },
  { ids }: Context,
): JsonValue {
  const whole = rule.of === undefined ? undefined : out[rule.of];
  if (rule.of !== undefined && whole !== undefined && writeLossless(whole) === writeLossless(source[rule.of] ?? null))
    return digest(whole);
  return ids.digest(writeLossless(source[key] ?? null));
}

/** A class that is withheld withholds its digests too; of a class that is kept, a digest stays only where its whole text does. */
function keepDigest(
  source: JsonObject,
  out: JsonObject,
  key: string,
  rule: Rule & { is: 'digest-as-recorded' },
  at: Place,
  context: Context,
): JsonValue | undefined {
  const recorded = source[key] ?? null;
  const isWhole = writeLossless(out[rule.of] ?? null) === writeLossless(source[rule.of] ?? null);
  if (!isWhole && context.policy.classes[rule.class] === 'keep') return context.ids.digest(writeLossless(recorded));
  return redactValue(recorded, rule.class, at, context);
}

/** The value as the copy shows it; undefined when it is withheld and its place cannot hold a hole. */
function applyRule(value: JsonValue, rule: Rule, at: Place, context: Context): JsonValue | undefined {
  switch (rule.is) {
    case 'value':
      return redactValue(value, rule.class, at, context);
    case 'name':
      return redactName(value, rule, at, context);
    case 'word':
      return typeof value !== 'object' && rule.words.includes(String(value))
        ? value
        : redactValue(value, 'attributes', at, context);
    case 'flag':
      return typeof value === 'boolean' ? value : redactValue(value, 'attributes', at, context);
    case 'count':
      return isCount(value) ? value : redactValue(value, 'attributes', at, context);
    case 'time':
      return redactMoment(value, at, context);
    case 'resources':
      return isJsonArray(value)
        ? value.map((item) => context.ids.resource(typeof item === 'string' ? item : writeLossless(item)))
        : redactValue(value, 'attributes', at, context);
    case 'references':
      return redactReferences(value, at, context);
    case 'digest':
    case 'digest-as-recorded':
      return context.ids.digest(writeLossless(value));
    case 'object':
      return isJsonObject(value)
        ? redactObject(value, rule.fields, at, context)
        : redactValue(value, 'attributes', at, context);
    case 'list':
      return isJsonArray(value)
        ? redactList(value, rule.item, at, context)
        : redactValue(value, 'attributes', at, context);
  }
}

function redactList(items: readonly JsonValue[], rule: Rule, at: Place, context: Context): JsonValue {
  return items.flatMap((item, n) => applyRule(item, rule, below(at, String(n)), context) ?? []);
}

function isCount(value: JsonValue): boolean {
  return value === null || (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 100_000);
}

function redactMoment(value: JsonValue, at: Place, context: Context): JsonValue | undefined {
  const shifted = typeof value === 'number' ? context.shifts.virtual(value) : undefined;
  return shifted ?? context.holes.make({ ...at, class: 'environment', reason: 'times are withheld', value });
}

function redactName(value: JsonValue, rule: Rule & { is: 'name' }, at: Place, context: Context): JsonValue | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return redactValue(value, 'attributes', at, context);
  const text = String(value);
  const shown = rule.kind === 'branch' ? context.ids.branch(text) : context.ids.name(rule.class, rule.kind, text);
  count(context, rule.class, shown === text ? 'kept' : 'pseudonyms');
  return shown === text ? value : shown;
}

function redactValue(value: JsonValue, cls: ValueClass, at: Place, context: Context): JsonValue | undefined {
  if (context.policy.classes[cls] !== 'keep') {
    count(context, cls, 'withheld');
    return context.holes.make({ ...at, class: cls, reason: 'withheld by the policy', value });
  }
  const resolved = isContentReference(value) ? context.content(value.$ref) : value;
  if (resolved === undefined)
    return context.holes.make({ ...at, class: cls, reason: 'stored apart and absent from the trace', value });
  count(context, cls, 'kept');
  return context.holes.scrub(resolved, { ...at, class: cls });
}

/** Structure of ours: known identifiers are translated, small numbers and flags stay, any other text is withheld. */
function redactReferences(value: JsonValue, at: Place, context: Context): JsonValue | undefined {
  if (typeof value === 'string') {
    return (
      context.ids.translate(value) ??
      context.holes.make({ ...at, class: 'attributes', reason: 'not an identifier of this trace', value })
    );
  }
  if (typeof value === 'number')
    return Math.abs(value) < 100_000 ? value : redactValue(value, 'attributes', at, context);
  if (typeof value !== 'object' || value === null) return value;
  if (isJsonArray(value))
    return value.flatMap((item, n) => redactReferences(item, below(at, String(n)), context) ?? []);
  const out: Record<string, JsonValue> = {};
  const unknown: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const shown = referenceKeys.has(key) ? redactReferences(member, below(at, key), context) : undefined;
    if (shown !== undefined) out[key] = shown;
    else if (!referenceKeys.has(key)) unknown.push(key);
  }
  withholdUnknown(unknown, value, out, at, context);
  return out;
}

const referenceKeys: ReadonlySet<string> = new Set(
  'event events path base minus parent branch run segment delivered issued position reused superseded changed inserted removed suspect pending uncertain retained blocked scope attempt'.split(
    ' ',
  ),
);

/** Members whose names are not ours: kept and scrubbed under "everything else", or left out and counted, since a name can be a secret. */
function withholdUnknown(
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
      const safe = context.holes.scrubKey(key);
      const shown = redactValue(members[key] ?? null, 'attributes', below(at, safe), context);
      if (shown !== undefined) setOwn(out, safe, shown);
    }
    return;
  }
  count(context, 'attributes', 'withheld', keys.length);
  const reason = `${String(keys.length)} ${keys.length === 1 ? 'field' : 'fields'} of a name that is not shared`;
  context.holes.note({ ...at, class: 'attributes', reason });
}

function count(context: Context, cls: ValueClass, what: keyof Tally, by = 1): void {
  let tally = context.tally.get(cls);
  if (tally === undefined) context.tally.set(cls, (tally = { kept: 0, pseudonyms: 0, withheld: 0 }));
  tally[what] += by;
}
