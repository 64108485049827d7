/**
 * The records of one trial, put in order and joined: what every later step asks.
 *
 * Invariant: order is that of causes and of `seq` in one log; two clock readings are compared only where both are monotonic readings of
 * one clock domain, and the answer says so. Producers' verdicts (`trial.finished`, `invariant.checked`, `duplicate.detected`) are
 * kept apart in `told`: nothing else in this folder can reach them by mistake.
 */
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { createIndexBuilder, createOrder } from '../causal/index.ts';
import type { EventOf, HindcastEvent, KnownEventType } from '../model/index.ts';
import { type EffectLedger, computeLedger } from '../projections/effects/ledger.ts';
import { type Life, lifeKey } from '../projections/effects/lives.ts';
import { findClockContradictions } from './clock-turns.ts';
import type { TrialInput } from './group.ts';
import { isIdleHole } from './idle-holes.ts';
import type { LedgerGap } from './ledger-gaps.ts';
import type { AbsenceWording } from './report.ts';
import { actingComponents, isOwnWord } from './services.ts';

export interface Ordering {
  readonly order: 'before' | 'after' | 'not recorded';
  readonly basis: 'recorded order' | 'one monotonic clock' | undefined;
}

type OfType<T extends KnownEventType> = Extract<HindcastEvent, { readonly type: T }>;

export interface TrialRecords {
  readonly run: string;
  readonly input: TrialInput;
  readonly data: EventOf<'trial.started'>['data'];
  readonly envelope: JsonObject;
  /** In display order, without the verdicts of producers. */
  readonly events: readonly HindcastEvent[];
  readonly told: readonly HindcastEvent[];
  readonly ledger: EffectLedger;
  /** Where an execution, or another record that something rests on, may be missing. */
  readonly gaps: readonly LedgerGap[];
  /** Holes of the ledger in which no execution stands. */
  readonly idleHoles: readonly LedgerGap[];
  /** Lives of the processes that ran control code, in order of their start. */
  readonly workers: readonly Life[];
  readonly ofType: <T extends KnownEventType>(...types: readonly T[]) => readonly OfType<T>[];
  readonly ofLife: (life: Life) => readonly HindcastEvent[];
  readonly find: (id: string) => HindcastEvent | undefined;
  readonly compare: (a: HindcastEvent, b: HindcastEvent) => Ordering;
  readonly absence: (life: Life | undefined) => AbsenceWording;
  /** A record whose reading of the same clock contradicts that of this one, by the order of both: then no time is told from this one. */
  readonly contradictsClockOf: (event: HindcastEvent) => HindcastEvent | undefined;
  /** False where the stream declares that its times are laid out and not measured. */
  readonly timesAreMeasured: boolean;
}

const verdictTypes: ReadonlySet<string> = new Set(['trial.finished', 'invariant.checked', 'duplicate.detected']);

/** Written by the producer about its own trial. */
export function isVerdictType(type: string): boolean {
  return verdictTypes.has(type);
}

export function createTrialRecords(input: TrialInput): TrialRecords {
  const own = input.events.filter(({ type }) => !isVerdictType(type));
  const builder = createIndexBuilder();
  for (const event of own) builder.add(event);
  const index = builder.build();
  const order = createOrder(index);
  const events = [...order.display].flatMap((position) => own[position] ?? []);
  const byId = new Map(events.map((event) => [String(event.id), event]));
  const precedes = (a: string, b: string): boolean => {
    const [before, after] = [index.find(a), index.find(b)];
    return before >= 0 && after >= 0 && order.precedes(before, after);
  };
  const acting = actingComponents(events);
  const ledger = computeLedger({
    events: events.filter((event) => !isOwnWord(event, acting)),
    precedes,
    acting,
    copy: input.copy,
    isOneTrial: true,
  });
  const byLife = new Map<string, HindcastEvent[]>();
  for (const event of events) {
    const key = lifeKey(event.source);
    const list = byLife.get(key);
    if (list === undefined) byLife.set(key, [event]);
    else list.push(event);
  }
  const data = input.started.data;
  const contradictions = findClockContradictions(events, monoOf);
  return {
    run: input.run,
    input,
    data,
    envelope: data.envelope ?? {},
    events,
    told: input.events.filter(({ type }) => isVerdictType(type)),
    ledger,
    gaps: input.gaps.filter((gap) => !isIdleHole(gap, ledger)),
    idleHoles: input.gaps.filter((gap) => isIdleHole(gap, ledger)),
    workers: ledger.lives.all.filter((life) => life.started !== undefined || life.exited !== undefined),
    ofType: <T extends KnownEventType>(...types: readonly T[]) =>
      events.filter((event): event is OfType<T> => isOneOf(event, types)),
    ofLife: (life) => byLife.get(life.key) ?? [],
    find: (id) => byId.get(id),
    compare: (a, b) => compareEvents(precedes, a, b),
    absence: (life) => toWording(ledger, life === undefined ? [] : (byLife.get(life.key) ?? [])),
    contradictsClockOf: ({ id }) => contradictions.get(id),
    timesAreMeasured: !ledger.declarations.events.some((event) => isLaidOut(event.data.conventions)),
  };
}

function isOneOf(event: HindcastEvent, types: readonly string[]): boolean {
  return types.includes(event.type);
}

function compareEvents(precedes: (a: string, b: string) => boolean, a: HindcastEvent, b: HindcastEvent): Ordering {
  if (precedes(a.id, b.id)) return { order: 'before', basis: 'recorded order' };
  if (precedes(b.id, a.id)) return { order: 'after', basis: 'recorded order' };
  const [one, other] = [monoOf(a), monoOf(b)];
  if (a.clock === undefined || a.clock !== b.clock || one === undefined || other === undefined || one === other) {
    return { order: 'not recorded', basis: undefined };
  }
  return { order: one < other ? 'before' : 'after', basis: 'one monotonic clock' };
}

export function monoOf(event: HindcastEvent): bigint | undefined {
  return event.mono !== undefined && /^\d{1,30}$/.test(event.mono) ? BigInt(event.mono) : undefined;
}

/** "Absent" needs a producer whose records survive its death: written through before the act, as recorded or declared. */
function toWording(ledger: EffectLedger, events: readonly HindcastEvent[]): AbsenceWording {
  const isSafe = events.every((event) => {
    const status = event.durable?.status;
    if (status !== undefined) return status !== 'memory';
    return ledger.declarations.producers.get(event.source.component) === 'fsync';
  });
  return isSafe && events.length > 0 ? 'absent' : 'absent or lost';
}

function isLaidOut(conventions: unknown): boolean {
  const times = isJsonObject(conventions) ? conventions['times'] : undefined;
  return typeof times === 'string' && /not measured|no measurement/.test(times);
}

export function textIn(object: unknown, key: string): string | undefined {
  const value = isJsonObject(object) ? object[key] : undefined;
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
