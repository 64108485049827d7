/**
 * Redaction: events and a policy to a copy that is a stream in its own right.
 *
 * Invariant: nothing in the copy is computed from a withheld value, but which recorded effects a withheld answer names, by their stand-ins
 * (`src/decisions/0006-what-a-withheld-answer-names.md`). Identifiers become ordinals or pseudonyms, digests are computed
 * anew over what the copy contains, holes are numbered in the order of the copy. Called by the share panel and `hindcast redact`.
 */
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { writeLossless } from '../base/lossless.ts';
import {
  type BranchId,
  type HindcastEvent,
  causeKinds,
  commandKinds,
  currentVersion,
  digest,
  isKnownEventType,
  mainBranch,
} from '../model/index.ts';
import { type Answers, createAnswers } from './answers.ts';
import { type Hole, createHoles } from './holes.ts';
import { createIdentities } from './identities.ts';
import { type Context, countName, isPosition, redactPayload, withholdUnknown } from './payload.ts';
import type { RedactionPolicy, ValueClass } from './policy.ts';
import { type Pseudonyms, createPseudonyms } from './pseudonyms.ts';
import { type ContentLookup, noContent } from './scrub.ts';
import { createShifts } from './shifts.ts';
import { type DigestWatch, createDigestWatch } from './withheld-digests.ts';

export interface RedactionInput {
  readonly events: readonly HindcastEvent[];
  /** Places in `events` that go, for ids may be used twice; undefined: all. What stays behind becomes one counted anchor. */
  readonly include?: ReadonlySet<number> | undefined;
  /** How many events each branch shows and the copy has not: what is said of such a branch is said of a part. */
  readonly lacking?: ReadonlyMap<BranchId, number> | undefined;
  readonly policy: RedactionPolicy;
  /** Random text of at least 128 bits, fresh for every copy; never leaves. */
  readonly secret: string;
  /** Values stored apart; absent: the trace has none. */
  readonly content?: ContentLookup | undefined;
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

/** Types that are not copied as such: contents are inlined where kept, an older declaration is replaced by the new one. */
export const neverCopied: readonly string[] = ['content.stored', 'share.declared'];

const toldEvery = 1_000;

export function redact(input: RedactionInput): RedactedCopy {
  const known = new Set<string>();
  for (;;) {
    const watch = createDigestWatch(known, input.content ?? noContent);
    const { copy, pseudonyms } = redactOnce(input, watch);
    const leaks = watch.findLeaks(pseudonyms.names());
    if (leaks.size === 0) return copy;
    for (const leak of leaks) known.add(leak);
  }
}

function redactOnce(
  input: RedactionInput,
  watch: DigestWatch,
): { readonly copy: RedactedCopy; readonly pseudonyms: Pseudonyms } {
  const { include } = input;
  const copied: HindcastEvent[] = [];
  const included: HindcastEvent[] = [];
  for (const [position, event] of input.events.entries()) {
    if (neverCopied.includes(event.type)) continue;
    copied.push(event);
    if (include === undefined || include.has(position)) included.push(event);
  }
  const pseudonyms = createPseudonyms(input.secret);
  const ids = createIdentities(pseudonyms, input.policy, included, copied);
  const answers = createAnswers({
    all: input.events,
    included,
    policy: input.policy,
    ids,
    content: input.content ?? noContent,
  });
  const context: Context = {
    policy: input.policy,
    ids,
    holes: createHoles(input.policy.detectors, input.content ?? noContent, watch),
    watch,
    shifts: createShifts({
      action: input.policy.times,
      events: included,
      isPart: included.length < copied.length,
      clockName: (clock) => ids.name('components', 'clock', clock),
    }),
    tally: new Map(),
    wholePrograms: new Set(),
  };
  const omitted = copied.length - included.length;
  const records = included.map((event, n) => {
    if (n % toldEvery === 0) input.onProgress?.(n, included.length);
    const record = redactEvent(event, context);
    answers.note(event, record['data']);
    return record;
  });
  const [first] = included;
  const anchor = omitted > 0 && first !== undefined ? [anchorRecord(first, omitted, input.lacking, context)] : [];
  const declared = first === undefined ? [] : [declarationRecord(first, omitted, input, answers, context)];
  const copy: RedactedCopy = {
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
  return { copy, pseudonyms };
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

/** Without the list of branches every branch of the copy is taken for a part. */
function anchorRecord(
  like: HindcastEvent,
  omitted: number,
  lacking: RedactionInput['lacking'],
  context: Context,
): JsonObject {
  const data: Record<string, JsonValue> = { events: omitted };
  if (lacking !== undefined)
    data['branches'] = [...lacking].map(([branch, events]) => ({ branch: context.ids.branch(branch), events }));
  return { ...ownEnvelope(like, context.ids.anchor, 'share.omitted', context), data };
}

function declarationRecord(
  like: HindcastEvent,
  omitted: number,
  input: RedactionInput,
  answers: Answers,
  context: Context,
): JsonObject {
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
  const named = answers.list();
  if (named.length > 0) data['answers'] = named;
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
    type: known ? event.type : `unknown.${named('names', 'type', event.type, context)}`,
    run: countName('sessions', event.run, ids.run(event.run), context),
    branch: countName('sessions', event.branch, ids.branch(event.branch), context),
    source: redactSource(event, context),
  };
  if (event.span !== undefined) out['span'] = countName('sessions', event.span, ids.span(event.span), context);
  if (event.session !== undefined) out['session'] = named('sessions', 'session', event.session, context);
  if (event.step !== undefined) out['step'] = named('sessions', 'step', event.step, context);
  if (event.seq !== undefined) out['seq'] = shifts.seq(event);
  Object.assign(out, shifts.times(event), redactAttribution(event, context));
  if (event.causes !== undefined) out['causes'] = event.causes.map((cause) => redactCause(cause, context));
  if (event.supersedes !== undefined) out['supersedes'] = ids.event(event.supersedes);
  if (event.replay !== undefined) out['replay'] = ids.operation(event.replay);
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

/** A name of the envelope, counted. */
function named(cls: ValueClass, kind: string, name: string, context: Context): string {
  return countName(cls, name, context.ids.name(cls, kind, name), context);
}

function redactSource({ source }: HindcastEvent, context: Context): JsonObject {
  const out: Record<string, JsonValue> = { component: named('components', 'component', source.component, context) };
  if (source.instance !== undefined)
    out['instance'] = named('components', 'instance', String(source.instance), context);
  if (source.incarnation !== undefined) out['incarnation'] = context.shifts.incarnation(source.incarnation);
  return out;
}

function redactAttribution(event: HindcastEvent, context: Context): JsonObject {
  const out: Record<string, JsonValue> = {};
  if (event.agent !== undefined) out['agent'] = named('agents', 'agent', event.agent, context);
  const { principal } = event;
  if (principal === undefined) return out;
  const who: Record<string, JsonValue> = { id: named('people', 'person', principal.id, context) };
  if (principal.kind !== undefined) who['kind'] = principal.kind;
  if (principal.on_behalf_of !== undefined)
    who['on_behalf_of'] = named('people', 'person', principal.on_behalf_of, context);
  if (principal.privileged_path !== undefined)
    who['privileged_path'] = named('people', 'privilege', principal.privileged_path, context);
  out['principal'] = who;
  return out;
}

function redactCause(cause: NonNullable<HindcastEvent['causes']>[number], context: Context): JsonObject {
  const out: Record<string, JsonValue> = {
    event: context.ids.cause(cause.event),
    as: causeKinds.includes(cause.as) ? cause.as : 'caused_by',
  };
  if (cause.grade !== undefined) out['grade'] = cause.grade;
  if (cause.rule !== undefined) out['rule'] = named('names', 'rule', cause.rule, context);
  return out;
}

function redactCommand(
  command: NonNullable<HindcastEvent['command']>,
  type: string,
  data: JsonValue | undefined,
  context: Context,
): JsonObject {
  const { ids, shifts, watch } = context;
  const kinds: readonly string[] = commandKinds;
  const out: Record<string, JsonValue> = { path: ids.path(command.path) };
  if (command.kind !== undefined)
    out['kind'] = kinds.includes(command.kind) ? command.kind : named('names', 'kind', command.kind, context);
  if (command.name !== undefined) out['name'] = named('names', 'name', command.name, context);
  if (command.args !== undefined) {
    const args = argumentsOf(type, data);
    if (args !== undefined) out['args'] = digest(args);
    if (out['args'] !== command.args) watch.withholdDigest(command.args);
  }
  for (const key of ['attempt', 'issued', 'delivered'] as const) {
    const number = command[key];
    if (number !== undefined && isPosition(number)) out[key] = number;
  }
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
